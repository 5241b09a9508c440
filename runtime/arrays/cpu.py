"""The one device there is: the processor that runs Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from ..core import current_trace
from ..pytree.definition import tree_flatten, tree_leaves
from .array import ArrayImpl


class CpuDevice:
    """``jax.devices()[0]`` on a machine without accelerators."""

    id = process_index = host_id = task_id = local_hardware_id = 0
    platform = "cpu"
    device_kind = "cpu"

    @property
    def client(self) -> Any:
        from ..extend.backend import get_backend

        return get_backend()

    def default_memory(self) -> Memory:
        return self.memory("device")

    def memory(self, kind: str) -> Memory:
        """The memory of a kind. Raises ValueError for a kind that there is not."""
        if kind not in _MEMORIES:
            raise ValueError(
                f"Could not find memory addressable by device cpu. Device cpu can address the following memory kinds: "
                f"{', '.join(_MEMORIES)}. Got memory kind: {kind}"
            )
        return Memory(kind)

    def addressable_memories(self) -> list[Memory]:
        return [Memory(kind) for kind in _MEMORIES]

    def memory_stats(self) -> None:
        """None, as for every CPU."""

    def live_buffers(self) -> list[Any]:
        return live_arrays()

    def __repr__(self) -> str:
        return "CpuDevice(id=0)"

    def __str__(self) -> str:
        return "cpu:0"


CPU = CpuDevice()
_MEMORIES = ("device", "pinned_host", "unpinned_host")  # Three names of one memory.


class Memory:
    """A kind of memory that the device reaches."""

    platform = "cpu"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def addressable_by_devices(self) -> list[CpuDevice]:
        return [CPU]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and self.kind == other.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def __repr__(self) -> str:
        return f"CPU_{self.kind.upper()}_{_MEMORIES.index(self.kind)}"


class Sharding:
    """Where an array lies. All of it is on the one device."""

    memory_kind: str | None = "device"
    is_fully_replicated = is_fully_addressable = has_addressable_devices = True
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

    check_compatible_aval = check_rank

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Whether both put arrays in the same place: there is one device, so the memory decides."""
        return self.memory_kind == other.memory_kind

    def with_memory_kind(self, kind: str) -> Any:
        """The same sharding in another memory. Raises ValueError for a kind that there is not."""
        CPU.memory(kind)
        out = copy(self)
        out.memory_kind = kind
        return out

    def devices_indices_map(self, global_shape: Sequence[int]) -> dict[CpuDevice, tuple[slice, ...]]:
        """Which part lies on which device."""
        return {CPU: (slice(None),) * len(global_shape)}

    addressable_devices_indices_map = devices_indices_map


class SingleDeviceSharding(Sharding):
    """On one device."""

    def __init__(self, device: CpuDevice = CPU, *, memory_kind: str | None = None) -> None:
        self._device = device
        if memory_kind is not None:
            self.memory_kind = CPU.memory(memory_kind).kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding) and self.memory_kind == other.memory_kind

    def __hash__(self) -> int:
        return hash((SingleDeviceSharding, self.memory_kind))

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


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[CpuDevice]:
    """The devices of a process. Raises ValueError for a process other than this one."""
    index = host_id if process_index is None else process_index
    if index not in (None, 0):
        raise ValueError(f"Unknown process_index {index}")
    return devices(backend)


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None
) -> Any:
    """The leaves of a tree as arrays of the one device, which say where they were put.

    `device` may be a tree of devices, shardings, formats and kinds of memory, of which that of `x` may have more. Raises ValueError for anything else.
    """
    from ..tree_util import tree_map

    if device is None:
        return tree_map(current_trace().stage_value, x)
    if _is_place(device):
        return tree_map(lambda leaf: _put(leaf, device), x)
    from ..pytree.mapping import broadcast_prefix

    leaves, tree = tree_flatten(x)
    places = broadcast_prefix(device, x, is_leaf=lambda place: place is None or _is_place(place))
    return tree.unflatten([_put(leaf, place) for leaf, place in zip(leaves, places, strict=True)])


def _is_place(device: Any) -> bool:
    """Whether it says where an array is to be put."""
    return isinstance(device, (CpuDevice, Sharding)) or hasattr(device, "placed_sharding")


def _put(x: Any, device: Any) -> Any:
    if hasattr(device, "placed_sharding"):
        device = device.placed_sharding(getattr(x, "sharding", None))
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
