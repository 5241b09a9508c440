"""Cumulative operations along the last axis: prefix combination inside each vector, carried from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import Builder, Value
from .engine import host
from .loops import Frame, loop
from .nest import Reducer
from .node import Leaf
from .scope import Scope
from .types import F16, F32, I64


class Prefix:
    """``target[r, k] = combine(source[r, 0..k])`` for all rows; from the end if ``backwards``."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, source: Leaf, target: Leaf, count: int, reducer: Reducer, backwards: bool) -> None:
        self.source, self.target, self.count = source, target, count
        self.reducer, self.backwards = reducer, backwards

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.source,)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.target,)

    @property
    def work(self) -> int:
        return self.target.size

    def emit(self, scope: Scope, frame: Frame) -> None:
        rows = self.source.size // self.count

        def row(inner: Frame, _: list[Value]) -> list[Value]:
            assert inner.position is not None
            b = inner.builder()
            start = b.mul(inner.position, b.const(I64, self.count))
            self._row(inner, start)
            return []

        loop(frame, rows, 1, [], row)

    def _row(self, frame: Frame, start: Value) -> None:
        elem = self.source.elem
        width = host().vector_bytes // elem.bytes if elem.kind != "b" else 1
        while width > self.count:
            width //= 2
        whole = self.count // width * width
        sums = F32 if elem is F16 else elem  # Sums of halves would stand still once they are large.
        carry = frame.builder().const(sums, self.reducer.identity(sums))
        for begin, end, step in ((0, whole, width), (whole, self.count, 1)):
            if begin == end:
                continue

            def body(inner: Frame, carried: list[Value], begin: int = begin, step: int = step) -> list[Value]:
                return [self._vector(inner, start, begin, step, carried[0])]

            (carry,) = loop(frame, end - begin, step, [carry], body)

    def _vector(self, frame: Frame, start: Value, begin: int, width: int, carry: Value) -> Value:
        assert frame.position is not None
        scalar, b = frame.builder(), frame.builder(width)
        elem = self.source.elem
        at = scalar.add(frame.position, scalar.const(I64, begin))
        if self.backwards:
            at = scalar.sub(scalar.const(I64, self.count - width), at)
        at = scalar.add(start, at)
        kind = f"<{width} x {elem.memory}>" if width > 1 else elem.memory
        where = [
            scalar.emit(f"getelementptr {elem.memory}, ptr {leaf.address}, i64 {at.name}", I64).name
            for leaf in (self.source, self.target)
        ]
        x = b.convert(b.emit(f"load {kind}, ptr {where[0]}, align {elem.alignment}", elem), carry.elem)
        shift = 1
        while shift < width:
            x = self.reducer.combine(b, self._shifted(b, x, shift), x)
            shift *= 2
        x = self.reducer.combine(b, b.splat(carry), x)
        stored = b.convert(x, elem)
        frame.lines.append(f"  store {kind} {stored.name}, ptr {where[1]}, align {elem.alignment}")
        if width == 1:
            return x
        last = 0 if self.backwards else width - 1
        return scalar.emit(f"extractelement {x.type} {x.name}, i32 {last}", x.elem)

    def _shifted(self, b: Builder, x: Value, by: int) -> Value:
        """The lanes moved by some places; the operation's identity moves in."""
        neutral = b.const(x.elem, self.reducer.identity(x.elem))
        lanes = range(b.width)
        source = [k + by if self.backwards else k - by for k in lanes]
        order = ", ".join(f"i32 {k if 0 <= k < b.width else b.width}" for k in source)
        return b.emit(
            f"shufflevector {x.type} {x.name}, {x.type} {neutral.name}, <{b.width} x i32> <{order}>", x.elem
        )
