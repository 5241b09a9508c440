"""TRC203."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import HostIndex
from ..fixes import (
    DECLARED_STATIC,
    DROP_CACHE,
    INDEX_TABLE,
    LOOK_UP,
    PLAUSIBLE_STATIC,
    SWITCH_FROM_THE_END,
    SWITCH_TABLE,
)
from .registry import Report, Rule

PLACES = {"repeat": "repeat count", "hash": "key (hash)", "ndarray index": "index of a NumPy array"}

# how: the way out for arrays
ADVICE = {
    "list index": "stack the items into one array and index that (jnp.stack(items)[i]), or use lax.switch",
    "tuple index": "stack the items into one array and index that (jnp.stack(items)[i]), or use lax.switch",
    "number for a string": "make it static: text is made while tracing",
    "first number of enumerate": "add it to each index instead",
    "string index": "choose the text outside the traced function",
    "dict key": "index an array, or use lax.switch: a tracer has no hash",
    "set member": "use jnp.isin or a mask: a tracer has no hash",
    "hash": "use a static value as key: a tracer has no hash",
    "repeat": "repeat an array with jnp.tile or jnp.repeat and total_repeat_length",
    "ndarray index": "make the table a jax array first: jnp.asarray(table)[i]",
    "ndarray store": "build the array with jnp: a NumPy buffer cannot hold tracers",
    "cache key": "cache on static values only (shapes, Python numbers): a tracer has no hash",
}


class TracedHostIndex(Rule):
    """A traced value selects in a Python container.

    ## What it does
    Finds tracers used as index of a list, tuple, string or NumPy array, as dict key, set member, key of an
    `lru_cache`, or repeat count of a list.

    ## Why is this bad
    Python containers need an integer or a hash now: `TracerIntegerConversionError`, `TracerArrayConversionError` (NumPy
    arrays) or an "unhashable" `TypeError`.  Only a jax array can be indexed by a tracer.

    ## Example
    ```python
    @jax.jit
    def rate_at(step):
        rates = [0.1, 0.01, 0.001]
        return rates[step]

    rate_at(1)
    ```

    ## Use instead
    ```python
    @jax.jit
    def rate_at(step):
        rates = jnp.array([0.1, 0.01, 0.001])
        return rates[step]

    rate_at(1)
    ```

    ## Fix safety
    An out-of-range index of a jax array is clamped, where a list raises IndexError; the rewrite is unsafe.

    ## References
    - [TracerIntegerConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError)
    - [JAX: sharp bits, out-of-bounds indexing](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
    """

    code = "TRC203"
    name = "traced-host-index"
    listens = (HostIndex,)

    def check(self, event: HostIndex) -> Iterator[Report]:
        """The index, key, member or count."""
        yield Report(
            event.node,
            f"traced value as {PLACES.get(event.how, event.how)}",
            why(event, event.value),
            static_advice(event, event.value, ADVICE.get(event.how, "use a jax array in its place")),
            event.error,
            event.sure,
            (
                DECLARED_STATIC,
                INDEX_TABLE,
                SWITCH_TABLE,
                SWITCH_FROM_THE_END,
                LOOK_UP,
                PLAUSIBLE_STATIC,
                DROP_CACHE,
            ),
        )
