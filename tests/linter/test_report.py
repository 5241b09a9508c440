"""Each format holds what its readers need, whatever a finding contains."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from tracetrap.linter.findings import Edit, EntryPoint, Finding, Fix, Location, Span, Step, Verdict
from tracetrap.linter.report import Report, formats, render

LINES = ["import jax\n", "def f(x, \u6f22):\n", "\tif x > \u6f22: return 1\n"]


def span(row: int, start: int, end: int) -> Span:
    return Span(Location(row, start), Location(row, end))


FIRST = Finding(
    code="TRC101",
    name="traced-if",
    message='if on a traced value: x > \u6f22 <is> "traced", 100% & sure',
    filename="a b/model.py",
    span=span(3, 5, 10),
    error="TracerBoolConversionError",
    entry_point=EntryPoint("f", "jit", Location(2, 1)),
    provenance=(
        Step("x is traced by jit", "other.py", Location(7, 3)),
        Step("passed to f as x", "a b/model.py", Location(2, 7)),
    ),
    fixes=(Fix("use jnp.where", (Edit(span(3, 1, 22), "\treturn 1\n"),), "unsafe", "both are computed"),),
    verdict=Verdict("confirmed", "tracing raised it", "TracerBoolConversionError", Location(3, 1), "f32[]"),
)
SECOND = Finding(
    "TRC403",
    "host-effect",
    "print happens once",
    "b.py",
    span(1, 1, 6),
    severity="warning",
    confidence="possible",
)


def report(*findings: Finding, colour: bool = False) -> Report:
    lines = {"a b/model.py": LINES}
    return Report(findings, 3, lambda name: lines.get(name, ()), colour)


def test_text_tells_the_whole_story() -> None:
    assert (
        render("text", report(FIRST, SECOND))
        == """\
a b/model.py:3:5: TRC101 if on a traced value: x > \u6f22 <is> "traced", 100% & sure
  |
3 | \tif x > \u6f22: return 1
  | \t   ^^^^^
  = other.py:7: x is traced by jit
  = line 2: passed to f as x
  = confirmed: TracerBoolConversionError on line 3 with f32[] - tracing raised it
  = unsafe fix: use jnp.where (both are computed)

b.py:1:1: TRC403 print happens once (possible)

2 findings in 3 files: 1 confirmed; 1 can be fixed with --fix --unsafe-fixes.
"""
    )


def test_text_is_painted_only_where_colours_show() -> None:
    plain, painted = (render("text", report(FIRST, colour=colour)) for colour in (False, True))

    assert "\x1b[" not in plain
    assert "\x1b[1;31mTRC101\x1b[0m" in painted


def test_control_characters_in_a_file_do_not_reach_the_terminal() -> None:
    finding = Finding("TRC101", "traced-if", "m", "evil.py", span(1, 1, 2))
    text = render("text", Report([finding], 1, lambda _: ["if x: '\x1b[2J'\n"]))

    assert "\x1b" not in text


def test_marks_stand_below_wide_characters() -> None:
    finding = Finding("TRC101", "traced-if", "m", "wide.py", span(1, 7, 12))
    text = render("text", Report([finding], 1, lambda _: ["'\u6f22\u5b57', x > 1\n"]))

    assert "  |" + " " * 9 + "^^^^^" in text


def test_concise_is_one_line_each() -> None:
    assert render("concise", report(FIRST, SECOND)).splitlines() == [
        'a b/model.py:3:5: TRC101 if on a traced value: x > \u6f22 <is> "traced", 100% & sure [confirmed]',
        "b.py:1:1: TRC403 print happens once (possible)",
    ]


def test_json_holds_fix_and_verdict() -> None:
    first, second = json.loads(render("json", report(FIRST, SECOND)))

    assert first["fix"] == {
        "applicability": "unsafe",
        "message": "use jnp.where",
        "edits": [
            {
                "content": "\treturn 1\n",
                "location": {"row": 3, "column": 1},
                "end_location": {"row": 3, "column": 22},
            }
        ],
    }
    assert first["verdict"]["status"] == "confirmed"
    assert first["verdict"]["location"] == {"row": 3, "column": 1}
    assert (second["fix"], second["verdict"], second["entry_point"]) == (None, None, None)


def test_github_escapes_what_it_must() -> None:
    first, second = render("github", report(FIRST, SECOND)).splitlines()

    assert first.startswith(
        "::error title=tracetrap TRC101,file=a b/model.py,line=3,endLine=3,col=5,endColumn=10::"
    )
    assert "100%25 & sure" in first
    assert second.startswith("::warning ")


def test_sarif_has_a_code_flow_that_ends_at_the_finding() -> None:
    log = json.loads(render("sarif", report(FIRST, SECOND)))

    (run,) = log["runs"]
    first, second = run["results"]
    flow = first["codeFlows"][0]["threadFlows"][0]["locations"]
    assert log["version"] == "2.1.0"
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] == [7, 2, 3]
    assert flow[-1]["location"]["physicalLocation"] == first["locations"][0]["physicalLocation"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/model.py"
    assert [run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] for result in (first, second)] == [
        "TRC101",
        "TRC403",
    ]
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {
        "text": "\treturn 1\n"
    }


def test_fingerprints_survive_moved_lines_and_differ_for_equal_ones() -> None:
    def prints(shift: int, *findings: Finding) -> list[str]:
        lines = ["\n"] * shift + LINES + LINES
        issues = json.loads(render("gitlab", Report(findings, 1, lambda _: lines)))
        return [issue["fingerprint"] for issue in issues]

    def at(row: int) -> Finding:
        return Finding("TRC101", "traced-if", "m", "a.py", span(row, 5, 9))

    assert prints(0, at(3), at(6)) == prints(5, at(8), at(11))
    assert len(set(prints(0, at(3), at(6)))) == 2


def test_junit_is_xml_with_a_failure_a_finding() -> None:
    odd = Finding("TRC101", "traced-if", "odd \x00 \x1b character", "c.py", span(1, 1, 2))
    root = ElementTree.fromstring(render("junit", report(FIRST, SECOND, odd)).split("\n", 1)[1])

    assert [suite.get("name") for suite in root] == ["a b/model.py", "b.py", "c.py"]
    assert [failure.get("type") for failure in root.iter("failure")] == ["TRC101", "TRC403", "TRC101"]
    assert root.get("failures") == "3"


@pytest.mark.parametrize("name", formats())
def test_every_format_says_when_there_is_nothing(name: str) -> None:
    text = render(name, report())

    expected = {"json": "[]\n", "gitlab": "[]\n", "text": "Nothing found in 3 files.\n"}
    if name in expected:
        assert text == expected[name]
    assert "TRC" not in text
