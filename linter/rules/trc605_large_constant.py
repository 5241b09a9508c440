"""TRC605."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import tracer_phrase
from ..events import ConstantCaptured
from .registry import Report, Rule

LARGE = 1_000_000  # elements: four megabytes of float32


class LargeConstant(Rule):
    """A large constant is baked into a traced function.

    ## What it does
    Finds traced functions that close over a concrete array of a million elements or more.

    ## Why is this bad
    The array becomes a constant of the program: it is copied into it, may be folded while compiling, and stays in
    memory as long as the compiled program.

    ## Example
    ```python
    table = jnp.zeros((2048, 2048))

    @jax.jit
    def look_up(i):
        return table[i]

    look_up(3)
    ```

    ## Use instead
    ```python
    table = jnp.zeros((2048, 2048))

    @jax.jit
    def look_up(table, i):
        return table[i]

    look_up(table, 3)
    ```

    ## Fix safety
    No automatic fix: every caller has to pass the new argument.

    ## References
    - [JAX: just-in-time compilation](https://docs.jax.dev/en/latest/jit-compilation.html)
    """

    code = "TRC605"
    name = "large-constant"
    severity = "warning"
    listens = (ConstantCaptured,)

    def check(self, event: ConstantCaptured) -> Iterator[Report]:
        """The read of the captured name."""
        if event.size >= LARGE and event.entry is not None:
            yield Report(
                event.node,
                "large constant captured by a traced function",
                f"{event.name} holds {event.size:,} elements, baked in by {tracer_phrase(event.entry, event.source)}",
                f"pass {event.name} as an argument",
                None,
                event.sure,
            )
