"""`jax.sharding`: the vocabulary of one device."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self


class AxisType(enum.Enum):
    """How arrays are split over an axis of a mesh; without effect on one device."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


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
        self.axis_types = options.get("axis_types") or (AxisType.Auto,) * len(self.axis_names)

    @property
    def size(self) -> int:
        return 1

    @property
    def empty(self) -> bool:
        return not self.axis_names

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

    def update(self, *, mesh: Mesh | None = None, spec: Any = None, **options: Any) -> NamedSharding:
        """The same sharding with another mesh or specification."""
        spec = (
            self.spec if spec is None else spec if isinstance(spec, PartitionSpec) else PartitionSpec(*spec)
        )
        return NamedSharding(self.mesh if mesh is None else mesh, spec)


class PositionalSharding(Sharding):
    """Split over devices by position."""

    def __init__(self, devices: Any, **options: Any) -> None:
        self.devices = devices


def make_mesh(axis_shapes: Sequence[int], axis_names: Sequence[Any], **options: Any) -> Mesh:
    """A mesh of one device. Raises ValueError for more."""
    from .arrays.cpu import devices

    if any(n != 1 for n in axis_shapes):
        raise ValueError(
            f"Number of devices {len(devices())} must be >= the product of mesh_shape {tuple(axis_shapes)}"
        )
    return Mesh(devices(), axis_names, axis_types=options.get("axis_types"))


_current: list[Mesh | None] = [None]


class set_mesh(AbstractContextManager["Mesh | None"]):
    """Make a mesh the current one, until the end of a ``with`` block if it is used in one."""

    def __init__(self, mesh: Mesh | None) -> None:
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        self._before, _current[0] = _current[0], mesh

    def __enter__(self) -> Mesh | None:
        return _current[0]

    def __exit__(self, *exception: object) -> None:
        _current[0] = self._before


def get_mesh() -> Mesh:
    """The current mesh; one without axes if none was set."""
    return _current[0] or Mesh([], ())


def reshard(xs: Any, out_shardings: Any) -> Any:
    """The arrays, split in another way: on one device, the arrays as they are."""
    from .arrays.array import asarray
    from .pytree.mapping import tree_map

    return tree_map(asarray, xs)
