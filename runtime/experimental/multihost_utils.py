"""`jax.experimental.multihost_utils` for one process, which has nobody to wait for."""

from __future__ import annotations

from typing import Any

from ..arrays.cpu import device_put
from ..pytree.definition import tree_flatten
from ..pytree.mapping import broadcast_prefix, tree_map
from ..sharding import NamedSharding

__all__ = [
    "assert_equal",
    "broadcast_one_to_all",
    "global_array_to_host_local_array",
    "host_local_array_to_global_array",
    "process_allgather",
    "reached_preemption_sync_point",
    "sync_global_devices",
]


def broadcast_one_to_all(in_tree: Any, is_source: bool | None = None) -> Any:
    """The arrays of the one process, as NumPy arrays."""
    import numpy as np

    return tree_map(np.asarray, in_tree)


def process_allgather(in_tree: Any, tiled: bool = False) -> Any:
    """The arrays of all processes, stacked along a new axis, or concatenated if `tiled`."""
    import numpy as np

    return tree_map(lambda x: np.asarray(x) if tiled else np.asarray(x)[None], in_tree)


def sync_global_devices(name: str) -> None:
    """Wait for all processes: for none."""


def assert_equal(in_tree: Any, fail_message: str = "") -> None:
    """That all processes have the same arrays."""


def host_local_array_to_global_array(local_inputs: Any, global_mesh: Any, pspecs: Any) -> Any:
    """The arrays of the one process, put on the mesh."""
    leaves, tree = tree_flatten(local_inputs)
    specs = broadcast_prefix(pspecs, local_inputs, is_leaf=lambda spec: spec is None)
    return tree.unflatten(
        [device_put(leaf, NamedSharding(global_mesh, spec)) for leaf, spec in zip(leaves, specs, strict=True)]
    )


def global_array_to_host_local_array(global_inputs: Any, global_mesh: Any, pspecs: Any) -> Any:
    """The part of arrays that this process has: all of them."""
    return host_local_array_to_global_array(global_inputs, global_mesh, pspecs)


def reached_preemption_sync_point(step_id: int) -> bool:
    """Whether all processes have come to a step after which they will be stopped."""
    return False
