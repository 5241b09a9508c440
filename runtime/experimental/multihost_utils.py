"""`jax.experimental.multihost_utils` for one process, which has nobody to wait for."""

from __future__ import annotations

from typing import Any

from ..pytree.mapping import tree_map

__all__ = ["assert_equal", "broadcast_one_to_all", "process_allgather", "sync_global_devices"]


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
