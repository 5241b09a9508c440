"""TRC506."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TransformApplied
from ..fixes import AS_LIST, SWAP_DECORATORS
from .registry import Report, Rule

# problem: the cause, and what to do
PROBLEMS = {
    "generator": (
        "{detail} is a generator function, which cannot be traced",
        "return all values as an array or a tuple, or transform the work between the yields",
    ),
    "coroutine": (
        "{detail} is a coroutine function, which cannot be traced",
        "transform the plain function it awaits",
    ),
    "bound-method": (
        "{detail} is bound to a module, which nnx takes as an argument alone",
        "transform the method of the class, and call that with the module",
    ),
    "staticmethod": (
        "{detail} is a staticmethod object when the transform sees it",
        "put @staticmethod above the transform",
    ),
    "classmethod": (
        "{detail} is a classmethod object when the transform sees it",
        "put @classmethod above the transform and make cls static",
    ),
    "property": (
        "{detail} is a property object when the transform sees it",
        "put @property above the transform",
    ),
    "no-function": (
        "jax.{detail} is called without the function to transform, which it needs even as a decorator",
        "write functools.partial(jax.{detail}, ...) above the function",
    ),
    "not-callable": ("{detail} is not callable", "pass the function itself, not the result of calling it"),
}


class NotAFunction(Rule):
    """What is transformed is no plain function.

    ## What it does
    Finds transforms of generator functions, of `staticmethod`, `classmethod` and `property` objects, of values that
    are not callable, and of nothing at all: `@jax.vmap(in_axes=0)`.

    ## Why is this bad
    The transform refuses it with a `TypeError`, when wrapping or at the first call.

    ## Example
    ```python
    @jax.jit
    def partial_sums(x):
        total = 0.0
        for value in x:
            total = total + value
            yield total

    list(partial_sums(jnp.arange(3.0)))
    ```

    ## Use instead
    ```python
    @jax.jit
    def partial_sums(x):
        return jnp.cumsum(x)

    list(partial_sums(jnp.arange(3.0)))
    ```

    ## Fix safety
    Exchanging two decorators is safe.  A generator that becomes a function returning a list computes all values at once;
    that is unsafe unless verified.

    ## References
    - [jax.jit](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC506"
    name = "not-a-function"
    listens = (TransformApplied,)

    def check(self, event: TransformApplied) -> Iterator[Report]:
        """The place where the transform is applied."""
        if event.problem in PROBLEMS:
            cause, advice = PROBLEMS[event.problem]
            name = event.transformed.kind.rsplit(".", 1)[-1]
            yield Report(
                event.node,
                f"{name} of what is no plain function",
                cause.format(detail=event.detail or "it"),
                advice.format(detail=event.detail),
                event.error or "TypeError",
                event.sure,
                (SWAP_DECORATORS, AS_LIST),
            )
