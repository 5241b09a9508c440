"""The operators of arrays, concrete and traced, and the methods that they share.

One table gives both kinds of array their operators and methods. Arithmetic binds its primitive at once; everything
else is the function of the same name in ``numpy``, loaded when it is first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

from ..core import Array, Primitive, Tracer, Value, current_trace, get_aval, literal
from ..primitives.binary import (
    add_p,
    and_p,
    div_p,
    mul_p,
    or_p,
    pow_p,
    shift_left_p,
    shift_right_arithmetic_p,
    shift_right_logical_p,
    sub_p,
    xor_p,
)
from ..primitives.comparison import eq_p, ge_p, gt_p, le_p, lt_p, ne_p
from ..primitives.shape import broadcast_in_dim_p
from ..primitives.unary import abs_p, integer_pow_p, neg_p, not_p
from . import promotion
from .promotion import binary, is_arraylike

Binary = Callable[[Any, Any], Any]


def _lazy(name: str) -> Callable[..., Any]:
    """The function of that name in the NumPy interface, which is imported when it is first called."""
    function: Callable[..., Any] | None = None

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal function
        if function is None:
            function = getattr(importlib.import_module("..numpy", __package__), name)
        return function(*args, **kwargs)

    call.__name__ = name
    return call


# ------------------------------------------------------------------------------------------------ arithmetic

_same_add = binary(add_p, "add")
_same_mul = binary(mul_p, "multiply")
_or, _and = binary(or_p, "bitwise_or"), binary(and_p, "bitwise_and")


def _boolean(x: Value, y: Value) -> bool:
    """Whether both are booleans, for which + is "or" and * is "and"."""
    return all((isinstance(v, bool) or getattr(getattr(v, "dtype", None), "kind", "") == "b") for v in (x, y))


def add(x: Value, y: Value) -> Value:
    """``x + y``."""
    if isinstance(x, Array) and x.aval.dtype.kind == "b" and _boolean(x, y):
        return _or(x, y)
    return _same_add(x, y)


def multiply(x: Value, y: Value) -> Value:
    """``x * y``."""
    if isinstance(x, Array):
        if x.aval.dtype.kind == "b":
            return _and(x, y) if _boolean(x, y) else _masked(x, y)
    elif _numpy_mask(x):
        return multiply(current_trace().stage_value(x), y)
    if isinstance(y, Array):
        if y.aval.dtype.kind == "b":
            return _masked(y, x)
    elif _numpy_mask(y):
        return multiply(x, current_trace().stage_value(y))
    return _same_mul(x, y)


def _numpy_mask(value: Value) -> bool:
    shape = getattr(value, "shape", None)
    return bool(shape) and getattr(getattr(value, "dtype", None), "kind", "") == "b"


def _masked(mask: Array, x: Value) -> Value:
    """``mask * x``, which JAX compiles at once into a selection: 0 * inf is 0."""
    product = _same_mul(mask, x)
    aval = get_aval(product)
    dtype = aval.dtype
    if (
        not current_trace().selects(mask, x)
        or dtype.kind not in "fc"
        or dtype.narrow
        or mask.aval.shape != aval.shape
    ):
        return product
    zero = literal(0, dtype, aval.weak_type)
    zeros = broadcast_in_dim_p.bind(zero, shape=aval.shape, broadcast_dimensions=(), sharding=None)
    return current_trace().selected(mask, zeros if aval.shape else zero, product)


subtract = binary(sub_p, "subtract")
true_divide = binary(div_p, "true_divide", inexact=True)
float_power = binary(pow_p, "power")


def power(x: Value, y: Value) -> Value:
    """``x ** y``; a Python integer exponent is unrolled into multiplications."""
    if type(y) is int and isinstance(x, Array) and (y >= 0 or x.aval.dtype.kind in "fc"):
        if x.aval.dtype.kind in "iufc":
            return integer_pow_p.bind(x, y=y) if y != 1 else x
    elif (
        isinstance(x, Array)
        and x.aval.dtype.kind in "fc"
        and (type(y) is float or (isinstance(y, Array) and y.aval.dtype is x.aval.dtype))
    ) or (type(x) in (int, float) and isinstance(y, Array) and y.aval.dtype.kind in "fc"):
        return float_power(x, y)
    return _lazy("power")(x, y)


def right_shift(x: Value, y: Value) -> Value:
    """``x >> y``: copies of the sign move in for signed types, zeros for unsigned ones."""
    promoted = promotion.promote_args("right_shift", x, y)
    signed = get_aval(promoted[0]).dtype.kind == "i"
    return (shift_right_arithmetic_p if signed else shift_right_logical_p).bind(*promoted)


def absolute(x: Array) -> Value:
    """``abs(x)``."""
    return x if x.aval.dtype.kind in "bu" else abs_p.bind(x)


_BINARY: dict[str, Binary] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "truediv": true_divide,
    "pow": power,
    "floordiv": _lazy("floor_divide"),
    "mod": _lazy("remainder"),
    "divmod": _lazy("divmod"),
    "matmul": _lazy("matmul"),
    "and": _and,
    "or": _or,
    "xor": binary(xor_p, "bitwise_xor"),
    "lshift": binary(shift_left_p, "left_shift"),
    "rshift": right_shift,
}


def _ordering(primitive: Primitive, name: str) -> Binary:
    """A comparison; complex numbers are ordered by their real part first, as NumPy orders them."""
    same = binary(primitive, name)
    lexicographic = _lazy(name)

    def compare(x: Value, y: Value) -> Value:
        complex_ = any(
            isinstance(v, complex) or getattr(getattr(v, "dtype", None), "kind", "") == "c" for v in (x, y)
        )
        return lexicographic(x, y) if complex_ else same(x, y)

    return compare


_COMPARISONS: dict[str, Binary] = {
    "eq": binary(eq_p, "equal"),
    "ne": binary(ne_p, "not_equal"),
    "lt": _ordering(lt_p, "less"),
    "le": _ordering(le_p, "less_equal"),
    "gt": _ordering(gt_p, "greater"),
    "ge": _ordering(ge_p, "greater_equal"),
}


_SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "pow": "**",
    "floordiv": "//",
    "mod": "%",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "divmod": "divmod",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_FREQUENT = (Array, float, int)


def _declined(name: str, left: Any, right: Any, other: Any) -> Any:
    """What an operator answers to an operand that is no array. Containers are refused before Python asks them.

    Raises TypeError: otherwise ``[0] * x`` would ask `x` for an index, and ``x + [1]`` the list.
    """
    if isinstance(other, (list, tuple, set, dict)):
        raise TypeError(
            f"unsupported operand type(s) for {_SYMBOLS[name]}: {type(left).__name__!r} and {type(right).__name__!r}"
        )
    return NotImplemented


def _operator(name: str, function: Binary) -> Binary:
    def operator(self: Array, other: Any) -> Any:
        if isinstance(other, _FREQUENT):
            return function(self, other)
        if hasattr(other, "__jax_array__"):
            other = other.__jax_array__()
        if is_arraylike(other):
            return function(self, other)
        return _declined(name, self, other, other)

    return operator


def _reflected(name: str, function: Binary) -> Binary:
    def operator(self: Array, other: Any) -> Any:
        if isinstance(other, _FREQUENT):
            return function(other, self)
        if hasattr(other, "__jax_array__"):
            other = other.__jax_array__()
        if is_arraylike(other):
            return function(other, self)
        return _declined(name, other, self, other)

    return operator


# ------------------------------------------------------------------------------------------------ methods


def _getitem(self: Array, index: Any) -> Value:
    from ..numpy import indexing

    return indexing.get_item(self, index)


def _refuse_store(self: Array, index: Any, value: Any) -> None:
    raise TypeError(
        "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use x = "
        "x.at[idx].set(y) or another .at[] method: "
        "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html"
    )


def _iterate(self: Array) -> Iterator[Value]:
    if not self.aval.shape:
        raise TypeError("iteration over a 0-d array")
    return (self[i] for i in range(self.aval.shape[0]))


def _astype(self: Array, dtype: Any, copy: bool = False, device: Any = None) -> Value:
    _refuse_keys(self, "astype")
    return _lazy("astype")(self, dtype)


def _reshape(self: Array, *args: Any, order: str = "C", out_sharding: Any = None) -> Value:
    return _lazy("reshape")(self, args[0] if len(args) == 1 else args, order=order)


def _transpose(self: Array, *axes: Any) -> Value:
    if len(axes) == 1 and isinstance(axes[0], Tracer):
        from ..numpy.promotion import concrete

        axes = (concrete(axes[0], "axes argument of transpose()"),)
    one = len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list)) or _ndim(axes[0]) > 0)
    return _lazy("transpose")(self, (axes[0] if one else axes) if axes else None)


def _ndim(value: Any) -> int:
    return len(getattr(value, "shape", ()))


def _view(self: Array, dtype: Any = None, type: Any = None) -> Value:
    _refuse_keys(self, "view")
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    if dtype is None:
        return self
    from ..lax.types import canonical

    return _lazy("_view")(self, canonical(dtype))


def _to_device(self: Array, device: Any, *, stream: Any = None) -> Any:
    from .cpu import device_put

    if stream is not None:
        raise NotImplementedError("stream argument of array.to_device()")
    return device_put(self, device)


def _byteswap(self: Array) -> Value:
    _refuse_keys(self, "byteswap")
    return _lazy("_byteswap")(self)


def _flat(self: Array) -> Any:
    raise NotImplementedError(
        "JAX Arrays do not implement the arr.flat property: consider arr.flatten() instead."
    )


def _namespace(self: Array, *, api_version: str | None = None) -> Any:
    """The module of array functions, as the array API standard asks for it."""
    return importlib.import_module("..numpy", __package__)


_METHODS = (
    "all",
    "any",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "choose",
    "clip",
    "conj",
    "conjugate",
    "copy",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ptp",
    "ravel",
    "repeat",
    "round",
    "searchsorted",
    "sort",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "take",
    "trace",
    "var",
)


def _rounded(self: Array, ndigits: int | None = None) -> Any:
    """Python's `round`: to an integer without `ndigits`."""
    if self.aval.dtype.kind == "k":
        raise TypeError("type PRNGKeyArray doesn't define __round__ method")
    out = _lazy("round")(self, ndigits or 0)
    return out.astype(int) if ndigits is None else out


def _compress(self: Array, condition: Any, axis: int | None = None, **options: Any) -> Any:
    _refuse_keys(self, "compress")
    return _lazy("compress")(condition, self, axis=axis, **options)


_OF_KEYS = frozenset("copy ravel squeeze swapaxes take".split())


def _refuse_keys(self: Array, name: str) -> None:
    """Random keys only move."""
    if self.aval.dtype.kind == "k":
        raise NotImplementedError(
            f"arrays of random keys have no {name}: jax.random.key_data gives their words"
        )


def _method(name: str) -> Callable[..., Any]:
    call = _lazy(name)
    moves = name in _OF_KEYS

    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        if not moves:
            _refuse_keys(self, name)
        return call(self, *args, **kwargs)

    method.__name__, method.__qualname__ = name, f"Array.{name}"
    method.__doc__ = f"See ``jax.numpy.{name}``."
    return method


def _property(name: str) -> property:
    call = _lazy(name)

    def read(self: Array) -> Any:
        _refuse_keys(self, name)
        return call(self)

    return property(read)


class _At:
    """``x.at``: indexing it gives the updates ``set``, ``add``, ... of that part of the array."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> Any:
        from ..numpy.updates import IndexUpdateRef

        return IndexUpdateRef(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def install() -> None:
    """Give `Array` its operators and methods."""
    table: dict[str, Any] = {}
    for name, function in _BINARY.items():
        table[f"__{name}__"], table[f"__r{name}__"] = _operator(name, function), _reflected(name, function)
    for name, function in _COMPARISONS.items():
        table[f"__{name}__"] = _operator(name, function)
    for name in _METHODS:
        table[name] = _method(name)
    table |= {
        "__neg__": lambda self: neg_p.bind(self),
        "__pos__": lambda self: self,
        "__abs__": absolute,
        "__invert__": lambda self: not_p.bind(self),
        "__round__": _rounded,
        "__getitem__": _getitem,
        "__iter__": _iterate,
        "__setitem__": _refuse_store,
        "compress": _compress,
        "astype": _astype,
        "reshape": _reshape,
        "transpose": _transpose,
        "view": _view,
        "byteswap": _byteswap,
        "flatten": _method("ravel"),
        "T": property(lambda self: _transpose(self)),
        "mT": _property("matrix_transpose"),
        "real": _property("real"),
        "imag": _property("imag"),
        "flat": property(_flat),
        "__array_namespace__": _namespace,
        "at": property(_At),
        "to_device": _to_device,
        "__copy__": lambda self: _lazy("copy")(self),
        "__deepcopy__": lambda self, memo: _lazy("copy")(self),
    }
    for name, attribute in table.items():
        setattr(Array, name, attribute)


install()
