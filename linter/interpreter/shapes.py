"""Shapes and dtypes of results, as the rules named in the tables give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..domain import Array, Const, DictValue, ListValue, RangeValue, Shape, Static, TupleValue, Value
from .traces import number_dtype

if TYPE_CHECKING:
    from .machine import Interpreter

Bound = Mapping[str, Value]

_ORDER = (
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
    "bfloat16", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
_KIND = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def kind_of(dtype: str) -> str:
    """`b`, `u`, `i`, `f` or `c`."""
    return "f" if dtype == "bfloat16" else dtype[0]


def promote(left: Value, right: Value) -> tuple[str | None, bool]:
    """The dtype of an operation on two values, and whether it is weak (JAX's type promotion, 32-bit default)."""
    a, weak_a = dtype_of(left)
    b, weak_b = dtype_of(right)
    if a is None or b is None:
        return None, False
    if a == b:
        return a, weak_a and weak_b
    if weak_a != weak_b:
        strong, weak = (b, a) if weak_a else (a, b)
        if _KIND.get(kind_of(weak), 9) <= _KIND.get(kind_of(strong), 9):
            return strong, False
        return ({"f": "float32", "c": "complex64", "i": "int32", "b": "bool"}[kind_of(weak)], True) if kind_of(strong) == "b" else (weak, False)
    if a not in _ORDER or b not in _ORDER:
        return None, False
    if _KIND[kind_of(a)] != _KIND[kind_of(b)]:
        return (a if _KIND[kind_of(a)] > _KIND[kind_of(b)] else b), weak_a and weak_b
    if {kind_of(a), kind_of(b)} == {"u", "i"} or {a, b} == {"float16", "bfloat16"}:
        return None, False
    return max(a, b, key=_ORDER.index), weak_a and weak_b


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
    return () if number_dtype(value) is not None else None


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
    from .containers import items_of

    if value is None:
        return ()
    if isinstance(value, Const) and isinstance(value.value, int):
        return (value.value,)
    if isinstance(value, Static) and value.kind == "int":
        return (None,)
    if isinstance(value, TupleValue | ListValue):
        items = items_of(interp, value)
        if items is not None:
            return tuple(i.value if isinstance(i, Const) and isinstance(i.value, int) else None for i in items)
    return None


def nested(interp: Interpreter, value: Value, depth: int = 0) -> tuple[Shape, str | None, bool]:
    """Shape, dtype and weakness of `jnp.array(value)`."""
    from .containers import items_of

    if isinstance(value, TupleValue | ListValue) and depth < 5:
        items = items_of(interp, value)
        if not items:
            return ((0,), "float32", False) if items is not None else (None, None, False)
        parts = [nested(interp, item, depth + 1) for item in items]
        shapes = {shape for shape, _, _ in parts}
        shape = shapes.pop() if len(shapes) == 1 else None
        dtypes = {dtype for _, dtype, _ in parts}
        dtype = dtypes.pop() if len(dtypes) == 1 else ("float32" if dtypes == {"float32", "int32"} else None)
        return (None if shape is None else (len(items), *shape)), dtype, False
    if isinstance(value, RangeValue):
        return (None,), "int32", False
    if isinstance(value, DictValue):
        return None, None, False
    dtype, _ = dtype_of(value)
    return shape_of(value), dtype, False


def axis_of(value: Value | None) -> tuple[int, ...] | None:
    """The axes that an `axis` argument names, None where it is not known."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return (value.value,)
    if isinstance(value, TupleValue) and value.rest is None and all(isinstance(i, Const) for i in value.items):
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


_RULE = re.compile(r"(\w+)(?:\((.*)\))?$")


def shape_rule(interp: Interpreter, rule: str, bound: Bound) -> Shape:
    """Applies a shape rule such as `reduce(a, axis, keepdims)` to the arguments of a call."""
    match = _RULE.match(rule.strip())
    if match is None:
        return None
    name, text = match[1], match[2] or ""
    args = [bound.get(part.strip()) for part in text.split(",") if part.strip()]
    run = SHAPE_RULES.get(name)
    return run(interp, args) if run is not None else None


def _of(interp: Interpreter, args: list[Value | None]) -> Shape:
    return nested(interp, args[0])[0] if args and args[0] is not None else None


def _matmul(interp: Interpreter, args: list[Value | None]) -> Shape:
    return matmul(_of(interp, args[:1]), _of(interp, args[1:2]))


def _arange(interp: Interpreter, args: list[Value | None]) -> Shape:
    numbers = [a.value for a in args if isinstance(a, Const) and isinstance(a.value, int)]
    given = [a for a in args if a is not None]
    if given and len(numbers) == len(given) and not (len(numbers) == 3 and numbers[2] == 0):
        return (len(range(*numbers)),)
    return (None,)


def _linspace(interp: Interpreter, args: list[Value | None]) -> Shape:
    num = args[2] if len(args) > 2 else None
    count = num.value if isinstance(num, Const) and isinstance(num.value, int) else (50 if num is None else None)
    ends = broadcast([_of(interp, [a]) for a in args[:2] if a is not None])
    return None if ends is None else (count, *ends)


def _reshape(interp: Interpreter, args: list[Value | None]) -> Shape:
    shape = as_shape(interp, args[1]) if len(args) > 1 and args[1] is not None else None
    if shape is None:
        return None
    if -1 in shape:
        before = _of(interp, args[:1])
        known = 1
        for n in shape:
            known *= 1 if n == -1 else (n if n is not None else 0)
        total = _product(before)
        filled = total // known if total is not None and known > 0 else None
        return tuple(filled if n == -1 else n for n in shape)
    return shape


def _product(shape: Shape) -> int | None:
    if shape is None:
        return None
    total = 1
    for n in shape:
        if n is None:
            return None
        total *= n
    return total


def _stack(interp: Interpreter, args: list[Value | None]) -> Shape:
    from .containers import items_of

    items = items_of(interp, args[0]) if args and args[0] is not None else None
    if not items or (len(args) > 1 and args[1] is not None and args[1] != Const(0)):
        return None
    first = shape_of(items[0])
    return None if first is None else (len(items), *first)


def _eye(interp: Interpreter, args: list[Value | None]) -> Shape:
    sizes = [a.value if isinstance(a, Const) and isinstance(a.value, int) else None for a in args if a is not None]
    sizes = [s for a, s in zip(args, sizes, strict=False) if a != Const(None)] or [None]
    return (sizes[0], sizes[1] if len(sizes) > 1 else sizes[0])


def _split(interp: Interpreter, args: list[Value | None]) -> Shape:
    count = as_shape(interp, args[1]) if len(args) > 1 and args[1] is not None else (2,)
    key = _of(interp, args[:1])
    return None if count is None or key is None else (*count, *key)


def _transpose(interp: Interpreter, args: list[Value | None]) -> Shape:
    shape = _of(interp, args[:1])
    if shape is None or (len(args) > 1 and args[1] not in (None, Const(None))):
        return None
    return shape[::-1]


SHAPE_RULES: dict[str, Callable[[Interpreter, list[Value | None]], Shape]] = {
    "scalar": lambda interp, args: (),
    "same": _of,
    "of": _of,
    "broadcast": lambda interp, args: broadcast([_of(interp, [a]) for a in args if a is not None]),
    "reduce": lambda interp, args: reduced(
        _of(interp, args[:1]), args[1] if len(args) > 1 else None, args[2] if len(args) > 2 else None
    ),
    "shape": lambda interp, args: as_shape(interp, args[0] if args else None),
    "matmul": _matmul,
    "reshape": _reshape,
    "transpose": _transpose,
    "stack": _stack,
    "arange": _arange,
    "linspace": _linspace,
    "eye": _eye,
    "split": _split,
}


def dtype_rule(interp: Interpreter, rule: str, bound: Bound, dtype_name: Callable[[Value], str | None]) -> tuple[str | None, bool]:
    """Applies a dtype rule such as `promote(x1, x2)`; gives the dtype and whether it is weak."""
    explicit = bound.get("dtype")
    match = _RULE.match(rule.strip())
    if match is None:
        return None, False
    name = match[1]
    args = [v for v in (bound.get(part.strip()) for part in (match[2] or "").split(",") if part.strip()) if v is not None]
    if explicit is not None and explicit != Const(None) and name in ("dtype", "of", "same", "promote", "float"):
        return dtype_name(explicit), False
    if name == "dtype":
        return "float32", False
    if name in ("promote", "same", "float", "real") and args:
        dtype, weak = dtype_of(args[0])
        if isinstance(args[0], TupleValue | ListValue):
            _, dtype, weak = nested(interp, args[0])
        for other in args[1:]:
            dtype, weak = promote(Array(0, (), dtype, weak), other) if dtype else (None, False)  # type: ignore[arg-type]
        if name == "float" and dtype is not None and kind_of(dtype) in "bui":
            return "float32", weak
        if name == "real" and dtype is not None and kind_of(dtype) == "c":
            return {"complex64": "float32", "complex128": "float64"}[dtype], weak
        return dtype, weak
    if name == "of" and args:
        return nested(interp, args[0])[1], False
    return (name, False) if name in _ORDER or name == "key" else (None, False)
