"""TRC305."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import StaticParameter
from ..fixes import DECLARED_STATIC, HOST_CONSTANTS, PLAUSIBLE_STATIC
from .registry import Report, Rule
from .trc202_host_function import short
from .trc301_shape import ADVICE as SHAPES


class TracedStaticParameter(Rule):
    """A traced value as axis, dtype or another argument that must be static.

    ## What it does
    Finds tracers given to library functions for a parameter that is neither data nor a shape: `axis=`, `dtype=`,
    `keepdims=`, `num_classes=`, `unroll=` and the like.

    ## Why is this bad
    Such a parameter decides which program is recorded, so it must be known while tracing.  The exception differs by
    function: `ConcretizationTypeError`, `TracerIntegerConversionError`, `TypeError` or `ValueError`.

    ## Example
    ```python
    @jax.jit
    def spread(x, axis):
        return jnp.sum(x, axis=axis)

    spread(jnp.ones((2, 3)), 1)
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("axis",))
    def spread(x, axis):
        return jnp.sum(x, axis=axis)

    spread(jnp.ones((2, 3)), 1)
    ```

    ## Fix safety
    Making the argument static is unsafe only where a caller passes an array for it.

    ## References
    - [jax.jit, static_argnames](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    - [TracerIntegerConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError)
    """

    code = "TRC305"
    name = "traced-static-parameter"
    listens = (StaticParameter,)

    def check(self, event: StaticParameter) -> Iterator[Report]:
        """Parameters that decide no shape; those that do are TRC301's."""
        if event.category not in SHAPES:
            yield Report(
                event.node,
                f"traced value as {event.parameter or event.category} in {short(event.function)}",
                why(event, event.value),
                static_advice(event, event.value, "choose among programs with lax.switch", plausible=True),
                event.error,
                event.sure,
                (DECLARED_STATIC, HOST_CONSTANTS, PLAUSIBLE_STATIC),
            )
