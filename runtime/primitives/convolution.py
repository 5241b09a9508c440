"""Convolution (without flipping of the kernel), in any layout, with strides, dilations and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from .apply import rev, transpose
from .conversion import convert
from .family import Kernel
from .linear import Zero, add_tangents, defined, is_undefined_primal, zero_of, zeros_like_aval
from .shape import batch_to_front, move_axis, reshape

Pads = Sequence[tuple[int, int]]


class ConvDimensionNumbers(NamedTuple):
    """Where batch, feature and space axes stand in the operands and the result."""

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


conv_general_dilated_p = Primitive("conv_general_dilated")


def dilated(size: int, dilation: int) -> int:
    """The extent of a dilated window or operand."""
    return 0 if size == 0 else 1 + (size - 1) * dilation


def _sizes(aval: ShapedArray, spec: Sequence[int]) -> list[int]:
    return [aval.shape[d] for d in spec]


def _abstract_eval(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    window_strides: Sequence[int],
    padding: Pads,
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    precision: Any,
    preferred_element_type: Any,
) -> ShapedArray:
    dn = dimension_numbers
    if lhs.ndim != rhs.ndim:
        raise ValueError(f"convolution requires operands of one rank, got {lhs.shape} and {rhs.shape}")
    x, k = _sizes(lhs, dn.lhs_spec), _sizes(rhs, dn.rhs_spec)
    space = []
    for n, m, stride, (low, high), ld, rd in zip(
        x[2:], k[2:], window_strides, padding, lhs_dilation, rhs_dilation
    ):
        extent = dilated(n, ld) + low + high
        window = dilated(m, rd)
        space.append(max(0, (extent - window) // stride + 1) if extent >= window else 0)
    result = [x[0] // batch_group_count, k[0], *space]
    shape = [0] * len(result)
    for place, n in zip(dn.out_spec, result):
        shape[place] = n
    dtype = lhs.dtype if preferred_element_type is None else preferred_element_type
    return shaped_array(tuple(shape), dtype, lhs.weak_type and rhs.weak_type)


def _refuse(
    lhs: ShapedArray, rhs: ShapedArray, *, dimension_numbers: ConvDimensionNumbers, **params: Any
) -> None:
    """Raises ValueError for windows of no elements: JAX does when it compiles the program."""
    for place, size in enumerate(_sizes(rhs, dimension_numbers.rhs_spec)[2:]):
        if not size:
            raise ValueError(
                "Cannot lower jaxpr with verifier errors:\n"
                f"\texpects window to have positive value for {place}-th window dimension, but got 0."
            )


_kernel = Kernel("window_kernels:conv")


def _impl(
    lhs: Any,
    rhs: Any,
    *,
    window_strides: Sequence[int],
    padding: Pads,
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    **options: Any,
) -> Any:
    dn = dimension_numbers
    out = _kernel(
        lhs.transpose(dn.lhs_spec),
        rhs.transpose(dn.rhs_spec),
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        feature_group_count,
        batch_group_count,
    )
    return out.transpose(_inverse(dn.out_spec))


def _inverse(spec: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(spec)), key=list(spec).__getitem__))


def _jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    lhs, rhs = primals
    out = conv_general_dilated_p.bind(lhs, rhs, **params)
    total: Any = zero_of(out)
    if type(tangents[0]) is not Zero:
        total = conv_general_dilated_p.bind(tangents[0], rhs, **params)
    if type(tangents[1]) is not Zero:
        total = add_tangents(total, conv_general_dilated_p.bind(lhs, tangents[1], **params))
    return out, total


def _standard(x: Value, spec: Sequence[int]) -> Value:
    return transpose(x, permutation=tuple(spec)) if tuple(spec) != tuple(range(len(spec))) else x


def _groups_out(x: Value, groups: int, source: int, target: int) -> Value:
    """Split `groups` off the front of axis `source` and merge them into the front of axis `target`."""
    shape = list(get_aval(x).shape)
    shape[source : source + 1] = [groups, shape[source] // groups]
    x = reshape(x, tuple(shape))
    x = move_axis(x, source, target)
    moved = list(get_aval(x).shape)
    moved[target : target + 2] = [moved[target] * moved[target + 1]]
    return reshape(x, tuple(moved))


def _transpose(ct: Value, lhs: Any, rhs: Any, **params: Any) -> list[Any]:
    dn = params["dimension_numbers"]
    if is_undefined_primal(lhs):
        return [_transpose_lhs(ct, lhs.aval, defined(rhs), dn, params), None]
    return [None, _transpose_rhs(ct, lhs, rhs.aval, dn, params)]


def _plain(rank: int) -> ConvDimensionNumbers:
    order = tuple(range(rank))
    return ConvDimensionNumbers(order, order, order)


def _transpose_lhs(
    ct: Value, aval: ShapedArray, rhs: Value, dn: ConvDimensionNumbers, params: dict[str, Any]
) -> Value:
    """Convolve the cotangent with the kernel flipped in space and with its features exchanged."""
    groups = params["feature_group_count"]
    g, k = _standard(ct, dn.out_spec), _standard(rhs, dn.rhs_spec)
    rank = get_aval(g).ndim
    k = rev(k, dimensions=tuple(range(2, rank)))
    if groups > 1:
        k = _groups_out(k, groups, 0, 1)
    k = transpose(k, permutation=(1, 0, *range(2, rank)))
    x = _sizes(aval, dn.lhs_spec)
    pads = []
    for i, (low, _) in enumerate(params["padding"]):
        n, m, out = x[2 + i], get_aval(k).shape[2 + i], get_aval(g).shape[2 + i]
        before = dilated(m, params["rhs_dilation"][i]) - 1 - low
        extent = dilated(n, params["lhs_dilation"][i]) + dilated(m, params["rhs_dilation"][i]) - 1
        pads.append((before, extent - dilated(out, params["window_strides"][i]) - before))
    back = conv_general_dilated_p.bind(
        g,
        k,
        window_strides=params["lhs_dilation"],
        padding=tuple(pads),
        lhs_dilation=params["window_strides"],
        rhs_dilation=params["rhs_dilation"],
        dimension_numbers=_plain(rank),
        feature_group_count=groups,
        batch_group_count=1,
        precision=params["precision"],
        preferred_element_type=aval.dtype,
    )
    return convert(_standard(back, _inverse(dn.lhs_spec)), aval.dtype)


def _transpose_rhs(
    ct: Value, lhs: Value, aval: ShapedArray, dn: ConvDimensionNumbers, params: dict[str, Any]
) -> Value:
    """Convolve the operand with the cotangent, batch and features exchanged."""
    groups = params["feature_group_count"]
    g, x = _standard(ct, dn.out_spec), _standard(lhs, dn.lhs_spec)
    rank = get_aval(g).ndim
    if groups > 1:
        # Each group's features become further examples, told apart as batch groups.
        x = _groups_out(x, groups, 1, 0)
    x = transpose(x, permutation=(1, 0, *range(2, rank)))
    g = transpose(g, permutation=(1, 0, *range(2, rank)))
    k = _sizes(aval, dn.rhs_spec)
    pads = []
    for i, (low, _) in enumerate(params["padding"]):
        n, out = get_aval(x).shape[2 + i], get_aval(g).shape[2 + i]
        extent = dilated(n, params["lhs_dilation"][i])
        window = dilated(out, params["window_strides"][i])
        pads.append((low, (k[2 + i] - 1) * params["rhs_dilation"][i] + window - extent - low))
    back = conv_general_dilated_p.bind(
        x,
        g,
        window_strides=params["rhs_dilation"],
        padding=tuple(pads),
        lhs_dilation=params["lhs_dilation"],
        rhs_dilation=params["window_strides"],
        dimension_numbers=_plain(rank),
        feature_group_count=groups,
        batch_group_count=1,
        precision=params["precision"],
        preferred_element_type=aval.dtype,
    )
    back = transpose(back, permutation=(1, 0, *range(2, rank)))
    return convert(_standard(back, _inverse(dn.rhs_spec)), aval.dtype)


def _batch(size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any) -> tuple[Value, int]:
    """An operand's batch joins its examples; a kernel's joins the output features; both become feature groups."""
    dn = params["dimension_numbers"]
    lhs, rhs = args
    rank = get_aval(lhs).ndim - (dims[0] is not None)
    if not size:  # There are no groups to be made.
        single = [_without_axis(get_aval(x), d) for x, d in zip(args, dims)]
        aval = _abstract_eval(*single, **params)
        return zeros_like_aval(shaped_array((0, *aval.shape), aval.dtype)), 0
    if dims[1] is None:
        x = batch_to_front(lhs, dims[0], size)
        x = transpose(x, permutation=(0, *(d + 1 for d in dn.lhs_spec)))
        shape = get_aval(x).shape
        x = reshape(x, (shape[0] * shape[1], *shape[2:]))
        plain = ConvDimensionNumbers(tuple(range(rank)), dn.rhs_spec, tuple(range(rank)))
        out = conv_general_dilated_p.bind(x, rhs, **{**params, "dimension_numbers": plain})
        n, *rest = get_aval(out).shape
        out = reshape(out, (size, n // size, *rest))
    else:
        x = transpose(batch_to_front(lhs, dims[0], size), permutation=(0, *(d + 1 for d in dn.lhs_spec)))
        k = transpose(batch_to_front(rhs, dims[1], size), permutation=(0, *(d + 1 for d in dn.rhs_spec)))
        xs, ks = get_aval(x).shape, get_aval(k).shape
        x = reshape(transpose(x, permutation=(1, 0, *range(2, rank + 1))), (xs[1], size * xs[2], *xs[3:]))
        k = reshape(k, (size * ks[1], *ks[2:]))
        grouped = {
            **params,
            "dimension_numbers": _plain(rank),
            "feature_group_count": params["feature_group_count"] * size,
        }
        out = conv_general_dilated_p.bind(x, k, **grouped)
        n, features, *rest = get_aval(out).shape
        out = transpose(
            reshape(out, (n, size, features // size, *rest)), permutation=(1, 0, *range(2, rank + 1))
        )
    back = _inverse(dn.out_spec)
    return transpose(out, permutation=(0, *(d + 1 for d in back))), 0


def _without_axis(aval: ShapedArray, dim: int | None) -> ShapedArray:
    return aval if dim is None else aval.update(shape=(*aval.shape[:dim], *aval.shape[dim + 1 :]))


conv_general_dilated_p.abstract_eval = _abstract_eval
conv_general_dilated_p.impl = _impl
conv_general_dilated_p.refuse = _refuse
conv_general_dilated_p.jvp = _jvp
conv_general_dilated_p.transpose = _transpose
conv_general_dilated_p.batch = _batch


def _example(stride: int, pad: int, lhs_dilation: int, rhs_dilation: int, groups: int = 1) -> Any:
    lhs = [[[0.5, 1.0, -2.0, 3.0, 1.5], [1.0, 0.25, 2.0, -1.0, 0.5]]]
    rhs = [[[1.0, -0.5], [0.25, 2.0]], [[0.5, 1.0], [-1.0, 0.75]]]
    if groups > 1:
        lhs = [[[*row] for row in (*lhs[0], *lhs[0][::-1])]]
        rhs = [*rhs, *rhs[::-1]]
    return (lhs, rhs), {
        "window_strides": (stride,),
        "padding": ((pad, pad),),
        "lhs_dilation": (lhs_dilation,),
        "rhs_dilation": (rhs_dilation,),
        "dimension_numbers": _plain(3),
        "feature_group_count": groups,
        "batch_group_count": 1,
        "precision": None,
        "preferred_element_type": None,
    }


conv_general_dilated_p.examples = [
    _example(1, 0, 1, 1),
    _example(2, 1, 1, 2),
    _example(1, 1, 2, 1),
    _example(1, 1, 1, 1, groups=2),
]
