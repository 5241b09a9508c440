"""TRC304."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import why
from ..events import DynamicShape
from ..fixes import COUNT, SIZE
from .registry import Report, Rule
from .trc202_host_function import short


class DataDependentShape(Rule):
    """A result whose shape depends on data.

    ## What it does
    Finds functions such as `jnp.nonzero`, `jnp.unique`, `jnp.argwhere` and one-argument `jnp.where` applied to a tracer
    without `size=`, and `jnp.bincount` or `jnp.repeat` without their static length.

    ## Why is this bad
    How many items come out depends on the values that go in, so the shape of the result is unknown while tracing:
    `ConcretizationTypeError`.

    ## Example
    ```python
    @jax.jit
    def peaks(x):
        return jnp.nonzero(x > 0.5)[0]

    peaks(jnp.array([0.1, 0.9, 0.7]))
    ```

    ## Use instead
    ```python
    @jax.jit
    def peaks(x):
        return jnp.nonzero(x > 0.5, size=x.shape[0], fill_value=-1)[0]

    peaks(jnp.array([0.1, 0.9, 0.7]))
    ```
    Often a mask says the same without any indices: `jnp.where(x > 0.5, x, 0)`.

    ## Fix safety
    `size=` cuts off what does not fit and pads what is missing, so the right size is the author's to choose.

    ## References
    - [jax.numpy.nonzero](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html)
    - [ConcretizationTypeError](https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError)
    """

    code = "TRC304"
    name = "data-dependent-shape"
    listens = (DynamicShape,)

    def check(self, event: DynamicShape) -> Iterator[Report]:
        """The call."""
        yield Report(
            event.node,
            f"{short(event.function)} of a traced value has a shape that depends on data",
            why(event, event.value),
            _advice(event),
            event.error,
            event.sure,
            (COUNT, SIZE),
        )


def _advice(event: DynamicShape) -> str:
    if event.function.endswith(".where"):
        return "use three-argument jnp.where(condition, x, y), or give a static size="
    if event.parameter == "size":
        return "give a static size= (and fill_value=), or use a mask"
    return f"give a static {event.parameter}=" if event.parameter else "use a mask of the whole shape"
