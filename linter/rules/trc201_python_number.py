"""TRC201."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import is_shaped, static_advice, why
from ..events import Converted
from ..fixes import DECLARED_STATIC, HOST_CONSTANTS, NUMBER, PLAUSIBLE_STATIC
from .registry import Report, Rule
from .trc106_loop import range_error

INTEGERS = frozenset({"index", "bin", "hex", "oct", "chr", "__index__"})  # these call `__index__`
SCALARS = frozenset({"int", "float", "complex"})  # these refuse arrays that are no scalars before they look
PLAIN = frozenset({"trunc", "bytes", "__trunc__"})  # these know nothing of tracers at all
ADVICE = {
    "int": "keep it an array, x.astype(int) rounds towards zero inside the trace",
    "float": "keep it an array, x.astype(float) changes the dtype inside the trace",
    "complex": "keep it an array, x.astype(complex) changes the dtype inside the trace",
    "item": "leave .item() out: a 0-d array serves as a number inside the trace",
    "tolist": "keep the array, or call .tolist() on the result outside the traced function",
}


class TracedPythonNumber(Rule):
    """A Python number, or list, is asked of a traced value.

    ## What it does
    Finds `int()`, `float()`, `complex()`, `.item()`, `.tolist()`, `hex()`, `operator.index()` and the like on tracers.

    ## Why is this bad
    A Python number is a value, and a tracer has none: `ConcretizationTypeError`, or `TracerIntegerConversionError` from
    `__index__`.

    ## Example
    ```python
    @jax.jit
    def scaled(x):
        return x / float(jnp.max(x))

    scaled(jnp.arange(3.0))
    ```

    ## Use instead
    ```python
    @jax.jit
    def scaled(x):
        return x / jnp.max(x)

    scaled(jnp.arange(3.0))
    ```
    Where the number is needed as structure (a size, a count), it has to come from a static argument or a shape.

    ## Fix safety
    Dropping `float()` is safe where the result only meets arrays; `int()` also truncates, for which
    `.astype(int)` stands in.

    ## References
    - [ConcretizationTypeError](https://docs.jax.dev/en/latest/errors.html#jax.errors.ConcretizationTypeError)
    - [TracerIntegerConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerIntegerConversionError)
    """

    code = "TRC201"
    name = "traced-python-number"
    listens = (Converted,)

    def check(self, event: Converted) -> Iterator[Report]:
        """The conversion, by whatever name."""
        name = event.function.rsplit(".", 1)[-1]
        otherwise = ADVICE.get(name, "keep it an array, or do this outside the traced function")
        yield Report(
            event.node,
            f"{name}() of a traced value",
            why(event, event.value),
            static_advice(event, event.value, otherwise),
            conversion_error(event),
            event.sure,
            (DECLARED_STATIC, HOST_CONSTANTS, NUMBER, PLAUSIBLE_STATIC),
        )


def conversion_error(event: Converted) -> str:
    """The exception that the conversion raises."""
    name = event.function.rsplit(".", 1)[-1]
    if name in PLAIN or (name in SCALARS and is_shaped(event.value)):
        return "TypeError"
    return range_error(event.value) if name in INTEGERS else "ConcretizationTypeError"
