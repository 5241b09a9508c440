"""Products of arrays: `dot`, `matmul`, `tensordot`, `einsum`, `outer`, `kron`, `cross`, `convolve`, ..."""

from __future__ import annotations

import operator
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..primitives.conversion import convert
from .promotion import (
    ArrayLike,
    asarray,
    canonical_axis,
    check_arraylike,
    jitted,
    promote_dtypes,
    promote_dtypes_inexact,
    recorded,
)
from .shaping import broadcast_to, moveaxis, ravel, squeeze, stack


def _contract(x: Array, y: Array, contract: Any, batch: Any, precision: Any, preferred: Any) -> Array:
    element = dtypes.canonical(preferred) if preferred is not None else dtypes.result_type(x, y)
    weak = preferred is None and dtypes.lattice_result(x, y)[1]
    out = lax.dot_general(x, y, (contract, batch), precision, element)

    return convert(out, out.dtype, weak)


@recorded
def dot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Inner product over the last axis of `a` and the second to last of `b`."""
    check_arraylike("dot", a, b)
    x, y = (asarray(v) for v in (a, b))
    if x.ndim == 0 or y.ndim == 0:
        contract: Any = ((), ())
    elif y.ndim == 1:
        contract = ((x.ndim - 1,), (0,))
    else:
        contract = ((x.ndim - 1,), (y.ndim - 2,))
    return _contract(x, y, contract, ((), ()), precision, preferred_element_type)


@recorded
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Matrix product over the last two axes, broadcasting the leading ones."""
    check_arraylike("matmul", a, b)
    x, y = (asarray(v) for v in (a, b))
    for i, v in enumerate((x, y)):
        if v.ndim < 1:
            raise ValueError(f"matmul input operand {i} must have ndim at least 1, but it has ndim {v.ndim}")
    x_vector, y_vector = x.ndim == 1, y.ndim == 1
    if x.shape[-1] != y.shape[0 if y_vector else -2]:
        raise TypeError(
            f"dot_general requires contracting dimensions to have the same shape, got ({x.shape[-1]},) and ({y.shape[0 if y_vector else -2]},)."
        )
    x_lead, y_lead = x.shape[:-2], y.shape[:-2]
    shape = lax.broadcast_shapes(x_lead, y_lead)
    if not y_lead and not (x_lead and y_lead):
        return _contract(x, y, ((x.ndim - 1,), (0,)), ((), ()), precision, preferred_element_type)
    x_core, y_core = x.shape[len(x_lead) :], y.shape[len(y_lead) :]
    if shape != x_lead and x_lead:
        x = broadcast_to(x, (*shape, *x_core))
    if shape != y_lead:
        y = broadcast_to(y, (*shape, *y_core))
    batch_x = tuple(range(len(shape))) if x_lead else ()
    batch_y = tuple(range(len(shape))) if x_lead else ()
    out = _contract(
        x,
        y,
        ((x.ndim - 1,), (y.ndim - 1 if y_vector else y.ndim - 2,)),
        (batch_x, batch_y),
        precision,
        preferred_element_type,
    )
    if not x_lead:
        # The rows of x stand before the batch axes of y: bring them behind.
        if not x_vector:
            out = moveaxis(out, 0, -2)
    return out


@jitted()
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Product of matrices and vectors."""
    check_arraylike("matvec", x1, x2)
    return squeeze(matmul(*_core("matvec", x1, lax.expand_dims(asarray(x2), (-1,)))), -1)


def _core(name: str, x: ArrayLike, y: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    """Both factors. Raises ValueError unless they are (stacks of) matrices that fit."""
    first, second = dtypes.shape(x), dtypes.shape(y)
    if len(first) < 2 or len(second) < 2 or first[-1] != second[-2]:
        raise ValueError(f"{name}: arguments have dimensions that do not fit: {first} and {second}")
    return x, y


@jitted()
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Product of (conjugated) vectors and matrices."""
    from .ufuncs import conj

    check_arraylike("vecmat", x1, x2)
    return squeeze(matmul(*_core("vecmat", lax.expand_dims(conj(x1), (-2,)), x2)), -2)


@recorded
def vdot(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: Any = None) -> Array:
    """Inner product of the flattened arrays, the first one conjugated."""
    from .ufuncs import conj

    check_arraylike("vdot", a, b)
    return dot(ravel(conj(a)), ravel(b), precision=precision, preferred_element_type=preferred_element_type)


def vecdot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axis: int = -1,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Inner products along an axis, the first array conjugated."""
    from .ufuncs import conj

    check_arraylike("vecdot", x1, x2)
    x, y = conj(x1), asarray(x2)
    axis = operator.index(axis)
    if x.shape[axis] != y.shape[axis]:
        raise ValueError(f"axes must match, got shapes {x.shape} and {y.shape} with axis={axis}")
    x, y = moveaxis(x, axis, -1), moveaxis(y, axis, -1)
    if x.ndim == y.ndim == 1:
        return dot(x, y, precision=precision, preferred_element_type=preferred_element_type)
    shape = lax.broadcast_shapes(x.shape, y.shape)
    x, y = broadcast_to(x, shape), broadcast_to(y, shape)
    lead = tuple(range(len(shape) - 1))
    last = (len(shape) - 1,)
    return _contract(x, y, (last, last), (lead, lead), precision, preferred_element_type)


@recorded
def tensordot(
    a: ArrayLike,
    b: ArrayLike,
    axes: Any = 2,
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Contract several axes at once."""
    check_arraylike("tensordot", a, b)
    x, y = asarray(a), asarray(b)
    if isinstance(axes, Array):
        raise TypeError(f"axes argument to tensordot must be static, got {axes}")
    if isinstance(axes, int):
        if axes > min(x.ndim, y.ndim):
            raise TypeError(
                f"Number of tensordot axes (axes {axes}) exceeds input ranks ({x.ndim} and {y.ndim})"
            )
        contract: Any = (tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes)))
    else:
        if not isinstance(axes, (tuple, list)) or len(axes) != 2:
            raise TypeError(
                f"tensordot axes argument must be an int or a pair of ints, tuples or lists, got {axes}"
            )
        first, second = axes
        if isinstance(first, int) and isinstance(second, int):
            first, second = (first,), (second,)
        if not (isinstance(first, (tuple, list)) and isinstance(second, (tuple, list))):
            raise TypeError(
                f"tensordot requires both axes lists to be either ints, tuples or lists, got {first} and {second}"
            )
        if len(first) != len(second):
            raise TypeError(f"tensordot requires axes lists to have equal length, got {first} and {second}.")
        contract = (
            tuple(canonical_axis(d, x.ndim) for d in first),
            tuple(canonical_axis(d, y.ndim) for d in second),
        )
    return _contract(x, y, contract, ((), ()), precision, preferred_element_type)


@recorded
def inner(a: ArrayLike, b: ArrayLike, *, precision: Any = None, preferred_element_type: Any = None) -> Array:
    """Inner product over the last axes."""
    check_arraylike("inner", a, b)
    x, y = asarray(a), asarray(b)
    contract: Any = ((), ()) if not x.ndim or not y.ndim else ((x.ndim - 1,), (y.ndim - 1,))
    return _contract(x, y, contract, ((), ()), precision, preferred_element_type)


@recorded
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Products of all pairs of elements."""
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.outer is not supported.")
    from ..arrays.operators import multiply

    check_arraylike("outer", a, b)
    x, y = promote_dtypes(a, b)
    return multiply(lax.expand_dims(ravel(x), (1,)), lax.expand_dims(ravel(y), (0,)))


@jitted()
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Kronecker product."""
    check_arraylike("kron", a, b)
    x, y = (asarray(v) for v in promote_dtypes(a, b))
    rank = max(x.ndim, y.ndim)
    x, y = lax.broadcast_to_rank(x, rank), lax.broadcast_to_rank(y, rank)
    spread_x = lax.expand_dims(x, tuple(range(1, 2 * rank, 2)))
    spread_y = lax.expand_dims(y, tuple(range(0, 2 * rank, 2)))
    return lax.reshape(lax.mul(spread_x, spread_y), tuple(m * n for m, n in zip(x.shape, y.shape)))


@jitted("axisa", "axisb", "axisc", "axis")
def cross(
    a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Array:
    """Cross product of vectors of two or three components."""
    check_arraylike("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = (moveaxis(asarray(v), d, -1) for v, d in zip(promote_dtypes(a, b), (axisa, axisb)))
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise ValueError("Dimension must be either 2 or 3 for cross product")
    if x.shape[-1] == y.shape[-1] == 2:
        return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    from .padding import pad

    x, y = (v if v.shape[-1] == 3 else pad(v, [(0, 0)] * (v.ndim - 1) + [(0, 1)]) for v in (x, y))
    parts = [x[..., i] * y[..., j] - x[..., j] * y[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    product = stack(parts, -1)
    return moveaxis(convert(product, product.dtype), -1, axisc)


def _convolve(name: str, a: ArrayLike, v: ArrayLike, mode: str, precision: Any, preferred: Any) -> Array:
    check_arraylike(name, a, v)
    x, y = (asarray(w) for w in promote_dtypes_inexact(a, v))
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"{name}() only support 1-dimensional inputs.")
    if not x.size or not y.size:
        raise ValueError(f"{name}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.")
    if mode not in ("full", "same", "valid"):
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    swapped = x.size < y.size
    if name == "correlate":
        from .ufuncs import conj

        y = lax.rev(conj(y), (0,))
    if swapped:
        x, y = y, x
    n = y.size
    low = {
        "full": n - 1,
        "same": n - 1 - (n - 1) // 2 if not (name == "correlate" and swapped) else (n - 1) // 2,
        "valid": 0,
    }[mode]
    low = n // 2 if mode == "same" and not (name == "correlate" and swapped) else low
    high = {"full": n - 1, "same": n - 1 - low, "valid": 0}[mode]
    out = lax.conv_general_dilated(
        lax.reshape(x, (1, 1, x.size)),
        lax.reshape(lax.rev(y, (0,)), (1, 1, n)),
        (1,),
        [(low, high)],
        precision=precision,
        preferred_element_type=preferred,
    )
    return lax.reshape(out, (out.shape[-1],))


def convolve(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "full",
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Convolution of two vectors."""
    return _convolve("convolve", a, v, mode, precision, preferred_element_type)


def correlate(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "valid",
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Correlation of two vectors."""
    return _convolve("correlate", a, v, mode, precision, preferred_element_type)
