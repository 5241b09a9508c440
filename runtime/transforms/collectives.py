"""Collective operations over named axes: ``psum``, ``pmean``, ``all_gather``, ``axis_index``, ... under ``vmap``."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, literal
from ..dtypes import INT32, as_dtype
from ..primitives.apply import iota, mul, reduce_max, reduce_min
from ..primitives.linear import Zero, zero_of
from ..primitives.reductions import reduce_sum
from ..primitives.shape import move_axis
from ..pytree.definition import tree_leaves
from ..pytree.mapping import tree_map
from ..tracing.named_axes import scope
from .batching import Dim, MappedAxis, to_front

Axes: TypeAlias = tuple[Hashable, ...]


def axis_size(axis_name: Hashable) -> int:
    """The size of a named axis. Raises NameError outside of the transform that maps it."""
    size = 1
    for name in _names(axis_name):
        if name not in scope.sizes:
            raise NameError(f"unbound axis name: {name}")
        size *= scope.sizes[name]
    return size


def _names(axis_name: Any) -> Axes:
    return tuple(axis_name) if isinstance(axis_name, (tuple, list)) else (axis_name,)


def _check_bound(operation: str, names: Axes) -> None:
    for name in names:
        if name not in scope.sizes:
            raise NameError(
                f"Found an unbound axis name: {name}. To fix this, please call {operation} under `jax.shard_map`."
            )


# ------------------------------------------------------------------------------------------------ primitives


def _collective(name: str, over_axis: Callable[[Value, Dim, MappedAxis], Value]) -> Primitive:
    """A reduction over named axes. `over_axis` reduces the batch dimension of a value."""
    primitive = Primitive(name)
    primitive.collective = True

    def batch(
        axis: MappedAxis, args: Sequence[Value], dims: Sequence[Dim], *, axes: Axes, **params: Any
    ) -> tuple[Value, Dim]:
        (x,), (dim,) = args, dims
        if axis.name not in axes:
            return primitive.bind(x, axes=axes, **params), dim
        rest = tuple(other for other in axes if other != axis.name)
        out = over_axis(x, dim, axis)
        return primitive.bind(out, axes=rest, **params) if rest else out, None

    primitive.abstract_eval = lambda x, **params: x
    primitive.impl = _unbound
    primitive.batch = batch
    return primitive


def _extremum(name: str, reduce: Callable[..., Value]) -> Primitive:
    """The largest or smallest over named axes. What is left of it, over no axes, refuses to be differentiated, as in JAX."""

    def over_axis(x: Value, dim: Dim, axis: MappedAxis) -> Value:
        return primitive.bind(x if dim is None else reduce(x, axes=(dim,)), axes=(), axis_index_groups=None)

    primitive = _collective(name, over_axis)
    primitive.impl = lambda x, *, axes, **params: _unbound(x, axes=axes) if axes else x
    primitive.lower = lambda builder, x, **params: x
    return primitive


def _unbound(*args: Any, axes: Axes, **params: Any) -> Any:
    raise NameError(f"unbound axis name: {axes[0]}")


def _linear(primitive: Primitive, transpose: Callable[..., Value]) -> None:
    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        return out, zero_of(out) if type(tangents[0]) is Zero else primitive.bind(*tangents, **params)

    primitive.jvp = jvp
    primitive.transpose = lambda ct, x, **params: [transpose(ct, **params)]


def _sum(x: Value, dim: Dim, axis: MappedAxis) -> Value:
    return mul(x, literal(int(axis), get_aval(x).dtype)) if dim is None else reduce_sum(x, (dim,))


psum_p = _collective("psum", _sum)
pmax_p = _extremum("pmax", reduce_max)
pmin_p = _extremum("pmin", reduce_min)
_linear(psum_p, lambda ct, **params: psum_p.bind(ct, **params))

_UNDER_SHARD_MAP = "pvary should be called under jax.shard_map."


def _vary(x: Value, dim: Dim, axis: MappedAxis) -> Value:
    if dim is not None:
        raise ValueError(_UNDER_SHARD_MAP)
    return x


pvary_p = _collective("pvary", _vary)
_linear(pvary_p, lambda ct, **params: ct)

axis_index_p = Primitive("axis_index")
axis_index_p.collective = True
axis_index_p.abstract_eval = lambda *, axes: ShapedArray((), "int32")
axis_index_p.impl = _unbound
axis_index_p.batch = lambda axis, args, dims, *, axes: (
    iota(dtype=as_dtype("int32"), shape=(int(axis),), dimension=0, sharding=None),
    0,
)

all_gather_p = Primitive("all_gather")
all_gather_p.collective = True
all_gather_p.impl = _unbound


def _gather_batch(
    axis: MappedAxis, args: Sequence[Value], dims: Sequence[Dim], *, axes: Axes, dimension: int, size: int
) -> tuple[Value, Dim]:
    (x,), (dim,) = args, dims
    if axis.name in axes:
        return move_axis(to_front(x, dim, axis), 0, dimension), None
    out = all_gather_p.bind(to_front(x, dim, axis), axes=axes, dimension=dimension + 1, size=size)
    return out, 0


def _gather_transpose(ct: Value, *, axes: Axes, dimension: int, size: int) -> Value:
    from ..lax import dynamic_index_in_dim

    total = psum_p.bind(ct, axes=axes, axis_index_groups=None)
    return dynamic_index_in_dim(total, axis_index(axes), dimension, keepdims=False)


all_gather_p.abstract_eval = lambda x, *, axes, dimension, size: x.update(
    shape=(*x.shape[:dimension], size, *x.shape[dimension:])
)
all_gather_p.batch = _gather_batch
_linear(all_gather_p, _gather_transpose)

ppermute_p = Primitive("ppermute")
ppermute_p.collective = True
ppermute_p.abstract_eval = lambda x, **params: x
ppermute_p.impl = _unbound


def _permute_batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    axes: Axes,
    perm: tuple[tuple[int, int], ...],
) -> tuple[Value, Dim]:
    (x,), (dim,) = args, dims
    if axis.name not in axes:
        return ppermute_p.bind(x, axes=axes, perm=perm), dim
    from ..numpy import stack, zeros_like

    if len(perm) != axis > 1:
        raise AssertionError("Permutation doesn't match the axis size!")
    front = to_front(x, dim, axis)
    source = {destination: origin for origin, destination in perm}
    return stack([front[source[i]] if i in source else zeros_like(front[0]) for i in range(int(axis))]), 0


ppermute_p.batch = _permute_batch
_linear(
    ppermute_p, lambda ct, *, axes, perm: ppermute_p.bind(ct, axes=axes, perm=tuple((d, s) for s, d in perm))
)


# ------------------------------------------------------------------------------------------------ functions


def refuse_groups(groups: Any) -> None:
    """Raises NotImplementedError for parts of an axis, as JAX does under `vmap`."""
    if groups is not None:
        raise NotImplementedError(
            "axis_index_groups not supported in vmap collectives. Please open a feature request!"
        )


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The sum of a tree of arrays over a named axis; of a Python number, its product with the size of the axis."""
    names = _names(axis_name)
    refuse_groups(axis_index_groups)
    if all(isinstance(leaf, (int, float, complex)) for leaf in _leaves(x)):
        size = axis_size(names)
        return tree_map(lambda leaf: leaf * size, x)
    _check_bound("psum", names)
    return tree_map(lambda leaf: _sum_over(leaf, names), x)


def _sum_over(x: Any, names: Axes) -> Any:
    if get_aval(x).dtype.kind == "b":
        from ..primitives.conversion import convert

        x = convert(x, INT32)
    return psum_p.bind(x, axes=names, axis_index_groups=None) if names else x


def _leaves(x: Any) -> list[Any]:
    return tree_leaves(x)


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The mean of a tree of arrays over a named axis."""
    refuse_groups(axis_index_groups)
    size = psum(1, axis_name)
    return tree_map(lambda leaf: leaf / size, psum(x, axis_name))


def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The maximum of a tree of arrays over a named axis."""
    refuse_groups(axis_index_groups)
    _check_bound("pmax", _names(axis_name))
    return tree_map(lambda leaf: pmax_p.bind(leaf, axes=_names(axis_name), axis_index_groups=None), x)


def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """The minimum of a tree of arrays over a named axis."""
    refuse_groups(axis_index_groups)
    _check_bound("pmin", _names(axis_name))
    return tree_map(lambda leaf: pmin_p.bind(leaf, axes=_names(axis_name), axis_index_groups=None), x)


def pcast(x: Any, axis_name: Any, *, to: str) -> Any:
    """Arrays that are the same on all shards of `shard_map`, as ones that may differ along an axis: ``to="varying"``."""
    if isinstance(axis_name, (set, frozenset)):
        raise TypeError(f"axis_name must be a tuple or a str. Got {axis_name}")
    if not axis_name:
        return x
    if to not in ("varying", "reduced", "unreduced"):
        raise ValueError(f"Got unexpected `to` value {to!r}: it may be 'varying', 'reduced' or 'unreduced'.")
    if to != "varying":
        raise NotImplementedError(f"pcast to {to!r} is not available in this runtime")
    names = _names(axis_name)
    if any(name not in scope.sizes for name in names):
        raise ValueError(_UNDER_SHARD_MAP)
    return tree_map(lambda leaf: pvary_p.bind(leaf, axes=names), x)


def axis_index(axis_name: Any) -> Any:
    """The position of this example along a named axis; along several, the first one counts most."""
    names = _names(axis_name)
    _check_bound("axis_index", names)
    index = axis_index_p.bind(axes=names[:1])
    for name in names[1:]:
        index = index * scope.sizes[name] + axis_index_p.bind(axes=(name,))
    return index


def all_gather(
    x: Any,
    axis_name: Hashable,
    *,
    axis_index_groups: Any = None,
    axis: int = 0,
    tiled: bool = False,
    to: str = "varying",
) -> Any:
    """The arrays of all examples along a named axis, stacked along `axis`, or concatenated if `tiled`."""
    refuse_groups(axis_index_groups)
    _check_bound("all_gather", _names(axis_name))
    names = _names(axis_name)

    def gather(leaf: Any) -> Any:
        from ..numpy import reshape

        rank = get_aval(leaf).ndim
        dimension = axis % (rank + (not tiled))
        out = leaf
        for name in reversed(names):
            out = all_gather_p.bind(out, axes=(name,), dimension=dimension, size=axis_size(name))
        shape = get_aval(out).shape
        merged = len(names) + tiled
        length = math.prod(shape[dimension : dimension + merged])
        return (
            out if merged == 1 else reshape(out, (*shape[:dimension], length, *shape[dimension + merged :]))
        )

    return tree_map(gather, x)


def ppermute(x: Any, axis_name: Hashable, perm: Sequence[tuple[int, int]]) -> Any:
    """Send each example's arrays to another: pairs of source and destination. Who gets nothing has zeros."""
    _check_bound("ppermute", _names(axis_name))
    if len(_names(axis_name)) > 1:
        raise NotImplementedError("ppermute over several axes is not available in this runtime")
    pairs = tuple((int(s), int(d)) for s, d in perm)
    return tree_map(lambda leaf: ppermute_p.bind(leaf, axes=_names(axis_name), perm=pairs), x)


def pshuffle(x: Any, axis_name: Hashable, perm: Sequence[int]) -> Any:
    """Permute the examples along a named axis: example i gets what example ``perm[i]`` had."""
    if set(perm) != set(range(len(perm))):
        raise ValueError(f"`perm` does not represent a permutation: {perm}")
    return ppermute(x, axis_name, [(source, i) for i, source in enumerate(perm)])
