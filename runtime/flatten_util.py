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

    # Leaves of one type: the parts keep the type of whatever vector they are cut from.
    one_type = all(kind is target for kind in kinds)

    def unravel(vector: Any) -> Any:
        found = types.dtype(vector)
        if not one_type and found is not target:
            raise TypeError(f"unravel function given array of dtype {found}, but expected dtype {target}")
        parts = [lax.reshape(p, s) for p, s in zip(lax.split(vector, tuple(sizes)), shapes)]
        if not one_type:
            parts = [lax.convert_element_type(p, kind) for p, kind in zip(parts, kinds)]
        return tree_unflatten(treedef, parts)

    return flat, unravel
