"""Sorting by merging runs, each twice as long as those before: stable, all operands in the order of the first ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .builder import Builder, Module, Value
from .flat import Eqn
from .loops import Frame, loop
from .node import Leaf
from .scope import Scope
from .types import BOOL, I64, U8, Element


def _less(b: Builder, x: Value, y: Value) -> Value:
    """Whether x stands before y: NaN stands after all else."""
    if not x.elem.is_float:
        return b.cmp("lt", x, y)
    before = b.emit(f"fcmp ult {x.type} {x.name}, {y.name}", BOOL)
    return b.and_(before, b.emit(f"fcmp ord {x.type} {x.name}, {x.name}", BOOL))


class Sort:
    """``targets = sort(sources)`` along an axis, by the first `keys` of them."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, sources: list[Leaf], targets: list[Leaf], axis: int, keys: int) -> None:
        self.sources, self.targets, self.keys = sources, targets, keys
        shape = sources[0].shape
        self.count, self.step = shape[axis], math.prod(shape[axis + 1 :])
        self.held = [U8 if leaf.elem is BOOL else leaf.elem for leaf in sources]
        # A row in order, as far as it is; and the same in longer runs.
        self.runs = [Leaf("runs", (self.count,), e) for e in self.held]
        self.longer = [Leaf("longer", (self.count,), e) for e in self.held]

    @property
    def reads(self) -> Sequence[Leaf]:
        return self.sources

    @property
    def writes(self) -> Sequence[Leaf]:
        return (*self.targets, *self.runs, *self.longer)

    @property
    def work(self) -> int:
        return self.sources[0].size * len(self.sources) * max(1, self._passes)

    @property
    def _passes(self) -> int:
        return max(0, self.count - 1).bit_length()

    def emit(self, scope: Scope, frame: Frame) -> None:
        size = self.sources[0].size
        if not size:
            return
        function = _merge_sort(scope.module, self.held, self.keys)
        pairs = zip(self.runs, self.longer, strict=True)
        buffers = ", ".join(f"ptr {leaf.address}" for pair in pairs for leaf in pair)
        ordered = self.longer if self._passes % 2 else self.runs

        def row(inner: Frame, _: list[Value]) -> list[Value]:
            assert inner.position is not None
            b = inner.builder()
            step = b.const(I64, self.step)
            outer, column = b.op("udiv", inner.position, step), b.op("urem", inner.position, step)
            start = b.add(b.mul(outer, b.const(I64, self.count * self.step)), column)

            def strided(c: Builder, at: Value) -> Value:
                return c.add(start, c.mul(at, c.const(I64, self.step)))

            self._move(inner, self.sources, self.runs, strided, lambda _, at: at)
            if self._passes:
                inner.lines.append(f"  call void @{function}({buffers}, i64 {self.count})")
            self._move(inner, ordered, self.targets, lambda _, at: at, strided)
            return []

        loop(frame, size // self.count, 1, [], row)

    def _move(
        self,
        frame: Frame,
        sources: list[Leaf],
        targets: list[Leaf],
        read: Callable[[Builder, Value], Value],
        write: Callable[[Builder, Value], Value],
    ) -> None:
        def one(inner: Frame, _: list[Value]) -> list[Value]:
            assert inner.position is not None
            b = inner.builder()
            at, to = read(b, inner.position), write(b, inner.position)
            for source, target, elem in zip(sources, targets, self.held, strict=True):
                x = _load(b, elem, source.address, at.name)
                place = _element(b, elem, target.address, to.name)
                b.lines.append(f"  store {elem.llvm} {x.name}, ptr {place}")
            return []

        loop(frame, self.count, 1, [], one)


def _element(b: Builder, elem: Element, start: str, at: str) -> str:
    return b.emit(f"getelementptr {elem.llvm}, ptr {start}, i64 {at}", I64).name


def _load(b: Builder, elem: Element, start: str, at: str) -> Value:
    return b.emit(f"load {elem.llvm}, ptr {_element(b, elem, start, at)}", elem)


def _merge_sort(module: Module, elems: list[Element], keys: int) -> str:
    """A function of the buffers of each operand, and of how many elements they have: the last pass leaves the result."""
    name = f"tt_sort_{'_'.join(e.name for e in elems)}_by_{keys}"
    if name in module.functions:
        return name
    module.declare("llvm.umin.i64", "i64 @llvm.umin.i64(i64, i64)")
    parameters = ", ".join(f"ptr %a{k}, ptr %b{k}" for k in range(len(elems)))
    buffers = [
        line
        for k in range(len(elems))
        for line in (
            f"  %x{k} = phi ptr [ %a{k}, %start ], [ %y{k}, %passed ]",
            f"  %y{k} = phi ptr [ %b{k}, %start ], [ %x{k}, %passed ]",
        )
    ]
    module.functions[name] = "\n".join(
        [
            f"define internal void @{name}({parameters}, i64 %n) #1 {{",
            "start:",
            "  br label %pass",
            "pass:",
            "  %length = phi i64 [ 1, %start ], [ %twice, %passed ]",
            *buffers,
            "  %twice = shl i64 %length, 1",
            "  br label %run",
            "run:",
            "  %low = phi i64 [ 0, %pass ], [ %high, %merged ]",
            "  %low.end = add i64 %low, %length",
            "  %high.end = add i64 %low, %twice",
            "  %middle = call i64 @llvm.umin.i64(i64 %low.end, i64 %n)",
            "  %high = call i64 @llvm.umin.i64(i64 %high.end, i64 %n)",
            "  br label %step",
            "step:",
            "  %i = phi i64 [ %low, %run ], [ %i.next, %step ]",
            "  %j = phi i64 [ %middle, %run ], [ %j.next, %step ]",
            "  %k = phi i64 [ %low, %run ], [ %k.next, %step ]",
            *_one_step(module, elems, keys),
            "  %k.next = add i64 %k, 1",
            "  %more = icmp ult i64 %k.next, %high",
            "  br i1 %more, label %step, label %merged",
            "merged:",
            "  %runs = icmp ult i64 %high, %n",
            "  br i1 %runs, label %run, label %passed",
            "passed:",
            "  %passes = icmp ult i64 %twice, %n",
            "  br i1 %passes, label %pass, label %done",
            "done:",
            "  ret void",
            "}",
        ]
    )
    return name


def _one_step(module: Module, elems: list[Element], keys: int) -> list[str]:
    """Moves the element of the second run if the first has none that may stand before it. No branch is to be guessed."""
    b = Builder(module, [])
    i, j = Value("%i", I64, 1), Value("%j", I64, 1)
    left = b.emit("icmp ult i64 %i, %middle", BOOL)
    right = b.emit("icmp ult i64 %j, %high", BOOL)
    low = Value("%low", I64, 1)
    first, second = b.select(left, i, low), b.select(right, j, low)
    less: Value | None = None
    for k in reversed(range(keys)):
        x, y = (_load(b, elems[k], f"%x{k}", at.name) for at in (first, second))
        here = _less(b, y, x)
        less = here if less is None else b.select(_less(b, x, y), b.const(BOOL, False), b.or_(here, less))
    assert less is not None
    taken = b.and_(right, b.or_(less, b.not_(left)))
    source = b.select(taken, second, first)
    for k, elem in enumerate(elems):
        value = _load(b, elem, f"%x{k}", source.name)
        b.lines.append(f"  store {elem.llvm} {value.name}, ptr {_element(b, elem, f'%y{k}', '%k')}")
    moved = b.convert(taken, I64)
    b.lines.append(f"  %j.next = add i64 %j, {moved.name}")
    b.lines.append(f"  %i.next = add i64 %i, {b.sub(b.const(I64, 1), moved).name}")
    return b.lines


def plan_sort(scope: Scope, eqn: Eqn) -> None:
    sources = [scope.materialise(a) for a in eqn.inputs]
    targets = [scope.new_leaf(out, f"v{out.id}") for out in eqn.outputs]
    scope.leaves.update(zip(eqn.outputs, targets, strict=True))
    axis = eqn.params["dimension"] % len(sources[0].shape)
    scope.add(Sort(sources, targets, axis, eqn.params["num_keys"]))
