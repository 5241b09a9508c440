"""Applying primitives by name, for the rules of other primitives: ``from .apply import mul, neg``.

A name is looked up when it is applied, so families may speak of each other in any order. A trailing underscore is
dropped: ``and_`` applies the primitive ``and``. Two names that rules need often are functions of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import Literal, Value, get_aval, literal, primitives
from .shape import broadcast


def _application(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    key = name.rstrip("_")

    def apply(*args: Value, **params: Any) -> Any:
        return primitives[key].bind(*args, **params)

    apply.__name__ = name
    return apply


__getattr__: Callable[[str], Any] = _application


def number(value: float, like: Value) -> Literal:
    """The constant `value`, of the type of `like`; weak beside weak scalars alone, as in JAX."""
    aval = get_aval(like)
    return literal(value, aval.dtype, aval.weak_type and not aval.shape)


def exactly(value: float, like: Value) -> Literal:
    """The constant `value`, of the type of `like`, weak if that is."""
    aval = get_aval(like)
    return literal(value, aval.dtype, aval.weak_type)


def where(condition: Value, x: Value, y: Value) -> Value:
    """`x` where the condition holds, else `y`; scalars stand for arrays."""
    shape = max((get_aval(v).shape for v in (condition, x, y)), key=len)
    cases = (broadcast(y, shape), broadcast(x, shape))
    return primitives["select_n"].bind(condition, *cases)
