"""`jax.experimental.shard_alike`: arrays that are to be split alike, which all are on one device."""

from __future__ import annotations

from typing import Any

from ..core import get_aval

__all__ = ["shard_alike"]


def shard_alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Both as they are. Raises ValueError for arrays of different shapes."""
    from ..pytree.mapping import tree_map

    def checked(first: Any, second: Any) -> Any:
        if get_aval(first).shape != get_aval(second).shape:
            raise ValueError(
                "The leaves shapes of `x` and `y` should match. Got `x` leaf shape: "
                f"{get_aval(first).shape} and `y` leaf shape: {get_aval(second).shape}"
            )
        return first

    return tree_map(checked, x, y), y
