"""TRC108."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import FILTERED, FILTERED_LIST
from .registry import Report, Rule
from .truth import report_truth


class TracedComprehensionFilter(Rule):
    """A comprehension filter on a traced value.

    ## What it does
    Finds the `if` of a list, set, dict or generator comprehension that asks a tracer for its truth.

    ## Why is this bad
    The filter decides how many items there are, which is structure, and must be known while tracing; a tracer has no
    truth: `TracerBoolConversionError`.

    ## Example
    ```python
    @jax.jit
    def sum_positive(terms):
        return sum(t for t in terms if t > 0)

    sum_positive([1.0, -2.0, 3.0])
    ```

    ## Use instead
    ```python
    @jax.jit
    def sum_positive(terms):
        return sum(jnp.where(t > 0, t, 0.0) for t in terms)

    sum_positive([1.0, -2.0, 3.0])
    ```

    ## Fix safety
    No automatic fix: what stands in for a dropped item (zero, minus infinity, a weight) depends on what is done with
    the items.

    ## References
    - [jax.numpy.where](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html)
    """

    code = "TRC108"
    name = "traced-comprehension-filter"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The `if` of a comprehension."""
        if event.place == "filter":
            yield from report_truth(
                event,
                "comprehension filter",
                "keep every item and mask with jnp.where, or give dropped ones weight zero",
                FILTERED,
                FILTERED_LIST,
            )
