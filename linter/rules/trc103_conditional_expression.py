"""TRC103."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import BRANCH_EXPRESSION, SELECT_EXPRESSION
from .registry import Report, Rule
from .truth import report_truth


class TracedConditionalExpression(Rule):
    """A conditional expression on a traced value.

    ## What it does
    Finds `a if condition else b` where the condition is a tracer.

    ## Why is this bad
    The expression picks one of its sides by the truth of the condition, and a tracer has none:
    `TracerBoolConversionError`.

    ## Example
    ```python
    @jax.jit
    def leaky_relu(x):
        return x if x > 0 else 0.01 * x

    leaky_relu(-1.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def leaky_relu(x):
        return jnp.where(x > 0, x, 0.01 * x)

    leaky_relu(-1.0)
    ```

    ## Fix safety
    `jnp.where` evaluates both sides: where one of them is undefined for some input (a division, a logarithm), its
    derivative can be `nan` although its value is not chosen.  The rewrite is unsafe unless it has been verified.

    ## References
    - [jax.numpy.where](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html)
    - [jax.lax.cond](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
    """

    code = "TRC103"
    name = "traced-conditional-expression"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The condition of the expression."""
        if event.place == "conditional":
            yield from report_truth(
                event,
                "conditional expression",
                "use jnp.where or lax.cond",
                SELECT_EXPRESSION,
                BRANCH_EXPRESSION,
            )
