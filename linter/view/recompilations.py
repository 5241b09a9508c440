"""The recompilation table of a `tracetrap run`: how often each jitted function was traced, and why again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any


class ReportError(Exception):
    """A saved report that cannot be used; the message is one line."""


@dataclass(frozen=True)
class Jitted:
    """One jitted function of a run."""

    name: str
    filename: str
    line: int
    calls: int
    traces: int
    hits: int
    compile_seconds: float
    reasons: tuple[str, ...]


def read_report(path: Path) -> tuple[Jitted, ...]:
    """The functions in a report that `tracetrap run --save` wrote, the most often traced first; raises ReportError."""
    try:
        held: Any = json.loads(path.read_text(encoding="utf-8"))
        found = [
            Jitted(
                str(entry["name"]),
                str(entry["filename"]),
                int(entry["line"]),
                int(entry["calls"]),
                int(entry["traces"]),
                int(entry["hits"]),
                float(entry["compile_seconds"]),
                tuple(map(str, entry["reasons"])),
            )
            for entry in held["functions"]
        ]
    except OSError as error:
        raise ReportError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise ReportError(f"{path}: is no report of 'tracetrap run --save'") from None
    return tuple(sorted(found, key=lambda one: (-one.traces, one.filename, one.line)))


def table(functions: Sequence[Jitted], link: Callable[[str, int], str]) -> str:
    """The table as HTML; `link` gives the target of a file's line, empty if the page does not show it."""
    if not functions:
        return ""
    rows = "".join(_row(one, link) for one in functions)
    headings = "".join(
        f"<th scope=col>{name}" for name in ("Function", "Calls", "Traces", "Hits", "Compile ms")
    )
    return (
        "<section class=runs aria-labelledby=runs><h2 id=runs>Recompilations</h2>"
        f"<table><thead><tr>{headings}</thead><tbody>{rows}</tbody></table></section>"
    )


def _row(one: Jitted, link: Callable[[str, int], str]) -> str:
    target = link(os.path.realpath(one.filename), one.line)
    name = f"<code>{escape(one.name)}</code> <small>{escape(Path(one.filename).name)}:{one.line}</small>"
    if target:
        name = f'<a href="#{target}">{name}</a>'
    numbers = f"<td>{one.calls:,}<td>{one.traces:,}<td>{one.hits:,}<td>{1000 * one.compile_seconds:,.1f}"
    reasons = "".join(f"<li>{escape(reason)}" for reason in one.reasons)
    why = f"<tr class=why><td colspan=5><ol start=2>{reasons}</ol>" if reasons else ""
    again = " class=again" if one.traces > 1 else ""
    return f"<tr{again}><th scope=row>{name}{numbers}{why}"
