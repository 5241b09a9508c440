"""`jax.lax` convolutions and window reductions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..core import Array, Tracer
from ..jitting.static import hashable_ints
from ..primitives.convolution import ConvDimensionNumbers, conv_general_dilated_p, dilated
from . import types
from .contraction import canonical_precision
from .convolution_groups import as_feature_groups, check_groups
from .elementwise import FUNCTIONS, as_array, convert_element_type

__all__ = [
    "ConvDimensionNumbers",
    "conv",
    "conv_dimension_numbers",
    "conv_general_dilated",
    "conv_general_dilated_patches",
    "conv_general_permutations",
    "conv_general_shape_tuple",
    "conv_shape_tuple",
    "conv_transpose",
    "conv_transpose_shape_tuple",
    "conv_with_general_padding",
    "padtype_to_pads",
    "reduce_window",
    "reduce_window_shape_tuple",
]


def conv_general_permutations(
    dimension_numbers: Any,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Where batch, features and space stand in layouts such as ("NHWC", "HWIO", "NHWC")."""
    lhs, rhs, out = dimension_numbers
    leads = (("N", "C"), ("O", "I"), ("N", "C"))
    specs = []
    for text, (first, second) in zip((lhs, rhs, out), leads):
        if text.count(first) != 1 or text.count(second) != 1:
            raise TypeError(
                f"convolution dimension_numbers argument {text} must contain the characters {first} and {second} exactly once"
            )
        names = [c for c in rhs if c not in "OI"]
        if set(text) - {first, second} != set(names):
            raise TypeError(
                f"convolution dimension_numbers elements must each have the same set of spatial characters, got {dimension_numbers}."
            )
        specs.append(tuple(map(text.index, (first, second, *names))))
    return specs[0], specs[1], specs[2]


def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> ConvDimensionNumbers:
    """Dimension numbers in their canonical form."""
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError(
            f"convolution requires lhs and rhs ndim to be equal, got {len(lhs_shape)} and {len(rhs_shape)}."
        )
    if dimension_numbers is None:
        order = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(order, order, order)
    if isinstance(dimension_numbers, (list, tuple)):
        if len(dimension_numbers) != 3:
            raise TypeError(
                f"convolution dimension_numbers list/tuple must be length 3, got {len(dimension_numbers)}."
            )
        for name, text in zip(("lhs", "rhs", "out"), dimension_numbers):
            if len(text) != len(lhs_shape):
                raise TypeError(
                    f"convolution dimension_numbers[{name}] must have len equal to the ndim of the operands, got {len(text)} and {len(lhs_shape)}."
                )
        return ConvDimensionNumbers(*conv_general_permutations(dimension_numbers))
    raise TypeError(
        f"convolution dimension_numbers must be tuple/list or None, got {type(dimension_numbers)}."
    )


def padtype_to_pads(
    in_shape: Any, window_shape: Any, window_strides: Any, padding: Any
) -> list[tuple[int, int]]:
    """ "SAME", "SAME_LOWER" or "VALID" as explicit edges."""
    kind = padding.upper() if isinstance(padding, str) else padding
    if kind in ("SAME", "SAME_LOWER"):
        pads = []
        for n, m, stride in zip(in_shape, window_shape, window_strides):
            out = -(-n // stride) if n else 0
            total = max(0, (out - 1) * stride + m - n)
            low = total // 2 if kind == "SAME" else total - total // 2
            pads.append((low, total - low))
        return pads
    if kind == "VALID":
        return [(0, 0)] * len(in_shape)
    raise RuntimeError(
        f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}."
    )


def _ints(name: str, values: Any, count: int) -> tuple[int, ...]:
    if values is None:
        return (1,) * count
    for v in values:
        if isinstance(v, Tracer):
            import numpy as np

            np.asarray(v)
    return hashable_ints(f"{name} of a convolution or window", values)


def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Array:
    """Convolution in its full generality."""
    from ..numpy.promotion import concrete

    x, k = as_array(lhs), as_array(rhs)
    numbers = conv_dimension_numbers(x.shape, k.shape, dimension_numbers)
    count = len(x.shape) - 2
    strides = _ints("window_strides", window_strides, count)
    if lhs_dilation is not None:
        for v in lhs_dilation:
            bool(v)
    if rhs_dilation is not None:
        rhs_dilation = [concrete(v, "rhs_dilation argument of convolution") for v in rhs_dilation]
    inner, outer = _ints("lhs_dilation", lhs_dilation, count), _ints("rhs_dilation", rhs_dilation, count)
    groups, batches = operator.index(feature_group_count), operator.index(batch_group_count)
    check_groups(x, k, numbers, groups, batches)
    if count != len(strides):
        raise ValueError(
            "conv_general_dilated window and window_strides must have the same number of dimensions, but got "
            f"{count} and {len(strides)}"
        )
    if isinstance(padding, str):
        if any(n != 1 for n in inner):
            raise ValueError(
                "String padding is not implemented for transposed convolution using this op. Please either exactly "
                "specify the required padding or use conv_transpose."
            )
        sizes = [dilated(x.shape[d], n) for d, n in zip(numbers.lhs_spec[2:], inner)]
        windows = [dilated(k.shape[d], n) for d, n in zip(numbers.rhs_spec[2:], outer)]
        pads = padtype_to_pads(sizes, windows, strides, padding)
    else:
        pads = [(operator.index(a), operator.index(b)) for a, b in padding]
        if len(pads) != count:
            raise TypeError(
                f"Wrong number of explicit pads for convolution: expected {count}, got {len(pads)}."
            )
    element = types.canonical(preferred_element_type) if preferred_element_type is not None else None
    if x.dtype != k.dtype:
        raise TypeError(
            f"lax.conv_general_dilated requires arguments to have the same dtypes, got {x.dtype}, {k.dtype}."
        )
    if batches > 1:
        x, groups = as_feature_groups(x, k, numbers, groups, batches)
    return conv_general_dilated_p.bind(
        x,
        k,
        window_strides=strides,
        padding=tuple(pads),
        lhs_dilation=inner,
        rhs_dilation=outer,
        dimension_numbers=numbers,
        feature_group_count=groups,
        batch_group_count=1,
        precision=canonical_precision(precision),
        preferred_element_type=element,
    )


def conv(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: str,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Convolution of NCHW by OIHW."""
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, precision=precision, preferred_element_type=preferred_element_type
    )


def conv_with_general_padding(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Convolution of NCHW by OIHW with explicit padding and dilation."""
    for values in (window_strides, lhs_dilation or (), rhs_dilation or ()):
        if any(isinstance(v, Tracer) for v in values):
            raise TypeError(f"convolution parameters must be static, got {values}")
    return conv_general_dilated(
        lhs,
        rhs,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


def _transpose_padding(k: int, stride: int, padding: str) -> tuple[int, int]:
    total = k + stride - 2
    if padding == "SAME":
        low = k - 1 if stride > k - 1 else -(-total // 2)
        return low, total - low
    if padding == "VALID":
        return k - 1, total + max(k - stride, 0) - (k - 1)
    raise ValueError("Padding mode must be `SAME` or `VALID`.")


def conv_transpose(
    lhs: Any,
    rhs: Any,
    strides: Sequence[int],
    padding: Any,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    transpose_kernel: bool = False,
    precision: Any = None,
    preferred_element_type: Any = None,
    use_consistent_padding: bool = False,
) -> Array:
    """Fractionally strided convolution."""
    from ..numpy.promotion import concrete
    from .shaping import rev, transpose

    x, k = as_array(lhs), as_array(rhs)
    for v in strides:
        bool(v)
    if rhs_dilation is not None:
        rhs_dilation = [concrete(v, "rhs_dilation argument of conv_transpose") for v in rhs_dilation]
    rank = x.ndim
    if dimension_numbers is None:
        layouts = {3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NHWDC", "HWDIO", "NHWDC")}
        if rank not in layouts:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = layouts[rank]
    numbers = conv_dimension_numbers(x.shape, k.shape, dimension_numbers)
    outer = _ints("rhs_dilation", rhs_dilation, rank - 2)
    pads: Any = padding
    if isinstance(padding, str) and padding in ("SAME", "VALID"):
        sizes = [dilated(k.shape[d], n) for d, n in zip(numbers.rhs_spec[2:], outer)]
        pads = [_transpose_padding(n, s, padding) for n, s in zip(sizes, strides)]
    if bool(transpose_kernel):
        order = list(range(rank))
        i, j = numbers.rhs_spec[0], numbers.rhs_spec[1]
        order[i], order[j] = order[j], order[i]
        k = transpose(rev(k, tuple(numbers.rhs_spec[2:])), order)
    return conv_general_dilated(
        x,
        k,
        (1,) * (rank - 2),
        pads,
        lhs_dilation=strides,
        rhs_dilation=outer,
        dimension_numbers=numbers,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


def conv_general_dilated_patches(
    lhs: Any,
    filter_shape: Sequence[int],
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """The patches that a convolution sees, laid out as features."""
    import math

    from ..numpy.promotion import canonical_shape
    from .constructors import iota
    from .shaping import broadcast_in_dim, reshape, transpose

    x = as_array(lhs)
    sizes = canonical_shape(filter_shape)
    numbers = conv_dimension_numbers(x.shape, (1, 1, *sizes), dimension_numbers)
    features = x.shape[numbers.lhs_spec[1]]
    spatial = math.prod(sizes)
    rows = broadcast_in_dim(iota(types.int32, spatial), (spatial, spatial), (0,))
    columns = broadcast_in_dim(iota(types.int32, spatial), (spatial, spatial), (1,))
    kernel = convert_element_type(FUNCTIONS["eq"](rows, columns), x.dtype)
    kernel = reshape(kernel, (spatial, 1, *sizes))
    kernel = reshape(
        broadcast_in_dim(kernel, (features, spatial, 1, *sizes), tuple(range(1, 3 + len(sizes)))),
        (features * spatial, 1, *sizes),
    )
    inverse = sorted(range(x.ndim), key=list(numbers.rhs_spec).__getitem__)
    return conv_general_dilated(
        x,
        transpose(kernel, inverse),
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        numbers,
        feature_group_count=features,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


def conv_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, strides: Any, pads: Any, batch_group_count: int = 1
) -> tuple[int, ...]:
    """The shape of a convolution of NCHW by OIHW."""
    import numpy as np

    x, k = np.asarray(lhs_shape), np.asarray(rhs_shape)
    strides = np.asarray(strides)
    if isinstance(pads, str):
        pads = padtype_to_pads(x[2:], k[2:], strides, pads)
    if len(pads) != len(x) - 2:
        raise TypeError(
            f"Wrong number of explicit pads for convolution: expected {len(x) - 2}, got {len(pads)}."
        )
    edges = np.asarray(pads).reshape(-1, 2).sum(1)
    space = np.maximum((x[2:] + edges - k[2:]) // strides + 1, 0)
    return (int(x[0]) // batch_group_count, int(k[0]), *(int(n) for n in space))


def _by_layout(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> tuple[Any, Any, Any]:
    import numpy as np

    lhs_spec, rhs_spec, out_spec = conv_general_permutations(dimension_numbers)
    return (
        np.take(np.asarray(lhs_shape), lhs_spec),
        np.take(np.asarray(rhs_shape), rhs_spec),
        np.argsort(out_spec),
    )


def conv_general_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> tuple[int, ...]:
    """The shape of a convolution in any layout."""
    x, k, back = _by_layout(lhs_shape, rhs_shape, dimension_numbers)
    out = conv_shape_tuple(x, k, window_strides, padding)
    return tuple(out[i] for i in back)


def conv_transpose_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> tuple[int, ...]:
    """The shape of a transposed convolution in any layout."""
    x, k, back = _by_layout(lhs_shape, rhs_shape, dimension_numbers)
    for v in window_strides:
        bool(v)
    if isinstance(padding, str):
        padding = [_transpose_padding(int(n), s, padding) for n, s in zip(k[2:], window_strides)]
    space = [
        dilated(int(n), s) + low + high - int(m) + 1
        for n, m, s, (low, high) in zip(x[2:], k[2:], window_strides, padding)
    ]
    out = (int(x[0]), int(k[0]), *space)
    return tuple(out[i] for i in back)


def reduce_window_shape_tuple(
    operand_shape: Any,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> tuple[int, ...]:
    """The shape of a window reduction."""
    n = len(operand_shape)
    base, inner = base_dilation or (1,) * n, window_dilation or (1,) * n
    if isinstance(padding, str):
        padding = padtype_to_pads(
            [dilated(m, d) for m, d in zip(operand_shape, base)],
            [dilated(m, d) for m, d in zip(window_dimensions, inner)],
            window_strides,
            padding,
        )
    return tuple(
        max(0, (dilated(m, b) + low + high - dilated(w, d)) // s + 1)
        for m, w, s, (low, high), b, d in zip(
            operand_shape, window_dimensions, window_strides, padding, base, inner
        )
    )


def reduce_window(
    operand: Any,
    init_value: Any,
    computation: Callable[..., Any],
    window_dimensions: Any,
    window_strides: Any = None,
    padding: Any = "VALID",
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Reduce every window: shifted, strided slices of the padded operand, combined in turn."""
    from ..tree_util import tree_flatten, tree_unflatten
    from .shaping import pad
    from .slicing import slice as slice_

    leaves, treedef = tree_flatten(operand)
    starts, _ = tree_flatten(init_value)
    arrays = [as_array(x) for x in leaves]
    rank = arrays[0].ndim
    sizes = _ints("window_dimensions", window_dimensions, rank)
    if len(sizes) != rank:
        raise TypeError(
            "reduce_window got the wrong number of window_dimensions for operand: got operand shape "
            f"{arrays[0].shape} with window_dimensions {sizes}."
        )
    if any(n <= 0 for n in sizes):
        raise TypeError(
            f"reduce_window window_dimensions must have every element be strictly positive, got {sizes}."
        )
    strides = _ints("window_strides", window_strides, rank)
    base, inner = _ints("base_dilation", base_dilation, rank), _ints("window_dilation", window_dilation, rank)
    extents = [dilated(m, b) for m, b in zip(arrays[0].shape, base)]
    spans = [dilated(w, d) for w, d in zip(sizes, inner)]
    pads = (
        padtype_to_pads(extents, spans, strides, padding)
        if isinstance(padding, str)
        else [(operator.index(a), operator.index(b)) for a, b in padding]
    )
    initial = [convert_element_type(s, x.dtype) for s, x in zip(starts, arrays)]
    config = [(low, high, b - 1) for (low, high), b in zip(pads, base)]
    padded = [
        pad(x, s, config) if any(c != (0, 0, 0) for c in config) else x for x, s in zip(arrays, initial)
    ]
    shape = reduce_window_shape_tuple(arrays[0].shape, sizes, strides, pads, base, inner)
    total: Any = None
    for offset in _offsets(sizes) if 0 not in shape else ():
        start = [o * d for o, d in zip(offset, inner)]
        stop = [a + (n - 1) * s + 1 for a, n, s in zip(start, shape, strides)]
        part = tree_unflatten(treedef, [slice_(p, start, stop, strides) for p in padded])
        total = part if total is None else computation(total, part)
    from .shaping import broadcast

    spread = tree_unflatten(treedef, [broadcast(s, shape) for s in initial])
    return spread if total is None else computation(spread, total)


def _offsets(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    out: list[tuple[int, ...]] = [()]
    for n in sizes:
        out = [(*head, i) for head in out for i in range(n)]
    return out
