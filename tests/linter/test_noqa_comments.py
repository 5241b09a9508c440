"""`--add-noqa`, comments that suppress nothing (TRC902), and codes that no rule has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pitfall_file import PITFALL

CONDITION = "    if x > threshold:\n"


def commented(comment: str) -> str:
    assert CONDITION in PITFALL
    return PITFALL.replace(CONDITION, f"{CONDITION.rstrip()}  {comment}\n")


def test_every_finding_is_given_a_comment(tracetrap, pitfall: Path) -> None:
    answer = tracetrap("check", "--add-noqa")

    assert (answer.code, answer.errors) == (0, "tracetrap: 1 noqa comment added\n")
    assert pitfall.read_text() == commented("# noqa: TRC101")
    assert tracetrap("check").code == 0


def test_a_comment_that_is_there_gets_the_code(tracetrap, pitfall: Path) -> None:
    pitfall.write_text(commented("# noqa: E501"))
    tracetrap("check", "--add-noqa")

    assert pitfall.read_text() == commented("# noqa: E501, TRC101")


def test_two_findings_on_one_line_share_a_comment(tracetrap, pitfall: Path) -> None:
    pitfall.write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return int(x) if x > 0 else x\n")
    tracetrap("check", "--add-noqa")

    assert "# noqa: TRC103, TRC201\n" in pitfall.read_text()
    assert tracetrap("check").code == 0


def test_windows_line_ends_and_encodings_are_kept(tracetrap, pitfall: Path) -> None:
    before = ("# -*- coding: latin-1 -*-\n# \xe9\n" + PITFALL).replace("\n", "\r\n").encode("latin-1")
    pitfall.write_bytes(before)
    tracetrap("check", "--add-noqa")

    assert pitfall.read_bytes() == before.replace(b"threshold:\r\n", b"threshold:  # noqa: TRC101\r\n")


@pytest.mark.parametrize(
    ("comment", "mended"),
    [
        ("# noqa: TRC201", ""),
        ("# noqa: TRC201, TRC101", "  # noqa: TRC101"),
        ("# noqa: TRC101, TRC201  because", "  # noqa: TRC101  because"),
        ("# noqa: E501, TRC201", "  # noqa: E501"),
        ("# noqa: TRC201 because", "  # because"),
        ("# noqa: TRC201  # type: ignore", "  # type: ignore"),
    ],
)
def test_what_suppresses_nothing_is_found_and_removed(
    tracetrap, pitfall: Path, comment: str, mended: str
) -> None:
    pitfall.write_text(commented(comment))

    found = json.loads(tracetrap("check", "--select", "TRC902", "--output-format", "json").output)
    tracetrap("check", "--select", "TRC902", "--fix")

    assert [(one["code"], one["location"]["row"]) for one in found] == [("TRC902", 6)]
    assert "TRC201 is not found on this line" in found[0]["message"]
    assert pitfall.read_text() == PITFALL.replace(CONDITION, f"{CONDITION.rstrip()}{mended}\n")


@pytest.mark.parametrize(
    "comment",
    ["# noqa: TRC101", "# noqa: TRC1", "# noqa", "# noqa: E501", "# noqa: TRC901", "# noqa: trc101"],
)
def test_what_suppresses_something_or_is_not_ours_stays(tracetrap, pitfall: Path, comment: str) -> None:
    pitfall.write_text(commented(comment))

    assert tracetrap("check", "--select", "TRC902").code == 0


def test_a_comment_that_another_file_needs_stays(tracetrap, folder: Path) -> None:
    Path("inner.py").write_text(
        "def half(x):\n    if x > 0:  # noqa: TRC101\n        return x\n    return -x\n"
    )
    Path("outer.py").write_text("import jax\nfrom inner import half\n\njax.jit(half)(1.0)\n")

    assert tracetrap("check", "--extend-select", "TRC902").code == 0


def test_nothing_is_said_unless_asked_for_and_not_of_strings(tracetrap, pitfall: Path) -> None:
    pitfall.write_text('import jax\n\n"""\nx  # noqa: TRC201\n"""\ny = 1  # noqa: TRC201\n')

    assert tracetrap("check").code == 0
    assert tracetrap("check", "--extend-select", "TRC902").output.count("TRC902") == 1


def test_a_code_that_no_rule_has_is_named_once(tracetrap, pitfall: Path) -> None:
    pitfall.write_text(commented("# noqa: TRC199") + "\nx = 1  # noqa: TRC199\n")

    answer = tracetrap("check")

    assert answer.errors == (
        "tracetrap: model.py:6: noqa names TRC199, and there is no such rule ('tracetrap rule' lists all)\n"
    )
    assert "TRC101" in answer.output
