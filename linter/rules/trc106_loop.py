"""TRC106."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..domain import Array, Value, members
from ..events import Iterated
from ..fixes import DECLARED_STATIC, FORI_LOOP, HOST_CONSTANTS, PLAUSIBLE_STATIC, Rewrite
from .registry import Report, Rule


class TracedLoop(Rule):
    """`for` over `range` of a traced value, or iteration over a traced scalar.

    ## What it does
    Finds `range(n)` with a traced `n`, and loops, unpackings and star-arguments over a tracer that is a scalar.

    ## Why is this bad
    `range` needs an integer while tracing, and a tracer has none: `TracerIntegerConversionError`.  A loop over the
    first axis of an array is allowed (its length is part of the shape), but a scalar has no such axis: `TypeError`.

    ## Example
    ```python
    @jax.jit
    def repeated_square(x, steps):
        for _ in range(steps):
            x = x * x
        return x

    repeated_square(2.0, 3)
    ```

    ## Use instead
    ```python
    @jax.jit
    def repeated_square(x, steps):
        return lax.fori_loop(0, steps, lambda _, x: x * x, x)

    repeated_square(2.0, 3)
    ```
    Where the count takes few values, make it static: `@partial(jax.jit, static_argnames=("steps",))`.  The Python
    loop is then unrolled, and each new count compiles anew.

    ## Fix safety
    `lax.fori_loop` asks for a carry that keeps its structure, shapes and dtypes, and has no reverse-mode derivative
    if its bounds are traced; both rewrites are unsafe unless verified.

    ## References
    - [jax.lax.fori_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
    - [JAX: sharp bits, control flow](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
    """

    code = "TRC106"
    name = "traced-loop"
    listens = (Iterated,)

    def check(self, event: Iterated) -> Iterator[Report]:
        """`range` asks for an integer, everything else for a first axis."""
        if event.how == "range":
            what, error = "range of a traced value", range_error(event.value)
            advice = static_advice(event, event.value, "use lax.fori_loop or lax.scan", plausible=True)
            rewrites: tuple[Rewrite, ...] = (DECLARED_STATIC, HOST_CONSTANTS, FORI_LOOP, PLAUSIBLE_STATIC)
        else:
            what = "length of a traced scalar" if event.how == "len" else "iteration over a traced scalar"
            error = "TypeError"
            advice = (
                "a scalar has no first axis: use the value itself, or give it an axis with jnp.atleast_1d"
            )
            rewrites = ()
        yield Report(event.node, what, why(event, event.value), advice, error, event.sure, rewrites)


def range_error(value: Value) -> str:
    """What `__index__` raises: a tracer that is no integer scalar is a plain TypeError."""
    for member in members(value):
        if isinstance(member, Array) and (
            member.shape not in (None, ())
            or (member.dtype is not None and not member.dtype.startswith(("int", "uint")))
        ):
            return "TypeError"
    return "TracerIntegerConversionError"
