"""Abstract values: what tracing knows of an array before there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from ..dtypes import FLOAT0, DType, as_dtype

Shape: TypeAlias = tuple[int, ...]


class AbstractValue:
    """What tracing knows of a value: of an array, or of a reference to one."""

    __slots__ = ()


class ShapedArray(AbstractValue):
    """What tracing knows of an array: shape, element type, and whether the type is weak, as that of a Python scalar.

    Each exists once, so avals are compared by identity.
    """

    __slots__ = ("__weakref__", "dtype", "shape", "weak_type")
    shape: Shape
    dtype: DType
    weak_type: bool

    _all: ClassVar[dict[tuple[Shape, str, bool], ShapedArray]] = {}

    def __new__(  # noqa: PYI034
        cls,
        shape: Sequence[int],
        dtype: Any,
        weak_type: bool = False,
        *,
        sharding: Any = None,
        manual_axis_type: Any = None,
        memory_space: Any = None,
    ) -> ShapedArray:
        """The one aval of this kind. Where the array is, `sharding` and the like, makes no difference here."""
        return shaped_array(tuple(shape), as_dtype(dtype), bool(weak_type))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def sharding(self) -> Any:
        """Where the axes are split: nowhere, on the one device that there is."""
        from ..sharding import AbstractMesh, NamedSharding, PartitionSpec

        return NamedSharding(AbstractMesh((), ()), PartitionSpec(*(None,) * len(self.shape)))

    @property
    def memory_space(self) -> Any:
        from ..memory import Space

        return Space.Device

    def update(
        self,
        shape: Shape | None = None,
        dtype: DType | None = None,
        weak_type: bool | None = None,
        **where: Any,
    ) -> ShapedArray:
        """The same aval with some of its parts replaced."""
        return shaped_array(
            self.shape if shape is None else shape,
            self.dtype if dtype is None else dtype,
            self.weak_type if weak_type is None else weak_type,
        )

    def to_tangent_aval(self) -> ShapedArray:
        """The aval of tangents: the same for floats, ``float0`` for integers, booleans and keys."""
        return self if self.dtype.kind in "fc" else shaped_array(self.shape, FLOAT0, False)

    def str_short(self, short_dtypes: bool = False) -> str:
        """``float32[2,3]``, or ``f32[2,3]`` as jaxprs print it."""
        name = self.dtype.short if short_dtypes else self.dtype.name
        return f"{name}[{','.join(map(str, self.shape))}]"

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short()}{weak})"

    def __str__(self) -> str:
        return f"{'~' if self.weak_type else ''}{self.str_short()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return ShapedArray, (self.shape, self.dtype, self.weak_type)


def shaped_array(shape: Shape, dtype: DType, weak_type: bool = False) -> ShapedArray:
    """`ShapedArray` without conversions: the way in for the runtime's own code."""
    key = (shape, dtype.name, weak_type)
    aval = ShapedArray._all.get(key)
    if aval is None:
        aval = object.__new__(ShapedArray)
        aval.shape, aval.dtype, aval.weak_type = shape, dtype, weak_type
        aval = ShapedArray._all.setdefault(key, aval)
    return aval


class AbstractRef(AbstractValue):
    """What tracing knows of a reference to an array (`references.Ref`): what it knows of the array. Each exists once."""

    __slots__ = ("__weakref__", "inner_aval")
    inner_aval: ShapedArray

    _all: ClassVar[dict[ShapedArray, AbstractRef]] = {}

    def __new__(cls, inner_aval: ShapedArray, memory_space: Any = None, kind: Any = None) -> AbstractRef:  # noqa: PYI034
        known = cls._all.get(inner_aval)
        if known is None:
            known = object.__new__(cls)
            known.inner_aval = inner_aval
            known = cls._all.setdefault(inner_aval, known)
        return known

    @property
    def shape(self) -> Shape:
        return self.inner_aval.shape

    @property
    def dtype(self) -> DType:
        return self.inner_aval.dtype

    @property
    def weak_type(self) -> bool:
        return self.inner_aval.weak_type

    @property
    def ndim(self) -> int:
        return self.inner_aval.ndim

    @property
    def size(self) -> int:
        return self.inner_aval.size

    def update(self, **changes: Any) -> AbstractRef:
        """A reference to an array with some parts of its aval replaced."""
        return AbstractRef(self.inner_aval.update(**changes))

    def to_tangent_aval(self) -> AbstractRef:
        """The aval of a reference to tangents."""
        return AbstractRef(self.inner_aval.to_tangent_aval())

    def str_short(self, short_dtypes: bool = False) -> str:
        return f"Ref{{{self.inner_aval.str_short(short_dtypes)}}}"

    def __repr__(self) -> str:
        return self.str_short()

    def __reduce__(self) -> tuple[Any, ...]:
        return AbstractRef, (self.inner_aval,)
