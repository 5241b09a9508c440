"""TRC101."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import Truth
from .registry import Report, Rule
from .truth import truth_error


class TracedIf(Rule):
    """`if` on a traced value.

    ## What it does
    Finds `if` and `elif` statements whose condition is a tracer.

    ## Why is this bad
    Tracing runs the function once, with tracers that know a shape and a dtype but no value.  `if` asks the condition
    for its truth, which a tracer cannot give: `TracerBoolConversionError`.

    ## Example
    ```python
    @jax.jit
    def double_above(x, threshold):
        if x > threshold:
            return x * 2
        return x
    ```

    ## Use instead
    ```python
    @jax.jit
    def double_above(x, threshold):
        return jnp.where(x > threshold, x * 2, x)
    ```
    `lax.cond` computes only the chosen branch.  Where every cause of the condition is configuration, not data, make
    it static: `jax.jit(f, static_argnames=("flag",))`.

    ## Fix safety
    A rewrite evaluates both branches or stages both, so it is offered as unsafe unless it has been verified.

    ## References
    - [JAX: control flow](https://docs.jax.dev/en/latest/control-flow.html)
    - [TracerBoolConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerBoolConversionError)
    """

    code = "TRC101"
    name = "traced-if"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        if event.place in ("if", "elif"):
            yield Report(
                event.node,
                f"{event.place} on a traced value",
                why(event, event.value),
                static_advice(event.value, "use jnp.where or lax.cond"),
                truth_error(event.value),
                event.sure,
            )
