"""Shapes and dtypes of results, as the rules named in the tables give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import (
    Array,
    Const,
    DictValue,
    RangeValue,
    SequenceValue,
    Shape,
    Static,
    TupleValue,
    Value,
)
from ..python.containers import elements, items_of, length_of
from ..tracing.traces import number_dtype, number_shape
from .precision import default_dtype, widest

if TYPE_CHECKING:
    from ..machine import Interpreter

DTYPES = (
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
    "bfloat16", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
_LONG = {
    "int": "int64", "longlong": "int64", "intp": "int64", "i8": "int64", "uint": "uint64", "uintp": "uint64",
    "float": "float64", "double": "float64", "f8": "float64", "complex": "complex128", "cdouble": "complex128",
    "intc": "int32", "i4": "int32", "uintc": "uint32", "single": "float32", "f4": "float32", "csingle": "complex64",
    "half": "float16",
}  # fmt: skip
_NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
_KIND = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def dtype_named(name: str) -> str:
    """What a name of a dtype stands for: 64-bit types are 32 bits wide without `jax_enable_x64`."""
    full = _LONG.get(name, name)
    return full if widest() == 64 else _NARROW.get(full, full)


def kind_of(dtype: str) -> str:
    """`b`, `u`, `i`, `f` or `c`."""
    return "f" if dtype == "bfloat16" else dtype[0]


def promote(left: tuple[str | None, bool], right: tuple[str | None, bool]) -> tuple[str | None, bool]:
    """JAX's type promotion of two dtypes, each with whether it is weak (of JAX's default width)."""
    a, weak_a = left
    b, weak_b = right
    if a is None or b is None:
        return None, False
    if a == b:
        return a, weak_a and weak_b
    if weak_a != weak_b:
        strong, weak = (b, a) if weak_a else (a, b)
        if _KIND.get(kind_of(weak), 9) <= _KIND.get(kind_of(strong), 9):
            return strong, False
        return weak, True
    if a not in DTYPES or b not in DTYPES:
        return None, False
    if _KIND[kind_of(a)] != _KIND[kind_of(b)]:
        return (a if _KIND[kind_of(a)] > _KIND[kind_of(b)] else b), weak_a and weak_b
    if {a, b} == {"float16", "bfloat16"}:
        return "float32", weak_a and weak_b
    if kind_of(a) != kind_of(b):
        unsigned, signed = (a, b) if kind_of(a) == "u" else (b, a)
        bits = max(2 * int(unsigned.removeprefix("uint")), int(signed.removeprefix("int")))
        if bits > 64:
            return default_dtype("float32"), weak_a and weak_b
        return f"int{min(bits, widest())}", weak_a and weak_b
    return max(a, b, key=DTYPES.index), weak_a and weak_b


def dtype_of(value: Value) -> tuple[str | None, bool]:
    """The dtype that a value has as an array, and whether it is weak."""
    if isinstance(value, Array):
        return value.dtype, value.weak
    dtype = number_dtype(value)
    return dtype, dtype is not None


def shape_of(value: Value) -> Shape:
    """The shape that a value has as an array."""
    if isinstance(value, Array):
        return value.shape
    if isinstance(value, Static) and value.kind == "ndarray":
        return value.shape
    return number_shape(value) if number_dtype(value) is not None else None


def broadcast(shapes: list[Shape]) -> Shape:
    """The broadcast shape, None where it is not known (or does not exist)."""
    result: tuple[int | None, ...] = ()
    for shape in shapes:
        if shape is None:
            return None
        width = max(len(result), len(shape))
        left = (1,) * (width - len(result)) + result
        right = (1,) * (width - len(shape)) + shape
        joined: list[int | None] = []
        for a, b in zip(left, right, strict=True):
            if a == 1 or b == 1:
                joined.append(b if a == 1 else a)
            elif a is None or b is None:
                joined.append(b if a is None else a)
            elif a == b:
                joined.append(a)
            else:
                return None
        result = tuple(joined)
    return result


def as_shape(interp: Interpreter, value: Value | None) -> Shape:
    """The shape that a `shape` argument means: an integer, or a sequence of them."""
    if value is None:
        return ()
    if isinstance(value, Const) and isinstance(value.value, int):
        return (value.value,)
    if isinstance(value, Static) and value.kind == "int":
        return (None,)
    if isinstance(value, SequenceValue):
        items = items_of(interp, value)
        if items is not None:
            return tuple(
                i.value if isinstance(i, Const) and isinstance(i.value, int) else None for i in items
            )
    return None


def nested(interp: Interpreter, value: Value, depth: int = 0) -> tuple[Shape, str | None, bool]:
    """Shape, dtype and weakness of `jnp.array(value)`."""
    if isinstance(value, SequenceValue) and depth < 5:
        items = items_of(interp, value)
        if items is None and (length := length_of(interp, value)):
            shape, dtype, _ = nested(interp, elements(interp, value), depth + 1)
            return (None if shape is None else (length, *shape)), dtype, False
        if not items:
            return ((0,), default_dtype("float32"), False) if items is not None else (None, None, False)
        parts = [nested(interp, item, depth + 1) for item in items]
        shapes = {shape for shape, _, _ in parts}
        shape = shapes.pop() if len(shapes) == 1 else None
        dtypes = {dtype for _, dtype, _ in parts}
        mixed = {default_dtype("float32"), default_dtype("int32")}
        dtype = dtypes.pop() if len(dtypes) == 1 else default_dtype("float32") if dtypes == mixed else None
        return (None if shape is None else (len(items), *shape)), dtype, False
    if isinstance(value, RangeValue):
        return (None,), default_dtype("int32"), False
    if isinstance(value, DictValue):
        return None, None, False
    dtype, _ = dtype_of(value)
    return shape_of(value), dtype, False


def axis_of(value: Value | None) -> tuple[int, ...] | None:
    """The axes that an `axis` argument names, None where it is not known."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return (value.value,)
    if (
        isinstance(value, TupleValue)
        and value.rest is None
        and all(isinstance(i, Const) for i in value.items)
    ):
        return tuple(i.value for i in value.items if isinstance(i, Const))
    return None


def reduced(shape: Shape, axis: Value | None, keepdims: Value | None) -> Shape:
    """The shape after reducing over an axis, some axes, or all (None)."""
    keep = bool(keepdims.value) if isinstance(keepdims, Const) else False
    if keepdims is not None and not isinstance(keepdims, Const):
        return None
    if axis is None or axis == Const(None):
        return () if not keep else (None if shape is None else (1,) * len(shape))
    axes = axis_of(axis)
    if shape is None or axes is None or any(not -len(shape) <= a < len(shape) for a in axes):
        return None
    gone = {a % len(shape) for a in axes}
    return tuple(1 if k in gone else n for k, n in enumerate(shape) if keep or k not in gone)


def matmul(left: Shape, right: Shape) -> Shape:
    """The shape of `left @ right`."""
    if left is None or right is None or not left or not right:
        return None
    if len(left) == 1 and len(right) == 1:
        return ()
    if len(right) == 1:
        return left[:-1]
    if len(left) == 1:
        return (*right[:-2], right[-1])
    batch = broadcast([left[:-2], right[:-2]])
    return None if batch is None else (*batch, left[-2], right[-1])
