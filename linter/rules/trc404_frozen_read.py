"""TRC404."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import place_of, tracer_phrase
from ..events import FrozenRead
from .registry import Report, Rule


class FrozenVariable(Rule):
    """A variable read while tracing is rebound by other code.

    ## What it does
    Finds compiled functions that read a global, closure variable or attribute, of an object or a class, which is rebound
    after the function has been traced.  Functions that are swapped count, too.

    ## Why is this bad
    The value is read once, while tracing, and becomes a constant of the program.  Rebinding the name later has no
    effect on calls with the same shapes, and no message says so.

    ## Example
    ```python
    gain = 2.0

    @jax.jit
    def amplify(x):
        return gain * x

    amplify(1.0)
    gain = 3.0
    amplify(1.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def amplify(x, gain):
        return gain * x

    amplify(1.0, 2.0)
    amplify(1.0, 3.0)
    ```

    ## Fix safety
    No automatic fix: every caller has to pass the new argument.

    ## References
    - [JAX: pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
    """

    code = "TRC404"
    name = "frozen-variable"
    severity = "warning"
    listens = (FrozenRead,)

    def check(self, event: FrozenRead) -> Iterator[Report]:
        """The read."""
        if event.kind in ("parameter", "local"):
            what = "parameter" if event.kind == "parameter" else "variable"
            again = place_of(event.rebound, event.source, event.source) if event.rebound else "a later call"
            yield Report(
                event.node,
                f"{what} {event.name} is frozen at trace time",
                f"{again} uses the program of an earlier call, where {event.name} was another one",
                f"make {event.name} part of what the program is kept under, or pass it as an argument",
                None,
                event.sure,
            )
            return
        by = f" by {tracer_phrase(event.entry, event.source)}" if event.entry else ""
        later = (
            f"; {place_of(event.rebound, event.source, event.source)} rebinds it unseen"
            if event.rebound
            else ""
        )
        yield Report(
            event.node,
            f"{event.kind} {event.name} is frozen at trace time",
            f"it is read once, when traced{by}{later}",
            f"pass {event.name.rsplit('.', 1)[-1]} as an argument",
            None,
            event.sure,
        )
