"""Diffs are those of `difflib` for plain texts, small for texts that repeat themselves, and `git apply` reads them."""

from __future__ import annotations

import difflib
import random
import subprocess
from pathlib import Path

import pytest
from tracetrap.linter.edits.unified import unified


def changed(lines: list[str], random_: random.Random) -> list[str]:
    lines = list(lines)
    for _ in range(random_.randrange(1, 4)):
        place = random_.randrange(len(lines) + 1)
        match random_.randrange(3):
            case 0:
                lines[place:place] = ["new\n"]
            case 1:
                del lines[place : place + random_.randrange(1, 4)]
            case _:
                lines[place : place + 1] = ["other\n", "lines\n"]
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_git_turns_the_old_text_into_the_new_one(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    old = [random_.choice(["a\n", "b\n", "c\n", "d\r\n"]) for _ in range(random_.randrange(1, 40))]
    new = changed(old, random_)
    if random_.random() < 0.3:
        new.append("no end")
    (tmp_path / "text.txt").write_bytes("".join(old).encode())

    diff = unified(old, new, "a/text.txt", "b/text.txt")

    if old != new:
        (tmp_path / "change.diff").write_bytes(diff.encode())
        subprocess.run(["git", "apply", "change.diff"], cwd=tmp_path, check=True, timeout=60)
        after = tmp_path / "text.txt"
        assert (after.read_bytes().decode() if after.exists() else "") == "".join(new)
    else:
        assert diff == ""


def test_plain_texts_have_the_diff_that_difflib_gives() -> None:
    old = [f"{number}\n" for number in range(100)]
    new = [*old[:3], "x\n", *old[3:50], *old[52:98], "y\n", *old[98:]]

    assert unified(old, new, "a", "b") == "".join(difflib.unified_diff(old, new, "a", "b"))


def test_a_text_that_repeats_itself_has_a_small_diff() -> None:
    old = ["def f():\n", "    x = 1\n", "    return x\n", "\n"] * 500
    new = [*old[:1001], "    y = 2\n", *old[1002:]]

    assert unified(old, new, "a", "b").count("\n") == 11
