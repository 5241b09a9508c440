"""TRC406."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import text_of
from ..events import Discarded
from ..fixes import BIND_UPDATE
from .registry import Report, Rule


class DiscardedUpdate(Rule):
    """A functional update is thrown away.

    ## What it does
    Finds `x.at[i].set(v)` as a statement of its own, and changes to a list or dict argument of a traced function.

    ## Why is this bad
    `x.at[i].set(v)` returns a new array and leaves `x` as it is.  A container argument of a traced function is a copy
    made for the trace, so that changing it never reaches the caller.  Neither raises.

    ## Example
    ```python
    @jax.jit
    def first_zero(x):
        x.at[0].set(0.0)
        return x

    first_zero(jnp.ones(3))
    ```

    ## Use instead
    ```python
    @jax.jit
    def first_zero(x):
        x = x.at[0].set(0.0)
        return x

    first_zero(jnp.ones(3))
    ```

    ## Fix safety
    Binding the result to the name is what is nearly always meant, but it changes what the function computes: unsafe.

    ## References
    - [jax.numpy.ndarray.at](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
    """

    code = "TRC406"
    name = "discarded-update"
    severity = "warning"
    listens = (Discarded,)

    def check(self, event: Discarded) -> Iterator[Report]:
        """The statement that has no effect."""
        text = text_of(event.node, event.source)
        if event.how == "update":
            array = text.split(".at[", 1)[0] if ".at[" in text else "x"
            what, cause = (
                "functional update thrown away",
                f"{text} returns a new array and leaves {array} as it is",
            )
            advice = f"bind the result: {array} = {array}.at[...]..."
        else:
            what, cause = (
                "container argument changed inside a trace",
                f"{text} changes a copy that the caller never sees",
            )
            advice = "return the new values from the traced function"
        yield Report(event.node, what, cause, advice, None, event.sure, (BIND_UPDATE,))
