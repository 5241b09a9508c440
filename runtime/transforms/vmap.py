"""``vmap``: a function of one example becomes a function of a batch of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ..core import Value, current_trace, get_aval
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.mapping import broadcast_prefix
from ..tracing.named_axes import named_axes
from .batching import MappedAxis, batch_flat, move_to
from .functions import check_argument
from .signatures import check_function, leaf_names, wraps

Axis = int | None


def vmap(
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Hashable = None,
    axis_size: int | None = None,
    spmd_axis_name: Hashable = None,
    sum_match: bool = False,
) -> Callable[..., Any]:
    """Map `fun` over axes of its arguments.

    `in_axes` is an axis, or None for arguments that all examples share, or a tuple with a tree of these for each
    positional argument; keyword arguments are mapped along axis 0. `out_axes` says where the batch goes in the results.

    Raises:
        TypeError: if the axes are no integers.
        ValueError, when called: if an axis does not exist, mapped sizes differ, or the axes do not fit the arguments.
    """
    check_function(fun)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or type(in_axes) in (int, tuple)):
        raise TypeError(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed "
            f"to the function, but got {in_axes}."
        )
    _check_leaves("in_axes", in_axes)
    _check_leaves("out_axes", out_axes)

    @wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                f"passed to the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}"
            )
        leaves, in_tree = tree_flatten((args, kwargs))
        if not leaves and axis_size is None:
            raise ValueError(
                "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
                f"specified, got empty *args={args} and **kwargs={kwargs}"
            )
        dims = _input_axes(in_axes, args, len(leaves))
        size = _mapped_size(fun, args, kwargs, leaves, dims, axis_size)
        dims = [None if d is None else d % get_aval(leaf).ndim for d, leaf in zip(dims, leaves, strict=True)]
        outs, out_dims, out_tree = _run(fun, in_tree, MappedAxis(size, axis_name), leaves, dims)
        targets = _prefix("out_axes", out_axes, out_tree.unflatten(outs))
        results = [
            _place(out, dim, target, size, axis_name)
            for out, dim, target in zip(outs, out_dims, targets, strict=True)
        ]
        return out_tree.unflatten(results)

    return mapped


def _check_leaves(name: str, axes: Any) -> None:
    for axis in tree_flatten(axes)[0]:
        if type(axis) is not int:
            raise TypeError(
                f"vmap {name} must be an int, None, or (nested) container with those types as leaves, but got {axes}."
            )


def _run(
    fun: Callable[..., Any],
    in_tree: PyTreeDef,
    axis: MappedAxis,
    leaves: Sequence[Value],
    dims: Sequence[Axis],
) -> tuple[list[Value], list[Axis], PyTreeDef]:
    out_tree: PyTreeDef

    def flat(*values: Value) -> list[Value]:
        nonlocal out_tree
        args, kwargs = in_tree.unflatten(values)
        outs, out_tree = tree_flatten(fun(*args, **kwargs))
        return outs

    if axis.name is None:
        outs, out_dims = batch_flat(flat, axis, leaves, dims)
        return outs, out_dims, out_tree
    with named_axes([(axis.name, int(axis))]):
        outs, out_dims = batch_flat(flat, axis, leaves, dims)
    return outs, out_dims, out_tree


def _prefix(name: str, axes: Any, tree: Any) -> list[Axis]:
    try:
        return broadcast_prefix(axes, tree, is_leaf=lambda axis: axis is None)
    except ValueError as error:
        detail = str(error).replace("broadcast_prefix prefix_tree", f"vmap {name}")
        raise ValueError(
            f"vmap {name} specification must be a tree prefix of the corresponding value; "
            f"mismatch details:\n  {detail}"
        ) from None


def _input_axes(in_axes: Any, args: Sequence[Any], count: int) -> list[Axis]:
    if not isinstance(in_axes, tuple):
        positional = len(tree_flatten(args)[0])
        return [in_axes] * positional + [0] * (count - positional)
    axes = _prefix("in_axes", in_axes, args)
    return axes + [0] * (count - len(axes))


def _mapped_size(
    fun: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    leaves: Sequence[Value],
    dims: Sequence[Axis],
    axis_size: int | None,
) -> int:
    sizes = []
    for leaf, dim in zip(leaves, dims, strict=True):
        if dim is not None:
            check_argument(leaf)
    for leaf, dim in zip(leaves, dims, strict=True):
        if dim is None:
            continue
        shape = get_aval(leaf).shape
        if not -len(shape) <= dim < len(shape):
            rank = dim + 1 if dim >= 0 else -dim
            raise ValueError(
                f"vmap was requested to map its argument along axis {dim}, which implies that its rank should be at "
                f"least {rank}, but is only {len(shape)} (its shape is {shape})"
            )
        sizes.append(shape[dim])
    distinct = set(sizes) if axis_size is None else {*sizes, axis_size}
    if len(distinct) == 1:
        return distinct.pop()
    if not distinct:
        raise ValueError(
            "vmap must have at least one non-None value in in_axes or axis_size must be specified"
        )
    names = leaf_names(fun, args, kwargs)
    places = [
        (f"axis {dim} of argument {name} of type {get_aval(leaf).str_short()}", get_aval(leaf).shape[dim])
        for name, leaf, dim in zip(names, leaves, dims, strict=True)
        if dim is not None
    ]
    raise ValueError(
        "vmap got inconsistent sizes for array axes to be mapped:\n"
        + ";\n".join(_sentences(places, axis_size))
    )


def _sentences(places: Sequence[tuple[str, int]], axis_size: int | None) -> list[str]:
    """What was mapped, the most frequent size first."""
    said = [] if axis_size is None else [f"  * the `axis_size` argument was {axis_size}"]
    counts = Counter(size for _, size in places).most_common()
    for rank, (size, count) in enumerate(counts):
        example = next(place for place, mapped in places if mapped == size)
        if count == 1:
            said.append(f"  * one axis had size {size}: {example}")
        else:
            how_many = "most" if rank == 0 and len(counts) > 1 and count > counts[1][1] else "some"
            said.append(f"  * {how_many} axes ({count} of them) had size {size}, e.g. {example}")
    return said


def _place(out: Value, dim: Axis, target: Axis, size: int, axis_name: Hashable) -> Value:
    if target is None:
        if dim is not None and axis_name is not None:
            raise ValueError(f"vmap has mapped output (axis_name={axis_name}) but out_axes is None")
        if dim is not None:
            raise ValueError(f"at vmap out_axes, got axis spec None but output was batched on axis {dim}")
        return out
    try:
        aval = get_aval(out)
    except TypeError:
        raise TypeError(
            f"Output from batched function {out!r} with type {type(out)} is not a valid JAX type"
        ) from None
    rank = aval.ndim + (dim is None)
    if not -rank <= target < rank:
        raise ValueError(f"axis {target} is out of bounds for array of dimension {rank}")
    return current_trace().stage_value(move_to(out, dim, target % rank, size))
