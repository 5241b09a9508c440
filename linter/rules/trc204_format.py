"""TRC204."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import why
from ..events import Formatted
from ..fixes import DEBUG_PRINT
from .registry import Report, Rule


class TracedFormat(Rule):
    """A tracer is turned into text.

    ## What it does
    Finds tracers in `print`, f-strings, `str()`, `format` and `%`, and in log messages.

    ## Why is this bad
    The text is made once, while tracing, and shows the tracer, not its value; later calls of the compiled function
    make no text at all.  With a format specification it raises: `f"{x:.2f}"` a TypeError, `"%.2f" % x` a
    ConcretizationTypeError.

    ## Example
    ```python
    @jax.jit
    def step(x):
        y = x * 2
        label = f"after doubling: {y}"
        return y, len(label)

    step(1.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def step(x):
        y = x * 2
        jax.debug.print("after doubling: {}", y)
        return y

    step(1.0)
    ```

    ## Fix safety
    `jax.debug.print` prints at each execution, possibly out of order; it formats by position and name, as `str.format`
    does.

    ## References
    - [jax.debug.print](https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html)
    - [JAX: debugging runtime values](https://docs.jax.dev/en/latest/debugging/print_breakpoint.html)
    """

    code = "TRC204"
    name = "traced-format"
    severity = "warning"
    listens = (Formatted,)

    def check(self, event: Formatted) -> Iterator[Report]:
        """The formatted expression; the exception, where the format raises one."""
        silent = "" if event.error else ", so the text shows the tracer, once, and never a value"
        yield Report(
            event.node,
            f"traced value in {event.how}",
            why(event, event.value) + silent,
            "use jax.debug.print, or format the result outside the traced function",
            event.error,
            event.sure,
            (DEBUG_PRINT,),
        )
