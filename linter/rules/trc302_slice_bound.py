"""TRC302."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import SliceBound
from ..fixes import DECLARED_STATIC, DYNAMIC_SLICE, PLAUSIBLE_STATIC, SLICE_MASK
from .registry import Report, Rule


class TracedSliceBound(Rule):
    """A traced slice bound.

    ## What it does
    Finds array slices such as `x[:n]` or `x[i:i + 4]` whose start, stop or step is a tracer.

    ## Why is this bad
    The bounds of a slice decide the shape of the result, which must be known while tracing: `IndexError`.  A single
    traced index (`x[i]`) is fine, because it does not.

    ## Example
    ```python
    @jax.jit
    def window(x, start):
        return x[start:start + 3].sum()

    window(jnp.arange(8.0), 2)
    ```

    ## Use instead
    ```python
    @jax.jit
    def window(x, start):
        return lax.dynamic_slice_in_dim(x, start, 3).sum()

    window(jnp.arange(8.0), 2)
    ```
    A prefix of traced length becomes a mask: `jnp.where(jnp.arange(x.shape[0]) < n, x, 0)`.

    ## Fix safety
    `lax.dynamic_slice` clamps a start so that the window stays inside the array, where a Python slice is cut short.

    ## References
    - [jax.lax.dynamic_slice_in_dim](https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice_in_dim.html)
    """

    code = "TRC302"
    name = "traced-slice-bound"
    listens = (SliceBound,)

    def check(self, event: SliceBound) -> Iterator[Report]:
        """The bound."""
        otherwise = "use lax.dynamic_slice with a static size, or a mask over the whole array"
        yield Report(
            event.node,
            "traced slice bound",
            why(event, event.value),
            static_advice(event, event.value, otherwise),
            "IndexError",
            event.sure,
            (DECLARED_STATIC, DYNAMIC_SLICE, SLICE_MASK, PLAUSIBLE_STATIC),
        )
