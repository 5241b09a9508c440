"""TRC102."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import Truth
from ..fixes import WHILE_LOOP
from .registry import Report, Rule
from .truth import report_truth


class TracedWhile(Rule):
    """`while` on a traced value.

    ## What it does
    Finds `while` loops whose condition is a tracer.

    ## Why is this bad
    Python needs the truth of the condition before each turn, and while tracing there is none:
    `TracerBoolConversionError`.  How often such a loop runs is decided by data, so it has to be part of the
    compiled program.

    ## Example
    ```python
    @jax.jit
    def halve_until_small(x, tolerance):
        while x > tolerance:
            x = x / 2
        return x

    halve_until_small(10.0, 0.1)
    ```

    ## Use instead
    ```python
    @jax.jit
    def halve_until_small(x, tolerance):
        return lax.while_loop(lambda x: x > tolerance, lambda x: x / 2, x)

    halve_until_small(10.0, 0.1)
    ```
    `lax.while_loop` has no reverse-mode derivative; `lax.scan` or `lax.fori_loop` over a fixed number of steps has.

    ## Fix safety
    The carry of `lax.while_loop` must keep its structure, shapes and dtypes, so the rewrite is offered as unsafe
    unless it has been verified.

    ## References
    - [jax.lax.while_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
    - [JAX: control flow](https://docs.jax.dev/en/latest/control-flow.html)
    """

    code = "TRC102"
    name = "traced-while"
    listens = (Truth,)

    def check(self, event: Truth) -> Iterator[Report]:
        """The loop's own test; `and` inside it is TRC105's."""
        if event.place == "while":
            yield from report_truth(
                event, "while", "use lax.while_loop, or lax.fori_loop for a fixed number of steps", WHILE_LOOP
            )
