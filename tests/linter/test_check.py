"""`tracetrap check` as its users meet it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pitfall_file import PITFALL


def test_a_pitfall_is_shown_with_its_line_and_its_cause(tracetrap, pitfall) -> None:
    answer = tracetrap("check", "model.py")

    assert answer.code == 1
    first, *frame = answer.output.splitlines()
    assert first.startswith("model.py:6:8: TRC101 ")
    assert "    if x > threshold:" in frame[1]
    assert frame[2].endswith("|        ^^^^^^^^^^^^^")
    assert answer.output.endswith("1 finding in 1 file; 1 can be fixed with --fix --unsafe-fixes.\n")


def test_nothing_found_is_exit_code_0(tracetrap, folder) -> None:
    (folder / "clean.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n")

    answer = tracetrap("check")

    assert (answer.code, answer.output) == (0, "Nothing found in 1 file.\n")


def test_exit_zero_reports_and_does_not_fail(tracetrap, pitfall) -> None:
    answer = tracetrap("check", "--exit-zero")

    assert answer.code == 0
    assert "TRC101" in answer.output


def test_json_has_the_fields_of_ruff_and_our_own(tracetrap, pitfall) -> None:
    answer = tracetrap("check", "--output-format", "json")

    (found,) = json.loads(answer.output)
    assert found["code"] == "TRC101"
    assert found["filename"] == "model.py"
    assert found["location"] == {"row": 6, "column": 8}
    assert found["end_location"] == {"row": 6, "column": 21}
    assert found["error"] == "TracerBoolConversionError"
    assert found["confidence"] == "definite"
    assert found["entry_point"]["name"] == "conditional_double"
    assert found["entry_point"]["transform"] == "jit"
    assert found["verdict"] is None
    assert set(found) == {
        "code", "name", "message", "filename", "cell", "location", "end_location", "severity", "url", "fix", "confidence",
        "entry_point", "provenance", "error", "verdict", "fixes",
    }  # fmt: skip
    assert all(set(step) == {"message", "filename", "location"} for step in found["provenance"])


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--select", "TRC1"), True),
        (("--select", "trc101"), True),
        (("--select", "TRC2,TRC3"), False),
        (("--ignore", "TRC101"), False),
        (("--ignore", "TRC1", "--select", "TRC101"), True),
        (("--select", "TRC2", "--extend-select", "TRC101"), True),
    ],
)
def test_selection(tracetrap, pitfall, arguments: tuple[str, ...], found: bool) -> None:
    assert tracetrap("check", *arguments).code == int(found)


@pytest.mark.parametrize(("comment", "code"), [("# noqa: TRC101", 0), ("# noqa", 0), ("# noqa: TRC2", 1)])
def test_noqa(tracetrap, pitfall, comment: str, code: int) -> None:
    pitfall.write_text(PITFALL.replace("threshold:\n", f"threshold:  {comment}\n"))

    assert tracetrap("check").code == code


def test_settings_of_the_project_hold(tracetrap, pitfall) -> None:
    Path("setup.cfg").write_text("[tracetrap]\nper-file-ignores = model.py: TRC101\n")

    assert tracetrap("check").code == 0
    assert tracetrap("check", str(pitfall)).code == 0


def test_standard_input_goes_by_the_name_given(tracetrap, folder, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PITFALL.encode())))
    Path("setup.cfg").write_text("[tracetrap]\noutput-format = concise\n")

    answer = tracetrap("check", "-", "--stdin-filename", "package/new.py")

    assert answer.code == 1
    assert answer.output.startswith("package/new.py:6:8: TRC101 ")


def test_folders_are_searched_without_what_is_excluded(tracetrap, folder) -> None:
    for name in ("a.py", "venv/b.py", "inner/c.py", "inner/generated/d.py", "inner/e.txt", ".git/f.py"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PITFALL)
    Path("setup.cfg").write_text("[tracetrap]\nextend-exclude = generated/\n")

    answer = tracetrap("check", "--output-format", "concise", ".")

    assert [line.split(":")[0] for line in answer.output.splitlines()] == [
        "a.py",
        os.path.join("inner", "c.py"),
    ]
    assert tracetrap("check", "venv/b.py").code == 1, "a file that is named outright is checked"


def test_statistics_count(tracetrap, pitfall) -> None:
    Path("again.py").write_text(PITFALL)

    assert tracetrap("check", "--statistics").output == "2  TRC101  traced-if\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "missing.py"), "missing.py: no such file or folder"),
        (("check", "--select", "X1"), "--select must be rule codes such as TRC101 or TRC1, not 'X1'"),
        (("check", "--output-format", "xml"), "--output-format must be one of concise"),
        (("check", "--jobs", "-3"), "--jobs must be a number of processes"),
        (("check", "--runtime", "torch"), "--runtime must be one of bundled, jax"),
        (("check", "--config", "none.toml"), "none.toml: no such file"),
        (("check", "-", "."), "cannot be combined"),
        (("chekc",), "there is no command 'chekc'; did you mean check?"),
        (("rule", "TRC1O1"), "there is no rule TRC1O1; did you mean TRC101?"),
        (("rule", "TRC999"), "there is no rule TRC999; 'tracetrap rule' lists all"),
        (("rule", "TRC101", "TRC102"), "'tracetrap rule' takes no argument 'TRC102'"),
        (("check", "--verfy"), "'tracetrap check' has no option --verfy; did you mean --verify?"),
        (("check", "--outptu-format=json"), "has no option --outptu-format; did you mean --output-format?"),
        (("check", "--xyz"), "has no option --xyz; 'tracetrap check --help' lists all"),
        (("run", "--sav", "x.json", "--rutime", "jax"), "has no option --rutime; did you mean --runtime?"),
    ],
)
def test_mistakes_are_named_in_one_line_with_exit_code_2(tracetrap, folder, arguments, message) -> None:
    answer = tracetrap(*arguments)

    assert answer.code == 2
    assert message in answer.errors.splitlines()[-1]
    assert "Traceback" not in answer.errors


def test_alone_it_says_what_to_do(tracetrap) -> None:
    answer = tracetrap()

    assert answer.code == 0
    assert "tracetrap check" in answer.output


def test_rules_are_listed_and_explained(tracetrap) -> None:
    listed = tracetrap("rule").output
    page = tracetrap("rule", "trc101").output

    assert "TRC101  `if` on a traced value" in listed
    assert page.startswith("# TRC101: traced-if\n")
    assert "## Why is this bad" in page


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a full device can be had")
def test_a_report_that_cannot_be_written_is_one_line(folder: Path) -> None:
    (folder / "a.py").write_text("x = 1\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tracetrap.linter", "check", "a.py"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "tracetrap: No space left on device\n"
