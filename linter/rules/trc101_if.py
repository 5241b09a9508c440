"""TRC101."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import BRANCH, LOOP_WITH_BREAK, SELECT, SWITCH
from .registry import Report, Rule
from .truth import report_truth


class TracedIf(Rule):
    """`if` on a traced value.

    ## What it does
    Finds `if` and `elif` statements whose condition is a tracer.

    ## Why is this bad
    Tracing runs the function once, with tracers that know a shape and a dtype but no value.  `if` asks the condition
    for its truth, which a tracer cannot give: `TracerBoolConversionError`.  It is enough that one operand is traced:
    making `threshold` static below does not help, because `x` still is.

    ## Example
    ```python
    @jax.jit
    def double_above(x, threshold):
        if x > threshold:
            return x * 2
        return x

    double_above(jnp.array(5.0), threshold=0.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def double_above(x, threshold):
        return jnp.where(x > threshold, x * 2, x)

    double_above(jnp.array(5.0), threshold=0.0)
    ```
    `lax.cond` computes only the chosen branch.  Where every cause of the condition is configuration, not data, make
    it static: `jax.jit(f, static_argnames=("flag",))`.

    ## Fix safety
    `jnp.where` evaluates both branches, and a derivative flows through both; `lax.cond` asks for branches of one
    structure.  A rewrite is therefore offered as unsafe unless it has been verified.

    ## References
    - [JAX: control flow](https://docs.jax.dev/en/latest/control-flow.html)
    - [TracerBoolConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "TRC101"
    name = "traced-if"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """Statements only; the other places have rules of their own."""
        if event.place in ("if", "elif"):
            yield from report_truth(
                event, event.place, "use jnp.where or lax.cond", SELECT, BRANCH, SWITCH, LOOP_WITH_BREAK
            )
