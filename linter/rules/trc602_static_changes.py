"""TRC602."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TracedCall
from .registry import Report, Rule


class ChangingStatic(Rule):
    """A static argument changes at each call in a loop.

    ## What it does
    Finds calls in a loop whose static argument is the loop's own variable or something computed from it, or an object made at
    each turn that equals no other: a function, a `partial`, an instance of a class without `__eq__`.

    ## Why is this bad
    Each new static value compiles a new program, so the loop spends its time compiling.

    ## Example
    ```python
    @partial(jax.jit, static_argnames=("step",))
    def decay(x, step):
        return x * 0.9**step

    x = jnp.ones(3)
    for step in range(100):
        x = decay(x, step=step)
    ```

    ## Use instead
    ```python
    @jax.jit
    def decay(x, step):
        return x * 0.9**step

    x = jnp.ones(3)
    for step in range(100):
        x = decay(x, step=step)
    ```

    ## Fix safety
    No automatic fix: the parameter may be static for a reason inside the function.

    ## References
    - [JAX: just-in-time compilation, caching](https://docs.jax.dev/en/latest/jit-compilation.html)
    """

    code = "TRC602"
    name = "changing-static"
    severity = "warning"
    listens = (TracedCall,)

    def check(self, event: TracedCall) -> Iterator[Report]:
        """The call."""
        if event.problem == "static-changes":
            yield Report(
                event.node,
                "static argument changes in a loop",
                f"{event.parameter} is static{_detail(event)}, so each new value compiles a new program",
                f"leave {event.parameter} traced, or move the loop into the compiled function (lax.fori_loop, lax.scan)",
                None,
                event.sure,
            )


def _detail(event: TracedCall) -> str:
    return f" and {event.detail}" if event.detail else ""
