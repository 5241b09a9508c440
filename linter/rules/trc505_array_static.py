"""TRC505."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TracedCall
from ..fixes import LEAVE_TRACED, SHIFT_STATIC
from .kinds import kind_of
from .registry import Report, Rule


class ArrayStatic(Rule):
    """An array is made static.

    ## What it does
    Finds jax or NumPy arrays (or tracers) passed for a static parameter.

    ## Why is this bad
    Static values must be hashable and are compared by value, arrays are neither: `ValueError` at the call.  Wrapped in
    an object that does hash, each array would compile a new program.

    ## Example
    ```python
    @partial(jax.jit, static_argnames=("weights",))
    def weigh(x, weights):
        return x * weights

    weigh(jnp.ones(3), weights=jnp.arange(3.0))
    ```

    ## Use instead
    ```python
    @jax.jit
    def weigh(x, weights):
        return x * weights

    weigh(jnp.ones(3), weights=jnp.arange(3.0))
    ```

    ## Fix safety
    Leaving the parameter traced fails where the function needs its value; so it is unsafe unless verified.  On a method
    the numbers of `static_argnums` count `self`, and move by one where they did not.

    ## References
    - [jax.jit, static_argnums](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC505"
    name = "array-static"
    listens = (TracedCall,)

    def check(self, event: TracedCall) -> Iterator[Report]:
        """The call."""
        if event.problem == "array-static":
            inside = f", of {kind_of(event.value)}," if event.part is not None else ""
            yield Report(
                event.node,
                "array passed as a static argument",
                f"{event.parameter} is static and must be hashable, {kind_of(event.part or event.value, 'an array')}{inside} is not",
                f"leave {event.parameter} traced, and rewrite what needs its value",
                event.error,
                event.sure,
                (SHIFT_STATIC, LEAVE_TRACED) if event.part is None else (),
            )
