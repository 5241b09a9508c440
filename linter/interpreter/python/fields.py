"""What `dataclasses.field` and its like are given, as a value of a class body."""

from __future__ import annotations

from typing import NamedTuple

from ...domain import UNKNOWN, ExternalValue, MethodValue, TupleValue, Value

_FIELD = ExternalValue("descriptor.field")


class Field(NamedTuple):
    """The arguments of `field`.

    Args:
        default: the value of an object that is given no other.
        static: whether it is structure, no leaf of a pytree.
        factory: what makes a default for each object; `NONE` if nothing does.
        compared: whether it takes part in comparisons; no constant where that is not known.
        hashed: whether it takes part in the hash; None for the same as in comparisons.
    """

    default: Value
    static: Value
    factory: Value
    compared: Value
    hashed: Value

    @property
    def value(self) -> Value:
        """What `field` gives, which stands in the class body."""
        return MethodValue(_FIELD, TupleValue(tuple(self)))


def as_field(value: Value | None) -> Field | None:
    """What `field` was given, if a value of a class body is what it gave."""
    if not isinstance(value, MethodValue) or value.function != _FIELD:
        return None
    given = value.receiver
    return Field(*given.items) if isinstance(given, TupleValue) else Field(*[UNKNOWN] * 5)
