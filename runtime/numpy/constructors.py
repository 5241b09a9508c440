"""Arrays from Python values: `array`, `asarray`, and readers of buffers and text."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import lax
from ..arrays.array import from_numpy
from ..arrays.promotion import check_integer
from ..core import Array, Literal, current_trace, get_aval, literal
from ..dtypes import as_dtype
from ..lax import types as dtypes
from ..narrow import bits_of
from ..primitives.conversion import convert
from ..primitives.unary import copy_p
from .promotion import asarray as _as_array
from .promotion import check_arraylike

_SCALARS = (bool, int, float, complex)


def _contains_array(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return any(_contains_array(v) for v in x)
    return isinstance(x, Array) or hasattr(x, "__jax_array__")


def _leaves(x: Any) -> list[Any]:
    if isinstance(x, (list, tuple)):
        return [leaf for v in x for leaf in _leaves(v)]
    return [x]


def _stacked(x: Any, dtype: Any) -> Array:
    """Nested lists of arrays, tracers and scalars."""
    if isinstance(x, (list, tuple)):
        if not x:
            return lax.full((0,), 0, dtype)
        parts = [_stacked(v, dtype) for v in x]
        if len({p.shape for p in parts}) != 1:
            raise TypeError(f"All input arrays must have the same shape, got {[p.shape for p in parts]}")
        return lax.stack(parts, 0)
    return convert(_as_array(x), dtype, False)


def _staged(values: Any, weak: bool = False) -> Array:
    """NumPy memory as an Array of the current trace."""
    staged: Array = current_trace().stage_value(from_numpy(values, weak))
    return staged


def array(
    object: Any,
    dtype: Any = None,
    *args: Any,
    copy: bool = True,
    order: str | None = "K",
    ndmin: int = 0,
    device: Any = None,
    out_sharding: Any = None,
) -> Array:
    """An array of any value: scalars, nested lists, NumPy arrays, other arrays. Raises TypeError for anything else."""
    if args:
        raise TypeError(f"jnp.array() takes at most 2 positional arguments, got {2 + len(args)}")
    if order is not None and order != "K":
        raise NotImplementedError("Only implemented for order='K'")
    target = None if dtype is None else dtypes.canonical(dtype)
    if hasattr(object, "__jax_array__"):
        object = object.__jax_array__()
    if isinstance(object, Array):
        result = object if target is None else convert(object, target, False)
        if bool(copy) and result is object:
            result = copy_p.bind(result)
    elif isinstance(object, (*_SCALARS, Literal)):
        result = _scalar(object, target)
    elif isinstance(object, (list, tuple)) and _contains_array(object):
        leaves = _leaves(object)
        check_arraylike("array", *leaves)
        result = _stacked(object, target or dtypes.result_type(*leaves))
    else:
        result = _from_host(object, target)
    ndmin = int(ndmin) if bool(ndmin) else 0
    if result.ndim < ndmin:
        result = lax.broadcast(result, (1,) * (ndmin - result.ndim))
    return result


def _scalar(value: Any, target: Any) -> Array:
    aval = get_aval(value)
    number = value.val if isinstance(value, Literal) else value
    if target is None:
        if type(number) is int:
            check_integer(number)
        constant = literal(number, aval.dtype, aval.weak_type)
    else:
        if target.kind in "iub" and isinstance(number, complex):
            raise TypeError(f"cannot convert {number!r} to {target}")
        if target.kind in "iu" and isinstance(number, int) and not isinstance(number, bool):
            info = dtypes.iinfo(target)
            if not info.min <= number <= info.max:
                raise OverflowError(f"Python integer {number} out of bounds for {target}")
        constant = literal(number, target)
    return _as_array(constant)


def _refuse_value(value: Any) -> NoReturn:
    """Raises what JAX does for a value that is no number: ValueError for None, TypeError for all else."""
    import numpy as np

    if value is None:
        raise ValueError("None is not a valid value for jnp.array")
    raise TypeError(
        f"Value '{value}' with dtype {np.asarray(value).dtype} is not a valid JAX array type. Only arrays of numeric "
        "types are supported by JAX."
    )


def _from_host(value: Any, target: Any) -> Array:
    import numpy as np

    if value is None:
        raise ValueError("None is not a valid value for jnp.array")
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if isinstance(value, (list, tuple)):
        leaves = _leaves(value)
        for leaf in leaves:
            if not (isinstance(leaf, _SCALARS) or hasattr(leaf, "dtype")):
                _refuse_value(leaf)
        if target is None:
            target = dtypes.result_type(*leaves) if leaves else dtypes.float_default()
        host = np.array(value, dtype=target.storage)
        return convert(_staged(host), target, False)
    if kind is None and not hasattr(value, "__array__") and not isinstance(value, range):
        if isinstance(value, bytes):
            _refuse_value(value)
        try:
            value = memoryview(value)
        except TypeError:
            _refuse_value(value)
    host = np.asarray(value)
    if host.dtype.kind in "OSUMm" or host.dtype.kind == "V":
        if bits_of(host.dtype.name) is None:
            _refuse_value(value)
    found = dtypes.canonical(host.dtype) if target is None else target
    return convert(_staged(np.array(host, dtype=found.storage)), found, False)


def asarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    copy: bool | None = None,
    device: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Like `array`, without a copy of what is an array of the right type already."""
    if copy is not None:
        copy = bool(copy)
    return array(a, dtype, copy=bool(copy), order=order or "K")


def copy(a: Any, order: str | None = None) -> Array:
    """A copy."""
    check_arraylike("copy", a)
    return array(a, copy=True, order=order or "K")


def astype(x: Any, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Array:
    """`x` in another type (None: the default float); complex to real drops the imaginary part."""
    check_arraylike("astype", x)
    value = _as_array(x)
    target = dtypes.canonical(float if dtype is None else dtype)
    bool(copy)
    if value.dtype.kind == "c" and target.kind not in "cb":
        value = lax.real(value)
    if target.kind == "b" and value.dtype.kind != "b":
        return lax.ne(value, lax.full_like(value, 0, shape=()))
    return convert(value, target, False)


def _view(x: Array, dtype: Any) -> Array:
    """The bits of `x` read as another type; the last axis grows or shrinks with the width."""
    target = dtypes.canonical(dtype)
    old, new = x.dtype.itemsize, target.itemsize
    if not x.shape:
        if old != new:
            raise ValueError("view() of a 0d array is only supported if the itemsize is unchanged.")
        return lax.reshape(_view(lax.reshape(x, (1,)), target), ())
    if x.shape[-1] * old % new:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
        )
    if x.dtype is target:
        return x
    if x.dtype.kind == "b":
        return _view(astype(x, dtypes.uint8), target)
    if x.dtype.kind == "c":
        parts = lax.concatenate(
            [lax.expand_dims(part, (x.ndim,)) for part in (lax.real(x), lax.imag(x))], x.ndim
        )
        return _view(lax.reshape(parts, (*x.shape[:-1], x.shape[-1] * 2)), target)
    if target.kind == "b":
        return astype(_view(x, dtypes.uint8), target)
    if target.kind == "c":
        parts = _view(x, dtypes.real_of(target))
        return lax.complex(parts[..., 0::2], parts[..., 1::2])
    if old == new:
        return lax.bitcast_convert_type(x, target)
    if old > new:
        split = lax.bitcast_convert_type(x, target)
        return lax.reshape(split, (*x.shape[:-1], x.shape[-1] * (old // new)))
    grouped = lax.reshape(x, (*x.shape[:-1], x.shape[-1] * old // new, new // old))
    return lax.bitcast_convert_type(grouped, target)


def _byteswap(x: Array) -> Array:
    """Each element with its bytes in the opposite order."""
    if x.dtype.kind == "c":
        return lax.complex(_byteswap(lax.real(x)), _byteswap(lax.imag(x)))
    if x.dtype.itemsize == 1:
        return copy(x)
    octets = lax.bitcast_convert_type(x, dtypes.uint8)
    return lax.bitcast_convert_type(lax.rev(octets, (x.ndim,)), x.dtype)


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Array:
    """An array over the bytes of a buffer."""
    import numpy as np

    return _staged(np.frombuffer(buffer, as_dtype(dtype).storage, count, offset))


def fromstring(string: str, dtype: Any = float, count: int = -1, *, sep: str) -> Array:
    """An array from numbers in text."""
    import numpy as np

    return _staged(np.fromstring(string, as_dtype(dtype).storage, count, sep=sep))


def fromfile(*args: Any, **kwargs: Any) -> Any:
    """Not supported: it may be impure."""
    raise NotImplementedError(
        "jnp.fromfile() is not implemented because it may be non-pure and thus unsafe for use with JIT and other JAX "
        "transformations. Consider using jnp.asarray(np.fromfile(...)) instead, although care should be taken if "
        "np.fromfile is used within jax transformations because of its potential side-effect of consuming the file object."
    )


def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Not supported: it may be impure."""
    raise NotImplementedError(
        "jnp.fromiter() is not implemented because it may be non-pure and thus unsafe for use with JIT and other JAX "
        "transformations. Consider using jnp.asarray(np.fromiter(...)) instead, although care should be taken if "
        "np.fromiter is used within jax transformations because of its potential side-effect of consuming the iterable object."
    )


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array over memory that another library shares."""
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        raise TypeError("The array passed to from_dlpack must have __dlpack__ and __dlpack_device__ methods.")
    import numpy as np

    return _staged(np.from_dlpack(x))
