"""The guides for developers name what stands in the tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATH = re.compile(r"`([\w./*-]+(?:\.py|/))`")
PLACEHOLDERS = ("NAME", "NNN", "*")
TOPS = ("linter", "runtime", "tests", "fixtures", "docs", "benchmarks")


def paths(guide: str) -> list[str]:
    """The files and folders that a guide names, but for those that the reader is to make."""
    found = PATH.findall((ROOT / guide).read_text(encoding="utf-8"))
    return [path for path in found if not any(word in path for word in PLACEHOLDERS)]


@pytest.mark.parametrize("guide", ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/extending.md"])
def test_guides_name_files_that_exist(guide: str) -> None:
    there = [f"/{path.relative_to(ROOT)}" for top in TOPS for path in (ROOT / top).rglob("*")]
    there += [f"/{top}" for top in TOPS]
    missing = [
        path for path in paths(guide) if not any(one.endswith(f"/{path.rstrip('/')}") for one in there)
    ]

    assert paths(guide)
    assert missing == []
