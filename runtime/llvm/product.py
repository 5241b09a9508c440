"""Products of matrices: tiles of the result stay in registers while all that is summed up streams past them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .builder import Builder, Value
from .engine import host
from .index import strides
from .loops import Frame, flushing, loop
from .node import Leaf
from .scope import Scope
from .types import BF16, F32, I64, Element

#: How many registers hold sums, of 16 or of 32, and the vectors in a row of a tile: as few loads as possible are left.
SUMS = {16: 12, 32: 24}
VECTORS = 3
#: So many rows and columns are worth it to copy a matrix that does not lie as tiles read it.
_WORTH_COPIES = 4
#: So many multiplications and additions take as long as an element of a loop nest that is no mere copy.
TERMS = 32


class Matrices(NamedTuple):
    """How an operand is seen as a batch of matrices: the steps, in elements, between batches, rows and columns."""

    leaf: Leaf
    batch: int
    row: int
    column: int


def matrices(
    leaf: Leaf, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> Matrices | None:
    """An array whose dimensions, in three groups, are those of matrices; None if its elements are not evenly spaced."""
    steps = [_step(leaf.shape, dims) for dims in (batch, rows, columns)]
    if None in steps:
        return None
    return Matrices(leaf, *(step or 0 for step in steps))


def _step(shape: tuple[int, ...], dims: Sequence[int]) -> int | None:
    """The step of dimensions that are walked through as one."""
    apart, whole = strides(shape), 0
    size = 1
    for d in reversed(dims):
        if shape[d] == 1:
            continue
        if size == 1:
            whole = apart[d]
        elif apart[d] != whole * size:
            return None
        size *= shape[d]
    return whole


class Product:
    """``target[b, i, j] = sum of left[b, i, k] * right[b, k, j]``; the columns of ``right`` are contiguous."""

    local_bytes = 0
    local_offset = 0

    def __init__(
        self, left: Matrices, right: Matrices, target: Leaf, sizes: tuple[int, int, int, int]
    ) -> None:
        self.left, self.right, self.target = left, right, target
        self.batches, self.rows, self.columns, self.depth = sizes
        elem = target.elem
        self.width = host().vector_bytes // elem.bytes
        while self.width > self.columns:
            self.width //= 2

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.left.leaf, self.right.leaf)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.target,)

    @property
    def work(self) -> int:
        return self.batches * self.rows * self.columns * self.depth // TERMS

    def emit(self, scope: Scope, frame: Frame) -> None:
        sums = SUMS[host().registers]
        most = min(self.rows, sums // VECTORS)
        whole = self.rows // most * most

        def vectors(rows: int) -> int:
            """As many as there is room for; while the code should be ready soon, so many that no columns are left over."""
            room = sums // rows
            even = [n for n in range(2, room + 1) if self.columns % (n * self.width) == 0]
            return even[-1] if even and scope.module.quick else room

        def batch(inner: Frame, _: list[Value]) -> list[Value]:
            self._rows(inner, 0, whole, most, vectors(most))
            rest = self.rows - whole
            if rest:
                self._rows(inner, whole, self.rows, rest, vectors(rest))
            return []

        def product() -> None:
            loop(frame, self.batches, 1, [], batch)

        flushing(frame, product)

    def _rows(self, frame: Frame, begin: int, end: int, rows: int, vectors: int) -> None:
        """Rows ``begin`` to ``end``, so many at a time, by panels of columns of so many vectors."""
        panel = vectors * self.width
        whole = self.columns // panel * panel
        batch = frame.position
        assert batch is not None

        def panels(inner: Frame, offsets: Sequence[int]) -> None:
            column = inner.position if inner is not frame else None

            def tile(innermost: Frame, _: list[Value]) -> list[Value]:
                assert innermost.position is not None
                b = innermost.builder()
                row = b.add(innermost.position, b.const(I64, begin))
                self._tile(innermost, batch, row, column or b.const(I64, 0), rows, offsets)
                return []

            loop(inner, end - begin, rows, [], tile)

        if whole:

            def body(inner: Frame, _: list[Value]) -> list[Value]:
                panels(inner, range(0, panel, self.width))
                return []

            loop(frame, whole, panel, [], body)
        rest = range(whole, self.columns, self.width)
        if rest:
            panels(frame, [min(at, self.columns - self.width) for at in rest])

    def _tile(
        self, frame: Frame, batch: Value, row: Value, column: Value, rows: int, offsets: Sequence[int]
    ) -> None:
        elem, width = self.target.elem, self.width
        start = frame.builder()
        place = _place(start, batch, self.left.batch, row, self.left.row)
        lefts = [element_at(start, self.left.leaf, place, k * self.left.row) for k in range(rows)]
        place = start.add(start.mul(batch, start.const(I64, self.right.batch)), column)
        rights = [element_at(start, self.right.leaf, place, at) for at in offsets]
        kind = f"<{width} x {elem.llvm}>" if width > 1 else elem.llvm
        zero = frame.builder(width).const(elem, 0)

        def step(inner: Frame, sums: list[Value]) -> list[Value]:
            assert inner.position is not None
            scalar = inner.builder()
            down = scalar.mul(inner.position, scalar.const(I64, self.right.row))
            across = scalar.mul(inner.position, scalar.const(I64, self.left.column))
            return multiplied(inner, elem, width, (lefts, across), (rights, down), sums)

        sums = loop(frame, self.depth, 1, [zero] * (rows * len(offsets)), step)
        end = frame.builder()
        place = _place(end, batch, self.rows * self.columns, row, self.columns)
        place = end.add(place, column)
        for number, total in enumerate(sums):
            k, at = divmod(number, len(offsets))
            if elem is BF16:
                total = frame.builder(width).convert(Value(total.name, F32, total.width), BF16)
            address = element_at(end, self.target, place, k * self.columns + offsets[at])
            frame.lines.append(f"  store {kind} {total.name}, ptr {address}, align {elem.bytes}")


def _place(b: Builder, batch: Value, batch_step: int, row: Value, row_step: int) -> Value:
    return b.add(b.mul(batch, b.const(I64, batch_step)), b.mul(row, b.const(I64, row_step)))


def multiplied(
    frame: Frame,
    elem: Element,
    width: int,
    lefts: tuple[Sequence[str], Value],
    rights: tuple[Sequence[str], Value],
    sums: Sequence[Value],
) -> list[Value]:
    """The sums of a tile, row by row, and the products of one element of each row with a vector of each column.

    The elements, and the vectors, are given by where rows, and columns, start and by a place from there.
    """
    scalar, b = frame.builder(), frame.builder(width)

    def at(start: str, place: Value) -> str:
        return scalar.emit(f"getelementptr {elem.llvm}, ptr {start}, i64 {place.name}", I64).name

    columns = [
        b.emit(f"load {b.type(elem)}, ptr {at(start, rights[1])}, align {elem.bytes}", elem)
        for start in rights[0]
    ]
    held = iter(sums)
    results: list[Value] = []
    for start in lefts[0]:
        x = b.splat(scalar.emit(f"load {elem.llvm}, ptr {at(start, lefts[1])}, align {elem.bytes}", elem))
        for y in columns:
            total = next(held)
            results.append(b.fma(x, y, total) if elem.is_float else b.add(total, b.mul(x, y)))
    return results


def element_at(b: Builder, leaf: Leaf, place: Value, offset: int) -> str:
    """Where an element of an array is."""
    at = b.add(place, b.const(I64, offset))
    return b.emit(f"getelementptr {leaf.elem.llvm}, ptr {leaf.address}, i64 {at.name}", I64).name


def plan(
    scope: Scope,
    left: Leaf,
    right: Leaf,
    target: Leaf,
    dimensions: tuple[tuple[Sequence[int], ...], tuple[Sequence[int], ...]],
) -> bool:
    """Plans a product, given the batch, row and column dimensions of both operands, where tiles can compute it."""
    of_left, of_right = dimensions
    batch, rows, depth = (math.prod(left.shape[d] for d in dims) for dims in of_left)
    columns = math.prod(right.shape[d] for d in of_right[2])
    if 0 in (batch, rows, columns, depth) or not of_right[2]:
        return False
    first, second = matrices(left, *of_left), matrices(right, *of_right)
    if first is None or second is None or second.column != 1:
        if min(rows, columns) < _WORTH_COPIES:
            return False
        first = first or _copied(scope, left, of_left)
        if second is None or second.column != 1:
            second = _copied(scope, right, of_right)
    scope.add(Product(first, second, target, (batch, rows, columns, depth)))
    return True


def _copied(scope: Scope, leaf: Leaf, groups: Sequence[Sequence[int]]) -> Matrices:
    """The matrices of a copy in which they lie one after the other."""
    batch, rows, columns = (math.prod(leaf.shape[d] for d in dims) for dims in groups)
    copy = scope.arranged(leaf, [d for dims in groups for d in dims])
    return Matrices(copy, rows * columns if batch > 1 else 0, columns, 1)
