"""The page of `tracetrap view`: every expression has a state, every link leads somewhere, nothing comes from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser, executable
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Edit, Finding, Fix, Location, Span, Verdict
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.view import ViewedFile, gather, page
from tracetrap.linter.view.markup import Piece, lines

MODEL = """\
import jax
import jax.numpy as jnp


def scale(x, factor):
    y = jnp.sin(
        x,
    ) * factor
    if y > 0:
        return y
    return y * x.ndim


scaled = jax.jit(scale, static_argnames="factor")
print(scaled(jnp.ones(()), factor=2.0))
"""
HOSTILE = '''\
"""</script><script>alert("1")</script> <!-- & \u2028 'quoted' -->"""
import jax


@jax.jit
def f(x, y="</code></div><img src=http://example.org/a.png onerror=alert(1)>"):
    return x + 1, y  # </script> & "quotes" <b>
'''


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and the text of each line of code."""

    VOID = frozenset({"meta", "link", "img", "br", "wbr", "input", "hr"})
    OPTIONAL = frozenset({"li"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.lines: list[str] = []
        self.data = ""
        self.feed(
            re.sub(r"<script type=text/plain>(.*?)</script>", r"\1", html, flags=re.DOTALL)
        )  # as opened
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID | self.OPTIONAL:
            self.open.append(tag)
        if tag == "div" and "l" in (dict(attrs).get("class") or "").split():
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"{tag} at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if "script" in self.open and self.elements[-1][1].get("id") == "data":
            self.data += data
        if (
            "code" in self.open
            and self.open[-1] != "a"
            and "article" not in self.open
            and self.lines
            and "main" in self.open
        ):
            self.lines[-1] += data

    def with_attribute(self, name: str) -> Iterator[dict[str, str | None]]:
        """The attributes of the elements that have this one."""
        return (attributes for _, attributes in self.elements if name in attributes)


def view(folder: Path, text: str, name: str = "model.py") -> tuple[list[ViewedFile], str]:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    files = gather([Path(name)], SettingsFinder())
    return files, page(files, name)


def table(parsed: Parsed) -> dict[str, list[list[Any]]]:
    data: dict[str, list[list[Any]]] = json.loads(parsed.data)
    return data


def test_every_expression_has_a_state(folder: Path) -> None:
    files, html = view(folder, MODEL)
    parsed = Parsed(html)
    values = table(parsed)["values"]
    shown = [
        (attributes["class"], values[int(attributes["data-v"] or "")])
        for attributes in parsed.with_attribute("data-v")
    ]

    assert {(sign, value[0]) for sign, value in shown} == {("t", "traced"), ("s", "static")}
    assert len(shown) >= len(files[0].observations) > 20
    assert {value[1] for sign, value in shown if sign == "t"} >= {"traced f32[]", "traced bool[]"}


def test_ids_are_unique_and_resolve(folder: Path) -> None:
    (folder / "other.py").write_text(MODEL, encoding="utf-8")
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    parsed = Parsed(page(gather([Path(".")], SettingsFinder()), "."))
    ids = [attributes["id"] for attributes in parsed.with_attribute("id")]
    targets = [(attributes["href"] or "").removeprefix("#") for attributes in parsed.with_attribute("href")]
    targets += [step[1] for step in table(parsed)["steps"] if step[1]]
    targets += [
        name
        for attributes in parsed.with_attribute("aria-labelledby")
        for name in [attributes["aria-labelledby"] or ""]
    ]

    assert parsed.wrong == []
    assert len(ids) == len(set(ids))
    assert set(targets) <= set(ids)
    assert sum(target.endswith("x0") for target in targets) == 2  # a finding in each file


def test_nothing_comes_from_outside(folder: Path) -> None:
    _, html = view(folder, MODEL)
    parsed = Parsed(html)

    assert not [
        attributes
        for name in ("src", "srcset", "data", "action")
        for attributes in parsed.with_attribute(name)
    ]
    assert all((attributes["href"] or "").startswith("#") for attributes in parsed.with_attribute("href"))
    assert not re.search(r"url\(|@import|https?:", html)
    assert "default-src 'none'" in html


@pytest.mark.parametrize(
    "text",
    [MODEL, HOSTILE, HOSTILE.replace("\n", "\r\n"), MODEL.rstrip("\n"), "import jax\n\tx = (", "# jax"],
)
def test_the_code_is_shown_as_it_stands(folder: Path, text: str) -> None:
    _, html = view(folder, text)
    parsed = Parsed(html)

    assert parsed.wrong == []
    assert [line.rstrip("\n") for line in parsed.lines] == [
        line.rstrip("\r\n").replace("\u2028", "\ufffd") for line in SourceFile(text).lines
    ]
    assert [tag for tag, _ in parsed.elements].count("script") == 2
    assert not list(parsed.with_attribute("onerror"))


def test_a_finding_shows_verdict_and_changes() -> None:
    source = SourceFile("import jax\nif x > 0:\n    y = 1\n", "a<b>.py")
    span = Span(Location(2, 4), Location(2, 9))
    finding = Finding(
        "TRC101", "traced-if", "if on <x>", "a<b>.py", span,
        error="TracerBoolConversionError",
        fixes=(Fix("use <jnp.where>", (Edit(Span(Location(2, 1), Location(3, 10)), "y = where(x > 0, 1, y)"),), cost="both run"),),
        verdict=Verdict("confirmed", "raised", "TracerBoolConversionError", Location(2, 1), "f32[<3>]"),
    )  # fmt: skip
    html = page([ViewedFile(source, findings=(finding,))], "a")

    assert "<del>-if x &gt; 0:</del>" in html
    assert "<ins>+y = where(x &gt; 0, 1, y)</ins>" in html
    assert "confirmed</strong> raised" in html
    assert "traced with f32[&lt;3&gt;]" in html
    assert Parsed(html).wrong == []


def test_pieces_nest_across_lines() -> None:
    source = SourceFile("ab\ncd\n")
    pieces = [Piece(1, 4, "p", " k", "one"), Piece(3, 5, "q"), Piece(0, 5, "r")]

    assert list(lines(source, pieces)) == ["<r>a<p id=one k>b</p></r>", "<r><p k><q>c</q></p>d</r>"]


def test_the_command_writes_a_page(tracetrap: Callable[..., Any], pitfall: Path) -> None:
    answer = tracetrap("view", pitfall.name)

    assert (answer.code, answer.output) == (0, "")
    assert "wrote model.html" in answer.errors
    assert "TRC101" in Path("model.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["absent.py"], "absent.py: no such file or folder"),
        (["empty"], "empty: no Python file here names a library that traces"),
        (
            ["model.py", "-o", "absent/page.html"],
            "absent/page.html: cannot be written (No such file or directory)",
        ),
    ],
)
def test_the_command_says_what_is_wrong(
    tracetrap: Callable[..., Any], pitfall: Path, arguments: list[str], reason: str
) -> None:
    (pitfall.parent / "empty").mkdir()

    answer = tracetrap("view", *arguments)

    assert (answer.code, answer.errors) == (2, f"tracetrap: {reason}\n")


def test_jaxprs_stand_beside_the_source(tracetrap: Callable[..., Any], folder: Path) -> None:
    pytest.importorskip("numpy")
    (folder / "model.py").write_text(
        "import jax\n\n\n@jax.jit\ndef double(x):  # tracetrap: f32[3]\n    return x * 2\n", encoding="utf-8"
    )

    answer = tracetrap("view", "model.py", "--trace", "-o", "-")

    assert answer.code == 0
    assert re.search(
        r"<details id=f0j0 open><summary><code>double</code>.*mul a 2.0", answer.output, re.DOTALL
    )
    assert 'href="#f0j0">jaxpr</a>' in answer.output


def test_fixes_that_tracing_proves_are_marked(tracetrap: Callable[..., Any], pitfall: Path) -> None:
    pytest.importorskip("numpy")

    answer = tracetrap("view", "model.py", "--verify", "-o", "-")

    card = answer.output.partition("<article")[2].partition("</article>")[0]
    assert 'class="verdict confirmed"' in card
    first, second = re.findall(
        r'<strong>([^<]*)</strong>.*? (\w+ fix), <b class="proof (\w+)">([^<]*)</b>', card
    )
    assert first == ("Choose with jnp.where", "unsafe fix", "proven", "proven")
    assert second == ("Branch with lax.cond", "unsafe fix", "untried", "not tried")


@pytest.mark.skipif(executable() is None, reason="Chromium is not installed")
def test_in_chromium(folder: Path, tmp_path: Path) -> None:
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    (folder / "zoo.py").write_text(HOSTILE, encoding="utf-8")
    (folder / "view.html").write_text(page(gather([Path(".")], SettingsFinder()), "."), encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        browser.size(1300, 800)
        browser.prefer("dark")
        browser.open(folder / "view.html")

        nodes = browser.send("Accessibility.getFullAXTree")["nodes"]  # what a screen reader is told
        told = {
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        }
        assert {("main", ""), ("navigation", "Files"), ("complementary", "Findings and values")} <= told
        assert ("article", "TRC101 traced-if error") in told
        assert {"Previous finding", "Next finding", "Show the keys"} <= {
            name for role, name in told if role == "button"
        }

        browser.point("#f0L9 mark .t")  # hover: value and provenance
        assert browser.value("document.querySelector('#tip').hidden") is False
        assert "traced f32[]" in browser.value("document.querySelector('#tip').innerText").replace("\n", " ")
        assert "x is traced by jit" in browser.value("document.querySelector('#inspector').innerText")

        browser.press("ArrowLeft")  # to the expression around it
        assert "traced bool[]" in browser.value("document.querySelector('#spoken').textContent")

        browser.click("#f0L9 mark .t .t")  # click: along the provenance, y from x
        first = browser.value("location.hash")
        assert browser.value("document.activeElement === document.querySelector(location.hash)") is True
        browser.press("Enter")
        assert browser.value("location.hash") != first
        assert browser.value("document.querySelector(location.hash).closest('.l').id") == "f0L5"
        assert "x is traced by jit" in browser.value("document.querySelector('#spoken').textContent")

        browser.press("j")  # keyboard: the finding is focused, visibly
        assert browser.value("document.activeElement.className") == "card error"
        assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"

        dark = browser.value("getComputedStyle(document.body).backgroundColor")
        browser.press("t")
        assert browser.value("getComputedStyle(document.body).backgroundColor") != dark

        browser.click("nav li:nth-child(2) a")  # the other file, which breaks out of nothing
        assert browser.value("[...document.querySelectorAll('.file')].map(file => file.hidden)") == [
            True,
            False,
        ]
        assert "</script>" in browser.value("document.querySelector('#f1L1').innerText")

        browser.size(1300, 800)
        inside = "[...document.querySelectorAll('.card *')].every(part => part.closest('pre') || part.scrollWidth <= part.parentElement.clientWidth + 1)"
        assert browser.value(f"location.hash = '#f0x0', {inside}") is True

        browser.size(380, 700)
        assert browser.value("document.documentElement.scrollWidth <= innerWidth") is True
        requests = [
            event["params"]["request"]["url"]
            for event in browser.events
            if event["method"] == "Network.requestWillBeSent"
        ]
        assert [url for url in requests if not url.startswith("file:")] == []
        errors = [event for event in browser.events if event["method"] == "Runtime.exceptionThrown"]
        assert errors == []


@pytest.mark.skipif(executable() is None, reason="Chromium is not installed")
def test_a_file_that_is_not_shown_yet_is_made_when_something_leads_there(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "model.py").write_text(
        "import jax\n\nfrom rules import pick\n\n\n@jax.jit\ndef f(x):\n    return pick(x)\n"
    )
    (folder / "rules.py").write_text("def pick(y):  # jax\n    if y > 0:\n        return y\n    return -y\n")
    (folder / "view.html").write_text(page(gather([Path(".")], SettingsFinder()), "."), encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        browser.size(1300, 800)
        browser.open(folder / "view.html")
        assert browser.value("document.querySelector('#f1L2')") is None

        browser.press("j")
        assert browser.value("location.hash") == "#f1x0"
        assert browser.value("document.activeElement.id") == "f1x0"
        assert browser.value("document.querySelector('#f1L2 code').innerText.trim()") == "if y > 0:"

        browser.click("#f1x0 .chain a")  # the cause is in the first file
        assert browser.value("location.hash").startswith("#f0")
        assert browser.value("document.querySelector('#f1').hidden") is True

        (folder / "view.html").rename(folder / "linked.html")
        browser.open(folder / "linked.html", "#f1x0")
        assert browser.value("document.activeElement.id") == "f1x0"


def test_recompilations_stand_in_a_table_that_leads_to_the_code(
    tracetrap: Callable[..., Any], folder: Path
) -> None:
    pytest.importorskip("llvmlite")
    (folder / "train.py").write_text(
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef step(x):\n    return x + 1\n\n\n"
        "for n in range(3):\n    step(jnp.ones(n + 1))\nstep(jnp.ones(3))\n"
    )
    ran = tracetrap("run", "--save", "run.json", "train.py")
    assert ran.code == 0

    assert tracetrap("view", "train.py", "--run", "run.json").code == 0

    html = (folder / "train.html").read_text(encoding="utf-8")
    table = html.partition("<h2 id=runs>")[2].partition("</section>")[0]
    assert '<a href="#f0L' in table and "<code>step</code>" in table
    assert "<td>4<td>3<td>1<td>" in table
    assert table.count("<li>") == 2 and "f32[1] -&gt; f32[2]" in table


@pytest.mark.parametrize(
    ("text", "reason"),
    [(None, "cannot be read"), ("{", "is no report of 'tracetrap run --save'"), ("{}", "is no report")],
)
def test_a_report_that_is_none_is_named(tracetrap, pitfall: Path, text: str | None, reason: str) -> None:
    if text is not None:
        Path("run.json").write_text(text)

    answer = tracetrap("view", "model.py", "--run", "run.json")

    assert (answer.code, answer.errors.count("\n")) == (2, 1)
    assert answer.errors.startswith(f"tracetrap: --run run.json: {reason}")
