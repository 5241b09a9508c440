"""The functions that are ufunc objects: arithmetic, logic and extrema of two arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import lax
from ..arrays import operators
from ..core import Array
from . import reductions
from .logarithms import logaddexp as _logaddexp
from .logarithms import logaddexp2 as _logaddexp2
from .promotion import asarray, check_arraylike, promote_args, promote_shapes, truth
from .vectorization import ufunc


def _boolean(x: Any) -> bool:
    return bool(x.aval.dtype.kind == "b")


def _add(x: Any, y: Any, /) -> Array:
    """`x + y`; "or" of booleans."""
    x, y = promote_args("add", x, y)
    return lax.bitwise_or(x, y) if _boolean(x) else lax.add(x, y)


def _multiply(x: Any, y: Any, /) -> Array:
    """`x * y`; "and" of booleans."""
    check_arraylike("multiply", x, y)
    product: Array = operators.multiply(x if isinstance(x, Array) else asarray(x), y)
    return product


def _subtract(x: Any, y: Any, /) -> Array:
    """`x - y`."""
    return lax.sub(*promote_args("subtract", x, y))


def _negative(x: Any, /) -> Array:
    """`-x`."""
    return lax.neg(*promote_args("negative", x))


def _maximum(x: Any, y: Any, /) -> Array:
    """The larger of two elements; NaN if either is."""
    return lax.max(*promote_args("maximum", x, y))


def _minimum(x: Any, y: Any, /) -> Array:
    """The smaller of two elements; NaN if either is."""
    return lax.min(*promote_args("minimum", x, y))


def _logical(name: str, primitive: Callable[..., Array]) -> Callable[..., Array]:
    def apply(x: Any, y: Any, /) -> Array:
        check_arraylike(name, x, y)
        return primitive(*promote_shapes(name, truth(x), truth(y)))

    apply.__name__ = name
    apply.__doc__ = f"{name} of the truth of two elements."
    return apply


def _bitwise(name: str, primitive: Callable[..., Array]) -> Callable[..., Array]:
    def apply(x: Any, y: Any, /) -> Array:
        return primitive(*promote_args(name, x, y))

    apply.__name__ = name
    apply.__doc__ = f"{name} of two integers or booleans."
    return apply


def logical_not(x: Any, /) -> Array:
    """Whether an element is zero."""
    check_arraylike("logical_not", x)
    return lax.bitwise_not(truth(x))


_BINARY: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "add": (_add, 0, reductions.sum),
    "multiply": (_multiply, 1, reductions.prod),
    "subtract": (_subtract, None, None),
    "maximum": (_maximum, None, reductions.max),
    "minimum": (_minimum, None, reductions.min),
    "logical_and": (_logical("logical_and", lax.bitwise_and), True, reductions.all),
    "logical_or": (_logical("logical_or", lax.bitwise_or), False, reductions.any),
    "logical_xor": (_logical("logical_xor", lax.bitwise_xor), False, None),
    "bitwise_and": (_bitwise("bitwise_and", lax.bitwise_and), -1, None),
    "bitwise_or": (_bitwise("bitwise_or", lax.bitwise_or), 0, None),
    "bitwise_xor": (_bitwise("bitwise_xor", lax.bitwise_xor), 0, None),
    "logaddexp": (_logaddexp, -float("inf"), None),
    "logaddexp2": (_logaddexp2, -float("inf"), None),
}
UFUNCS = {
    name: ufunc(function, 2, 1, name=name, identity=identity, reduce=reduce)
    for name, (function, identity, reduce) in _BINARY.items()
}
UFUNCS["negative"] = ufunc(_negative, 1, 1, name="negative")


def __getattr__(name: str) -> ufunc:
    if name in UFUNCS:
        return UFUNCS[name]
    raise AttributeError(name)
