"""The largest elements along an axis: a sorted list of them, into which the few that belong there are inserted.

All others are told in vectors, by one comparison with the least of the list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .builder import Builder, Module, Value
from .engine import host
from .flat import Eqn
from .loops import Frame, loop
from .node import Leaf
from .scope import Scope
from .types import BOOL, I32, I64, U8, Element, integer_of
from .vmath.blocks import anywhere

#: Inserts an element, which stands at some place, into a list whose last place is given.
_Put = Callable[[Frame, Value, Value, Value], None]


def _key(b: Builder, bits: Value, elem: Element) -> Value:
    """What elements compare by: integers by themselves, floats by their bits in the total order of IEEE 754."""
    if not elem.is_float:
        return bits
    turned = b.xor(bits, b.like(bits, (1 << (elem.bits - 1)) - 1))
    return b.select(b.cmp("lt", bits, b.like(bits, 0)), turned, bits)


class TopK:
    """``values, places = top_k(source)`` along an axis; of equal elements the first ones."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, source: Leaf, values: Leaf, places: Leaf, axis: int) -> None:
        self.source, self.values, self.places = source, values, places
        self.count, self.kept = source.shape[axis], values.shape[axis]
        self.step = math.prod(source.shape[axis + 1 :])
        elem = source.elem
        self.held = U8 if elem is BOOL else integer_of(elem) if elem.is_float else elem

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.source,)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.values, self.places)

    @property
    def work(self) -> int:
        return self.source.size

    def emit(self, scope: Scope, frame: Frame) -> None:
        if not self.values.size:
            return
        insert = self._insertion(scope.module)

        def row(inner: Frame, _: list[Value]) -> list[Value]:
            assert inner.position is not None
            self._row(inner, inner.position, insert)
            return []

        loop(frame, self.source.size // self.count, 1, [], row)

    def _row(self, frame: Frame, number: Value, insert: str) -> None:
        b = frame.builder()
        step = b.const(I64, self.step)
        outer, inner = b.op("udiv", number, step), b.op("urem", number, step)

        def start(leaf: Leaf, elem: Element, length: int) -> Value:
            at = b.add(b.mul(outer, b.const(I64, length * self.step)), inner)
            return b.emit(f"getelementptr {elem.llvm}, ptr {leaf.address}, i64 {at.name}", I64)

        source = start(self.source, self.held, self.count)
        values = start(self.values, self.held, self.kept)
        places = start(self.places, I32, self.kept)
        least = b.emit(
            f"getelementptr {self.held.llvm}, ptr {values.name}, i64 {(self.kept - 1) * self.step}", I64
        )

        def put(f: Frame, x: Value, at: Value, last: Value) -> None:
            place = f.builder().convert(at, I32)
            f.lines.append(
                f"  call void @{insert}(ptr {values.name}, ptr {places.name}, i64 {last.name}, "
                f"i64 {self.step}, {x.type} {x.name}, i32 {place.name})"
            )

        def first(f: Frame, _: list[Value]) -> list[Value]:
            assert f.position is not None
            put(f, self._load(f, source, f.position), f.position, f.position)
            return []

        loop(frame, self.kept, 1, [], first)
        width = host().vector_bytes // self.held.bytes if self.step == 1 else 1
        begin = self.kept
        whole = begin + (self.count - begin) // width * width
        for low, high, lanes in ((begin, whole, width), (whole, self.count, 1)):
            if low == high:
                continue

            def several(f: Frame, _: list[Value], low: int = low, lanes: int = lanes) -> list[Value]:
                assert f.position is not None
                c = f.builder()
                at = c.add(f.position, c.const(I64, low))
                self._several(f, source, at, lanes, least, put)
                return []

            loop(frame, high - low, lanes, [], several)

    def _several(self, frame: Frame, source: Value, at: Value, lanes: int, least: Value, put: _Put) -> None:
        """Inserts what is larger than the least of the list, of so many elements."""
        some, done = frame.module.label(), frame.module.label()
        x = self._load(frame, source, at, lanes)
        larger = self._larger(frame, x, least)
        frame.branch(anywhere(frame.builder(lanes), larger), some, done)
        frame.start_block(some)
        if lanes == 1:
            put(frame, x, at, frame.builder().const(I64, self.kept - 1))
        else:

            def one(f: Frame, _: list[Value]) -> list[Value]:
                assert f.position is not None
                self._several(f, source, f.builder().add(at, f.position), 1, least, put)
                return []

            loop(frame, lanes, 1, [], one)
        frame.jump(done)
        frame.start_block(done)

    def _larger(self, frame: Frame, x: Value, least: Value) -> Value:
        scalar, b = frame.builder(), frame.builder(x.width)
        bound = scalar.emit(f"load {self.held.llvm}, ptr {least.name}", self.held)
        bound = _key(scalar, bound, self.source.elem)
        return b.cmp("gt", _key(b, x, self.source.elem), b.splat(bound))

    def _load(self, frame: Frame, start: Value, at: Value, width: int = 1) -> Value:
        scalar, b = frame.builder(), frame.builder(width)
        at = scalar.mul(at, scalar.const(I64, self.step)) if self.step != 1 else at
        place = scalar.emit(f"getelementptr {self.held.llvm}, ptr {start.name}, i64 {at.name}", I64)
        return b.emit(f"load {b.type(self.held)}, ptr {place.name}, align {self.held.bytes}", self.held)

    def _insertion(self, module: Module) -> str:
        """The name of a function that puts an element where it belongs in a sorted list, whose last place is free."""
        elem, held = self.source.elem, self.held.llvm
        name = f"tt_insert_{elem.name}"
        if name in module.functions:
            return name
        b = Builder(module, [])
        key = _key(b, Value("%x", self.held, 1), elem)
        looking = Builder(module, [])
        other = _key(looking, Value("%y", self.held, 1), elem)
        less = looking.cmp("lt", other, key)
        signature = f"ptr %values, ptr %places, i64 %last, i64 %step, {held} %x, i32 %place"
        module.functions[name] = "\n".join(
            [
                f"define internal void @{name}({signature}) #1 {{",
                "start:",
                *b.lines,
                "  %end = mul i64 %last, %step",
                "  br label %head",
                "head:",
                "  %here = phi i64 [ %end, %start ], [ %before, %move ]",
                f"  %value = getelementptr {held}, ptr %values, i64 %here",
                "  %at = getelementptr i32, ptr %places, i64 %here",
                "  %first = icmp eq i64 %here, 0",
                "  br i1 %first, label %done, label %look",
                "look:",
                "  %before = sub i64 %here, %step",
                f"  %value.before = getelementptr {held}, ptr %values, i64 %before",
                f"  %y = load {held}, ptr %value.before",
                *looking.lines,
                f"  br i1 {less.name}, label %move, label %done",
                "move:",
                f"  store {held} %y, ptr %value",
                "  %at.before = getelementptr i32, ptr %places, i64 %before",
                "  %place.before = load i32, ptr %at.before",
                "  store i32 %place.before, ptr %at",
                "  br label %head",
                "done:",
                f"  store {held} %x, ptr %value",
                "  store i32 %place, ptr %at",
                "  ret void",
                "}",
            ]
        )
        return name


def plan_top_k(scope: Scope, eqn: Eqn) -> None:
    (operand,) = eqn.inputs
    source = scope.materialise(operand)
    values, places = (scope.new_leaf(out, f"v{out.id}") for out in eqn.outputs)
    scope.leaves.update(zip(eqn.outputs, (values, places), strict=True))
    scope.add(TopK(source, values, places, eqn.params["axis"] % len(operand.shape)))
