"""`jax.experimental.shard_map`: where `shard_map` was before it became `jax.shard_map`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..transforms.sharding import shard_map as _shard_map

__all__ = ["shard_map"]


def shard_map(
    f: Callable[..., Any],
    mesh: Any,
    in_specs: Any,
    out_specs: Any,
    check_rep: bool = True,
    auto: frozenset[Any] = frozenset(),
) -> Any:
    """Run `f` on the shards of its arguments, on a mesh of one device."""
    return _shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep)
