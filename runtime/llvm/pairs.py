"""Complex numbers in registers: words that hold two reals, and the arithmetic on these.

In memory, and wherever they are only moved, they are integers of twice the size. Words are taken apart where something is
computed; the parts of what was put together before are known, so between two operations neither is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .builder import Builder, Value
    from .types import Element


class Pair(NamedTuple):
    """The real and the imaginary part."""

    real: Value
    imag: Value


def split(b: Builder, word: Value) -> Pair:
    """The parts of complex numbers."""
    known = b.module.pairs.get((word.elem.bits, word.name))
    if known is not None:
        return Pair(*(part._replace(width=b.width) for part in known))
    part = word.elem.part
    assert part is not None
    kind = f"<{2 * b.width} x {part.llvm}>"
    both = b.emit(f"bitcast {word.type} {word.name} to {kind}", part).name
    if b.width == 1:
        return Pair(*(b.emit(f"extractelement {kind} {both}, i32 {k}", part) for k in (0, 1)))
    return Pair(*(b.emit(_lanes(kind, both, both, range(k, 2 * b.width, 2)), part) for k in (0, 1)))


def joined(b: Builder, elem: Element, *parts: Value) -> Value:
    """The complex numbers of a real and an imaginary part."""
    real, imag = parts
    part, width = real.elem, b.width
    kind = f"<{2 * width} x {part.llvm}>"
    if width == 1:
        first = b.emit(f"insertelement {kind} undef, {real.type} {real.name}, i32 0", part).name
        both = b.emit(f"insertelement {kind} {first}, {imag.type} {imag.name}, i32 1", part).name
    else:
        order = [k + shift for k in range(width) for shift in (0, width)]
        both = b.emit(_lanes(real.type, real.name, imag.name, order), part).name
    word = b.emit(f"bitcast {kind} {both} to {b.type(elem)}", elem)
    b.module.pairs[elem.bits, word.name] = Pair(real, imag)
    return word


def _lanes(kind: str, x: str, y: str, order: range | list[int]) -> str:
    lanes = ", ".join(f"i32 {k}" for k in order)
    return f"shufflevector {kind} {x}, {kind} {y}, <{len(order)} x i32> <{lanes}>"


def add(b: Builder, x: Value, y: Value) -> Value:
    (a, c), (d, e) = split(b, x), split(b, y)
    return joined(b, x.elem, b.add(a, d), b.add(c, e))


def sub(b: Builder, x: Value, y: Value) -> Value:
    (a, c), (d, e) = split(b, x), split(b, y)
    return joined(b, x.elem, b.sub(a, d), b.sub(c, e))


def mul(b: Builder, x: Value, y: Value) -> Value:
    (a, c), (d, e) = split(b, x), split(b, y)
    real = b.fma(a, d, b.neg(b.mul(c, e)))
    return joined(b, x.elem, real, b.fma(c, d, b.mul(a, e)))
