"""The general gather and scatter of XLA: windows of an operand at computed places."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ..core import Primitive, ShapedArray, Value, get_aval, literal, primitives, shaped_array
from ..dtypes import FLOAT32, INT32
from .apply import add, div, eq, iota, mul, neg, reshape, where
from .conversion import convert
from .family import Kernel
from .index_dimensions import (
    GatherDimensionNumbers,
    GatherScatterMode,
    ScatterDimensionNumbers,
    clips,
    default_fill,
    gather_dims_of,
    plus_one,
    scatter_dims_of,
)
from .linear import Zero, add_tangents, instantiate, is_undefined_primal, zero_of, zeros_like_aval
from .shape import batch_to_front, move_axis

# ------------------------------------------------------------------------------------------------ gather

gather_p = Primitive("gather")


def _gather_abstract(
    operand: ShapedArray,
    indices: ShapedArray,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: tuple[int, ...],
    **options: Any,
) -> ShapedArray:
    if indices.dtype.kind not in "iu":
        raise ValueError("indices must have an integer type")
    dn = dimension_numbers
    if len(slice_sizes) != operand.ndim:
        raise TypeError(
            f"Gather op must have one slice size for every input dimension; got: len(slice_sizes)={len(slice_sizes)}, "
            f"input_shape.rank={operand.ndim}"
        )
    for d, (size, extent) in enumerate(zip(slice_sizes, operand.shape)):
        if not 0 <= size <= extent:
            raise TypeError(
                f"Slice size at index {d} in gather op is out of range, must be within [0, {extent + 1}), got {size}."
            )
    for place, d in enumerate(dn.start_index_map):
        if not 0 <= d < operand.ndim:
            raise TypeError(f"Invalid start_index_map; domain is [0, {operand.ndim}), got: {place}->{d}.")
    gone = (*dn.collapsed_slice_dims, *dn.operand_batching_dims)
    window = iter([size for d, size in enumerate(slice_sizes) if d not in gone])
    batch = iter(indices.shape[:-1])
    rank = len(dn.offset_dims) + indices.ndim - 1
    shape = tuple(next(window) if d in dn.offset_dims else next(batch) for d in range(rank))
    return shaped_array(shape, operand.dtype, operand.weak_type)


_gather_kernel = Kernel("indexing_kernels:gather")


def _gather_impl(
    operand: Any,
    indices: Any,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[int],
    mode: GatherScatterMode,
    fill_value: Any,
    **options: Any,
) -> Any:
    dn = dimension_numbers
    return _gather_kernel(
        operand,
        indices,
        offset_dims=dn.offset_dims,
        collapsed=dn.collapsed_slice_dims,
        start_index_map=dn.start_index_map,
        operand_batching=dn.operand_batching_dims,
        indices_batching=dn.start_indices_batching_dims,
        slice_sizes=slice_sizes,
        clip=clips(mode),
        fill_value=default_fill(operand.dtype) if fill_value is None else fill_value,
    )


def _gather_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    operand, indices = primals
    out = gather_p.bind(operand, indices, **params)
    if type(tangents[0]) is Zero:
        return out, zero_of(out)
    return out, gather_p.bind(tangents[0], indices, **{**params, "fill_value": 0})


def _gather_transpose(
    ct: Value,
    operand: Any,
    indices: Value,
    *,
    dimension_numbers: GatherDimensionNumbers,
    indices_are_sorted: bool,
    unique_indices: bool,
    mode: GatherScatterMode,
    **params: Any,
) -> list[Any]:
    if not is_undefined_primal(operand):
        return [None, None]
    zeros = zeros_like_aval(operand.aval.update(dtype=get_aval(ct).dtype, weak_type=False))
    return [
        scatter_add(
            zeros,
            indices,
            ct,
            dimension_numbers=scatter_dims_of(dimension_numbers),
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=mode,
        ),
        None,
    ]


def _gather_batch(
    size: int,
    args: Sequence[Value],
    dims: Sequence[int | None],
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: tuple[int, ...],
    **params: Any,
) -> tuple[Value, int]:
    operand, indices = (x if d is None else move_axis(x, d, 0) for x, d in zip(args, dims))
    dn = dimension_numbers
    if dims[1] is None:
        dn = GatherDimensionNumbers(
            (0, *plus_one(dn.offset_dims)),
            plus_one(dn.collapsed_slice_dims),
            plus_one(dn.start_index_map),
            plus_one(dn.operand_batching_dims),
            dn.start_indices_batching_dims,
        )
        sizes = (size, *slice_sizes)
    elif dims[0] is None:
        dn = dn._replace(
            offset_dims=plus_one(dn.offset_dims),
            start_indices_batching_dims=plus_one(dn.start_indices_batching_dims),
        )
        sizes = slice_sizes
    else:
        dn = GatherDimensionNumbers(
            plus_one(dn.offset_dims),
            plus_one(dn.collapsed_slice_dims),
            plus_one(dn.start_index_map),
            (0, *plus_one(dn.operand_batching_dims)),
            (0, *plus_one(dn.start_indices_batching_dims)),
        )
        sizes = (min(1, size), *slice_sizes)
    return gather_p.bind(operand, indices, dimension_numbers=dn, slice_sizes=sizes, **params), 0


gather_p.abstract_eval = _gather_abstract
gather_p.impl = _gather_impl
gather_p.jvp = _gather_jvp
gather_p.transpose = _gather_transpose
gather_p.batch = _gather_batch
_OPTIONS = {"indices_are_sorted": False, "unique_indices": False}
_ROWS = {
    "dimension_numbers": GatherDimensionNumbers((1,), (0,), (0,)),
    "slice_sizes": (1, 2),
    "mode": GatherScatterMode.FILL_OR_DROP,
    "fill_value": None,
    **_OPTIONS,
}
gather_p.examples = [(([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0], [2]]), _ROWS)]


# ------------------------------------------------------------------------------------------------ scatter

_scatter_kernel = Kernel("indexing_kernels:scatter")
_Scatters = dict[str, Primitive]
SCATTERS: _Scatters = {}


@functools.lru_cache(maxsize=256)
def update_jaxpr_of(kind: str, dtype: Any) -> Any:
    """The scalar program by which a scatter combines an element with its update; None when the update replaces it."""
    from ..tracing.staging import trace_to_jaxpr

    if kind == "scatter":
        return None
    combine = primitives[kind.removeprefix("scatter-")]
    aval = shaped_array((), dtype)
    jaxpr, _ = trace_to_jaxpr(lambda x, y: [combine.bind(x, y)], [aval, aval])
    return jaxpr


def _scatter(kind: str) -> Primitive:
    primitive = SCATTERS[kind] = Primitive(kind)

    def abstract_eval(
        operand: ShapedArray, indices: ShapedArray, updates: ShapedArray, **params: Any
    ) -> ShapedArray:
        if indices.dtype.kind not in "iu":
            raise ValueError("indices must have an integer type")
        if operand.dtype is not updates.dtype:
            raise TypeError(
                f"lax.{kind.replace('-', '_')} requires arguments to have the same dtypes, got {operand.dtype}, {updates.dtype}."
            )
        dn = params["dimension_numbers"]
        if len(dn.update_window_dims) + indices.ndim - 1 != updates.ndim:
            raise TypeError(
                f"Updates tensor must be of rank {len(dn.update_window_dims) + indices.ndim - 1}; got {updates.ndim}."
            )
        scattered = tuple(n for d, n in enumerate(updates.shape) if d not in dn.update_window_dims)
        if scattered != indices.shape[:-1]:
            raise TypeError(
                f"Bounds of the scatter dimensions of updates, {scattered}, must be those of the scatter indices, "
                f"{indices.shape[:-1]}."
            )
        return operand

    def impl(
        operand: Any,
        indices: Any,
        updates: Any,
        *,
        dimension_numbers: ScatterDimensionNumbers,
        mode: GatherScatterMode,
        update_jaxpr: Any,
        update_consts: Any,
        fit: Any = None,
        **options: Any,
    ) -> Any:
        dn = dimension_numbers
        combine = None
        if kind == "scatter" and update_jaxpr is not None:
            from ..jaxprs.evaluate import eval_jaxpr

            def combine(x: Any, y: Any) -> Any:
                return eval_jaxpr(update_jaxpr, update_consts, x, y)[0]

        return _scatter_kernel(
            operand,
            indices,
            updates,
            kind=kind,
            update_window_dims=dn.update_window_dims,
            inserted=dn.inserted_window_dims,
            scatter_dims=dn.scatter_dims_to_operand_dims,
            operand_batching=dn.operand_batching_dims,
            indices_batching=dn.scatter_indices_batching_dims,
            clip=mode is GatherScatterMode.CLIP,  # Where a promise is broken nothing is written.
            combine=combine,
            fit=fit,
        )

    def narrow_impl(fit: Any, *operands: Any, **params: Any) -> Any:
        return impl(*operands, fit=fit, **params)

    def batch(
        size: int,
        args: Sequence[Value],
        dims: Sequence[int | None],
        *,
        dimension_numbers: ScatterDimensionNumbers,
        **params: Any,
    ) -> tuple[Value, int]:
        dn = dimension_numbers
        windows = dims[1] is None
        operand, indices, updates = (
            x if d is None and i == 1 and windows else batch_to_front(x, d, size)
            for i, (x, d) in enumerate(zip(args, dims))
        )
        grown = ScatterDimensionNumbers(
            ((0,) if windows else ()) + plus_one(dn.update_window_dims),
            plus_one(dn.inserted_window_dims),
            plus_one(dn.scatter_dims_to_operand_dims),
            (() if windows else (0,)) + plus_one(dn.operand_batching_dims),
            tuple(dn.scatter_indices_batching_dims)
            if windows
            else (0, *plus_one(dn.scatter_indices_batching_dims)),
        )
        return primitive.bind(operand, indices, updates, dimension_numbers=grown, **params), 0

    primitive.abstract_eval = abstract_eval
    primitive.impl = impl
    primitive.narrow_impl = narrow_impl
    primitive.batch = batch
    return primitive


scatter_p, scatter_add_p, scatter_sub_p, scatter_mul_p, scatter_min_p, scatter_max_p = (
    _scatter(kind)
    for kind in ("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
)


def bind_scatter(
    kind: str,
    operand: Value,
    indices: Value,
    updates: Value,
    *,
    dimension_numbers: ScatterDimensionNumbers,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: GatherScatterMode,
) -> Value:
    """Apply one of the scatters with its usual combination."""
    return SCATTERS[kind].bind(
        operand,
        indices,
        updates,
        dimension_numbers=dimension_numbers,
        indices_are_sorted=indices_are_sorted,
        unique_indices=unique_indices,
        mode=mode,
        update_jaxpr=update_jaxpr_of(kind, get_aval(operand).dtype),
        update_consts=(),
    )


scatter_add = functools.partial(bind_scatter, "scatter-add")


def _read(
    operand: Value, indices: Value, updates_shape: Sequence[int], params: dict[str, Any], fill: Any = 0
) -> Value:
    dims = gather_dims_of(params["dimension_numbers"], get_aval(operand).shape, updates_shape)
    return gather_p.bind(
        operand,
        indices,
        **dims,
        indices_are_sorted=params["indices_are_sorted"],
        unique_indices=params["unique_indices"],
        mode=params["mode"],
        fill_value=fill,
    )


def _options(params: dict[str, Any]) -> dict[str, Any]:
    return {k: params[k] for k in ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")}


def _linear_jvp(kind: str) -> Any:
    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        operand, indices, updates = primals
        out = SCATTERS[kind].bind(operand, indices, updates, **params)
        if all(type(t) is Zero for t in (tangents[0], tangents[2])):
            return out, zero_of(out)
        return out, SCATTERS[kind].bind(instantiate(tangents[0]), indices, instantiate(tangents[2]), **params)

    return jvp


def _linear_transpose(kind: str) -> Any:
    def transpose(ct: Value, operand: Any, indices: Value, updates: Any, **params: Any) -> list[Any]:
        ct_operand = ct if is_undefined_primal(operand) else None
        ct_updates = None
        if is_undefined_primal(updates):
            ct_updates = _read(ct, indices, updates.aval.shape, params)
            if kind == "scatter-sub":
                ct_updates = neg(ct_updates)
        return [ct_operand, None, ct_updates]

    return transpose


for _kind in ("scatter-add", "scatter-sub"):
    SCATTERS[_kind].jvp = _linear_jvp(_kind)
    SCATTERS[_kind].transpose = _linear_transpose(_kind)


def _set_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    """Number the updates, scatter the numbers, and let each tangent through where its number was the last written."""
    operand, indices, updates = primals
    t_operand, _, t_updates = tangents
    out = scatter_p.bind(operand, indices, updates, **params)
    if type(t_operand) is Zero and type(t_updates) is Zero:
        return out, zero_of(out)
    if params["update_jaxpr"] is not None:
        raise NotImplementedError("Differentiation of scatter_apply is not implemented")
    aval = get_aval(updates)
    options = _options(params)
    numbers = iota(dtype=INT32, shape=(max(aval.size, 0),), dimension=0, sharding=None)
    numbers = reshape(add(numbers, literal(1, INT32)), new_sizes=aval.shape, dimensions=None, sharding=None)
    written = bind_scatter(
        "scatter", zeros_like_aval(shaped_array(get_aval(operand).shape, INT32)), indices, numbers, **options
    )
    total: Any = zero_of(out)
    if type(t_operand) is not Zero:
        untouched = eq(written, literal(0, INT32))
        total = where(untouched, t_operand, zeros_like_aval(get_aval(t_operand)))
    if type(t_updates) is not Zero:
        won = eq(_read(written, indices, aval.shape, params), numbers)
        share = where(won, t_updates, zeros_like_aval(get_aval(t_updates)))
        base = zeros_like_aval(get_aval(out).to_tangent_aval())
        total = add_tangents(total, scatter_add(base, indices, share, **options))
    return out, total


def _mul_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    operand, indices, updates = primals
    t_operand, _, t_updates = tangents
    out = scatter_mul_p.bind(operand, indices, updates, **params)
    total: Any = zero_of(out)
    if type(t_operand) is not Zero:
        total = scatter_mul_p.bind(t_operand, indices, updates, **params)
    if type(t_updates) is not Zero:
        if not params["unique_indices"]:
            raise NotImplementedError("scatter_mul gradients are only implemented if `unique_indices=True`")
        share = mul(t_updates, _read(operand, indices, get_aval(updates).shape, params))
        base = zeros_like_aval(get_aval(out).to_tangent_aval())
        total = add_tangents(total, scatter_add(base, indices, share, **_options(params)))
    return out, total


def _mul_transpose(ct: Value, operand: Any, indices: Value, updates: Any, **params: Any) -> list[Any]:
    if not is_undefined_primal(operand):
        raise NotImplementedError("the transpose of scatter_mul in its updates is not implemented")
    return [scatter_mul_p.bind(ct, indices, updates, **params), None, None]


def _extremal_jvp(kind: str) -> Any:
    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        """Elements and updates that equal the result share the tangent evenly."""
        operand, indices, updates = primals
        t_operand, _, t_updates = tangents
        out = SCATTERS[kind].bind(operand, indices, updates, **params)
        if type(t_operand) is Zero and type(t_updates) is Zero:
            return out, zero_of(out)
        dtype, options = get_aval(out).dtype, _options(params)
        shape = get_aval(updates).shape
        mine = convert(eq(operand, out), dtype)
        theirs = convert(eq(updates, _read(out, indices, shape, params)), dtype)
        count = scatter_add(mine, indices, theirs, **options)
        weighted = scatter_add(
            mul(instantiate(t_operand), mine), indices, mul(instantiate(t_updates), theirs), **options
        )
        empty = convert(eq(count, literal(0, dtype)), dtype)
        return out, div(weighted, add(count, empty))

    return jvp


scatter_p.jvp = _set_jvp
scatter_mul_p.jvp = _mul_jvp
scatter_mul_p.transpose = _mul_transpose
scatter_min_p.jvp = _extremal_jvp("scatter-min")
scatter_max_p.jvp = _extremal_jvp("scatter-max")


def _examples(kind: str) -> Any:
    def make() -> Any:
        params = {
            "dimension_numbers": ScatterDimensionNumbers((1,), (0,), (0,)),
            "mode": GatherScatterMode.FILL_OR_DROP,
            "update_jaxpr": update_jaxpr_of(kind, FLOAT32),
            "update_consts": (),
            **_OPTIONS,
            "unique_indices": True,
        }
        return [(([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0], [2]], [[0.5, 9.0], [7.0, 0.25]]), params)]

    return make


for _kind in SCATTERS:
    SCATTERS[_kind].examples = _examples(_kind)
