"""TRC604."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import tracer_phrase
from ..events import Unrolled
from ..fixes import ROLLED_LOOP, SCAN
from .registry import Report, Rule

LONG = 64  # steps from which unrolling is worth a word


class UnrolledLoop(Rule):
    """A long Python loop is unrolled into the trace.

    ## What it does
    Finds Python loops of many steps inside traced functions, or loops inside each other that have many together, whose
    body computes with tracers.

    ## Why is this bad
    Python loops run while tracing, so the program holds the body once for each step.  Tracing and compiling take
    time that grows with the number of steps, often faster than linearly.

    ## Example
    ```python
    @jax.jit
    def logistic_map(x):
        for _ in range(500):
            x = 3.9 * x * (1 - x)
        return x

    logistic_map.trace(0.5)
    ```

    ## Use instead
    ```python
    @jax.jit
    def logistic_map(x):
        return lax.fori_loop(0, 500, lambda _, x: 3.9 * x * (1 - x), x)

    logistic_map.trace(0.5)
    ```

    ## Fix safety
    A loop over an array, or one that appends to a list which is stacked after it, becomes `lax.scan`; one over a
    range becomes `lax.fori_loop`.  The carry must keep its structure, shapes and dtypes; unsafe unless verified.

    ## References
    - [jax.lax.fori_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
    - [jax.lax.scan](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
    """

    code = "TRC604"
    name = "unrolled-loop"
    severity = "warning"
    listens = (Unrolled,)

    def check(self, event: Unrolled) -> Iterator[Report]:
        """The loop, where it has many steps and each stages something."""
        if event.entry is None or event.operations == 0 or (event.count is not None and event.count < LONG):
            return
        steps = "many steps" if event.count is None else f"{event.count} steps"
        yield Report(
            event.node,
            "long Python loop inside a traced function",
            f"its {steps} are unrolled into the program of {tracer_phrase(event.entry, event.source)}",
            "use lax.fori_loop or lax.scan, which trace the body once",
            None,
            event.sure,
            (SCAN, ROLLED_LOOP),
        )
