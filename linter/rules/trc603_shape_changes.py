"""TRC603."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TracedCall
from .registry import Report, Rule


class ChangingShape(Rule):
    """Argument shapes change at each call in a loop.

    ## What it does
    Finds calls of compiled functions in a loop with an array whose shape changes from turn to turn: a growing list
    made an array, a slice up to the loop variable.

    ## Why is this bad
    A program is compiled for shapes.  Each new shape compiles a new one, and the loop spends its time compiling.

    ## Example
    ```python
    @jax.jit
    def score(history):
        return history.mean()

    history = jnp.zeros(8)
    for t in range(1, 9):
        score(history[:t])
    ```

    ## Use instead
    ```python
    @jax.jit
    def score(history, t):
        return jnp.mean(history, where=jnp.arange(history.shape[0]) < t)

    history = jnp.zeros(8)
    for t in range(1, 9):
        score(history, t)
    ```

    ## Fix safety
    No automatic fix: padding and masking change the function that is called.

    ## References
    - [JAX: just-in-time compilation, caching](https://docs.jax.dev/en/latest/jit-compilation.html)
    """

    code = "TRC603"
    name = "changing-shape"
    severity = "warning"
    listens = (TracedCall,)

    def check(self, event: TracedCall) -> Iterator[Report]:
        """The call."""
        if event.problem == "shape-changes":
            detail = f" ({event.detail})" if event.detail else ""
            yield Report(
                event.node,
                "argument shape changes in a loop",
                f"{event.parameter or 'an argument'} has a new shape at each turn{detail}, and each shape compiles anew",
                "pad to one shape and mask, or move the loop into the compiled function",
                None,
                event.sure,
            )
