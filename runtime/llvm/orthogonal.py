"""QR decomposition by Householder's reflections (Golub and Van Loan 2013, 5.1), along rows in vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .builder import Value
from .flat import Eqn
from .loops import Frame, between, each, loop
from .matrices import TERMS, Matrix, Row, literal, load_row, store_row, subtract_row
from .node import Leaf
from .scope import Scope
from .types import I64, NotLowered


class QR:
    """``q, r = qr(source)``: the matrix becomes r above the reflections, whose product is q."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, source: Leaf, q: Leaf, r: Leaf) -> None:
        self.source, self.q, self.r = source, q, r
        self.rows, self.columns = source.shape[-2:]
        self.steps = min(self.rows, self.columns)
        elem = source.elem
        self.packed = Leaf("packed", (self.rows, self.columns), elem)
        self.factors = Leaf("factors", (1, self.steps), elem)
        self.sums = Leaf("sums", (1, max(self.columns, q.shape[-1])), elem)

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.source,)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.q, self.r, self.packed, self.factors, self.sums)

    @property
    def work(self) -> int:
        batch = math.prod(self.source.shape[:-2])
        return 2 * batch * self.rows * self.steps * (self.columns + self.q.shape[-1]) // TERMS

    def emit(self, scope: Scope, frame: Frame) -> None:
        each(frame, math.prod(self.source.shape[:-2]), self._one)

    def _one(self, frame: Frame, number: Value) -> None:
        first = literal(frame, 0)
        source, q, r = (Matrix.of(frame, leaf, number) for leaf in (self.source, self.q, self.r))
        packed, factors = (Matrix.of(frame, leaf, first) for leaf in (self.packed, self.factors))
        self._copy(frame, source, packed, self.rows * self.columns)

        def reduce(inner: Frame, k: Value) -> None:
            factor = self._reflection(inner, packed, k)
            b = inner.builder()
            factors.store(b, literal(inner, 0), k, factor)
            self._reflect(inner, packed, k, factor, packed, b.add(k, literal(inner, 1)), self.columns)

        def accumulate(inner: Frame, turn: Value) -> None:
            b = inner.builder()
            k = b.sub(literal(inner, self.steps - 1), turn)
            factor = factors.load(b, literal(inner, 0), k)
            self._reflect(inner, packed, k, factor, q, k, self.q.shape[-1])

        each(frame, self.steps, reduce)
        self._identity(frame, q)
        each(frame, self.steps, accumulate)
        self._upper(frame, packed, r)

    @staticmethod
    def _copy(frame: Frame, source: Matrix, target: Matrix, count: int) -> None:
        def body(inner: Frame, at: Value, width: int) -> None:
            x, _ = load_row(inner, source.elem, source.start, at, width)
            _, place = load_row(inner, target.elem, target.start, at, width)
            store_row(inner, x, place)

        Row(source.elem, 0, count).visit(frame, body)

    def _reflection(self, frame: Frame, packed: Matrix, k: Value) -> Value:
        """Makes what is below the diagonal of a column the reflection that leaves nothing there; returns its factor."""
        b, elem = frame.builder(), packed.elem
        below = b.add(k, literal(frame, 1))
        end = literal(frame, self.rows)
        zero, one = b.const(elem, 0), b.const(elem, 1)
        head = packed.load(b, k, k)

        def largest(inner: Frame, now: list[Value]) -> list[Value]:
            assert inner.position is not None
            c = inner.builder()
            return [c.extreme("gt", now[0], c.abs(packed.load(c, inner.position, k)))]

        # From the diagonal on, so that there is an element; the squares are those of what is below it.
        bounds = (k.name, end.name)
        (size,) = loop(frame, 1, 1, [zero], largest, part=bounds)
        scale = b.select(b.cmp("gt", size, zero), size, one)

        def squares(inner: Frame, now: list[Value]) -> list[Value]:
            assert inner.position is not None
            c = inner.builder()
            x = c.fdiv(packed.load(c, inner.position, k), scale)
            x = c.select(c.cmp("eq", inner.position, k), c.like(x, 0), x)
            return [c.fma(x, x, now[0])]

        (rest,) = loop(frame, 1, 1, [zero], squares, part=bounds)
        b = frame.builder()
        scaled = b.fdiv(head, scale)
        norm = b.mul(b.sqrt(b.fma(scaled, scaled, rest)), scale)
        none = b.cmp("eq", rest, zero)
        diagonal = b.select(none, head, b.neg(b.copysign(norm, head)))
        factor = b.select(none, zero, b.fdiv(b.sub(diagonal, head), diagonal))
        divisor = b.select(none, one, b.sub(head, diagonal))
        packed.store(b, k, k, diagonal)

        def divide(inner: Frame, i: Value) -> None:
            c = inner.builder()
            packed.store(c, i, k, c.fdiv(packed.load(c, i, k), divisor))

        between(frame, below, end, divide)
        return factor

    def _reflect(
        self, frame: Frame, packed: Matrix, k: Value, factor: Value, target: Matrix, begin: Value, end: int
    ) -> None:
        """Applies the k-th reflection to the columns of a matrix from `begin` on."""
        b, elem = frame.builder(), packed.elem
        row = Row(elem, begin, b.const(I64, end))
        below, last = b.add(k, literal(frame, 1)), literal(frame, self.rows)
        sums = str(self.sums.address)
        top = target.at(b, k, literal(frame, 0))

        def start(inner: Frame, at: Value, width: int) -> None:
            x, _ = load_row(inner, elem, top, at, width)
            _, place = load_row(inner, elem, sums, at, width)
            store_row(inner, x, place)

        def add(inner: Frame, i: Value) -> None:
            c = inner.builder()
            part = c.neg(packed.load(c, i, k))
            subtract_row(inner, row, sums, part, target.at(c, i, literal(inner, 0)))

        def subtract(inner: Frame, i: Value) -> None:
            c = inner.builder()
            part = c.mul(factor, packed.load(c, i, k))
            subtract_row(inner, row, target.at(c, i, literal(inner, 0)), part, sums)

        row.visit(frame, start)
        between(frame, below, last, add)
        subtract_row(frame, row, top, factor, sums)
        between(frame, below, last, subtract)

    def _identity(self, frame: Frame, q: Matrix) -> None:
        def body(inner: Frame, i: Value) -> None:
            def element(f: Frame, j: Value) -> None:
                c = f.builder()
                on = c.cmp("eq", i, j)
                q.store(c, i, j, c.select(on, c.const(q.elem, 1), c.const(q.elem, 0)))

            each(inner, self.q.shape[-1], element)

        each(frame, self.rows, body)

    def _upper(self, frame: Frame, packed: Matrix, r: Matrix) -> None:
        def body(inner: Frame, i: Value) -> None:
            def element(f: Frame, j: Value) -> None:
                c = f.builder()
                x = packed.load(c, i, j)
                r.store(c, i, j, c.select(c.cmp("le", i, j), x, c.const(r.elem, 0)))

            each(inner, self.columns, element)

        each(frame, self.r.shape[-2], body)


def plan_qr(scope: Scope, eqn: Eqn) -> None:
    """Plans both factors, by way of a copy of each matrix."""
    operand, (q, r) = eqn.inputs[0], eqn.outputs
    if str(operand.dtype) not in ("float32", "float64"):
        raise NotLowered("qr", f"of {operand.dtype}")
    if any(0 in a.shape for a in (operand, q, r)):
        raise NotLowered("qr", "of nothing")
    source = scope.materialise(operand)
    for out in (q, r):
        scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    scope.add(QR(source, scope.leaves[q], scope.leaves[r]))
