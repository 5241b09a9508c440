"""`jax.pure_callback`, `jax.experimental.io_callback` and what `jax.debug` is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..arrays.promotion import is_arraylike
from ..core import ShapedArray, current_trace, eval_trace, get_aval, shaped_array
from ..dtypes import as_dtype, canonical
from ..errors import JaxRuntimeError
from ..lax.elementwise import operand
from ..primitives.callbacks import debug_callback_p, io_callback_p, pure_callback_p
from ..tree_util import tree_flatten, tree_unflatten


def _result_avals(shapes: Any) -> tuple[tuple[ShapedArray, ...], Any]:
    leaves, treedef = tree_flatten(shapes)
    avals = []
    for leaf in leaves:
        if not (hasattr(leaf, "shape") and hasattr(leaf, "dtype")):
            avals.append(get_aval(leaf))
        else:
            avals.append(shaped_array(tuple(leaf.shape), canonical(as_dtype(leaf.dtype))))
    return tuple(avals), treedef


def _flat(callback: Callable[..., Any], treedef: Any, result_tree: Any) -> Callable[..., Any]:
    """The callback on flat lists of arrays."""

    def call(*values: Any) -> list[Any]:
        args, kwargs = tree_unflatten(treedef, values)
        out = callback(*args, **kwargs)
        if result_tree is None:
            return []
        leaves, found = tree_flatten(out)
        # As in JAX, what holds the arrays may be of another kind.
        if found.num_leaves != result_tree.num_leaves:
            raise TypeError(f"The callback returned a tree of structure {found}, expected {result_tree}")
        return leaves

    return call


def pure_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: Any,
    *args: Any,
    sharding: Any = None,
    vmap_method: str | None = None,
    vectorized: Any = None,
    **kwargs: Any,
) -> Any:
    """The result of a Python function without effects, called when the program runs."""
    methods = ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None]
    if vmap_method not in methods:
        raise ValueError(f"vmap_method must be on of the allowed methods {methods}, but got: {vmap_method}")
    avals, result_tree = _result_avals(result_shape_dtypes)
    leaves, treedef = tree_flatten((args, kwargs))
    out = pure_callback_p.bind(
        *map(operand, leaves),
        callback=_flat(callback, treedef, result_tree),
        result_avals=avals,
        vmap_method=vmap_method,
    )
    return tree_unflatten(result_tree, out)


def io_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: Any,
    *args: Any,
    sharding: Any = None,
    ordered: bool = False,
    **kwargs: Any,
) -> Any:
    """The result of a Python function with effects, called once when the program runs."""
    avals, result_tree = _result_avals(result_shape_dtypes)
    leaves, treedef = tree_flatten((args, kwargs))
    out = io_callback_p.bind(
        *map(operand, leaves),
        callback=_flat(callback, treedef, result_tree),
        result_avals=avals,
        ordered=bool(ordered),
    )
    return tree_unflatten(result_tree, out)


def debug_callback(
    callback: Callable[..., Any], *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any
) -> None:
    """Call a Python function with values of the running program; arguments that are no arrays reach it as they are."""
    if not callable(callback):
        raise TypeError(
            "first argument to jax.debug.callback must be callable, but got an object of type "
            f"{type(callback)}"
        )
    leaves, treedef = tree_flatten((args, kwargs))
    arrays = [is_arraylike(leaf) for leaf in leaves]
    flat = _flat(callback, treedef, None)

    def call(*values: Any) -> list[Any]:
        given = iter(values)
        return flat(*[next(given) if array else leaf for leaf, array in zip(leaves, arrays)])

    try:
        debug_callback_p.bind(
            *[operand(leaf) for leaf, array in zip(leaves, arrays) if array],
            callback=flat if all(arrays) else call,
            result_avals=(),
            ordered=bool(ordered),
        )
    except JaxRuntimeError as error:  # Outside of every program the callback's own error is raised.
        if current_trace() is eval_trace and error.__cause__ is not None:
            raise error.__cause__ from None
        raise


def effects_barrier() -> None:
    """Wait for effects: they have all happened already."""


def typeof(x: Any) -> ShapedArray:
    """The aval of a value: shape, type and weakness."""
    return get_aval(x)
