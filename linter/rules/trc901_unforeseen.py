"""TRC901."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Event
from .registry import Report, Rule


class UnforeseenFailure(Rule):
    """Tracing failed where no rule foresaw it.

    ## What it does
    With `--verify`, reports an exception that tracing an entry point raised at a place where no finding stands.

    ## Why is this bad
    The function does not trace with these inputs.  Either no rule knows this pitfall, or the inputs that were made for
    the function do not suit it: a comment `# tracetrap: f32[8,3], i32[]` above the function gives better ones.

    ## Fix safety
    No fix.

    ## References
    - [JAX errors](https://docs.jax.dev/en/latest/errors.html)
    """

    code = "TRC901"
    name = "unforeseen-failure"
    listens = ()

    def check(self, event: Event) -> Iterator[Report]:
        """Reported by verification, not from events."""
        yield from ()
