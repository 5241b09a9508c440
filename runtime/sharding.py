"""`jax.sharding`: the vocabulary of one device."""

from __future__ import annotations

import enum
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from .arrays.cpu import CPU, CpuDevice, Sharding, SingleDeviceSharding

if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "AbstractMesh",
    "AxisType",
    "ManualAxisType",
    "Mesh",
    "NamedSharding",
    "PartitionSpec",
    "PositionalSharding",
    "Sharding",
    "SingleDeviceSharding",
    "auto_axes",
    "explicit_axes",
    "get_abstract_mesh",
    "get_mesh",
    "make_mesh",
    "make_single_device_sharding",
    "reshard",
    "set_mesh",
    "use_abstract_mesh",
]


class AxisType(enum.Enum):
    """How arrays are split over an axis of a mesh; without effect on one device."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


class _Unconstrained:
    def __repr__(self) -> str:
        return "UNCONSTRAINED"


class DuplicateSpecError(Exception):
    """A specification that splits two axes of an array over one axis of a mesh."""


class PartitionSpec:
    """Which mesh axes the axes of an array are split over."""

    UNCONSTRAINED = _Unconstrained()

    __slots__ = ("_partitions", "reduced", "unreduced")

    def __init__(
        self, *partitions: Any, unreduced: Iterable[Any] = frozenset(), reduced: Iterable[Any] = frozenset()
    ) -> None:
        # An axis that is named alone is the same as a tuple of one name.
        self._partitions = tuple(p[0] if isinstance(p, tuple) and len(p) == 1 else p for p in partitions)
        self.unreduced, self.reduced = frozenset(unreduced), frozenset(reduced)
        for kind, axes in (("unreduced", self.unreduced), ("reduced", self.reduced)):
            if axes & set(self.names):
                raise ValueError(
                    f"partitions cannot overlap with {kind} axes passed to PartitionSpec. Got partitions: "
                    f"{self._partitions} and {kind} axes: {axes}"
                )

    def update(self, **kwargs: Any) -> PartitionSpec:
        """The same with some of its parts replaced."""
        parts: dict[str, Any] = {"unreduced": self.unreduced, "reduced": self.reduced} | kwargs
        return PartitionSpec(*parts.pop("partitions", self._partitions), **parts)

    def index(self, value: Any) -> int:
        return self._partitions.index(value)

    def count(self, value: Any) -> int:
        return self._partitions.count(value)

    def _key(self) -> tuple[Any, ...]:
        return self._partitions, self.unreduced, self.reduced

    def __repr__(self) -> str:
        named = (("unreduced", self.unreduced), ("reduced", self.reduced))
        sets = "".join(f", {kind}={set(axes)}" for kind, axes in named if axes)
        return f"P({', '.join(map(repr, self._partitions))}{sets})" if sets else f"P{self._partitions!r}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __len__(self) -> int:
        return len(self._partitions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._partitions)

    def __getitem__(self, index: Any) -> Any:
        return self._partitions[index]

    def __add__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*self, *other)

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _partition_spec, self._key()

    @property
    def names(self) -> list[Any]:
        """All mesh axes that it speaks of."""
        parts = [p if isinstance(p, tuple) else (p,) for p in self if p is not None]
        return [name for part in parts for name in part if name is not self.UNCONSTRAINED]


def _partition_spec(partitions: Any, unreduced: Any, reduced: Any) -> PartitionSpec:
    return PartitionSpec(*partitions, unreduced=unreduced, reduced=reduced)


class _Axes:
    """What meshes of devices and those without have in common: named axes and their types."""

    axis_names: tuple[Any, ...]
    axis_types: tuple[AxisType, ...]
    shape: OrderedDict[Any, int]

    def _name(self, axis_sizes: Sequence[int], axis_names: Any, axis_types: Any) -> None:
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if len(axis_sizes) != len(names):
            raise ValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument "
                f"(`axis_names`), but got devices.ndim == {len(axis_sizes)} and len(axis_names) == {len(names)}."
            )
        self.axis_names, self.shape = names, OrderedDict(zip(names, axis_sizes))
        types = (axis_types,) if isinstance(axis_types, AxisType) else axis_types
        self.axis_types = tuple(types or (AxisType.Auto,) * len(names))

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        return tuple(self.shape.values())

    @property
    def size(self) -> int:
        size = 1
        for length in self.axis_sizes:
            size *= length
        return size

    @property
    def shape_tuple(self) -> tuple[tuple[Any, int], ...]:
        return tuple(self.shape.items())

    @property
    def empty(self) -> bool:
        return not self.axis_names

    @property
    def is_scalar(self) -> bool:
        return False

    def _of_type(self, wanted: AxisType) -> tuple[Any, ...]:
        return tuple(name for name, kind in zip(self.axis_names, self.axis_types) if kind is wanted)

    auto_axes = property(lambda self: self._of_type(AxisType.Auto))
    explicit_axes = property(lambda self: self._of_type(AxisType.Explicit))
    manual_axes = property(lambda self: self._of_type(AxisType.Manual))
    are_all_axes_auto = property(lambda self: all(kind is AxisType.Auto for kind in self.axis_types))
    are_all_axes_explicit = property(lambda self: all(kind is AxisType.Explicit for kind in self.axis_types))
    are_all_axes_manual = property(lambda self: all(kind is AxisType.Manual for kind in self.axis_types))

    def _axes(self) -> str:
        return ", ".join(
            [*(f"{name!r}: {n}" for name, n in self.shape.items()), f"axis_types={self.axis_types}"]
        )

    def _key(self) -> tuple[Any, ...]:
        return type(self), tuple(self.shape.items()), self.axis_types

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Axes) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Mesh(_Axes):
    """Named axes over devices; here each has length 1."""

    def __init__(self, devices: Any, axis_names: Any, axis_types: Any = None) -> None:
        import numpy

        self.devices = numpy.array(devices, object)
        self._name(
            (0,) * len(tuple(axis_names)) if not self.devices.size else self.devices.shape,
            axis_names,
            axis_types,
        )

    @property
    def device_ids(self) -> Any:
        import numpy

        return numpy.zeros(self.devices.shape, int)

    @property
    def local_mesh(self) -> Mesh:
        return self

    @property
    def local_devices(self) -> list[Any]:
        return list(self.devices.flat)

    is_multi_process = False

    @property
    def abstract_mesh(self) -> AbstractMesh:
        return AbstractMesh(self.axis_sizes, self.axis_names, self.axis_types, device_kind="cpu")

    def update(self, devices: Any = None, axis_names: Any = None, axis_types: Any = None) -> Mesh:
        """The same mesh with some of its parts replaced."""
        return Mesh(
            self.devices if devices is None else devices,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
        )

    def __str__(self) -> str:
        return f"Mesh({self._axes() if self.axis_names else ''})"

    def __repr__(self) -> str:
        if not self.axis_names:
            return str(self)
        return (
            f"Mesh(axis_sizes={self.axis_sizes}, axis_names={self.axis_names}, axis_types={self.axis_types})"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None


class AbstractMesh(_Axes):
    """Named axes without devices."""

    def __init__(
        self,
        axis_sizes: Sequence[int],
        axis_names: Any,
        axis_types: Any = None,
        *,
        device_kind: str | None = None,
    ) -> None:
        self._name(tuple(axis_sizes), axis_names, axis_types)
        self._device_kind = device_kind

    @property
    def abstract_mesh(self) -> AbstractMesh:
        return self

    def update(
        self, axis_sizes: Any = None, axis_names: Any = None, axis_types: Any = None, **devices: Any
    ) -> AbstractMesh:
        """The same mesh with some of its parts replaced."""
        return AbstractMesh(
            self.axis_sizes if axis_sizes is None else axis_sizes,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
            device_kind=self._device_kind,
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("devices", "device_ids", "local_mesh", "local_devices", "is_multi_process"):
            raise ValueError(f"AbstractMesh does not implement {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        kind = (
            self._device_kind
            and f", device_kind={self._device_kind}, num_cores=None, platform={self._device_kind}"
        )
        return f"AbstractMesh({self._axes() if self.axis_names else '(), axis_types=()'}{kind or ''})"


class NamedSharding(Sharding):
    """Split over the axes of a mesh.

    Raises TypeError for what is no specification, ValueError for one of other axes than the mesh has, and
    DuplicateSpecError for one that names an axis twice.
    """

    def __init__(
        self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *, memory_kind: str | None = None
    ) -> None:
        if not isinstance(spec, PartitionSpec):
            raise TypeError(
                f"Unexpected type {type(spec)} for `spec` in NamedSharding: expected a `PartitionSpec`, got {spec!r}"
            )
        names = spec.names
        for name in names:
            if name not in mesh.axis_names:
                raise ValueError(
                    f"Resource axis: {name} of {spec!r} is not found in mesh: {tuple(mesh.axis_names)}."
                )
        if len(set(names)) != len(names):
            raise DuplicateSpecError(
                f"A single NamedSharding spec specification can map every mesh axis to at most one positional dimension, "
                f"but {spec!r} has duplicate entries"
            )
        self.mesh, self.spec = mesh, spec
        if memory_kind is not None:
            self.memory_kind = CPU.memory(memory_kind).kind
        elif isinstance(mesh, AbstractMesh):
            self.memory_kind = None

    def update(
        self, *, mesh: Mesh | None = None, spec: Any = None, memory_kind: str | None = None
    ) -> NamedSharding:
        """The same sharding with another mesh or specification."""
        spec = (
            self.spec if spec is None else spec if isinstance(spec, PartitionSpec) else PartitionSpec(*spec)
        )
        kind = self.memory_kind if memory_kind is None else memory_kind
        return NamedSharding(self.mesh if mesh is None else mesh, spec, memory_kind=kind)

    def check_rank(self, shape: Sequence[int]) -> None:
        if len(self.spec) > len(shape):
            raise ValueError(
                f"Sharding {self!r} is only valid for values of rank at least {len(self.spec)}, but was applied to a value "
                f"of rank {len(shape)}."
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedSharding) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        return self.mesh, self.spec, self.memory_kind

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        kind = "" if self.memory_kind is None else f", memory_kind={self.memory_kind}"
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec!r}{kind})"


class PositionalSharding(Sharding):
    """Split over devices by position."""

    def __init__(self, devices: Any, **options: Any) -> None:
        self.devices = devices


def make_mesh(
    axis_shapes: Sequence[int],
    axis_names: Sequence[Any],
    axis_types: Any = None,
    *,
    devices: Sequence[CpuDevice] | None = None,
) -> Mesh:
    """A mesh of one device. Raises ValueError for more, and where sizes and names differ in number."""
    import numpy

    if any(n != 1 for n in axis_shapes):
        raise ValueError(
            f"Number of devices {1 if devices is None else len(devices)} must be >= the product of mesh_shape {tuple(axis_shapes)}"
        )
    types = axis_types or (AxisType.Explicit,) * len(tuple(axis_names))
    return Mesh(numpy.array(CPU, object).reshape((1,) * len(axis_shapes)), axis_names, types)


_current: list[Mesh | None] = [None]


class set_mesh(AbstractContextManager["Mesh | None"]):
    """Make a mesh the current one, until the end of a ``with`` block if it is used in one."""

    def __init__(self, mesh: Mesh | None) -> None:
        if mesh is not None and not isinstance(mesh, _Axes):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        self._before, _current[0] = _current[0], mesh

    def __enter__(self) -> Mesh | None:
        return _current[0]

    def __exit__(self, *exception: object) -> None:
        _current[0] = self._before


def get_mesh() -> Mesh:
    """The current mesh; one without axes if none was set."""
    return _current[0] or Mesh([], ())


def get_abstract_mesh() -> AbstractMesh:
    """The current mesh without its devices; one without axes if none was set."""
    return get_mesh().abstract_mesh if _current[0] is not None else AbstractMesh((), ())


use_abstract_mesh = set_mesh


def reshard(xs: Any, out_shardings: Any) -> Any:
    """The arrays, split in another way: on one device, the arrays as they are."""
    from .arrays.array import asarray
    from .pytree.mapping import tree_map

    return tree_map(asarray, xs)


@dataclass(frozen=True)
class ManualAxisType:
    """Over which axes of a mesh an array differs, or is yet to be summed."""

    varying: frozenset[Any] = frozenset()
    unreduced: frozenset[Any] = frozenset()
    reduced: frozenset[Any] = frozenset()


def make_single_device_sharding(device: CpuDevice, *, memory_kind: str | None = None) -> SingleDeviceSharding:
    """On one device."""
    return SingleDeviceSharding(device, memory_kind=memory_kind)


def auto_axes(f: Any = None, /, *, axes: Any = None, out_sharding: Any = None) -> Any:
    """`f`, in which axes of the mesh are split as is best; it may be given the sharding of its result when it is called."""
    if f is None:
        return partial(auto_axes, axes=axes, out_sharding=out_sharding)

    @wraps(f)
    def wrapped(*args: Any, out_sharding: Any = None, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapped


def explicit_axes(f: Any = None, /, *, axes: Any = None, in_sharding: Any = None) -> Any:
    """`f`, in which axes of the mesh are split as types say; it may be given the sharding of its arguments."""
    if f is None:
        return partial(explicit_axes, axes=axes, in_sharding=in_sharding)

    @wraps(f)
    def wrapped(*args: Any, in_sharding: Any = None, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapped
