"""`jax.flatten_util`: trees as vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from . import lax
from . import numpy as jnp
from .core import Array
from .lax import types
from .tree_util import tree_flatten, tree_unflatten


def ravel_pytree(pytree: Any) -> tuple[Array, Callable[[Array], Any]]:
    """The leaves of a tree as one vector, and the function that undoes it."""
    leaves, treedef = tree_flatten(pytree)
    if not leaves:
        return jnp.array([], types.float_default()), lambda _: tree_unflatten(treedef, [])
    kinds = [types.dtype(x) for x in leaves]
    shapes = [types.shape(x) for x in leaves]
    target = types.result_type(*kinds)
    sizes = [math.prod(s) for s in shapes]
    flat = jnp.concatenate([jnp.ravel(jnp.asarray(x, target)) for x in leaves])

    def unravel(vector: Any) -> Any:
        if types.dtype(vector) is not target:
            raise TypeError(
                f"unravel function given array of dtype {types.dtype(vector)}, but expected dtype {target}"
            )
        if types.shape(vector) != (sum(sizes),):
            raise ValueError(
                f"unravel function given array of shape {types.shape(vector)}, but expected shape {(sum(sizes),)}"
            )
        parts = lax.split(vector, tuple(sizes)) if len(sizes) > 1 else [vector]
        restored = [lax.convert_element_type(lax.reshape(p, s), k) for p, s, k in zip(parts, shapes, kinds)]
        return tree_unflatten(treedef, restored)

    return flat, unravel
