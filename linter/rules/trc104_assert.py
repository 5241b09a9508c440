"""TRC104."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import DROP_ASSERT
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
    No automatic fix: whether the check moves out, becomes part of the program or goes is the author's decision.

    ## References
    - [JAX: runtime value checks with checkify](https://docs.jax.dev/en/latest/debugging/checkify_guide.html)
    """

    code = "TRC104"
    name = "traced-assert"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The asserted condition."""
        if event.place == "assert":
            yield from report_truth(event, "assert", "check outside the traced function, or use checkify.check", DROP_ASSERT)
