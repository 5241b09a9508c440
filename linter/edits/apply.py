"""Applies the fixes of findings to a text: none that overlap, and none that break it."""

from __future__ import annotations

import os
import stat
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..files.source import SourceFile
from ..findings import Edit, Finding, Fix
from ..python_tree import parses
from .unified import unified

MAX_ROUNDS = 20
"""One fix may make room for the next; whoever is not done after this many goes round in circles."""


class FixError(Exception):
    """A fixed file that cannot be written; the message is one line."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after its fixes: how many were applied, the codes of those that were refused, why others are unproven."""

    text: str
    applied: int
    refused: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()


def fix_text(
    source: SourceFile,
    findings: Sequence[Finding],
    check: Callable[[SourceFile], Sequence[Finding]],
    *,
    unsafe: bool,
) -> Fixed:
    """Fix what can be fixed, look again, and go on until nothing changes.

    `findings` are those of `source`; `check` finds those of a changed text.  A fix whose result is no Python any more,
    or has findings of a kind that there were fewer of before, and that cannot be fixed, is refused.
    """
    run = _Run(check, unsafe)
    fixed, left = run.to_the_end(source, findings, findings)
    if not worse(findings, left):
        return fixed
    for finding in findings:
        if applicable(finding, unsafe=unsafe) is not None:
            _, after = run.to_the_end(source, findings, [finding])
            if worse(findings, after):
                run.harmful.setdefault(_line(source, finding), finding.code)
    fixed, left = run.to_the_end(source, findings, findings)
    if worse(findings, left):  # each fix alone does no harm, all together do
        fixed = Fixed(source.text, 0, fixed.refused)
    return replace(fixed, refused=tuple(dict.fromkeys((*fixed.refused, *run.harmful.values()))))


def worse(before: Sequence[Finding], after: Sequence[Finding]) -> list[str]:
    """The codes that have more findings than before."""
    return sorted(Counter(f.code for f in after) - Counter(f.code for f in before))


@dataclass
class _Run:
    """Rounds of fixes; those of `harmful` lines are left out."""

    check: Callable[[SourceFile], Sequence[Finding]]
    unsafe: bool
    harmful: dict[tuple[str, str], str] = field(default_factory=dict)

    def to_the_end(
        self, source: SourceFile, before: Sequence[Finding], chosen: Sequence[Finding]
    ) -> tuple[Fixed, Sequence[Finding]]:
        """Fix until nothing changes; also what there is left to find.

        Where only some of the findings `before` are chosen, later rounds fix no more than what the first brought.
        """
        applied, findings, everything = 0, before, len(chosen) == len(before)
        refused: dict[str, None] = {}
        seen = {source.text}
        for _ in range(MAX_ROUNDS):
            candidates = [finding for finding in chosen if _line(source, finding) not in self.harmful]
            text, number, broken = apply_fixes(source, candidates, unsafe=self.unsafe)
            refused.update(dict.fromkeys(broken))
            if not number or text in seen:
                break
            applied += number
            seen.add(text)
            source = SourceFile(text, source.filename, source.path, source.encoding)
            findings = self.check(source)
            new = worse(before, findings)
            chosen = [finding for finding in findings if everything or finding.code in new]
        return Fixed(source.text, applied, tuple(refused)), findings


def _line(source: SourceFile, finding: Finding) -> tuple[str, str]:
    """A finding as it can be known again in a changed text."""
    return finding.code, source.lines[finding.span.start.row - 1].strip()


def apply_fixes(
    source: SourceFile, findings: Iterable[Finding], *, unsafe: bool
) -> tuple[str, int, list[str]]:
    """The text with as many fixes as do not overlap; their number; and the codes of fixes that break the text."""
    chosen: list[tuple[Finding, Fix]] = []
    taken: list[tuple[int, int]] = []
    for finding in sorted(findings, key=lambda finding: finding.sort_key):
        fix = applicable(finding, unsafe=unsafe)
        if fix is None or finding.filename != source.filename:
            continue
        extents = [_extent(source, edit) for edit in fix.edits]
        if not any(_overlap(a, b) for a in extents for b in taken):
            chosen.append((finding, fix))
            taken += extents
    text = edited(source, [fix for _, fix in chosen])
    if parses(text):
        return text, len(chosen), []
    sound = [(finding, fix) for finding, fix in chosen if parses(edited(source, [fix]))]
    broken = [finding.code for finding, fix in chosen if (finding, fix) not in sound]
    text = edited(source, [fix for _, fix in sound])
    return (
        (text, len(sound), broken)
        if parses(text)
        else (source.text, 0, [finding.code for finding, _ in chosen])
    )


def applicable(finding: Finding, *, unsafe: bool) -> Fix | None:
    """The best fix of a finding that may be applied, if there is one."""
    allowed = ("safe", "unsafe") if unsafe else ("safe",)
    return next((fix for fix in finding.fixes if fix.applicability in allowed and fix.edits), None)


def diff(before: SourceFile, after: str) -> str:
    """A unified diff, as `git apply` reads it."""
    name = before.filename.replace("\\", "/")
    return unified(before.lines, SourceFile(after).lines, f"a/{name}", f"b/{name}")


def write(source: SourceFile, text: str) -> None:
    """Put a text in the place of a file's, all at once: whoever reads it sees the old or the new, never a part.

    Keeps encoding, byte order mark and permissions, and writes through symbolic links.  Raises FixError, and then the
    file is as it was: also when it changed since it was read.
    """
    assert source.path is not None
    target = Path(os.path.realpath(source.path))
    try:
        data = source.encoding.encode(text)
        if target.read_bytes() != source.encoding.encode(source.text):
            raise FixError(f"{source.filename}: changed while it was checked, so its fixes were not written")
        mode = stat.S_IMODE(target.stat().st_mode)
        if not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except UnicodeEncodeError:
        raise FixError(
            f"{source.filename}: its encoding, {source.encoding.name}, lacks characters of the fix"
        ) from None
    except OSError as error:
        raise FixError(f"{source.filename}: cannot be written ({error.strerror})") from None


def _extent(source: SourceFile, edit: Edit) -> tuple[int, int]:
    return source.offset(edit.span.start), source.offset(edit.span.end)


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return (a[0] < b[1] and b[0] < a[1]) or a[0] == b[0]


def edited(source: SourceFile, fixes: Iterable[Fix]) -> str:
    """The text with all edits of these fixes, which must not overlap; line ends as those of the file."""
    newline = _newline(source)
    edits = sorted(
        ((*_extent(source, edit), edit.content) for fix in fixes for edit in fix.edits),
        reverse=True,
    )
    text = source.text
    for start, end, content in edits:
        if newline != "\n":
            content = content.replace("\r\n", "\n").replace("\n", newline)
        text = text[:start] + content + text[end:]
    return text


def _newline(source: SourceFile) -> str:
    """How the lines of a file end: as its first one does."""
    first = source.lines[0] if source.lines else "\n"
    return first[len(first.rstrip("\r\n")) :] or "\n"
