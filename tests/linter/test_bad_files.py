"""Files that cannot be analysed are one finding each; all others are still checked."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pitfall_file import PITFALL

BAD = {
    "syntax.py": (b"import jax\ndef f(:\n    pass\n", "invalid syntax", (2, 7)),
    "undecodable.py": (b"import jax\nx = '\xff'\n", "byte 0xff on line 2 is no utf-8", (1, 1)),
    "cookie.py": (b"# coding: klingon\nimport jax\n", "unknown encoding: klingon", (1, 1)),
    "null.py": (b"import jax\nx = '\0'\n", "null bytes", (1, 1)),
    "nested.py": (b"import jax\nx = " + b"(" * 10_000 + b"1" + b")" * 10_000, "nests too deeply", None),
    "minus.py": (b"import jax\nx = " + b"-" * 10_000 + b"1\n", "nests too deeply", None),
    "sum.py": (b"import jax\n" + b"x = 1" + b" + 1" * 5_000 + b"\n", "nests too deeply", None),
    "elif.py": (b"import jax\nif 1: pass\n" + b"elif 1: pass\n" * 3_000, "nests too deeply", None),
    "python2.py": (b"import jax\nprint 'hello'\n", "invalid syntax: Missing parentheses", (2, 1)),
}


@pytest.mark.parametrize("name", BAD)
def test_one_line_says_why_and_the_others_are_checked(tracetrap, folder, name: str) -> None:
    data, reason, place = BAD[name]
    (folder / name).write_bytes(data)
    (folder / "zz_good.py").write_text(PITFALL)

    answer = tracetrap("check", "--output-format", "json")

    bad, good = json.loads(answer.output)
    assert (bad["code"], bad["filename"]) == ("TRC900", name)
    assert reason in bad["message"]
    assert place is None or bad["location"] == {"row": place[0], "column": place[1]}
    assert (good["code"], good["filename"]) == ("TRC101", "zz_good.py")
    assert answer.code == 1


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n", b"# jax jit\n", b"'''jax'''"])
def test_files_without_code_are_fine(tracetrap, folder, data: bytes) -> None:
    (folder / "empty.py").write_bytes(data)

    assert tracetrap("check").code == 0


def test_a_folder_without_python_files_says_so(tracetrap, folder) -> None:
    answer = tracetrap("check", str(folder))

    assert answer.code == 0
    assert "no Python files" in answer.errors


def test_a_missing_path_is_named_and_the_others_are_checked(tracetrap, pitfall) -> None:
    answer = tracetrap("check", "--output-format", "concise", "missing.py", "model.py", "gone")

    assert answer.code == 2
    assert answer.errors.splitlines() == [
        "tracetrap: missing.py: no such file or folder",
        "tracetrap: gone: no such file or folder",
    ]
    assert answer.output.startswith("model.py:6:8: TRC101 ")


def test_an_unreadable_file_is_named(tracetrap, pitfall, monkeypatch) -> None:
    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)

    assert "model.py:1:1: TRC900 this file was not analysed: it cannot be read (Permission denied)" in (
        tracetrap("check").output
    )


def test_what_is_no_regular_file_is_not_read(tracetrap, folder) -> None:
    os.mkfifo("pipe.py")

    assert tracetrap("check").code == 0
    assert "pipe.py: is no regular file" in tracetrap("check", "pipe.py").errors


def test_a_file_that_vanishes_is_named(tracetrap, folder) -> None:
    Path("gone.py").symlink_to("nowhere.py")
    Path("good.py").write_text(PITFALL)

    answer = tracetrap("check", "--output-format", "concise")

    assert "gone.py:1:1: TRC900 this file was not analysed: it cannot be read (No such file" in answer.output
    assert "good.py:6:8: TRC101" in answer.output


@pytest.fixture
def failing_analysis(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Replaces the analysis of files whose name begins with `bad`."""

    def install(fail: Callable[[], object]) -> None:
        from tracetrap.linter import analysis

        original = analysis.analyze

        def analyze(source, settings, project=None):
            if source.filename.startswith("bad"):
                fail()
            return original(source, settings, project)

        monkeypatch.setattr(analysis, "analyze", analyze)

    return install


def test_a_crash_is_one_finding_with_the_place_for_a_report(tracetrap, folder, failing_analysis) -> None:
    def fail() -> None:
        from tracetrap.linter.files.source import SourceFile
        from tracetrap.linter.findings import Location

        SourceFile("x = 1\n").offset(Location(1, None))  # type: ignore[arg-type]

    failing_analysis(fail)
    Path("bad.py").write_text(PITFALL)
    Path("good.py").write_text(PITFALL)

    answer = tracetrap("check", "--output-format", "concise")

    bad, good = answer.output.splitlines()
    assert bad.startswith(
        "bad.py:1:1: TRC900 this file was not analysed: the analysis failed with TypeError: "
    )
    assert "(at files/source.py:" in bad
    assert good.startswith("good.py:6:8: TRC101")


def test_endless_recursion_is_one_finding(tracetrap, folder, failing_analysis) -> None:
    def fail() -> None:
        fail()

    failing_analysis(fail)
    Path("bad.py").write_text(PITFALL)

    assert "code nests or calls too deeply" in tracetrap("check").output


def test_an_endless_analysis_is_ended(tracetrap, folder, failing_analysis) -> None:
    def fail() -> None:
        while True:
            time.sleep(0.01)

    failing_analysis(fail)
    Path("setup.cfg").write_text("[tracetrap]\nseconds-per-file = 0.2\n")
    Path("bad.py").write_text(PITFALL)
    Path("good.py").write_text(PITFALL)

    answer = tracetrap("check", "--output-format", "concise")

    assert (
        "bad.py:1:1: TRC900 this file was not analysed: the analysis took longer than 0.2 seconds"
        in answer.output
    )
    assert "good.py:6:8: TRC101" in answer.output


def test_an_analysis_that_is_cut_short_says_what_it_left_out(tracetrap, folder, monkeypatch) -> None:
    monkeypatch.setattr("tracetrap.linter.modules.BASE_STEPS", 0)
    monkeypatch.setattr("tracetrap.linter.modules.STEPS_A_LINE", 2)
    later = "".join(f"def later{number}(y):\n    return jax.jit(lambda z: -z)(y)\n" for number in range(9))
    Path("long.py").write_text(PITFALL + later)

    answer = tracetrap("check", "--strict", "--output-format", "json")

    note, pitfall = json.loads(answer.output)
    assert (note["code"], note["location"]) == ("TRC900", {"row": 1, "column": 1})
    assert "in part: it needs more than the 52 steps" in note["message"]
    assert "not looked at: later3, later4, later5 and 3 more" in note["message"]
    assert pitfall["code"] == "TRC101"
    assert "TRC900" not in tracetrap("check").output


def test_a_long_helper_with_many_callers_leaves_steps_for_all_others(tracetrap, folder) -> None:
    sums = "".join(f"    total = total + values[{k % 3}] * {k} + len(values)\n" for k in range(400))
    callers = "".join(
        f"def caller{k}(x):\n    return report([x, {k}, x], {k})\ndef later{k}(y):\n    return jax.jit(lambda z: -z)(y)\n"
        for k in range(150)
    )
    Path("helper.py").write_text(
        f"{PITFALL}def report(values, total):\n{sums}    return jax.jit(lambda x: x * total)(values[0])\n{callers}"
    )

    answer = tracetrap("check", "--strict", "--output-format", "concise")

    assert "TRC101" in answer.output
    assert "in part" not in answer.output


def test_what_a_call_that_is_not_followed_may_have_changed_is_not_known(tracetrap, folder) -> None:
    sums = "".join(f"    total = total + {k} * len(slots)\n" for k in range(400))
    callers = "".join(
        f"def caller{k}(x):\n    slots = ['empty']\n    fill(slots, x, {k})\n    return jax.jit(lambda y: y)(slots)\n"
        for k in range(20)
    )
    Path("filled.py").write_text(
        f"import jax\ndef fill(slots, x, total):\n{sums}    slots[0] = x\n    return total\n{callers}"
    )

    answer = tracetrap("check", "--output-format", "concise")

    assert (answer.code, answer.output) == (0, "")


def test_calls_that_are_too_deep_to_follow_are_said(tracetrap, folder) -> None:
    calls = "".join(f"def f{k}(x):\n    return f{k - 1}(x)\n" for k in range(1, 200))
    Path("deep.py").write_text(f"{PITFALL}def f0(x):\n    return x\n{calls}jax.jit(f199)(1.0)\n")

    assert (
        "in part: calls are followed 60 deep; from there, not into f140"
        in tracetrap("check", "--strict").output
    )


def test_long_files_may_take_longer() -> None:
    from tracetrap.linter.deep_stack import seconds_for

    assert [seconds_for(lines, 60.0) for lines in (0, 10_000, 10_001, 100_000)] == [60, 60, 120, 600]
