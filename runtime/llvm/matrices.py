"""Matrices in memory as steps work on them: elements one by one, and rows in vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .builder import Builder, Value
from .engine import host
from .loops import Frame, between, each
from .node import Leaf
from .types import I64, Element

#: So many multiplications and additions take as long as an element of a loop nest that is no mere copy.
TERMS = 8


class Matrix(NamedTuple):
    """A matrix in memory: a pointer to its first element, and the steps, in elements, between rows and columns."""

    elem: Element
    start: str
    row: int
    column: int

    @classmethod
    def of(cls, frame: Frame, leaf: Leaf, number: Value, *, transposed: bool = False) -> Matrix:
        """One of a batch of matrices."""
        b = frame.builder()
        rows, columns = leaf.shape[-2:]
        at = b.mul(number, b.const(I64, rows * columns))
        start = b.emit(f"getelementptr {leaf.elem.llvm}, ptr {leaf.address}, i64 {at.name}", I64).name
        return cls(leaf.elem, start, 1, columns) if transposed else cls(leaf.elem, start, columns, 1)

    def at(self, b: Builder, i: Value, j: Value) -> str:
        place = b.add(b.mul(i, b.const(I64, self.row)), b.mul(j, b.const(I64, self.column)))
        return b.emit(f"getelementptr {self.elem.llvm}, ptr {self.start}, i64 {place.name}", I64).name

    def load(self, b: Builder, i: Value, j: Value) -> Value:
        return b.emit(f"load {self.elem.llvm}, ptr {self.at(b, i, j)}", self.elem)

    def store(self, b: Builder, i: Value, j: Value, x: Value) -> None:
        b.lines.append(f"  store {x.type} {x.name}, ptr {self.at(b, i, j)}")


# ------------------------------------------------------------------------------------------------ rows


class Row(NamedTuple):
    """Contiguous elements, from `begin` to below `end`, as many vectors as there are and then one by one."""

    elem: Element
    begin: Value | int
    end: Value | int

    def visit(self, frame: Frame, body: Callable[[Frame, Value, int], None]) -> None:
        width = host().vector_bytes // self.elem.bytes
        b = frame.builder()
        if isinstance(self.begin, int) and isinstance(self.end, int):
            count = self.end - self.begin
            while width > count:
                width //= 2
            whole = count // width * width
            first, middle = self.begin, self.begin + whole
            each(frame, whole, lambda f, at: body(f, f.builder().add(at, b.const(I64, first)), width), width)
            if whole < count:
                each(
                    frame, count - whole, lambda f, at: body(f, f.builder().add(at, b.const(I64, middle)), 1)
                )
            return
        begin, end = (b.const(I64, at) if isinstance(at, int) else at for at in (self.begin, self.end))
        vectors = b.and_(b.sub(end, begin), b.const(I64, -width))
        cut = b.add(begin, vectors)
        between(frame, begin, cut, lambda f, at: body(f, at, width), width)
        between(frame, cut, end, lambda f, at: body(f, at, 1))


def load_row(frame: Frame, elem: Element, start: str, at: Value, width: int) -> tuple[Value, str]:
    """Elements of a row, and where they are."""
    b = frame.builder(width)
    place = frame.builder().emit(f"getelementptr {elem.llvm}, ptr {start}, i64 {at.name}", I64).name
    return b.emit(f"load {b.type(elem)}, ptr {place}, align {elem.bytes}", elem), place


def store_row(frame: Frame, x: Value, place: str) -> None:
    frame.lines.append(f"  store {x.type} {x.name}, ptr {place}, align {x.elem.bytes}")


def subtract_row(frame: Frame, row: Row, target: str, factor: Value, source: str) -> None:
    """``target -= factor * source``, rows given by where they start."""
    minus = frame.builder().neg(factor)

    def body(inner: Frame, at: Value, width: int) -> None:
        b = inner.builder(width)
        x, _ = load_row(inner, row.elem, source, at, width)
        y, place = load_row(inner, row.elem, target, at, width)
        store_row(inner, b.fma(b.splat(minus), x, y), place)

    row.visit(frame, body)


def literal(frame: Frame, number: int) -> Value:
    """A place that is known."""
    return frame.builder().const(I64, number)
