"""The one device there is: the processor that runs Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core import current_trace
from ..pytree.definition import tree_flatten, tree_leaves
from .array import ArrayImpl


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


class Sharding:
    """Where an array lies. All of it is on the one device."""

    memory_kind = "device"
    is_fully_replicated = is_fully_addressable = True
    num_devices = 1

    @property
    def device_set(self) -> set[CpuDevice]:
        return {CPU}

    addressable_devices = device_set

    def shard_shape(self, global_shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of the part on one device."""
        self.check_rank(global_shape)
        return tuple(global_shape)

    def check_rank(self, shape: Sequence[int]) -> None:
        """Raises ValueError for a shape with too few axes."""

    def devices_indices_map(self, global_shape: Sequence[int]) -> dict[CpuDevice, tuple[slice, ...]]:
        """Which part lies on which device."""
        return {CPU: (slice(None),) * len(global_shape)}

    addressable_devices_indices_map = devices_indices_map


class SingleDeviceSharding(Sharding):
    """On one device."""

    def __init__(self, device: CpuDevice = CPU, *, memory_kind: str | None = None) -> None:
        self._device = device

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding)

    def __hash__(self) -> int:
        return hash(SingleDeviceSharding)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


class Shard:
    """The part of an array that lies on one device: all of it."""

    device, replica_id = CPU, 0

    def __init__(self, data: Any) -> None:
        self.data = data
        self.index = (slice(None),) * data.ndim

    def __repr__(self) -> str:
        return f"Shard(device={self.device!r}, index={self.index}, replica_id=0, data={self.data})"


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
    """The leaves of a tree as arrays of the one device, which say where they were put.

    `device` may be a tree of devices and shardings, of which that of `x` may have more. Raises ValueError for anything else.
    """
    from ..tree_util import tree_map

    if device is None:
        return tree_map(current_trace().stage_value, x)
    if isinstance(device, (CpuDevice, Sharding)):
        return tree_map(lambda leaf: _put(leaf, device), x)
    from ..pytree.mapping import broadcast_prefix

    leaves, tree = tree_flatten(x)
    places = broadcast_prefix(device, x, is_leaf=lambda place: place is None)
    return tree.unflatten([_put(leaf, place) for leaf, place in zip(leaves, places, strict=True)])


def _put(x: Any, device: Any) -> Any:
    if not (device is None or isinstance(device, (CpuDevice, Sharding))):
        raise ValueError(
            "device_put device specification must be a tree prefix of the corresponding value, got specification "
            f"{device!r}: its leaves must be devices or shardings"
        )
    value = current_trace().stage_value(x)
    if isinstance(device, CpuDevice):
        device = SingleDeviceSharding(device)
    if isinstance(device, Sharding):
        device.check_rank(value.shape)
        return placed(value, device)
    return value


def placed(value: Any, sharding: Sharding) -> Any:
    """An array that says where it was put; tracers are as they are."""
    if not isinstance(value, ArrayImpl):
        return value
    out = ArrayImpl(value._buffer(), value.aval)
    out._placed = sharding
    return out


def device_get(x: Any) -> Any:
    """The leaves of a tree as NumPy arrays; tracers stay what they are."""
    import numpy

    from ..tree_util import tree_map

    return tree_map(lambda leaf: numpy.asarray(leaf) if isinstance(leaf, ArrayImpl) else leaf, x)


def copy_to_host_async(x: Any) -> Any:
    """The tree itself: its arrays are in the memory of the host."""
    return x


def live_arrays(platform: str | None = None) -> list[Any]:
    """All arrays that have not been deleted."""
    import gc

    return [value for value in gc.get_objects() if type(value) is ArrayImpl and not value.is_deleted()]


def process_index(backend: str | None = None) -> int:
    return 0


def process_count(backend: str | None = None) -> int:
    return 1


def process_indices(backend: str | None = None) -> list[int]:
    return [0]


@contextmanager
def transfer_guard(new_val: str) -> Iterator[None]:
    """Context manager. Raises NotImplementedError for a guard that forbids transfers: host and device are one here."""
    if new_val not in ("allow", "log", "log_explicit"):
        raise NotImplementedError(
            f"jax.transfer_guard({new_val!r}): this runtime keeps all arrays in the memory of the host and has no transfers"
        )
    yield


def block_until_ready(x: Any) -> Any:
    """The tree itself: results are ready when they are returned."""
    if isinstance(x, ArrayImpl):
        return x.block_until_ready()
    for leaf in tree_leaves(x):
        if hasattr(leaf, "block_until_ready"):
            leaf.block_until_ready()
    return x
