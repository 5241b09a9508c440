"""TRC900."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Event
from .registry import Report, Rule


class NotAnalysed(Rule):
    """A file could not be analysed.

    ## What it does
    Says of a file that it could not be read, decoded or parsed, or that its analysis was cut short, and why.

    ## Why is this bad
    Nothing, or not everything, in this file was checked.  Other files are not affected.

    ## Fix safety
    No fix.

    ## References
    - [PEP 263: source code encodings](https://peps.python.org/pep-0263/)
    """

    code = "TRC900"
    name = "not-analysed"
    severity = "warning"
    listens = ()

    def check(self, event: Event) -> Iterator[Report]:
        """Reported by the linter itself, not from events."""
        yield from ()
