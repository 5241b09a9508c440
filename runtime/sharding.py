"""`jax.sharding`: the vocabulary of one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self


class PartitionSpec(tuple[Any, ...]):
    """Which mesh axes the axes of an array are split over."""

    def __new__(cls, *partitions: Any) -> Self:
        return super().__new__(cls, partitions)

    def __repr__(self) -> str:
        return f"PartitionSpec{tuple(self)!r}"


class Mesh:
    """Named axes over devices; here each has length 1."""

    def __init__(self, devices: Any, axis_names: Sequence[Any], **options: Any) -> None:
        self.devices, self.axis_names = devices, tuple(axis_names)

    @property
    def shape(self) -> dict[Any, int]:
        return dict.fromkeys(self.axis_names, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None


class Sharding:
    """Where an array lives."""

    @property
    def is_fully_replicated(self) -> bool:
        return True


class SingleDeviceSharding(Sharding):
    """On one device."""

    def __init__(self, device: Any = None, **options: Any) -> None:
        self.device = device


class NamedSharding(Sharding):
    """Split over the axes of a mesh."""

    def __init__(self, mesh: Mesh, spec: PartitionSpec, **options: Any) -> None:
        self.mesh, self.spec = mesh, spec


class PositionalSharding(Sharding):
    """Split over devices by position."""

    def __init__(self, devices: Any, **options: Any) -> None:
        self.devices = devices


def make_mesh(axis_shapes: Sequence[int], axis_names: Sequence[Any], **options: Any) -> Mesh:
    """A mesh of one device. Raises ValueError for more."""
    from .cpu import devices

    if any(n != 1 for n in axis_shapes):
        raise ValueError(
            f"Number of devices {len(devices())} must be >= the product of mesh_shape {tuple(axis_shapes)}"
        )
    return Mesh(devices(), axis_names)
