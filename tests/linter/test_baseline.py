"""`--baseline`: what is known is not reported again, wherever its line moves; what is new is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pitfall_file import PITFALL

SECOND = "\n\n@jax.jit\ndef second(x):\n    if x > 1:\n        return x\n    return -x\n"


@pytest.fixture
def known(tracetrap, pitfall: Path) -> Path:
    """A baseline that holds the one pitfall of model.py."""
    answer = tracetrap("check", "--write-baseline", "known.json")
    assert (answer.code, answer.output) == (0, "")
    assert answer.errors == "tracetrap: 1 finding written to known.json\n"
    return Path("known.json")


def test_what_is_known_is_not_reported_again_though_its_line_moves(
    tracetrap, pitfall: Path, known: Path
) -> None:
    pitfall.write_text("import os\n\n" + PITFALL.replace("    if x > threshold", "    if  x  > threshold"))

    answer = tracetrap("check", "--baseline", "known.json")

    assert (answer.code, answer.errors) == (0, "")
    assert answer.output == "Nothing found in 1 file.\n"


def test_what_is_new_is_reported(tracetrap, pitfall: Path, known: Path) -> None:
    pitfall.write_text(PITFALL + SECOND + SECOND.replace("second", "third"))

    answer = tracetrap("check", "--baseline", "known.json", "--output-format", "json")

    assert answer.code == 1
    assert [found["code"] for found in json.loads(answer.output)] == ["TRC101", "TRC101"]


def test_equal_findings_are_counted(tracetrap, pitfall: Path) -> None:
    twice = PITFALL + SECOND + SECOND.replace("second", "third")
    pitfall.write_text(twice)
    tracetrap("check", "--write-baseline", "known.json")
    pitfall.write_text(twice + SECOND.replace("second", "fourth"))

    answer = tracetrap("check", "--baseline", "known.json", "--output-format", "json")

    assert len(json.loads(answer.output)) == 1


def test_what_is_gone_is_told_and_pruned(tracetrap, pitfall: Path, known: Path) -> None:
    pitfall.write_text("import jax\n")

    told = tracetrap("check", "--baseline", "known.json")
    pruned = tracetrap("check", "--baseline", "known.json", "--prune-baseline")

    assert "1 entry of known.json not found any more; --prune-baseline removes it" in told.errors
    assert "1 entry of known.json removed" in pruned.errors
    assert json.loads(known.read_text()) == {"tracetrap-baseline": 1, "files": {}}


def test_files_that_were_not_checked_keep_their_entries(tracetrap, pitfall: Path, known: Path) -> None:
    Path("other.py").write_text("import jax\n")
    before = known.read_bytes()

    answer = tracetrap("check", "--baseline", "known.json", "--prune-baseline", "other.py")

    assert (answer.code, answer.errors, known.read_bytes()) == (0, "", before)


def test_the_place_it_is_used_from_does_not_matter(
    tracetrap, pitfall: Path, known: Path, monkeypatch
) -> None:
    Path("inner").mkdir()
    monkeypatch.chdir("inner")

    assert tracetrap("check", "--baseline", "../known.json", "..").code == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file; --write-baseline makes it"),
        ("{", "is damaged, or no baseline"),
        ("[1]", "is damaged, or no baseline"),
        ('{"files": {}}', "is damaged, or no baseline"),
        ('{"tracetrap-baseline": 1, "files": {"a.py": [7]}}', "is damaged, or no baseline"),
        ('{"tracetrap-baseline": 1, "files": {"a.py": [{"code": "TRC101"}]}}', "is damaged, or no baseline"),
        ('{"tracetrap-baseline": 2, "files": {}}', "has version 2, and this Tracetrap reads 1"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_one_clear_line(
    tracetrap, pitfall, text: str | None, reason: str
) -> None:
    if text is not None:
        Path("known.json").write_text(text)

    answer = tracetrap("check", "--baseline", "known.json")

    assert (answer.code, answer.output) == (2, "")
    assert answer.errors.startswith(f"tracetrap: --baseline known.json: {reason}")
    assert answer.errors.count("\n") == 1


def test_a_baseline_that_cannot_be_written_is_one_clear_line(tracetrap, pitfall: Path) -> None:
    answer = tracetrap("check", "--write-baseline", "no/such/folder.json")

    assert answer.code == 2
    assert answer.errors.startswith("tracetrap: --write-baseline no/such/folder.json: cannot be written")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--prune-baseline"], "--prune-baseline needs --baseline FILE"),
        (["--baseline", "a", "--write-baseline", "b"], "leave --baseline out"),
        (["--add-noqa", "--fix"], "--add-noqa cannot be combined"),
    ],
)
def test_options_that_contradict_each_other_are_named(
    tracetrap, pitfall, options: list[str], reason: str
) -> None:
    answer = tracetrap("check", *options)

    assert answer.code == 2
    assert reason in answer.errors
