"""The shape and dtype rules that the knowledge tables name, applied to the arguments of a call."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...domain import Array, Const, SequenceValue, Shape, TupleValue, Value
from ..python.containers import items_of, row
from .arranged_shapes import RULES as ARRANGED_SHAPES
from .matrix_shapes import RULES as MATRIX_SHAPES
from .precision import default_dtype, widest
from .rule_arguments import Arguments
from .shapes import (
    DTYPES,
    as_shape,
    axis_of,
    broadcast,
    dtype_of,
    kind_of,
    matmul,
    nested,
    promote,
    reduced,
    shape_of,
)

if TYPE_CHECKING:
    from ..machine import Interpreter

Bound = Mapping[str, Value]

_RULE = re.compile(r"(\w+)(?:\((.*)\))?$")


def shape_rule(interp: Interpreter, rule: str, bound: Bound) -> Shape:
    """Applies a shape rule such as `reduce(a, axis, keepdims)` to the arguments of a call."""
    choices = alternatives(rule)
    for choice in choices:
        match = _RULE.match(choice)
        if match is None:
            return None
        names = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
        args: Arguments = [_argument(bound, name) for name in names]
        if choice is not choices[-1] and any(arg is None or arg == Const(None) for arg in args):
            continue
        run = SHAPE_RULES.get(match[1])
        return run(interp, args) if run is not None else None
    return None


def alternatives(rule: str) -> list[str]:
    """The rules of `A|B`."""
    return [part.strip() for part in rule.split("|")]


def _argument(bound: Bound, name: str) -> Value | None:
    """What was given for a parameter; a number in a rule stands for itself."""
    return Const(int(name)) if name.lstrip("-").isdigit() else bound.get(name)


def _number(value: Value | None, default: int | None = None) -> int | None:
    if value is None or value == Const(None):
        return default
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _at(args: Arguments, position: int) -> Value | None:
    return args[position] if position < len(args) else None


def _items(interp: Interpreter, value: Value | None) -> list[Value] | None:
    if isinstance(value, Array):
        return (
            [row(value)] * value.shape[0]
            if value.shape and value.shape[0] is not None and value.shape[0] < 64
            else None
        )
    return items_of(interp, value) if value is not None else None


def _size(shape: Shape) -> int | None:
    return _product(shape)


def _axis(shape: Shape, value: Value | None, default: int | None = None) -> int | None:
    axis = _number(value, default)
    return axis % len(shape) if shape and axis is not None and -len(shape) <= axis < len(shape) else None


def _with(shape: Shape, axis: int | None, length: int | None) -> Shape:
    """The shape with another length along one axis."""
    return None if shape is None or axis is None else (*shape[:axis], length, *shape[axis + 1 :])


def _cumulate(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    if _at(args, 1) in (None, Const(None)):
        return (_size(shape),)
    return shape


def _swap(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    a, b = _axis(shape, _at(args, 1)), _axis(shape, _at(args, 2))
    if shape is None or a is None or b is None:
        return None
    new = list(shape)
    new[a], new[b] = new[b], new[a]
    return tuple(new)


def _move(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    a, b = _axis(shape, _at(args, 1)), _axis(shape, _at(args, 2))
    if shape is None or a is None or b is None:
        return None
    new = list(shape)
    new.insert(b, new.pop(a))
    return tuple(new)


def _matrix_transpose(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    return (*shape[:-2], shape[-1], shape[-2]) if shape is not None and len(shape) > 1 else None


def _expand(interp: Interpreter, args: Arguments) -> Shape:
    shape, axes = _of(interp, args[:1]), axis_of(_at(args, 1))
    if shape is None or axes is None:
        return None
    rank = len(shape) + len(axes)
    places = {a % rank for a in axes if -rank <= a < rank}
    rest = iter(shape)
    return tuple(1 if k in places else next(rest, None) for k in range(rank))


def _squeeze(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    if shape is None:
        return None
    if _at(args, 1) in (None, Const(None)):
        return None if None in shape else tuple(n for n in shape if n != 1)
    return reduced(shape, args[1], None)


def _concatenate(interp: Interpreter, args: Arguments) -> Shape:
    items = _items(interp, _at(args, 0))
    shapes = [shape_of(item) for item in items] if items else []
    if not shapes or any(shape is None for shape in shapes):
        return None
    first = shapes[0]
    axis = _axis(first, _at(args, 1), 0)
    if first is None or axis is None or any(len(s or ()) != len(first) for s in shapes):
        return None
    total: int | None = 0
    for shape in shapes:
        length = shape[axis] if shape is not None else None
        total = None if total is None or length is None else total + length
    return _with(first, axis, total)


def _hstack(interp: Interpreter, args: Arguments) -> Shape:
    items = _items(interp, _at(args, 0))
    first = shape_of(items[0]) if items else None
    if first is None:
        return None
    if len(first) == 0:
        return (len(items or ()),)
    return _concatenate(interp, [args[0], Const(0 if len(first) == 1 else 1)])


def _vstack(interp: Interpreter, args: Arguments) -> Shape:
    items = _items(interp, _at(args, 0))
    first = shape_of(items[0]) if items else None
    if first is None:
        return None
    if len(first) < 2:
        return (len(items or ()), *(first or (1,)))
    return _concatenate(interp, [args[0], Const(0)])


def _dot(interp: Interpreter, args: Arguments) -> Shape:
    left, right = _of(interp, args[:1]), _of(interp, args[1:2])
    if left is None or right is None:
        return None
    if not left or not right:
        return left or right
    return matmul(left, right) if len(left) <= 2 and len(right) <= 2 else None


def _outer(interp: Interpreter, args: Arguments) -> Shape:
    return (_size(_of(interp, args[:1])), _size(_of(interp, args[1:2])))


def _einsum(interp: Interpreter, args: Arguments) -> Shape:
    text = args[0].value if args and isinstance(args[0], Const) and isinstance(args[0].value, str) else ""
    operands = _items(interp, _at(args, 1))
    if "->" not in text or "." in text or operands is None:
        return None
    inputs, output = text.replace(" ", "").split("->")
    lengths: dict[str, int | None] = {}
    for letters, operand in zip(inputs.split(","), operands, strict=False):
        for letter, length in zip(letters, shape_of(operand) or (), strict=False):
            lengths[letter] = lengths.get(letter) or length
    return tuple(lengths.get(letter) for letter in output)


def _take(interp: Interpreter, args: Arguments) -> Shape:
    shape, indices = _of(interp, args[:1]), _of(interp, args[1:2])
    if indices is None:
        return None
    if _at(args, 2) in (None, Const(None)):
        return indices
    axis = _axis(shape, args[2])
    return None if shape is None or axis is None else (*shape[:axis], *indices, *shape[axis + 1 :])


def _repeat(interp: Interpreter, args: Arguments) -> Shape:
    shape, times, total = _of(interp, args[:1]), _number(_at(args, 1)), _number(_at(args, 3))
    if _at(args, 2) in (None, Const(None)):
        size = _size(shape)
        return (
            total if total is not None else size * times if size is not None and times is not None else None,
        )
    axis = _axis(shape, args[2])
    length = shape[axis] if shape is not None and axis is not None else None
    return _with(
        shape, axis, total if total is not None else length * times if length and times is not None else None
    )


def _tile(interp: Interpreter, args: Arguments) -> Shape:
    """Shape and numbers are filled up with ones from the left."""
    shape, times = _of(interp, args[:1]), as_shape(interp, _at(args, 1))
    if shape is None or times is None:
        return None
    rank = max(len(shape), len(times))
    shape, times = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(times)) + times
    return tuple(
        a * b if a is not None and b is not None else None for a, b in zip(shape, times, strict=True)
    )


def _one_hot(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    return None if shape is None or _number(_at(args, 2), -1) != -1 else (*shape, _number(_at(args, 1)))


def _diag(interp: Interpreter, args: Arguments) -> Shape:
    shape, k = _of(interp, args[:1]), _number(_at(args, 1), 0)
    if shape is None or k is None:
        return None
    if len(shape) == 1:
        n = shape[0] + abs(k) if shape[0] is not None else None
        return (n, n)
    return (shape[0],) if k == 0 and len(shape) == 2 and shape[0] == shape[1] else (None,)


def _resize(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    return _with(shape, _axis(shape, _at(args, 2), -1), _number(_at(args, 1)))


def _joined(interp: Interpreter, args: Arguments) -> Shape:
    """`append(a, values, axis)`: both flat without an axis."""
    left, right = _of(interp, args[:1]), _of(interp, args[1:2])
    if _at(args, 2) in (None, Const(None)):
        a, b = _size(left), _size(right)
        return (a + b if a is not None and b is not None else None,)
    axis = _axis(left, args[2])
    if left is None or right is None or axis is None or len(left) != len(right):
        return None
    a, b = left[axis], right[axis]
    return _with(left, axis, a + b if a is not None and b is not None else None)


def _append(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    return None if shape is None else (*shape, _number(_at(args, 1)))


def _of(interp: Interpreter, args: Arguments) -> Shape:
    return nested(interp, args[0])[0] if args and args[0] is not None else None


def _matmul(interp: Interpreter, args: Arguments) -> Shape:
    return matmul(_of(interp, args[:1]), _of(interp, args[1:2]))


def _arange(interp: Interpreter, args: Arguments) -> Shape:
    given = [a for a in args if a is not None]
    numbers = [a.value for a in given if isinstance(a, Const) and isinstance(a.value, int | float)]
    if not given or len(numbers) != len(given):
        return (None,)
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) > 2 else 1
    return (max(math.ceil((stop - start) / step), 0),) if step else (None,)


def _linspace(interp: Interpreter, args: Arguments) -> Shape:
    num = args[2] if len(args) > 2 else None
    count = (
        num.value if isinstance(num, Const) and isinstance(num.value, int) else (50 if num is None else None)
    )
    ends = broadcast([_of(interp, [a]) for a in args[:2] if a is not None])
    return None if ends is None else (count, *ends)


def _reshape(interp: Interpreter, args: Arguments) -> Shape:
    if len(args) > 1 and isinstance(args[1], TupleValue) and len(args[1].items) == 1:
        args = [args[0], args[1].items[0]]
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


def _stack(interp: Interpreter, args: Arguments) -> Shape:
    whole, axis = _of(interp, args[:1]), _number(_at(args, 1), 0)
    if not whole or axis is None or not -len(whole) <= axis < len(whole):
        return None
    axis %= len(whole)
    return (*whole[1 : axis + 1], whole[0], *whole[axis + 1 :])


def _eye(interp: Interpreter, args: Arguments) -> Shape:
    sizes = [
        a.value if isinstance(a, Const) and isinstance(a.value, int) else None for a in args if a is not None
    ]
    sizes = [s for a, s in zip(args, sizes, strict=False) if a != Const(None)] or [None]
    return (sizes[0], sizes[1] if len(sizes) > 1 else sizes[0])


def _split(interp: Interpreter, args: Arguments) -> Shape:
    count = as_shape(interp, args[1]) if len(args) > 1 and args[1] is not None else (2,)
    key = _of(interp, args[:1])
    return None if count is None or key is None else (*count, *key)


def _transpose(interp: Interpreter, args: Arguments) -> Shape:
    shape = _of(interp, args[:1])
    axes = _at(args, 1)
    if shape is None:
        return None
    if axes in (None, Const(None), TupleValue(())):
        return shape[::-1]
    order = axis_of(axes)
    if order is not None and sorted(a % len(shape) for a in order) == list(range(len(shape))):
        return tuple(shape[a] for a in order)
    return None


SHAPE_RULES: dict[str, Callable[[Interpreter, Arguments], Shape]] = {
    "scalar": lambda interp, args: (),
    "same": _of,
    "of": _of,
    "broadcast": lambda interp, args: broadcast([_of(interp, [a]) for a in args if a is not None]),
    "reduce": lambda interp, args: reduced(
        _of(interp, args[:1]), args[1] if len(args) > 1 else None, args[2] if len(args) > 2 else None
    ),
    "shape": lambda interp, args: as_shape(interp, args[0] if args else None),
    # Bounds that `vmap` goes along may have more axes than the shape
    "between": lambda interp, args: broadcast(
        [as_shape(interp, args[0]), *(_of(interp, [bound]) for bound in args[1:])]
    ),
    "matmul": _matmul,
    "reshape": _reshape,
    "transpose": _transpose,
    "stack": _stack,
    "arange": _arange,
    "linspace": _linspace,
    "eye": _eye,
    "split": _split,
    "cumulate": _cumulate,
    "ravel": lambda interp, args: (_size(_of(interp, args[:1])),),
    "swap": _swap,
    "move": _move,
    "matrix_transpose": _matrix_transpose,
    "expand": _expand,
    "squeeze": _squeeze,
    "concatenate": _concatenate,
    "hstack": _hstack,
    "vstack": _vstack,
    "dot": _dot,
    "outer": _outer,
    "einsum": _einsum,
    "take": _take,
    "repeat": _repeat,
    "tile": _tile,
    "one_hot": _one_hot,
    "diag": _diag,
    "resize": _resize,
    "append": _append,
    "joined": _joined,
    **ARRANGED_SHAPES,
    **MATRIX_SHAPES,
}


def dtype_rule(
    interp: Interpreter, rule: str, bound: Bound, dtype_name: Callable[[Value], str | None]
) -> tuple[str | None, bool]:
    """Applies a dtype rule such as `dtype|promote(x1, x2)`; gives the dtype and whether it is weak."""
    for choice in alternatives(rule):
        match = _RULE.match(choice)
        if match is None:
            return None, False
        name, text = match[1], match[2]
        if text is None and name in bound:
            if bound[name] == Const(None):
                continue
            return dtype_name(bound[name]), False
        if text is None:
            if name in DTYPES or name == "key":
                return default_dtype(name), False
            continue
        if name == "exactly":
            return text, False
        args = [value for part in text.split(",") if (value := bound.get(part.strip())) is not None]
        return _computed(interp, name, args)
    return None, False


REALS = {"complex64": "float32", "complex128": "float64"}


def _computed(interp: Interpreter, name: str, args: list[Value]) -> tuple[str | None, bool]:
    if not args:
        return None, False
    dtype, weak = _leaf_dtype(interp, args[0])
    for other in args[1:]:
        if dtype is None:
            return None, False
        right, right_weak = _leaf_dtype(interp, other)
        dtype, weak = promote((dtype, weak), (right, right_weak))
    if dtype is None:
        return None, False
    if name in ("float", "inexact", "magnitude") and kind_of(dtype) in "bui":
        return default_dtype("float32"), weak and name == "float"
    if name in ("strong", "inexact"):
        return dtype, False
    if name in ("real", "magnitude"):
        return REALS.get(dtype, dtype), weak and name == "real"
    if name == "complex":
        full = default_dtype("float32") if kind_of(dtype) in "bui" else dtype
        return {"float64": "complex128", "complex128": "complex128"}.get(full, "complex64"), False
    if name == "sum":
        return _sum_dtype(dtype), False
    return dtype, weak


def _sum_dtype(dtype: str) -> str:
    """Booleans and short integers are added up as integers of the default width."""
    kind = kind_of(dtype)
    if kind not in "bui":
        return dtype
    return f"{'u' if kind == 'u' else ''}int{widest()}"


def _leaf_dtype(interp: Interpreter, value: Value) -> tuple[str | None, bool]:
    if isinstance(value, SequenceValue):
        _, dtype, weak = nested(interp, value)
        return dtype, weak
    return dtype_of(value)
