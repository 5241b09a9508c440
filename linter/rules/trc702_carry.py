"""TRC702."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ControlFlow
from ..fixes import START_LIKE_A_TURN
from .registry import Report, Rule
from .trc202_host_function import short


class CarryMismatch(Rule):
    """The carry of a loop changes its structure, shape or dtype.

    ## What it does
    Compares the initial carry of `lax.scan`, `lax.while_loop` and `lax.fori_loop` with the one that the body returns.

    ## Why is this bad
    The body is compiled once and run on its own result, so the carry must keep its structure, shapes and dtypes:
    `TypeError`.  A weakly typed start (`0`) is promoted to the dtype of the body; a shape never is.

    ## Example
    ```python
    def running_total(xs):
        return lax.scan(lambda total, x: (total + x, total), 0.0, xs)

    running_total(jnp.ones((4, 3)))
    ```

    ## Use instead
    ```python
    def running_total(xs):
        return lax.scan(lambda total, x: (total + x, total), jnp.zeros(xs.shape[1:]), xs)

    running_total(jnp.ones((4, 3)))
    ```

    ## Fix safety
    The start takes the shapes and dtypes of one turn of the loop, and keeps its values.  A carry whose structure changes,
    or that grows in each turn, has no automatic fix.

    ## References
    - [jax.lax.scan](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
    - [jax.lax.while_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
    """

    code = "TRC702"
    name = "carry-mismatch"
    listens = (ControlFlow,)

    def check(self, event: ControlFlow) -> Iterator[Report]:
        """The call."""
        if event.problem == "carry":
            yield Report(
                event.node,
                f"carry of {short(event.function)} changes",
                event.detail,
                "start from a carry of the final structure, shapes and dtypes",
                event.error,
                event.sure,
                (START_LIKE_A_TURN,),
            )
