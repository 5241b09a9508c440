"""Operands made alike: types promoted and shapes broadcast as JAX's NumPy functions do, then one primitive bound.

`binary` has the fast ways: operands of one type and shape, and an array against a Python scalar, cost no conversion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..config import state
from ..core import (
    Array,
    Literal,
    Primitive,
    ShapedArray,
    Value,
    current_trace,
    get_aval,
    literal,
    shaped_array,
)
from ..dtypes import BOOL, DType, canonical, default_dtype, inexact, promote
from ..primitives.conversion import convert
from ..primitives.shape import broadcast_in_dim_p
from ..rounding import rounded

_PYTHON_SCALARS = (bool, int, float, complex)
_ARRAYLIKE = (Array, Literal, *_PYTHON_SCALARS)
_KIND_OF = {bool: "b", int: "i", float: "f", complex: "c"}
_KIND_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def scalar_like(value: bool | complex, aval: ShapedArray) -> Literal | None:
    """A Python scalar as a literal of the type of an array operand, or None when the array has to change its type.

    Raises OverflowError for an integer that the default integer type cannot hold; what fits there wraps.
    """
    dtype = aval.dtype
    kind = _KIND_OF.get(type(value))
    if kind is None or dtype.kind not in "iufc" or _KIND_RANK[kind] > _KIND_RANK[dtype.kind]:
        return None
    if kind == "b" and state.strict:
        return None
    if kind == "i":
        check_integer(value)  # type: ignore[arg-type]
    return Literal(rounded(value, dtype), shaped_array((), dtype, aval.weak_type))


def check_integer(value: int) -> None:
    """Raises OverflowError when a Python integer does not fit into the default integer type."""
    limit = 1 << (63 if state.enable_x64 else 31)
    if not -limit <= value < limit:
        raise OverflowError(f"Python int {value} too large to convert to {default_dtype('i')}")


def promote_dtypes(*args: Value) -> list[Value]:
    """The operands converted to their common type."""
    avals = [get_aval(arg) for arg in args]
    dtype, weak = avals[0].dtype, avals[0].weak_type
    for aval in avals[1:]:
        dtype, weak = promote(dtype, weak, aval.dtype, aval.weak_type)
    dtype = canonical(dtype)
    return [to_dtype(arg, dtype, weak) for arg in args]


def to_dtype(value: Value, dtype: DType, weak_type: bool = False) -> Value:
    """`value` converted; Python scalars become literals."""
    if isinstance(value, _PYTHON_SCALARS):
        if isinstance(value, int):
            check_integer(value)
        return literal(value, dtype, weak_type)
    if isinstance(value, Literal):
        return literal(value.val, dtype, weak_type)
    return convert(value, dtype, weak_type)


def promote_shapes(name: str, *args: Value) -> list[Value]:
    """The operands with one rank, unless all but one are scalars: these the primitives broadcast themselves.

    Raises ValueError for shapes that do not broadcast.
    """
    shapes = [get_aval(arg).shape for arg in args]
    ranks = {len(shape) for shape in shapes if shape}
    if len(ranks) < 2:
        return list(args)
    result = broadcast_shapes(*shapes)
    if state.values["jax_numpy_rank_promotion"] == "raise" and len(ranks) > 1:
        raise ValueError(
            f"Operands could not be broadcast together for {name} on shapes {' '.join(map(str, shapes))} and with the "
            "config option jax_numpy_rank_promotion='raise'."
        )
    return [raise_rank(arg, shape, len(result)) if shape else arg for arg, shape in zip(args, shapes)]


def raise_rank(value: Value, shape: tuple[int, ...], rank: int) -> Value:
    """`value` with dimensions of length 1 before its own."""
    missing = rank - len(shape)
    if not missing:
        return value
    return broadcast_in_dim_p.bind(
        value,
        shape=(*(1,) * missing, *shape),
        broadcast_dimensions=tuple(range(missing, rank)),
        sharding=None,
    )


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """NumPy's rule. Raises ValueError for shapes that do not broadcast."""
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for position, length in enumerate(shape, rank - len(shape)):
            if length != 1:
                if result[position] not in (1, length):
                    shown = list(map(tuple, shapes))
                    raise ValueError(f"Incompatible shapes for broadcasting: shapes={shown}")
                result[position] = length
    return tuple(result)


def promote_args(name: str, *args: Value) -> list[Value]:
    """Types, then shapes. Raises TypeError for an operand that is no array or scalar."""
    check_arraylike(name, *args)
    return promote_shapes(name, *promote_dtypes(*args))


def promote_args_inexact(name: str, *args: Value) -> list[Value]:
    """`promote_args`, with integers and booleans turned into floats."""
    check_arraylike(name, *args)
    avals = [get_aval(arg) for arg in args]
    dtype, weak = avals[0].dtype, avals[0].weak_type
    for aval in avals[1:]:
        dtype, weak = promote(dtype, weak, aval.dtype, aval.weak_type)
    dtype = inexact(canonical(dtype))
    return promote_shapes(name, *[to_dtype(arg, dtype, weak) for arg in args])


def is_arraylike(value: Any) -> bool:
    """Whether JAX's operators take it: arrays, NumPy arrays and scalars, Python scalars; no lists, strings or None."""
    if isinstance(value, _ARRAYLIKE) or hasattr(value, "__jax_array__"):
        return True
    return type(value).__module__.partition(".")[0] in ("numpy", "ml_dtypes") and hasattr(value, "dtype")


def check_arraylike(name: str, *args: Any) -> None:
    """Raises TypeError, in JAX's words, for the first argument that is no array or scalar."""
    for position, arg in enumerate(args):
        if not is_arraylike(arg):
            raise TypeError(
                f"{name} requires ndarray or scalar arguments, got {type(arg)} at position {position}."
            )


def binary(
    primitive: Primitive, name: str, inexact: bool = False, **params: Any
) -> Callable[[Value, Value], Value]:
    """A function of two operands that promotes them and applies `primitive`; `inexact` turns integers into floats."""
    accepts_integers = not inexact

    def apply(x: Value, y: Value) -> Value:
        if isinstance(x, Array):
            aval = x.aval
            if isinstance(y, Array):
                other = y.aval
                if (
                    (aval is other or (aval.dtype is other.dtype and aval.shape == other.shape))
                    and (accepts_integers or aval.dtype.kind in "fc")
                    and aval.weak_type == other.weak_type
                    and not (aval.dtype is BOOL and aval.weak_type)  # Weak booleans become strong.
                ):
                    return current_trace().process_primitive(primitive, (x, y), params)
            elif accepts_integers or aval.dtype.kind in "fc":
                constant = scalar_like(y, aval)
                if constant is not None:
                    return current_trace().process_primitive(primitive, (x, constant), params)
        elif isinstance(y, Array) and (accepts_integers or y.aval.dtype.kind in "fc"):
            constant = scalar_like(x, y.aval)
            if constant is not None:
                return current_trace().process_primitive(primitive, (constant, y), params)
        promoted = promote_args_inexact(name, x, y) if inexact else promote_args(name, x, y)
        return current_trace().process_primitive(primitive, promoted, params)

    apply.__name__ = apply.__qualname__ = name
    return apply


def unary(primitive: Primitive, name: str, inexact: bool = False, **params: Any) -> Callable[[Value], Value]:
    """A function of one operand that applies `primitive`."""

    def apply(x: Value) -> Value:
        if isinstance(x, Array) and (not inexact or x.aval.dtype.kind in "fc"):
            return current_trace().process_primitive(primitive, (x,), params)
        (promoted,) = promote_args_inexact(name, x) if inexact else promote_args(name, x)
        return current_trace().process_primitive(primitive, (promoted,), params)

    apply.__name__ = apply.__qualname__ = name
    return apply
