"""`jax.experimental.compute_on`: where to compute. Here it is always the one processor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["compute_on"]


@contextmanager
def compute_on(compute_type: str) -> Iterator[None]:
    """Context manager and decorator. Raises ValueError for what is no place to compute."""
    if compute_type not in ("device_host", "device", "tpu_sparsecore") and not compute_type.startswith(
        "gpu_stream:"
    ):
        raise ValueError(
            f"Invalid compute type {compute_type}. Current supported values are `device_host`, `device`, "
            "`tpu_sparsecore`, and `gpu_stream:#`."
        )
    yield
