"""Conversion between element types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Literal, Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import DType, as_dtype, canonical
from ..rounding import rounded
from .apply import real
from .family import Kernel
from .linear import Zero, zero_of
from .lowering import rule
from .shape import move_axis

_EXAMPLE = [0.5, -1.5, 2.0]

convert_element_type_p = Primitive("convert_element_type")


def convert(x: Value, dtype: DType, weak_type: bool = False) -> Value:
    """`x` as `dtype`: `x` itself when it has that type already. A complex number becomes its real part first."""
    aval = get_aval(x)
    if aval.dtype is dtype and aval.weak_type == weak_type:
        return x
    if aval.dtype.kind == "c" and dtype.kind in "biuf":
        x = real(x)
    return convert_element_type_p.bind(x, new_dtype=dtype, weak_type=weak_type, sharding=None)


def _convert_abstract_eval(
    x: ShapedArray, *, new_dtype: Any, weak_type: bool, sharding: Any = None
) -> ShapedArray:
    dtype = as_dtype(new_dtype)
    if (x.dtype.kind == "k") != (dtype.kind == "k"):
        raise TypeError(
            f"cannot convert between {x.dtype} and {dtype}: use jax.random.key_data or wrap_key_data"
        )
    return shaped_array(x.shape, canonical(dtype), weak_type)


def _convert_jvp(primals: Sequence[Value], tangents: Sequence[Any], *, new_dtype: Any, **params: Any) -> Any:
    (x,), (t,) = primals, tangents
    out = convert_element_type_p.bind(x, new_dtype=new_dtype, **params)
    dtype = get_aval(out).dtype
    if type(t) is Zero or dtype.kind not in "fc" or get_aval(x).dtype.kind not in "fc":
        return out, zero_of(out)
    return out, convert_element_type_p.bind(t, new_dtype=new_dtype, **params)


def _convert_transpose(
    ct: Value, x: Any, *, new_dtype: Any, weak_type: bool, sharding: Any = None
) -> list[Value]:
    back = x.aval.dtype
    if back.kind != "c" and get_aval(ct).dtype.kind == "c":
        ct = real(ct)
    return [convert(ct, back, x.aval.weak_type)]


convert_element_type_p.abstract_eval = _convert_abstract_eval
convert_element_type_p.impl = Kernel("conversion_kernels:convert")
convert_element_type_p.lower = rule("convert")
convert_element_type_p.batch = lambda size, args, dims, **params: (
    convert_element_type_p.bind(*args, **params),
    dims[0],
)
convert_element_type_p.jvp = _convert_jvp
convert_element_type_p.transpose = _convert_transpose
convert_element_type_p.pretty = lambda eqn: {k: v for k, v in eqn.params.items() if k != "sharding"}
convert_element_type_p.forward = lambda x, params: (
    x.dtype is params["new_dtype"] and x.weak_type == params["weak_type"]
)
convert_element_type_p.fold = lambda x, aval: Literal(rounded(x.val, aval.dtype), aval)
convert_element_type_p.examples = [
    ((_EXAMPLE,), {"new_dtype": as_dtype(name), "weak_type": False, "sharding": None})
    for name in ("int32", "float16", "bool", "uint8", "complex64")
]

bitcast_convert_type_p = Primitive("bitcast_convert_type")


def _bitcast_abstract_eval(x: ShapedArray, *, new_dtype: Any) -> ShapedArray:
    dtype = canonical(as_dtype(new_dtype))
    if x.dtype.bits != dtype.bits and min(x.dtype.bits, dtype.bits) < 8:
        raise NotImplementedError(
            f"bits of {x.dtype} cannot be read as {dtype} in this runtime: half of a byte"
        )
    old, new = x.dtype.itemsize, dtype.itemsize
    shape = x.shape
    if old > new:
        shape = (*shape, old // new)
    elif old < new:
        if not shape or shape[-1] != new // old:
            last = shape[-1] if shape else 1
            raise ValueError(
                f"Attempting to convert array of shape {shape} from {x.dtype} of size {8 * old} bits "
                f"to {dtype} of size {8 * new}, bits but {last} * {8 * old} != {8 * new}"
            )
        shape = shape[:-1]
    if (x.dtype.kind in "bc" or dtype.kind in "bc") and x.dtype is not dtype:
        raise TypeError(
            "lax.bitcast_convert_type does not support bool or complex values unless the operand and destination types "
            f"match. Got operand dtype={x.dtype}, new_dtype=dtype('{dtype}'). Consider using the arr.view() method instead."
        )
    return shaped_array(shape, dtype)


def _bitcast_batch(size: int, args: Sequence[Value], dims: Sequence[int], **params: Any) -> tuple[Value, int]:
    return bitcast_convert_type_p.bind(move_axis(args[0], dims[0], 0), **params), 0


bitcast_convert_type_p.abstract_eval = _bitcast_abstract_eval
bitcast_convert_type_p.impl = Kernel("conversion_kernels:bitcast")
bitcast_convert_type_p.lower = rule("bitcast")
bitcast_convert_type_p.batch = _bitcast_batch
bitcast_convert_type_p.jvp = lambda primals, tangents, **params: (
    (out := bitcast_convert_type_p.bind(*primals, **params)),
    zero_of(out),
)
bitcast_convert_type_p.examples = [
    ((_EXAMPLE,), {"new_dtype": as_dtype(name)}) for name in ("int32", "uint8")
]
