"""`jax.lax` slices, static and dynamic, gathers and scatters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..arrays.promotion import is_arraylike
from ..core import Array, Literal, ShapedArray, Tracer, get_aval, literal, shaped_array
from ..jitting.static import hashable_ints, require_hashable
from ..primitives import apply, indexing
from ..primitives.index_dimensions import (
    GatherDimensionNumbers,
    GatherScatterMode,
    ScatterDimensionNumbers,
    default_fill,
)
from ..tracing.staging import DynamicJaxprTracer
from . import types
from .elementwise import FUNCTIONS, as_array, as_shaped, convert_to, select_n
from .elementwise import operand as as_operand
from .shaping import concatenate, expand_dims, squeeze


def slice(
    operand: Any,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Array:
    """The part between static bounds."""
    x = as_array(operand)
    for name, values in (
        ("start_indices", start_indices),
        ("limit_indices", limit_indices),
        ("strides", strides or ()),
    ):
        if any(isinstance(v, Tracer) for v in values):
            raise TypeError(
                f"Shapes must be 1D sequences of concrete values of integer type, got {values} for {name}."
            )
    if not isinstance(x, Tracer) and len(start_indices) != x.ndim:
        require_hashable("start_indices of lax.slice", tuple(start_indices))
        raise ValueError(
            f"slice start_indices must have one entry for each of the {x.ndim} dimensions, got {start_indices}"
        )
    if isinstance(
        x, DynamicJaxprTracer
    ):  # Concrete arrays are hashed in an equation, and sliced with otherwise.
        for values in (start_indices, limit_indices, strides or ()):
            hashable_ints("bounds of lax.slice", values)
    starts, limits = (tuple(operator.index(v) for v in values) for values in (start_indices, limit_indices))
    steps = None if strides is None else tuple(operator.index(v) for v in strides)
    if limits == x.shape and not any(starts) and (steps is None or all(s == 1 for s in steps)):
        return x
    return apply.slice_(x, start_indices=starts, limit_indices=limits, strides=steps)


def slice_in_dim(
    operand: Any, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0
) -> Array:
    """The part between static bounds along one axis, with Python's rules for negative bounds."""
    x = as_shaped(operand)
    axis = _axis(axis, x.ndim)
    n = x.shape[axis]
    low = 0 if start_index is None else operator.index(start_index)
    high = n if limit_index is None else operator.index(limit_index)
    low, high = low + n if low < 0 else low, high + n if high < 0 else high
    starts, limits, steps = [0] * x.ndim, list(x.shape), [1] * x.ndim
    starts[axis], limits[axis], steps[axis] = low, max(high, low), operator.index(stride)
    return slice(x, starts, limits, steps)


def _axis(axis: Any, ndim: int, error: type[Exception] = IndexError) -> int:
    place = operator.index(axis)
    if not -ndim <= place < ndim:
        raise error(f"axis {place} is out of bounds for array of dimension {ndim}")
    return place % ndim


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """One static place along an axis."""
    place, x = operator.index(index), as_shaped(operand)
    axis = _axis(axis, x.ndim)
    n = x.shape[axis]
    if not -n <= place < n:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {n}")
    place %= n
    part = slice_in_dim(x, place, place + 1, 1, axis)
    return part if keepdims else squeeze(part, (axis,))


def _starts(name: str, operand: Any, starts: Any, allow_negative: bool | Sequence[bool]) -> list[Any]:
    """Start indices as scalars, negative ones counted from the end.

    Raises ValueError for arrays that are no vectors, and TypeError unless all are integers of one type: Python's integers
    are of the default one.
    """
    shape = types.shape(operand)
    if isinstance(starts, Array) or (hasattr(starts, "dtype") and types.shape(starts)):
        if len(starts.shape) != 1:
            raise ValueError(f"Slice indices must be a 1D sequence, got {tuple(starts.shape)}")
        starts = [squeeze(slice_in_dim(starts, i, i + 1), (0,)) for i in range(starts.shape[0])]
    if len(starts) != len(shape):
        raise ValueError(f"an array of rank {len(shape)} needs as many start indices, got {len(starts)}")
    flags = [allow_negative] * len(starts) if isinstance(allow_negative, bool) else list(allow_negative)
    out: list[Any] = []
    scalars = [as_operand(i) for i in starts]
    kinds = [types.dtype(i) for i in scalars]
    if any(kind is not kinds[0] or kind.kind not in "iu" for kind in kinds):
        found = ", ".join(map(str, kinds))
        raise TypeError(f"index arguments to {name} must be integers of the same type, got: {found}")
    common = kinds[0] if kinds else types.int32
    for i, n, flag in zip(scalars, shape, flags):
        if isinstance(i, Literal):
            value = int(i.val.real)
            if value < 0 and not flag:
                raise ValueError(f"index {value} is out of bounds: {name} is to allow no negative indices")
            out.append(literal(value + n if value < 0 and flag else value, common))
            continue
        index = i if get_aval(i).dtype is common else convert_to(i, common, False)
        if flag and common.kind == "i":
            wrapped = FUNCTIONS["add"](index, literal(n, common))
            index = select_n(FUNCTIONS["lt"](index, literal(0, common)), index, wrapped)
        out.append(index)
    return out


def dynamic_slice(
    operand: Any,
    start_indices: Any,
    slice_sizes: Any,
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Array:
    """A window of static size at dynamic starts, which are clamped into bounds."""
    from ..numpy.promotion import canonical_shape

    x = as_array(operand)
    sizes = canonical_shape(slice_sizes)
    starts = _starts("dynamic_slice", x, start_indices, allow_negative_indices)
    return apply.dynamic_slice(x, *starts, slice_sizes=sizes)


def dynamic_update_slice(
    operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Array:
    """`operand` with a window at dynamic starts, which are clamped into bounds, replaced."""
    x = as_array(operand)
    starts = _starts("dynamic_update_slice", x, start_indices, allow_negative_indices)
    return apply.dynamic_update_slice(x, as_operand(update), *starts)


def _one_axis(x: Array, index: Any, axis: Any, flag: bool) -> tuple[int, list[Any], list[bool]]:
    place = _axis(int(axis), x.ndim)
    if isinstance(index, int) and index < 0 and not flag:
        index = 0  # A scalar is known to be negative, an Array is not.
    starts: list[Any] = [literal(0, types.dtype(index))] * x.ndim
    starts[place] = index
    flags = [False] * x.ndim
    flags[place] = flag
    return place, starts, flags


def dynamic_slice_in_dim(
    operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Array:
    """`dynamic_slice` along one axis."""
    x = as_shaped(operand)
    place, starts, flags = _one_axis(x, start_index, axis, allow_negative_indices)
    sizes = list(x.shape)
    sizes[place] = operator.index(slice_size)
    return dynamic_slice(x, starts, sizes, allow_negative_indices=flags)


def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Array:
    """One dynamic place along an axis."""
    from ..numpy.promotion import require_static

    require_static("dynamic_index_in_dim", axis=axis, keepdims=keepdims)
    part = dynamic_slice_in_dim(
        as_array(operand), index, 1, axis, allow_negative_indices=allow_negative_indices
    )
    return part if keepdims else squeeze(part, (_axis(axis, part.ndim),))


def dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """`dynamic_update_slice` along one axis."""
    x = as_array(operand)
    _, starts, flags = _one_axis(x, start_index, axis, allow_negative_indices)
    return dynamic_update_slice(x, update, starts, allow_negative_indices=flags)


def dynamic_update_index_in_dim(
    operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """Replace one dynamic place along an axis."""
    x = as_array(operand)
    place = _axis(axis, x.ndim, ValueError)
    value = as_array(update)
    if value.ndim != x.ndim:
        value = expand_dims(value, (place,))
    return dynamic_update_slice_in_dim(x, value, index, place, allow_negative_indices=allow_negative_indices)


def gather(
    operand: Any,
    start_indices: Any,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Any,
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: Any = None,
    fill_value: Any = None,
) -> Array:
    """Windows of `operand` at computed places (XLA's Gather), which are promised to be within bounds."""
    from ..numpy.promotion import canonical_shape

    x = as_array(operand)
    how = GatherScatterMode.PROMISE_IN_BOUNDS if mode is None else GatherScatterMode.from_any(mode)
    for field, dims in zip(dimension_numbers._fields, dimension_numbers):
        hashable_ints(f"{field} of lax.gather", dims)
    if how is GatherScatterMode.FILL_OR_DROP and fill_value is None:
        fill_value = default_fill(x.dtype)
    elif how is not GatherScatterMode.FILL_OR_DROP:
        fill_value = None
    return indexing.gather_p.bind(
        x,
        as_operand(start_indices),
        dimension_numbers=dimension_numbers,
        slice_sizes=canonical_shape(slice_sizes),
        unique_indices=bool(unique_indices),
        indices_are_sorted=bool(indices_are_sorted),
        mode=how,
        fill_value=fill_value,
    )


def _scatter(kind: str) -> Callable[..., Array]:
    def apply_scatter(
        operand: Any,
        scatter_indices: Any,
        updates: Any,
        dimension_numbers: ScatterDimensionNumbers,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
    ) -> Array:
        for flag in (indices_are_sorted, unique_indices):
            hash(flag)
        return indexing.bind_scatter(
            kind,
            as_array(operand),
            as_operand(scatter_indices),
            as_operand(updates),
            dimension_numbers=dimension_numbers,
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=GatherScatterMode.from_any(mode),
        )

    apply_scatter.__name__ = apply_scatter.__qualname__ = kind.replace("-", "_")
    return apply_scatter


scatter, scatter_add, scatter_sub, scatter_mul, scatter_min, scatter_max = (
    _scatter(kind)
    for kind in ("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
)


def scatter_apply(
    operand: Any,
    scatter_indices: Any,
    func: Callable[[Any], Any],
    dimension_numbers: ScatterDimensionNumbers,
    *,
    update_shape: Any = (),
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """`func` applied to the elements at computed places."""
    from ..tracing.staging import trace_to_jaxpr
    from .constructors import full

    x = as_array(operand)
    aval = shaped_array((), x.dtype)
    jaxpr, consts = trace_to_jaxpr(lambda element, update: [_update(func(element), aval)], [aval, aval])
    return indexing.scatter_p.bind(
        x,
        as_operand(scatter_indices),
        full(update_shape, 0, x.dtype),
        dimension_numbers=dimension_numbers,
        indices_are_sorted=indices_are_sorted,
        unique_indices=unique_indices,
        mode=GatherScatterMode.from_any(mode),
        update_jaxpr=jaxpr,
        update_consts=tuple(consts),
    )


def _update(result: Any, aval: ShapedArray) -> Any:
    """What a function makes of an element. Raises ValueError unless it is another element of the same type."""
    if not is_arraylike(result):
        raise ValueError(
            f"Invalid return type from reduction function: {type(result)}. It should return an array."
        )
    value = as_operand(result)
    if (get_aval(value).dtype, get_aval(value).shape) != (aval.dtype, aval.shape):
        raise ValueError(
            f"A function applied to elements of type {aval} should return one, not {get_aval(value)}."
        )
    return value


def index_take(src: Any, idxs: Any, axes: Sequence[int]) -> Array:
    """Slices of `src` at vectors of places along some axes, which must be within bounds."""
    x = as_array(src)
    columns = [expand_dims(as_array(i), (1,)) for i in idxs]
    if any(not 0 <= axis < x.ndim for axis in axes):
        raise IndexError(f"index_take takes axes from 0 to {x.ndim - 1}, got {tuple(axes)}")
    if len(axes) != len(idxs):
        raise TypeError(
            f"index_take takes one vector of places for each axis, got {len(idxs)} for {len(axes)}"
        )
    places = concatenate(columns, 1)
    dims = tuple(axes)
    kept = [d for d in range(x.ndim) if d not in dims]
    numbers = GatherDimensionNumbers(tuple(range(1, len(kept) + 1)), dims, dims)
    sizes = [1 if d in dims else n for d, n in enumerate(x.shape)]
    return gather(x, places, numbers, sizes)
