"""Unified diffs that show what has changed and no more.

`difflib` alone takes lines that a long file repeats for noise, and a diff of such a file replaces all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 3
MOST = 4_000
"""Lines between the first change and the last that are compared line by line; beyond, repeated lines are passed over."""


def unified(old: Sequence[str], new: Sequence[str], old_name: str, new_name: str) -> str:
    """The diff of two lists of lines with their ends, as `git apply` reads it; empty where they are the same."""
    top = _shared(old, new)
    bottom = _shared(old[top:][::-1], new[top:][::-1])
    first, behind = max(top - CONTEXT, 0), max(bottom - CONTEXT, 0)
    before, after = old[first : len(old) - behind], new[first : len(new) - behind]
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) + len(after) > MOST)
    hunks = [
        line for group in matcher.get_grouped_opcodes(CONTEXT) for line in _hunk(before, after, group, first)
    ]
    return "".join([f"--- {old_name}\n", f"+++ {new_name}\n", *hunks]) if hunks else ""


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines are the same from the beginning on."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _hunk(
    old: Sequence[str], new: Sequence[str], group: Sequence[tuple[str, int, int, int, int]], shift: int
) -> Iterator[str]:
    start, end = group[0], group[-1]
    yield f"@@ -{_range(start[1], end[2], shift)} +{_range(start[3], end[4], shift)} @@\n"
    for kind, old_start, old_end, new_start, new_end in group:
        if kind == "equal":
            yield from (_line(" ", line) for line in old[old_start:old_end])
        else:
            yield from (_line("-", line) for line in old[old_start:old_end])
            yield from (_line("+", line) for line in new[new_start:new_end])


def _range(start: int, end: int, shift: int) -> str:
    """Where a hunk begins, and how long it is: 1 is left out, and an empty one begins at the line before it."""
    length = end - start
    if length == 1:
        return f"{start + shift + 1}"
    return f"{start + shift + (1 if length else 0)},{length}"


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith(("\n", "\r")) else f"{sign}{line}\n\\ No newline at end of file\n"
