"""TRC601."""

from __future__ import annotations

from collections.abc import Iterator

from ..domain import FunctionValue, MethodValue, PartialValue, TransformedValue, Value
from ..events import TransformApplied
from ..fixes import BEFORE_LOOP
from .registry import Report, Rule

COMPILING = frozenset({"jit", "pjit", "pmap", "filter_jit"})  # the transforms that compile by themselves
STAGING = frozenset(
    {"scan", "while_loop", "fori_loop", "map", "cond", "switch"}
)  # what compiles its functions


class FreshTransform(Rule):
    """A new jitted function at each call or iteration.

    ## What it does
    Finds transforms applied, again and again, to a function object that is new each time: a lambda, a `partial`, a
    bound method, a nested function, the result of `grad` or `vmap`, inside a loop or a function that is called
    repeatedly.  The same for `scan`, `while_loop`, `fori_loop`, `map`, `cond` and `switch` outside of `jit`, which compile
    what they are given.

    ## Why is this bad
    The compilation cache is keyed by the function object.  A new object misses the cache, so every iteration traces and
    compiles again.  Wrapping the same named function again does not.

    ## Example
    ```python
    x = jnp.ones(3)
    for scale in (1.0, 2.0, 3.0):
        x = jax.jit(lambda v: v * scale)(x)
    ```

    ## Use instead
    ```python
    x = jnp.ones(3)
    rescale = jax.jit(lambda v, scale: v * scale)
    for scale in (1.0, 2.0, 3.0):
        x = rescale(x, scale)
    ```

    ## Fix safety
    In a loop the compiled function moves before it, and what a lambda takes from the turn becomes an argument.  Unsafe:
    a value that was a constant of the program is traced then.

    ## References
    - [JAX: just-in-time compilation, caching](https://docs.jax.dev/en/latest/jit-compilation.html)
    """

    code = "TRC601"
    name = "fresh-transform"
    severity = "warning"
    listens = (TransformApplied,)

    def check(self, event: TransformApplied) -> Iterator[Report]:
        """The place where the transform is applied."""
        if not event.loop or not event.fresh or event.problem:
            return
        name = event.transformed.kind.rsplit(".", 1)[-1]
        if name in STAGING:
            yield Report(
                event.node,
                f"{name} of a new function object each time",
                f"{_made(event.transformed.function)} is made anew, so that {name}, outside of jit, compiles at every call",
                "jit the function around it, or define the function once and pass what changes as an operand",
                None,
                event.sure,
            )
        elif name in COMPILING:
            yield Report(
                event.node,
                f"{name} of a new function object each time",
                f"{_made(event.transformed.function)} is made anew, so the compilation cache misses at every call",
                f"apply {name} once, outside, and pass what changes as an argument",
                None,
                event.sure,
                (BEFORE_LOOP,),
            )


def _made(function: Value) -> str:
    match function:
        case FunctionValue():
            return "the lambda" if function.name == "<lambda>" else f"the nested function {function.name}"
        case MethodValue():
            return "the bound method"
        case PartialValue():
            return "the partial"
        case TransformedValue():
            return f"the result of {function.kind.rsplit('.', 1)[-1]}"
        case _:
            return "the function object"
