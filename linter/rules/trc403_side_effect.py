"""TRC403."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import tracer_phrase
from ..events import Effect
from ..fixes import DEBUG_PRINT
from .registry import Report, Rule
from .trc202_host_function import short

# kind: what goes wrong, and what to do
EFFECTS = {
    "print": ("prints once, while tracing, and never again", "use jax.debug.print"),
    "log": ("logs once, while tracing, and never again", "use jax.debug.callback, or log the result outside"),
    "warning": ("warns once, while tracing, and never again", "use jax.debug.callback, or warn outside"),
    "time": (
        "is read once, while tracing, and frozen",
        "read the clock outside and pass the time as an argument",
    ),
    "random": (
        "draws once, while tracing, so every call sees the same numbers",
        "use jax.random with a key passed in",
    ),
    "file": (
        "touches the file once, while tracing",
        "do it outside, or through jax.experimental.io_callback",
    ),
    "environment": (
        "is read once, while tracing, and frozen",
        "read it outside and pass it as a static argument",
    ),
    "input": ("asks once, while tracing", "ask outside and pass the answer as an argument"),
    "iterator": ("advances once, while tracing", "pass the items as an array, or use lax.scan over them"),
    "counter": (
        "happens once, while tracing, whatever the number of calls or steps",
        "pass the count in as an argument and return the new one",
    ),
    "taken": (
        "takes an item away once, while tracing, and every call gets the same one",
        "take it outside and pass it as an argument",
    ),
    "process": ("runs once, while tracing", "run it outside, or through jax.experimental.io_callback"),
}


class TraceTimeEffect(Rule):
    """A host side effect at trace time.

    ## What it does
    Finds `print`, logging, clocks, `random` and `np.random`, file and environment access inside traced functions, and
    counters of the world outside that they count up (`self.calls += 1`), or queues that they empty (`rates.pop()`).

    ## Why is this bad
    Python runs while tracing only.  The effect happens once for each compilation, and a value read from the world (a
    time, a random number, a setting) is frozen into the program without any message.

    ## Example
    ```python
    @jax.jit
    def noisy(x):
        return x + np.random.normal()

    noisy(1.0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def noisy(x, key):
        return x + jax.random.normal(key)

    noisy(1.0, jax.random.key(0))
    ```

    ## Fix safety
    `print` becomes `jax.debug.print` with positional fields; the other effects have no automatic fix.

    ## References
    - [JAX: pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
    - [JAX: pseudorandom numbers](https://docs.jax.dev/en/latest/random-numbers.html)
    - [jax.debug.print](https://docs.jax.dev/en/latest/_autosummary/jax.debug.print.html)
    """

    code = "TRC403"
    name = "trace-time-effect"
    severity = "warning"
    listens = (Effect,)

    def check(self, event: Effect) -> Iterator[Report]:
        """The call, inside a trace."""
        if event.entry is None:
            return
        consequence, advice = EFFECTS[event.kind]
        yield Report(
            event.node,
            f"{short(event.function).split('.__')[0]} inside a traced function",
            f"it {consequence}, for it is traced by {tracer_phrase(event.entry, event.source)}",
            advice,
            None,
            event.sure,
            (DEBUG_PRINT,),
        )
