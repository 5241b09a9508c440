"""`jax.distributed` for one process, which has nobody to talk to."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["initialize", "is_initialized", "shutdown"]

_running = [False]


def initialize(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    local_device_ids: int | Sequence[int] | None = None,
    cluster_detection_method: str | None = None,
    initialization_timeout: int = 300,
    heartbeat_timeout_seconds: int = 100,
    shutdown_timeout_seconds: int = 300,
    coordinator_bind_address: str | None = None,
    slice_index: int | None = None,
    partition_index: int | None = None,
) -> None:
    """Begin to work together with the other processes, of which there are none.

    Raises ValueError where processes and the place where they meet are not said, RuntimeError the second time, and
    NotImplementedError for more than one process.
    """
    if coordinator_address is None:
        raise ValueError("coordinator_address should be defined.")
    if num_processes is None:
        raise ValueError("Number of processes must be defined.")
    if process_id is None:
        raise ValueError("The process id of the current process must be defined.")
    if _running[0]:
        raise RuntimeError("distributed.initialize should only be called once.")
    if num_processes > 1:
        raise NotImplementedError(
            f"jax.distributed.initialize with {num_processes} processes: tracetrap.runtime has one"
        )
    _running[0] = True


def is_initialized() -> bool:
    return _running[0]


def shutdown() -> None:
    """Stop working together."""
    _running[0] = False
