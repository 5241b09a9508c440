"""TRC504."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TracedCall
from ..fixes import STATIC_SELF
from .kinds import kind_of
from .registry import Report, Rule


class TransformedMethod(Rule):
    """A method is transformed without making `self` static or a pytree.

    ## What it does
    Finds methods under `@jax.jit` (or another transform) whose class is no pytree and whose `self` is not static, where
    they are called.

    ## Why is this bad
    `self` is the first argument and is traced like any other, but JAX has no tracer for an object of an unknown class:
    `TypeError`.

    ## Example
    ```python
    class Controller:
        def __init__(self, gain):
            self.gain = gain

        @jax.jit
        def act(self, error):
            return self.gain * error

    Controller(0.5).act(2.0)
    ```

    ## Use instead
    ```python
    class Controller:
        def __init__(self, gain):
            self.gain = gain

        @partial(jax.jit, static_argnums=0)
        def act(self, error):
            return self.gain * error

    Controller(0.5).act(2.0)
    ```
    A static `self` is read once: attributes that change afterwards keep their old value (TRC404).  Where they do change,
    register the class with `jax.tree_util.register_dataclass`.

    ## Fix safety
    A static `self` needs a hash and freezes its attributes; the rewrite is unsafe.

    ## References
    - [JAX FAQ: jit and methods](https://docs.jax.dev/en/latest/faq.html#how-to-use-jit-with-methods)
    """

    code = "TRC504"
    name = "transformed-method"
    listens = (TracedCall,)

    def check(self, event: TracedCall) -> Iterator[Report]:
        """The call of the method."""
        if event.problem == "non-array" and event.parameter == "self":
            yield Report(
                event.node,
                "method transformed with its self traced",
                f"self is {event.detail or kind_of(event.value)}, no array and no registered pytree",
                "make self static with static_argnums=0, or register the class as a pytree",
                event.error or "TypeError",
                event.sure,
                (STATIC_SELF,),
            )
