"""TRC105."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import BOOLEAN
from .registry import Report, Rule
from .truth import report_truth

# place: what the pitfall is called, and the operation on arrays that says the same
OPERATORS = {
    "and": ("and", "use jnp.logical_and, or & with each comparison in parentheses"),
    "or": ("or", "use jnp.logical_or, or | with each comparison in parentheses"),
    "not": ("not", "use jnp.logical_not or ~"),
    "items": (
        "comparison of sequences",
        "Python asks each pair of items whether it is equal: compare arrays, and choose with jnp.where",
    ),
    "chain": ("chained comparison", "a < b < c means (a < b) and (b < c): write (a < b) & (b < c)"),
    "in": ("in", "use jnp.any(items == value) or jnp.isin"),
}


class TracedBooleanOperator(Rule):
    """`and`, `or`, `not`, a chained comparison or `in` on traced values.

    ## What it does
    Finds Python's boolean operators, comparisons such as `low < x < high`, and membership tests that ask a tracer for
    its truth.

    ## Why is this bad
    `and`, `or` and `not` cannot be overloaded, so Python asks their operands for a truth value, which a tracer does
    not have: `TracerBoolConversionError`.  A chained comparison contains a hidden `and`; `in` compares item by item
    and asks each answer for its truth.

    ## Example
    ```python
    @jax.jit
    def inside(x, low, high):
        return jnp.where(x > low and x < high, x, 0.0)

    inside(1.0, 0.0, 2.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def inside(x, low, high):
        return jnp.where((x > low) & (x < high), x, 0.0)

    inside(1.0, 0.0, 2.0)
    ```

    ## Fix safety
    `&`, `|` and `~` always evaluate both operands and are bitwise on integers; the rewrite uses the `jnp.logical_*`
    functions, which are not.

    ## References
    - [jax.numpy.logical_and](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.logical_and.html)
    - [Python: comparisons](https://docs.python.org/3/reference/expressions.html#comparisons)
    """

    code = "TRC105"
    name = "traced-boolean-operator"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The operand that is asked."""
        if event.place in OPERATORS:
            what, otherwise = OPERATORS[event.place]
            yield from report_truth(event, what, otherwise, BOOLEAN)
