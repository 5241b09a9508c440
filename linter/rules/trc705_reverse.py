"""TRC705."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import place_of
from ..events import ControlFlow
from ..fixes import PLAUSIBLE_STATIC
from .registry import Report, Rule
from .trc202_host_function import short

OTHERWISE = "use lax.scan or a fori_loop with static bounds, or forward mode (jax.jvp, jax.jacfwd)"
REMEDIES = {"custom_linear_solve": "give it transpose_solve, or symmetric=True where the matrix is symmetric"}


class ReverseThroughWhile(Rule):
    """Reverse-mode differentiation through a loop of unknown length.

    ## What it does
    Finds `grad`, `vjp`, `jacrev` and the like of functions that run `lax.while_loop`, or `lax.fori_loop` with traced
    bounds, on what is differentiated; and of `lax.custom_linear_solve` without a `transpose_solve`.

    ## Why is this bad
    The backward pass needs the values of every step, and so a number of steps that is known: `ValueError`.
    Forward mode (`jvp`, `jacfwd`) works.

    ## Example
    ```python
    def settle(x, steps):
        return lax.fori_loop(0, steps, lambda i, x: 0.5 * x, x)

    jax.jit(jax.grad(settle))(1.0, 3)
    ```

    ## Use instead
    ```python
    def settle(x, steps):
        return lax.fori_loop(0, steps, lambda i, x: 0.5 * x, x)

    jax.jit(jax.grad(settle), static_argnums=1)(1.0, 3)
    ```
    With static bounds `fori_loop` becomes a `scan`.

    ## Fix safety
    Where the bounds of a `fori_loop` depend on arguments of a jitted function alone, these are made static: each new
    count compiles anew.  Unsafe, as a count that is computed cannot be static.

    ## References
    - [jax.lax.fori_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
    - [jax.lax.while_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
    """

    code = "TRC705"
    name = "reverse-through-while"
    listens = (ControlFlow,)

    def check(self, event: ControlFlow) -> Iterator[Report]:
        """The differentiation, or the loop."""
        if event.problem == "reverse":
            yield Report(
                event.node,
                f"reverse-mode derivative through {short(event.function)}",
                event.detail + _where(event),
                REMEDIES.get(event.function, OTHERWISE),
                event.error,
                event.sure,
                (PLAUSIBLE_STATIC,) if event.value is not None else (),
            )


def _where(event: ControlFlow) -> str:
    """The call that raises, in words, where it stands elsewhere."""
    place = place_of(event.used, event.source, event.source) if event.used is not None else ""
    here = place_of(event.node, event.source, event.source)
    return f": taking it on {place} raises" if place not in ("", here) else ""
