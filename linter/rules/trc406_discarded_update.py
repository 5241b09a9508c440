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
    Finds `x.at[i].set(v)`, `state.replace(...)`, `optax.apply_updates(...)` and their like as statements of their own,
    `new = x.at[i].set(v)` where nothing reads `new`, `w -= g` on a parameter or a loop's variable that is never read
    again, and changes to a list, dict or object that is an argument of a traced function.

    ## Why is this bad
    `x.at[i].set(v)` returns a new array and leaves `x` as it is, and so does `x -= v`, other than in NumPy.  A container
    or pytree object that a traced function is given is a copy made for the trace, so that changing it never reaches the
    caller.  None of these raises.

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
            what = "functional update thrown away"
            if event.changed is None:
                cause, advice = f"{text} returns its result and changes nothing", "bind it"
            else:
                changed, function = text_of(event.changed, event.source), text.split("(", 1)[0]
                cause = f"{text} returns a new {event.gives} and leaves {changed} as it is"
                call = f"{changed}.at[...]..." if ".at[" in text else f"{function}(...)"
                advice = f"bind the result: {changed} = {call}"
        elif event.how == "unread":
            changed = text_of(event.changed, event.source) if event.changed is not None else "the array"
            what = "functional update never used"
            cause = f"nothing reads the name in {text}, and {changed} stays as it is"
            advice = "go on with the new array"
        elif event.how == "rebound":
            name = text.split(maxsplit=1)[0]
            what = "in-place update thrown away"
            cause = f"{text} binds {name} to a new array, which nothing reads; the array that {name} came from stays as it is"
            advice = "keep the new array: store it where the old one is held, or return it"
        else:
            what, cause = (
                "argument changed inside a trace",
                f"{text} changes a copy that the caller never sees",
            )
            advice = "return the new values from the traced function"
        yield Report(
            event.node, what, cause, advice, None, event.sure, (BIND_UPDATE,) if event.how == "update" else ()
        )
