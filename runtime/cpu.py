"""The one device there is: the processor that runs Python."""

from __future__ import annotations

from typing import Any


class CpuDevice:
    """``jax.devices()[0]`` on a machine without accelerators."""

    id = 0
    process_index = 0
    platform = "cpu"
    device_kind = "cpu"
    local_hardware_id = 0

    def __repr__(self) -> str:
        return "CpuDevice(id=0)"

    def __str__(self) -> str:
        return "TFRT_CPU_0"


CPU = CpuDevice()


class SingleDeviceSharding:
    """Where an array lies: on one device."""

    memory_kind = "device"

    def __init__(self, device: CpuDevice = CPU) -> None:
        self._device = device

    @property
    def device_set(self) -> set[CpuDevice]:
        return {self._device}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding)

    def __hash__(self) -> int:
        return hash(SingleDeviceSharding)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


def devices(backend: str | None = None) -> list[CpuDevice]:
    """All devices. Raises RuntimeError for a platform other than the CPU."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}: this runtime has the CPU only")
    return [CPU]


def device_count(backend: str | None = None) -> int:
    return len(devices(backend))


def default_backend() -> str:
    return "cpu"


def device_put(x: Any, device: Any = None, **options: Any) -> Any:
    """The leaves of a tree as arrays of the one device."""
    from .core import context
    from .tree_util import tree_map

    return tree_map(context.trace.stage_value, x)


def device_get(x: Any) -> Any:
    """The leaves of a tree as NumPy arrays."""
    import numpy

    from .core import Array
    from .tree_util import tree_map

    return tree_map(lambda leaf: numpy.asarray(leaf) if isinstance(leaf, Array) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """The tree itself: results are ready when they are returned."""
    from .tree_util import tree_map

    return tree_map(lambda leaf: leaf.block_until_ready() if hasattr(leaf, "block_until_ready") else leaf, x)
