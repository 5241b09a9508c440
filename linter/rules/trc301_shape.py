"""TRC301."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import StaticParameter
from ..fixes import DECLARED_STATIC, HOST_CONSTANTS, PLAUSIBLE_STATIC
from .registry import Report, Rule
from .trc202_host_function import short

# category: the way out when the value must stay traced
ADVICE = {
    "shape": "take it from the shape of an argument",
    "size": "allocate the largest size and mask",
    "length": "run the largest length and mask, or use lax.fori_loop",
    "repeats": "give the largest result as total_repeat_length",
}


class TracedShape(Rule):
    """A traced value as shape, size, length or number of repeats.

    ## What it does
    Finds tracers given to library functions for a parameter that decides the shape of an array or the length of a
    loop: `jnp.zeros(n)`, `x.reshape(n, -1)`, `jnp.arange(n)`, `jax.random.normal(key, (n,))`, `lax.scan(..., length=n)`.

    ## Why is this bad
    Every shape must be known while tracing.  The exception depends on the function: `TypeError` for shapes,
    `ConcretizationTypeError` for most sizes.

    ## Example
    ```python
    @jax.jit
    def ramp(x, n):
        return x * jnp.arange(n)

    ramp(2.0, 5)
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("n",))
    def ramp(x, n):
        return x * jnp.arange(n)

    ramp(2.0, 5)
    ```
    Each new size compiles anew; where sizes vary much, allocate the largest and mask.

    ## Fix safety
    Making an argument static is unsafe if callers pass arrays for it, or many different values.

    ## References
    - [JAX: sharp bits, dynamic shapes](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
    - [jax.jit, static_argnames](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC301"
    name = "traced-shape"
    listens = (StaticParameter,)

    def check(self, event: StaticParameter) -> Iterator[Report]:
        """Parameters that decide a shape; the others are TRC305's."""
        if event.category in ADVICE:
            yield Report(
                event.node,
                f"traced value as {event.category} in {short(event.function)}",
                why(event, event.value),
                static_advice(event, event.value, ADVICE[event.category], plausible=True),
                event.error,
                event.sure,
                (DECLARED_STATIC, HOST_CONSTANTS, PLAUSIBLE_STATIC),
            )
