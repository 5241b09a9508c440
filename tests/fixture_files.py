"""The files of fixtures/ and what they say of themselves; `fixtures/README.md` describes the comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"

_EXPECT = re.compile(r"#\s*expect:\s*(?P<items>.+?)\s*$")
_RAISES = re.compile(r"#\s*raises:\s*(?P<error>\w+)\s*$")
_ITEM = re.compile(r"(?P<possible>possible\s+)?(?P<code>TRC\d{3})(?:\s+(?P<error>\w+))?$")


@dataclass(frozen=True, order=True)
class Expectation:
    """What the linter has to report on one line."""

    row: int
    code: str
    error: str | None = None
    possible: bool = False


@dataclass(frozen=True)
class Fixture:
    """One file: what the linter reports, and what JAX raises where (None: it runs to its end)."""

    path: Path
    expectations: tuple[Expectation, ...]
    raised: tuple[str, int] | None

    @property
    def name(self) -> str:
        """The path below fixtures/, without suffix."""
        return self.path.relative_to(FIXTURES).with_suffix("").as_posix()

    @property
    def fixed(self) -> Path | None:
        """The mended sibling, where there is one."""
        sibling = self.path.with_name(f"{self.path.stem}_fixed.py")
        return sibling if sibling.exists() else None


def read(path: Path) -> Fixture:
    """Parses the comments of one file.

    Raises:
        ValueError: a comment is not in the form that `fixtures/README.md` describes.
    """
    expectations: list[Expectation] = []
    raised: tuple[str, int] | None = None
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := _EXPECT.search(line):
            for text in match["items"].split(","):
                item = _ITEM.match(text.strip())
                if item is None:
                    raise ValueError(f"{path}:{row}: cannot read the expectation {text.strip()!r}")
                expectations.append(Expectation(row, item["code"], item["error"], bool(item["possible"])))
        elif "# expect" in line:
            raise ValueError(f"{path}:{row}: an expectation needs a colon and a code")
        if match := _RAISES.search(line):
            raised = (match["error"], row)
    if raised is None:
        raised = next(((e.error, e.row) for e in expectations if e.error), None)
    return Fixture(path, tuple(sorted(expectations, key=lambda e: (e.row, e.code))), raised)


@cache
def all_fixtures() -> tuple[Fixture, ...]:
    """Every file of fixtures/, in order."""
    return tuple(read(path) for path in sorted(FIXTURES.rglob("*.py")))
