"""TRC104."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import DEBUG_CHECK, DROP_ASSERT
from .registry import Report, Rule
from .truth import report_truth


class TracedAssert(Rule):
    """`assert` on a traced value.

    ## What it does
    Finds `assert` statements whose condition is a tracer.

    ## Why is this bad
    The assertion is evaluated once, while tracing, when no value exists yet: `TracerBoolConversionError`.
    Assertions on shapes, dtypes and other static facts are fine, and free.

    ## Example
    ```python
    @jax.jit
    def log_mean(x):
        assert jnp.all(x > 0), "logarithm of a negative number"
        return jnp.log(x).mean()

    log_mean(jnp.ones(3))
    ```

    ## Use instead
    ```python
    from jax.experimental import checkify

    def log_mean(x):
        checkify.check(jnp.all(x > 0), "logarithm of a negative number")
        return jnp.log(x).mean()

    error, value = jax.jit(checkify.checkify(log_mean))(jnp.ones(3))
    error.throw()
    ```
    Or return the flag and test it where the result is concrete.

    ## Fix safety
    Two fixes, both unsafe: `checkify.debug_check`, which checks where a caller uses `checkify.checkify` and costs nothing
    elsewhere, or the assertion goes.  Whether it should rather move out to the caller is the author's decision.

    ## References
    - [JAX: runtime value checks with checkify](https://docs.jax.dev/en/latest/debugging/checkify_guide.html)
    """

    code = "TRC104"
    name = "traced-assert"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The asserted condition."""
        if event.place == "assert":
            advice = "check outside the traced function, or use checkify.check"
            yield from report_truth(event, "assert", advice, DEBUG_CHECK, DROP_ASSERT)
