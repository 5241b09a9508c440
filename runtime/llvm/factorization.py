"""Factorizations of matrices and triangular solves, in place: one outer product after the other, along rows in vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from . import elementwise
from .builder import Value
from .flat import Eqn
from .index import Index, flatten, identity
from .loops import Frame, between, each, loop
from .matrices import TERMS, Matrix, Row, literal, load_row, store_row, subtract_row
from .nest import Stage
from .node import Leaf, Node
from .pull import Puller
from .scope import Scope
from .types import BOOL, I32, I64, NotLowered


class InPlace:
    """A step that overwrites a batch of matrices."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, target: Leaf, reads: Sequence[Leaf] = (), writes: Sequence[Leaf] = ()) -> None:
        self.target = target
        self.rows, self.columns = target.shape[-2:]
        self.batch = math.prod(target.shape[:-2])
        self._reads, self._writes = tuple(reads), tuple(writes)

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.target, *self._reads)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.target, *self._writes)

    @property
    def work(self) -> int:
        return self.batch * self.rows * self.columns * min(self.rows, self.columns) // TERMS

    def emit(self, scope: Scope, frame: Frame) -> None:
        each(frame, self.batch, self.one)

    def one(self, frame: Frame, number: Value) -> None:
        """The instructions for one matrix of the batch."""
        raise NotImplementedError


class Cholesky(InPlace):
    """The lower factor of each matrix, in the place of its lower triangle; NaN where it is not positive definite."""

    def __init__(self, target: Leaf, column: Leaf) -> None:
        super().__init__(target, writes=[column])
        self.column = column  # What a column of the factor holds, side by side.

    def one(self, frame: Frame, number: Value) -> None:
        matrix, elem, size = Matrix.of(frame, self.target, number), self.target.elem, self.rows
        end = frame.builder().const(I64, size)

        def step(inner: Frame, carried: list[Value]) -> list[Value]:
            k = inner.position
            assert k is not None
            b = inner.builder()
            pivot = matrix.load(b, k, k)
            root = b.sqrt(pivot)
            matrix.store(b, k, k, root)
            after = b.add(k, literal(inner, 1))

            def divide(f: Frame, i: Value) -> None:
                c = f.builder()
                x = c.fdiv(matrix.load(c, i, k), root)
                matrix.store(c, i, k, x)
                store_row(
                    f,
                    x,
                    c.emit(f"getelementptr {elem.llvm}, ptr {self.column.address}, i64 {i.name}", I64).name,
                )

            def subtract(f: Frame, i: Value) -> None:
                c = f.builder()
                row = Row(elem, after, c.add(i, literal(f, 1)))
                subtract_row(
                    f, row, matrix.at(c, i, literal(f, 0)), matrix.load(c, i, k), str(self.column.address)
                )

            between(inner, after, end, divide)
            between(inner, after, end, subtract)
            good = inner.builder().cmp("gt", pivot, b.const(elem, 0))
            return [inner.builder().and_(carried[0], good)]

        (good,) = loop(frame, size, 1, [frame.builder().const(BOOL, True)], step)
        bad, done = frame.module.label(), frame.module.label()
        frame.branch(good, done, bad)
        frame.start_block(bad)
        self._spoil(frame, matrix)
        frame.jump(done)
        frame.start_block(done)

    def _spoil(self, frame: Frame, matrix: Matrix) -> None:
        row = Row(matrix.elem, 0, self.rows * self.columns)

        def body(inner: Frame, at: Value, width: int) -> None:
            _, place = load_row(inner, matrix.elem, matrix.start, at, width)
            store_row(inner, inner.builder(width).const(matrix.elem, math.nan), place)

        row.visit(frame, body)


class LU(InPlace):
    """Both factors of each matrix in its place, by partial pivoting; which rows were exchanged, and where each came from."""

    def __init__(self, target: Leaf, pivots: Leaf, permutation: Leaf) -> None:
        super().__init__(target, writes=[pivots, permutation])
        self.pivots, self.permutation = pivots, permutation

    def one(self, frame: Frame, number: Value) -> None:
        matrix, elem = Matrix.of(frame, self.target, number), self.target.elem
        steps = min(self.rows, self.columns)
        b = frame.builder()
        pivots, order = (
            Matrix(
                I32,
                b.emit(
                    f"getelementptr i32, ptr {leaf.address}, i64 {b.mul(number, b.const(I64, leaf.shape[-1])).name}",
                    I64,
                ).name,
                0,
                1,
            )
            for leaf in (self.pivots, self.permutation)
        )

        def begin(f: Frame, i: Value) -> None:
            c = f.builder()
            order.store(c, literal(f, 0), i, c.convert(i, I32))

        def step(inner: Frame, k: Value) -> None:
            pivot = self._pivot(inner, matrix, k)
            c = inner.builder()
            pivots.store(c, literal(inner, 0), k, c.convert(pivot, I32))
            self._exchange(inner, Row(elem, 0, self.columns), matrix, k, pivot)
            ours, other = (order.load(c, literal(inner, 0), at) for at in (k, pivot))
            order.store(c, literal(inner, 0), k, other)
            order.store(c, literal(inner, 0), pivot, ours)
            self._eliminate(inner, matrix, k)

        each(frame, self.rows, begin)
        each(frame, steps, step)

    def _pivot(self, frame: Frame, matrix: Matrix, k: Value) -> Value:
        """The first row, from the `k`-th on, that has the largest element in column `k`."""

        def compare(inner: Frame, carried: list[Value]) -> list[Value]:
            i = inner.position
            assert i is not None
            b = inner.builder()
            best, at = carried
            size = b.abs(matrix.load(b, i, k))
            better = b.cmp("gt", size, best)
            return [b.select(better, size, best), b.select(better, i, at)]

        start = frame.builder().const(matrix.elem, -1)
        return loop(frame, 1, 1, [start, k], compare, part=(k.name, str(self.rows)))[1]

    def _exchange(self, frame: Frame, row: Row, matrix: Matrix, i: Value, j: Value) -> None:
        b = frame.builder()
        first, second = matrix.at(b, i, literal(frame, 0)), matrix.at(b, j, literal(frame, 0))

        def body(inner: Frame, at: Value, width: int) -> None:
            x, of_x = load_row(inner, row.elem, first, at, width)
            y, of_y = load_row(inner, row.elem, second, at, width)
            store_row(inner, x, of_y)
            store_row(inner, y, of_x)

        row.visit(frame, body)

    def _eliminate(self, frame: Frame, matrix: Matrix, k: Value) -> None:
        b = frame.builder()
        pivot = matrix.load(b, k, k)
        source = matrix.at(b, k, literal(frame, 0))
        after = b.add(k, literal(frame, 1))
        # Below a pivot of zero there are zeros only.
        end = b.select(b.cmp("ne", pivot, b.const(pivot.elem, 0)), b.const(I64, self.rows), literal(frame, 0))

        def subtract(inner: Frame, i: Value) -> None:
            c = inner.builder()
            factor = c.fdiv(matrix.load(c, i, k), pivot)
            matrix.store(c, i, k, factor)
            row = Row(pivot.elem, after, c.const(I64, self.columns))
            subtract_row(inner, row, matrix.at(c, i, literal(inner, 0)), factor, source)

        between(frame, after, end, subtract)


class TriangularSolve(InPlace):
    """The solution x of ``triangle @ x = target``, in the place of `target`, by substitution."""

    def __init__(self, triangle: Leaf, target: Leaf, *, forward: bool, transposed: bool, unit: bool) -> None:
        super().__init__(target, reads=[triangle])
        self.triangle, self.forward, self.transposed, self.unit = triangle, forward, transposed, unit

    def one(self, frame: Frame, number: Value) -> None:
        triangle = Matrix.of(frame, self.triangle, number, transposed=self.transposed)
        solution = Matrix.of(frame, self.target, number)
        row = Row(solution.elem, 0, self.columns)
        last = frame.builder().const(I64, self.rows - 1)

        def step(inner: Frame, position: Value) -> None:
            b = inner.builder()
            k = position if self.forward else b.sub(last, position)
            source = solution.at(b, k, literal(inner, 0))
            if not self.unit:
                self._divide(inner, row, source, triangle.load(b, k, k))

            def subtract(f: Frame, i: Value) -> None:
                c = f.builder()
                subtract_row(f, row, solution.at(c, i, literal(f, 0)), triangle.load(c, i, k), source)

            after = inner.builder()
            if self.forward:
                between(inner, after.add(k, literal(inner, 1)), after.const(I64, self.rows), subtract)
            else:
                between(inner, literal(inner, 0), k, subtract)

        each(frame, self.rows, step)

    @staticmethod
    def _divide(frame: Frame, row: Row, target: str, by: Value) -> None:
        def body(inner: Frame, at: Value, width: int) -> None:
            b = inner.builder(width)
            x, place = load_row(inner, row.elem, target, at, width)
            store_row(inner, b.fdiv(x, b.splat(by)), place)

        row.visit(frame, body)


# ------------------------------------------------------------------------------------------------ plans


def _check(eqn: Eqn) -> None:
    if any(str(a.dtype) not in ("float32", "float64") for a in (*eqn.inputs, eqn.outputs[0])):
        raise NotLowered(eqn.name, f"of {eqn.inputs[0].dtype}")
    if any(0 in a.shape for a in (*eqn.inputs, *eqn.outputs)):
        raise NotLowered(eqn.name, "of nothing")


def plan_cholesky(scope: Scope, eqn: Eqn) -> None:
    """Plans the factor: the lower triangle is copied, then overwritten."""
    _check(eqn)
    (operand,), (out,) = eqn.inputs, eqn.outputs
    shape = operand.shape
    leaf = scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    nodes, puller = scope.domain(shape)
    places = identity(shape)
    row, column = (nodes.index(places[d]) for d in (len(shape) - 2, len(shape) - 1))
    below = nodes.compute("le", elementwise.le, (column, row), BOOL)
    root = puller.select(below, puller.at(operand, places), nodes.const(0, leaf.elem))
    scope.place(shape, nodes, Stage(leaf, root, flatten(places, shape, len(shape))))
    scope.add(Cholesky(leaf, Leaf("column", shape[-1:], leaf.elem)))


def plan_lu(scope: Scope, eqn: Eqn) -> None:
    """Plans both factors, in a copy of the matrix."""
    _check(eqn)
    packed, pivots, permutation = eqn.outputs
    target = scope.updated(eqn.inputs[0], packed)
    for out in (pivots, permutation):
        scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    scope.add(LU(target, scope.leaves[pivots], scope.leaves[permutation]))


def plan_triangular_solve(scope: Scope, eqn: Eqn) -> None:
    """Plans a solve from the left; one from the right is that of all that is transposed."""
    _check(eqn)
    (triangle, right), (out,) = eqn.inputs, eqn.outputs
    params = eqn.params
    left = bool(params["left_side"])
    transposed = bool(params["transpose_a"]) is left
    forward = bool(params["lower"]) is not transposed
    source = scope.materialise(triangle)
    if left:
        target = scope.updated(right, out)
    else:
        *lead, n, m = right.shape
        target = Leaf("transposed", (*lead, m, n), scope.materialise(right).elem)
        _transpose(scope, target, lambda puller, places: puller.at(right, places))
    scope.add(
        TriangularSolve(
            source, target, forward=forward, transposed=transposed, unit=bool(params["unit_diagonal"])
        )
    )
    if not left:
        leaf = scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
        _transpose(scope, leaf, lambda puller, places: puller.load(target, places))


def _transpose(scope: Scope, target: Leaf, read: Callable[[Puller, Index], Node]) -> None:
    """Plans ``target = source`` with the last two dimensions of the source exchanged."""
    shape = target.shape
    nodes, puller = scope.domain(shape)
    *lead, i, j = identity(shape)
    root = read(puller, (*lead, j, i))
    scope.place(shape, nodes, Stage(target, root, flatten(identity(shape), shape, len(shape))))
