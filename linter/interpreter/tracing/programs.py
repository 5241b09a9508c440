"""What a compiled call is known by: a later call that may be known by the same finds its program, and runs no Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from ...domain import (
    Array,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    PartialValue,
    Shape,
    Static,
    TransformedValue,
    Value,
)
from ...records import record
from .traces import number_dtype, number_shape

_TOLD_APART = (
    Const, InstanceValue, ClassValue, FunctionValue, MethodValue, TransformedValue, PartialValue, ExternalValue,
)  # fmt: skip
"""Static values of which it is known whether they are equal."""

Seen: TypeAlias = "Value | tuple[Shape, str | None] | None"
"""What the cache sees of an argument: a static value, or shape and dtype; None where that is not known."""


@record(frozen=True, slots=True)
class Program:
    """What a call finds or makes: the number of the compiled function, and what the cache sees of the arguments by name."""

    serial: int
    seen: tuple[tuple[str, Seen], ...] = ()

    def may_be(self, other: Program) -> bool:
        """Whether two calls may run one program."""
        if self.serial != other.serial:
            return False
        before, now = dict(self.seen), dict(other.seen)
        return not any(_differ(before[name], now[name]) for name in before.keys() & now.keys())


def seen_by_cache(given: Iterable[tuple[str, Value, bool]]) -> tuple[tuple[str, Seen], ...]:
    """What the cache sees of arguments: each with its name, and whether it is static."""
    return tuple((name, _static(value) if static else _traced(value)) for name, value, static in given)


def _static(value: Value) -> Seen:
    return value if isinstance(value, _TOLD_APART) else None


def _traced(value: Value) -> Seen:
    if isinstance(value, Array):
        return value.shape, value.dtype
    if isinstance(value, Static) and value.kind == "ndarray":
        return value.shape, None
    dtype = number_dtype(value)
    return (number_shape(value), dtype) if dtype is not None else None


def _differ(before: Seen, now: Seen) -> bool:
    """Whether the cache surely tells two arguments apart."""
    if isinstance(before, tuple) and isinstance(now, tuple):
        return _shapes_differ(before[0], now[0]) or (None not in (before[1], now[1]) and before[1] != now[1])
    if isinstance(before, PartialValue) and isinstance(now, PartialValue):
        return before is not now  # though they are made of the same parts
    return isinstance(before, Value) and isinstance(now, Value) and before != now


def _shapes_differ(one: Shape, other: Shape) -> bool:
    if one is None or other is None:
        return False
    return len(one) != len(other) or any(
        a != b and None not in (a, b) for a, b in zip(one, other, strict=True)
    )
