"""TRC902."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Event
from .registry import Report, Rule


class UnusedNoqa(Rule):
    """A `noqa` comment that suppresses nothing.

    ## What it does
    Finds `# noqa: TRC101` comments on lines where `TRC101` is not found (any more).  Off unless it is asked for:
    `tracetrap check --extend-select TRC902`.  Check all files of the project then, since what a comment suppresses may
    begin in another file.  Comments without a code, and codes of other tools, are left alone.

    ## Why is this bad
    The comment hides the next pitfall that is written on this line, and tells readers of one that is not there.

    ## Fix safety
    Safe: `--fix` removes the code, and the comment where no other code is left; a reason behind it stays.

    ## References
    - [flake8: selecting and ignoring violations](https://flake8.pycqa.org/en/latest/user/violations.html)
    """

    code = "TRC902"
    name = "unused-noqa"
    severity = "warning"
    listens = ()

    def check(self, event: Event) -> Iterator[Report]:
        """Reported by the linter itself, not from events."""
        yield from ()
