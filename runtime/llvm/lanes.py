"""Vectors in memory and in registers: loading, reversing and combining their lanes."""

from __future__ import annotations

from typing import Any

from .builder import Builder, Value
from .loops import Frame
from .types import BOOL, Element


def reversal(kind: str, name: str, width: int) -> str:
    """The instruction that reverses the lanes of a vector."""
    order = ", ".join(f"i32 {k}" for k in range(width - 1, -1, -1))
    return f"shufflevector {kind} {name}, {kind} undef, <{width} x i32> <{order}>"


def loaded(elem: Element, address: str, b: Builder, coef: int) -> Value:
    """The vector, or scalar, at an address; backwards if ``coef`` is -1."""
    kind = f"<{b.width} x {elem.memory}>" if b.width > 1 else elem.memory
    value = b.emit(f"load {kind}, ptr {address}, align {elem.alignment}", elem)
    if coef == -1 and b.width > 1:
        value = b.emit(reversal(kind, value.name, b.width), elem)
    return from_memory(value, b)


def from_memory(value: Value, b: Builder) -> Value:
    """A value as it is in registers: booleans take a byte in memory."""
    if value.elem is not BOOL:
        return value
    kind = f"<{b.width} x i8>" if b.width > 1 else "i8"
    zero = "zeroinitializer" if b.width > 1 else "0"
    return b.emit(f"icmp ne {kind} {value.name}, {zero}", BOOL)


def horizontal(frame: Frame, lanes: Value, combine: Any) -> Value:
    """Combines the lanes of a vector, halving it."""
    while lanes.width > 1:
        half = lanes.width // 2
        b = frame.builder(half)
        low = ", ".join(f"i32 {k}" for k in range(half))
        high = ", ".join(f"i32 {k}" for k in range(half, lanes.width))
        if half == 1:
            x = b.emit(f"extractelement {lanes.type} {lanes.name}, i32 0", lanes.elem)
            y = b.emit(f"extractelement {lanes.type} {lanes.name}, i32 1", lanes.elem)
        else:
            mask = f"<{half} x i32>"
            x = b.emit(
                f"shufflevector {lanes.type} {lanes.name}, {lanes.type} undef, {mask} <{low}>", lanes.elem
            )
            y = b.emit(
                f"shufflevector {lanes.type} {lanes.name}, {lanes.type} undef, {mask} <{high}>", lanes.elem
            )
        lanes = combine(b, x, y)
    return lanes
