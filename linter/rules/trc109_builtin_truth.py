"""TRC109."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import BUILTIN
from .registry import Report, Rule
from .truth import report_truth

# builtin: what says the same of arrays
TWINS = {
    "bool": "keep the array and choose with jnp.where or lax.cond",
    "min": "use jnp.minimum, or jnp.min over a stacked array",
    "max": "use jnp.maximum, or jnp.max over a stacked array",
    "sorted": "use jnp.sort, or jnp.argsort for an order by key",
    "any": "use jnp.any over an array",
    "all": "use jnp.all over an array",
    "filter": "keep every item and mask with jnp.where",
}
# what is ordered or looked up besides plain values: what says the same of arrays
FAMILIES = {
    "enum": "compare the array with the members' values, or choose with lax.switch",
    "objects": "stack what the objects are ordered by, and use jnp.argmin, jnp.argmax or jnp.argsort",
}


class TracedBuiltinTruth(Rule):
    """A builtin that asks a traced value for its truth.

    ## What it does
    Finds `bool`, `min`, `max`, `sorted`, `any`, `all`, `filter` and similar functions whose work needs the truth of a
    tracer, or of a comparison of tracers; also an enumeration that is asked for the member with a traced value.

    ## Why is this bad
    `max(a, b)` returns `b if b > a else a`: somewhere inside it asks for the truth of a comparison, which a tracer does
    not have: `TracerBoolConversionError`.  `sum`, `abs`, `pow` and `len` only call the array's own methods and are fine.

    ## Example
    ```python
    @jax.jit
    def clip_below(x, floor):
        return max(x, floor)

    clip_below(1.0, 2.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def clip_below(x, floor):
        return jnp.maximum(x, floor)

    clip_below(1.0, 2.0)
    ```

    ## Fix safety
    The rewrite of `min` and `max` of two arrays is safe for numbers; `jnp.maximum` propagates `nan`, which Python's
    `max` does not always do.

    ## References
    - [jax.numpy.maximum](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.maximum.html)
    - [TracerBoolConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "TRC109"
    name = "traced-builtin-truth"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The call of the builtin."""
        if event.place == "builtin":
            family, _, name = event.function.rpartition(".")
            otherwise = FAMILIES.get(family) or TWINS.get(name, "use its twin in jax.numpy")
            yield from report_truth(
                event, f"{name}()", otherwise, *(() if family in FAMILIES else (BUILTIN,))
            )
