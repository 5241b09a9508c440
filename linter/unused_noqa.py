"""`noqa` comments of ours that suppress nothing (TRC902), and the codes in them that no rule has.

Only a run that has seen all files that may need a comment can tell, so this is asked for (`--extend-select TRC902`), and
left to `tracetrap check`.  Blanket comments may be meant for another tool, and are never touched.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .files.noqa import COMMENT
from .files.source import SourceFile
from .findings import Edit, Finding, Fix, Location, Span

CODE = "TRC902"
_NAMES_OURS = re.compile(r"#\s*noqa:[^\n]*TRC\d", re.IGNORECASE)
_SEPARATORS = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class Directive:
    """One `noqa` comment with codes: its row, the offsets in that row of `# noqa: ...`, and the codes."""

    row: int
    start: int
    end: int
    codes: tuple[str, ...]

    @property
    def ours(self) -> tuple[str, ...]:
        """Those of the codes that are Tracetrap's."""
        return tuple(code for code in self.codes if code.startswith("TRC"))


def directives(source: SourceFile) -> Iterator[Directive]:
    """The comments of a file that name codes of ours; what only looks like one inside a string is none."""
    if not _NAMES_OURS.search(source.text):
        return
    try:
        for token in tokenize.generate_tokens(iter(source.lines).__next__):
            if token.type == tokenize.COMMENT and (found := COMMENT.search(token.string)) and found["codes"]:
                row, column = token.start
                codes = tuple(code.upper() for code in _SEPARATORS.split(found["codes"]) if code)
                end = column + found.end("codes") - len(found["codes"]) + len(found["codes"].rstrip(", \t"))
                yield Directive(row, column + found.start(), end, codes)
    except (tokenize.TokenError, SyntaxError):
        return  # TRC900 tells of such a file


def unknown_codes(source: SourceFile) -> Iterator[tuple[int, str]]:
    """The codes in comments that look like ours and are no rule's, nor the beginning of one, with their rows."""
    from .settings.keys import known_codes

    for directive in directives(source):
        for code in directive.ours:
            if not any(known.startswith(code) for known in known_codes()):
                yield directive.row, code


def unused(source: SourceFile, findings: Iterable[Finding]) -> list[Finding]:
    """A TRC902 finding for each comment that names codes which are not found on its line.

    `findings` are the raw ones of this file, those that the settings leave out included: a comment that only a
    stricter run needs is needed.  Nothing is said of a file that was not analysed, or of what only tracing finds.
    """
    rows: dict[int, set[str]] = {}
    for finding in findings:
        if finding.code == "TRC900":
            return []
        first, last = source.suppressions.extent(finding.span.start.row)
        for row in range(first, last + 1):
            rows.setdefault(row, set()).add(finding.code)
    nowhere = set(unknown_codes(source))
    found = []
    for directive in directives(source):
        here = rows.get(directive.row, set())
        idle = [
            code
            for code in directive.ours
            if not code.startswith("TRC9")
            and (directive.row, code) not in nowhere
            and not any(known.startswith(code) for known in here)
        ]
        if idle:
            found.append(_finding(source, directive, idle))
    return found


def _finding(source: SourceFile, directive: Directive, idle: Sequence[str]) -> Finding:
    listed, start = ", ".join(idle), Location(directive.row, directive.start + 1)
    whole = len(idle) == len(directive.codes)
    advice = "remove the comment" if whole else f"remove {listed} from the comment"
    return Finding(
        code=CODE,
        name="unused-noqa",
        message=f"noqa comment that suppresses nothing: {listed} is not found on this line; {advice}",
        filename=source.filename,
        span=Span(start, Location(directive.row, directive.end + 1)),
        severity="warning",
        fixes=(Fix(advice.capitalize(), (_removal(source, directive, idle),), "safe"),),
    )


def _removal(source: SourceFile, directive: Directive, idle: Sequence[str]) -> Edit:
    line = source.lines[directive.row - 1].rstrip("\r\n")
    start, end, content = directive.start, directive.end, ""
    kept = [code for code in directive.codes if code not in idle]
    if kept:
        content = f"# noqa: {', '.join(kept)}"
    elif line[end:].strip():  # a reason behind the codes: it stays, as a comment
        end += len(line[end:]) - len(line[end:].lstrip())
        content = "" if line[end] == "#" else "# "
    else:
        start, end = len(line[:start].rstrip()), len(line)
    return Edit(Span(Location(directive.row, start + 1), Location(directive.row, end + 1)), content)
