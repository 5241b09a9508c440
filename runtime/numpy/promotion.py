"""What every `jax.numpy` function does first: check its arguments, promote them, make static ones concrete."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..arrays import promotion
from ..arrays.array import asarray as concrete_array
from ..arrays.array import from_numpy
from ..arrays.promotion import check_arraylike, is_arraylike, promote_shapes
from ..core import Array, Literal, Tracer, current_trace, eval_trace, get_aval, literal, shaped_array
from ..dtypes import BOOL
from ..errors import ConcretizationTypeError
from ..jitting.jit import jit
from ..lax import types as dtypes
from ..lax.elementwise import convert_to

__all__ = [
    "ArrayLike",
    "Axis",
    "asarray",
    "broadcast_together",
    "canonical_axis",
    "canonical_shape",
    "check_arraylike",
    "concrete",
    "concrete_axis",
    "exactly_like",
    "is_arraylike",
    "jitted",
    "like",
    "promote_args",
    "promote_args_inexact",
    "promote_args_numeric",
    "promote_dtypes",
    "promote_dtypes_inexact",
    "promote_shapes",
    "recorded",
    "reduced_axes",
    "refuse_out",
    "require_static",
    "truth",
]

ArrayLike: TypeAlias = Any
Axis: TypeAlias = Any

_SCALARS = (bool, int, float, complex)


def asarray(x: Any, dtype: Any = None) -> Array:
    """Any array, scalar or nested list as an Array, of type `dtype` if given."""
    if not isinstance(x, Array):
        x = _make_array(x, dtype)
    return convert_to(x, dtypes.canonical(dtype), False) if dtype is not None else x


def _make_array(x: Any, dtype: Any) -> Array:
    if hasattr(x, "__jax_array__"):
        return asarray(x.__jax_array__())
    if isinstance(x, (list, tuple)) or not is_arraylike(x):
        from .constructors import array

        return array(x, dtype)
    if isinstance(x, _SCALARS):
        aval = get_aval(x)
        if type(x) is int and dtype is not None:
            aval = shaped_array((), dtypes.canonical(dtype))
        elif type(x) is int:
            promotion.check_integer(x)
        staged = current_trace().stage_value(literal(x, aval.dtype, aval.weak_type))
    elif isinstance(x, Literal):
        staged = current_trace().stage_value(x)
    else:
        staged = x
    if isinstance(staged, Array):
        return staged

    return from_numpy(staged) if hasattr(staged, "tobytes") and staged.shape else concrete_array(staged)


def _operand(x: Any, dtype: Any, weak: bool) -> Any:
    """`x` as an operand of a primitive, of exactly this type: scalars become literals."""
    if isinstance(x, Literal):
        return x if x.aval.dtype is dtype else literal(x.val, dtype, weak)
    if isinstance(x, _SCALARS):
        return literal(x, dtype, weak)
    if not isinstance(x, Array):
        if hasattr(x, "__jax_array__"):
            x = asarray(x.__jax_array__())
        elif x.shape == ():
            return literal(x.item(), dtype, weak)
        else:
            x = asarray(x)
    return convert_to(x, dtype, weak)


def _memory(x: Any) -> Any:
    """NumPy arrays and objects with `__jax_array__` as Arrays; scalars as they are."""
    return x if isinstance(x, (Array, Literal, *_SCALARS)) else asarray(x)


def promote_dtypes(*xs: Any) -> list[Any]:
    """The arguments in their common type; scalars become literals, a single argument an Array."""
    if len(xs) == 1:
        return [asarray(xs[0])]
    return promotion.promote_dtypes(*map(_memory, xs))


def promote_dtypes_inexact(*xs: Any) -> list[Any]:
    """The arguments in their common floating or complex type."""
    dtype, weak = dtypes.lattice_result(*xs)
    inexact = dtypes.to_inexact(dtype)
    if len(xs) == 1:
        return [convert_to(asarray(xs[0]), inexact, weak)]
    return [promotion.to_dtype(_memory(x), inexact, weak) for x in xs]


def _alike(xs: Sequence[Any]) -> bool:
    """Whether all are arrays of one type and shape, for which there is nothing to promote."""
    first = xs[0]
    if not isinstance(first, Array):
        return False
    aval = first.aval
    if (
        aval.weak_type and aval.dtype is BOOL
    ):  # As comparisons of Python numbers are; what is computed of these is not.
        return len(xs) == 1
    for x in xs:  # noqa: SIM110  A generator would cost more than the rest of most calls.
        if not isinstance(x, Array) or x.aval is not aval:
            return False
    return True


def promote_args(name: str, *xs: Any) -> list[Any]:
    """Check, promote types and promote ranks."""
    if _alike(xs):
        return list(xs)
    check_arraylike(name, *xs)
    promoted = promote_dtypes(*xs)
    return promoted if len(xs) == 1 else promote_shapes(name, *promoted)


def promote_args_inexact(name: str, *xs: Any) -> list[Any]:
    """Like `promote_args`, to a floating or complex type."""
    if _alike(xs) and xs[0].aval.dtype.kind in "fc":
        return list(xs)
    check_arraylike(name, *xs)
    promoted = promote_dtypes_inexact(*xs)
    return promoted if len(xs) == 1 else promote_shapes(name, *promoted)


def promote_args_numeric(name: str, *xs: Any) -> list[Any]:
    """Like `promote_args`, with booleans as integers."""
    check_arraylike(name, *xs)
    if dtypes.result_type(*xs).kind != "b":
        return promote_args(name, *xs)
    number = dtypes.int32
    if len(xs) == 1:
        return [convert_to(asarray(xs[0]), number, False)]
    return promote_shapes(name, *(promotion.to_dtype(_memory(x), number) for x in xs))


def like(x: Any, value: Any) -> Any:
    """`value` as a scalar constant of the type of `x`, weak beside weak scalars alone, as in JAX."""
    aval = x.aval if isinstance(x, (Array, Literal)) else get_aval(x)
    return literal(value, aval.dtype, aval.weak_type and not aval.shape)


def exactly_like(x: Any, value: Any) -> Any:
    """`value` as a scalar constant of the type of `x`, weak if that is."""
    aval = x.aval if isinstance(x, (Array, Literal)) else get_aval(x)
    return literal(value, aval.dtype, aval.weak_type)


def truth(x: Any) -> Array:
    """Whether the elements differ from 0."""
    from ..lax.elementwise import FUNCTIONS

    x = asarray(x)
    return x if x.dtype.kind == "b" else FUNCTIONS["ne"](x, like(x, 0))


def broadcast_together(*xs: Any) -> list[Any]:
    """All arguments in their common shape."""
    from ..lax.shaping import broadcast_in_dim, broadcast_shapes

    shape = broadcast_shapes(*(dtypes.shape(x) for x in xs))
    lead = len(shape)
    out = []
    for x in xs:
        own = dtypes.shape(x)
        if own == shape:
            out.append(x)
        else:
            out.append(broadcast_in_dim(x, shape, tuple(range(lead - len(own), lead))))
    return out


def concrete(x: Any, message: str = "") -> Any:
    """`x` itself, or the value behind a tracer that has one. Raises ConcretizationTypeError for other tracers."""
    if isinstance(x, Tracer):
        value = x.to_concrete_value()
        if value is None:
            raise ConcretizationTypeError(x, message)
        return value
    if isinstance(x, (tuple, list)):
        return type(x)(concrete(v, message) for v in x)
    return x


def concrete_axis(name: str, axis: Axis) -> Axis:
    """An axis, a tuple of axes, or None, as Python integers."""
    if axis is None:
        return None
    if isinstance(axis, str):
        raise NameError(f"unbound axis name: {axis}")
    if isinstance(axis, (tuple, list, range)):
        return tuple(operator.index(d) for d in axis)
    return operator.index(concrete(axis, f"axis argument to jnp.{name}()"))


def canonical_axis(axis: int, ndim: int) -> int:
    """A non-negative axis. Raises ValueError when out of bounds."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim if axis < 0 else axis


def reduced_axes(ndim: int, axis: Axis) -> tuple[int, ...]:
    """The axes that a reduction removes. Raises ValueError for duplicates or axes out of bounds."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, (tuple, list, range)) else (axis,)
    found = tuple(canonical_axis(d, ndim) for d in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"duplicate value in 'axis': {tuple(axes)}")
    return found


def canonical_shape(shape: Any, *, allow_negative: bool = False) -> tuple[int, ...]:
    """A shape as a tuple of Python integers. Raises TypeError for tracers, floats and negative sizes."""
    if hasattr(shape, "__index__") and not getattr(shape, "shape", ()):
        shape = (shape,)
    try:
        sizes = tuple(_dimension(n) for n in shape)
    except TypeError:
        hint = ""
        if any(isinstance(n, Tracer) for n in shape):
            hint = "\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions."
            hint += "".join(n._origin_msg() for n in shape if isinstance(n, Tracer))
        raise TypeError(
            f"Shapes must be 1D sequences of concrete values of integer type, got {shape}.{hint}"
        ) from None
    if not allow_negative and any(n < 0 for n in sizes):
        raise TypeError(f"Only non-negative dimensions are allowed, got {sizes}")
    return sizes


def _dimension(n: Any) -> int:
    if type(n) is int:
        return n
    if isinstance(n, Tracer) and n.to_concrete_value() is None:
        raise TypeError
    return operator.index(n)


def refuse_out(name: str, out: Any) -> None:
    """JAX's arrays are immutable, so `out=` is never supported."""
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")


def require_static(name: str, **values: Any) -> None:
    """Raise ValueError, as `jit` does, when a static argument is traced or cannot be hashed."""
    for value in values.values():
        _require_hashable(value)


_HASHABLE = (int, str, float, type(None))


def _require_hashable(value: Any) -> None:
    try:
        hash(value)
    except TypeError as error:
        raise ValueError(
            "Non-hashable static arguments are not supported. An error occurred while trying to hash an object "
            f"of type {type(value)}, {value}. The error was:\nTypeError: {error}\n"
        ) from None


def _recorder(function: Callable[..., Any]) -> Any:
    from ..jitting.recorded import Recorder  # Tracing alone does not need NumPy.

    return Recorder(function)


def recorded(function: Callable[..., Any]) -> Any:
    """Decorator: eagerly, the operations of the function are found once for each kind of call."""
    recorder: Any = None

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal recorder
        if current_trace() is eval_trace:
            recorder = recorder or _recorder(function)
            return recorder.call(args, kwargs)
        return function(*args, **kwargs)

    return call


def jitted(
    *static: str, name: str | None = None, inline: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: while tracing, the function is one `jit` equation; eagerly, its operations run one by one."""

    def decorate(function: Callable[..., Any]) -> Any:
        if name is not None:
            function.__name__ = function.__qualname__ = name
        staged: Any = None
        recorder: Any = None
        code = getattr(function, "__code__", None)
        names = code.co_varnames[: code.co_argcount] if code is not None else ()
        places = [i for i, n in enumerate(names) if n in static]

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal staged, recorder
            if current_trace() is eval_trace:
                for place in places:
                    if place < len(args) and not isinstance(args[place], _HASHABLE):
                        _require_hashable(args[place])
                for given, value in kwargs.items():
                    if given in static and not isinstance(value, _HASHABLE):
                        _require_hashable(value)
                recorder = recorder or _recorder(function)
                return recorder.call(args, kwargs)
            if staged is None:
                staged = jit(function, static_argnames=static, inline=inline)
            return staged(*args, **kwargs)

        return call

    return decorate
