"""``jax.experimental.hijax``: what libraries derive their own types and primitives from.

They may define them; binding such a primitive raises `MissingFunction`, since only arrays and references are traced here.
"""

from __future__ import annotations

from typing import Any, Generic, NoReturn, TypeVar

from ..arrays.avals import AbstractRef, AbstractValue, ShapedArray
from ..extend.absent import MissingFunction
from ..primitives.linear import Zero, instantiate, is_undefined_primal

__all__ = [
    "AbstractRef",
    "AbstractValue",
    "AvalMutableQDD",
    "AvalQDD",
    "HiPrimitive",
    "HiType",
    "MutableHiType",
    "ShapedArray",
    "VJPHiPrimitive",
    "Zero",
    "aval_method",
    "aval_property",
    "control_flow_allowed_effects",
    "instantiate_zeros",
    "is_undefined_primal",
    "register_hitype",
]

instantiate_zeros = instantiate
_T = TypeVar("_T")


class HiType(AbstractValue):
    """A type of values that are no arrays."""


class MutableHiType(HiType):
    """One whose values change."""


class HiPrimitive:
    """A primitive of such values."""

    multiple_results = False

    def __init__(self, name: str) -> None:
        self.name = name

    def bind(self, *args: Any, **params: Any) -> NoReturn:
        raise MissingFunction(f"jax.experimental.hijax.HiPrimitive.bind (of {self.name!r})")

    def __repr__(self) -> str:
        return self.name


class VJPHiPrimitive:
    """A primitive that is given by its rules."""

    def __call__(self, *args: Any) -> NoReturn:
        raise MissingFunction("jax.experimental.hijax.VJPHiPrimitive")


class AvalQDD:
    """A type with what changes of it while tracing."""

    def __init__(self, aval: Any, qdd: Any) -> None:
        self.aval, self.qdd = aval, qdd


class AvalMutableQDD(AvalQDD):
    """The same, as the tracer that changes it shows it."""

    def __init__(self, aval: Any, mutable_qdd: Any) -> None:
        self.aval, self.mutable_qdd = aval, mutable_qdd


class aval_method(Generic[_T]):
    """Marks a method of a type as one of the tracers of its values."""

    def __init__(self, fun: _T) -> None:
        self.fun = fun


class aval_property:
    """Marks a property of a type as one of the tracers of its values."""

    def __init__(self, fget: Any) -> None:
        self.fget = fget


class EffectTypes:
    """The types of effects that control flow may have."""

    def __init__(self) -> None:
        self._types: set[type] = set()

    def add_type(self, effect_type: type) -> None:
        self._types.add(effect_type)

    def contains(self, effect: Any) -> bool:
        return isinstance(effect, tuple(self._types))


control_flow_allowed_effects = EffectTypes()


def register_hitype(val_cls: type, typeof_fn: Any) -> None:
    """Tell how the type of a value of class `val_cls` is found."""
