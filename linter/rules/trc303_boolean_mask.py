"""TRC303."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import MaskIndex
from ..fixes import MASKED_REDUCTION, MASKED_UPDATE
from .registry import Report, Rule


class TracedBooleanMask(Rule):
    """Boolean mask indexing with a traced mask.

    ## What it does
    Finds `x[mask]` and `x.at[mask]` where the mask is a traced boolean array.

    ## Why is this bad
    The number of selected items decides the shape of the result, and is known only when the program runs:
    `NonConcreteBooleanIndexError`.  `x.at[mask].set(value)` fails as well, although its result has the shape of `x`.

    ## Example
    ```python
    @jax.jit
    def mean_of_positive(x):
        return x[x > 0].mean()

    mean_of_positive(jnp.array([1.0, -1.0, 3.0]))
    ```

    ## Use instead
    ```python
    @jax.jit
    def mean_of_positive(x):
        return jnp.mean(x, where=x > 0)

    mean_of_positive(jnp.array([1.0, -1.0, 3.0]))
    ```
    Reductions take `where=`; an update is `jnp.where(mask, value, x)`.

    ## Fix safety
    `x.at[mask].set(v)` becomes `jnp.where(mask, v, x)`, which is the same for a scalar or broadcast `v`.

    ## References
    - [NonConcreteBooleanIndexError](https://docs.jax.dev/en/latest/errors.html#jax.errors.NonConcreteBooleanIndexError)
    """

    code = "TRC303"
    name = "traced-boolean-mask"
    listens = (MaskIndex,)

    def check(self, event: MaskIndex) -> Iterator[Report]:
        """The mask."""
        if event.update:
            otherwise = "use jnp.where(mask, value, x)"
        else:
            otherwise = "keep the shape with jnp.where(mask, x, fill), or give the reduction where=mask"
        yield Report(
            event.node,
            "boolean mask that is traced",
            why(event, event.mask),
            static_advice(event, event.mask, otherwise),
            event.error,
            event.sure,
            (MASKED_REDUCTION, MASKED_UPDATE),
        )
