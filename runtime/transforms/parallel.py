"""`jax.pmap` and `jax.shard_map` on the one device there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..jitting.jit import jit
from .sharding import shard_map
from .signatures import wraps
from .vmap import vmap

__all__ = ["pmap", "shard_map"]


def pmap(
    fun: Callable[..., Any],
    axis_name: Any = None,
    *,
    in_axes: Any = 0,
    out_axes: Any = 0,
    static_broadcasted_argnums: Any = (),
    **options: Any,
) -> Any:
    """Map over a leading axis of length 1, compiled. Raises ValueError for longer ones."""
    numbers = static_broadcasted_argnums
    static = (numbers,) if isinstance(numbers, int) else tuple(numbers)

    def over_rows(*args: Any, **kwargs: Any) -> Any:
        axes = in_axes
        if static:
            axes = list(in_axes) if isinstance(in_axes, tuple | list) else [in_axes] * len(args)
            axes = tuple(None if position in static else axis for position, axis in enumerate(axes))
        return vmap(fun, in_axes=axes, out_axes=out_axes, axis_name=axis_name)(*args, **kwargs)

    mapped = jit(wraps(fun)(over_rows), static_argnums=static)

    @wraps(fun)
    def call(*args: Any, **kwargs: Any) -> Any:
        from ..lax import types
        from ..tree_util import tree_leaves

        if in_axes == 0:
            for leaf in tree_leaves([value for position, value in enumerate(args) if position not in static]):
                if types.shape(leaf)[:1] not in ((), (1,)):
                    raise ValueError(
                        f"compiling computation that requires {types.shape(leaf)[0]} logical devices, but only 1 XLA devices "
                        "are available (num_replicas=1)"
                    )
        return mapped(*args, **kwargs)

    return call
