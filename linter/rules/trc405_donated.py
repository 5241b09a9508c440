"""TRC405."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import place_of
from ..events import DonatedUse
from ..fixes import KEEP_ARGUMENT
from .registry import Report, Rule


class DonatedBuffer(Rule):
    """A donated buffer is used again.

    ## What it does
    Finds names that are read after they were passed for a parameter named by `donate_argnums` or `donate_argnames`, and
    arrays that such a call is given twice.

    ## Why is this bad
    Donation hands the memory of the argument to the result; the argument is deleted.  Reading it is a `RuntimeError`,
    or a `ValueError` when it is passed to another jitted function.  The same array twice is a `JaxRuntimeError`.

    ## Example
    ```python
    @partial(jax.jit, donate_argnums=(0,))
    def advance(state):
        return state + 1.0

    state = jnp.zeros(3)
    new = advance(state)
    print(state, new)
    ```

    ## Use instead
    ```python
    @partial(jax.jit, donate_argnums=(0,))
    def advance(state):
        return state + 1.0

    state = jnp.zeros(3)
    state = advance(state)
    print(state)
    ```

    ## Fix safety
    Without donation both values may be read; the program needs more memory.  Where the new value was meant, rebind the
    name instead.

    ## References
    - [JAX: buffer donation](https://docs.jax.dev/en/latest/buffer_donation.html)
    """

    code = "TRC405"
    name = "donated-buffer"
    listens = (DonatedUse,)

    def check(self, event: DonatedUse) -> Iterator[Report]:
        """The use after the donation, or the call that is given one array twice."""
        if event.at_once:
            yield Report(
                event.node,
                "donated buffer passed twice",
                f"{event.name} and another argument of the call are one array, whose buffer is given away",
                "pass a copy (jnp.copy), or do not donate it",
                event.error,
                event.sure,
            )
            return
        yield Report(
            event.node,
            "donated buffer used again",
            f"{event.name} was donated on {place_of(*event.call, event.source)} and is deleted",
            f"rebind the name to the result ({event.name} = ...), or do not donate it",
            event.error,
            event.sure,
            (KEEP_ARGUMENT,),
        )
