"""``jax.ad_checkpoint``: rematerialization, and names for the values that policies speak of."""

from __future__ import annotations

from typing import Any

from .primitives.family import ANY, unary
from .pytree.mapping import tree_map
from .transforms.checkpoint import checkpoint, checkpoint_policies

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "name_p"]

name_p = unary("name", accepts=ANY + "k", impl=lambda x, **params: x, linear=lambda ct, **params: ct)


def checkpoint_name(x: Any, name: str) -> Any:
    """The arrays of a tree, each under `name` for the policies of `checkpoint`."""
    return tree_map(lambda leaf: name_p.bind(leaf, name=name), x)
