"""A loop nest as LLVM IR: loops merged where memory is contiguous, the innermost one in vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

from .builder import Builder, Value
from .index import Affine
from .lanes import from_memory, horizontal, loaded, reversal
from .loops import Frame, in_blocks, loop, once
from .merged import MergedLoop
from .nest import Nest, Stage
from .node import Leaf, Node
from .places import Places
from .types import BOOL, F32, I32, I64
from .width import width_of

#: Beyond so many steps a sum is made in blocks of an eighth of them: rounding errors add up.
SUMMED_AT_ONCE = 1024


class NestEmitter(Places):
    """Emits one nest into a frame."""

    def __init__(self, nest: Nest, frame: Frame) -> None:
        super().__init__(nest, frame)
        self.stages = list(nest.stages)
        self.here: dict[Leaf, Stage] = {s.leaf: s for s in nest.stages}
        self.width = width_of(self.stages, self.inner, quick=frame.module.quick)
        for node in {n.id: n for s in self.stages for n in s.nodes if n.rule is not None and n.args}.values():
            frame.module.expect(node.op, node.args[0].elem, self.width if node.dims & self.vector_mask else 1)
        self.level = 0
        self._constants: dict[tuple[int, int], Value] = {}  # by node and width
        self._overlap = 0  # lanes at the start of this iteration that the one before has handled

    # Loops

    @property
    def division(self) -> tuple[int, int] | None:
        """How many iterations the outermost loop has, and how many of them belong together; None if it is indivisible.

        Iterations are independent where all that is stored stands at a place of its own in each.
        """
        loops = [*self.outer, *self.inner]
        if not loops or self.nest.exclusive:
            return None
        for stage in self.stages:
            if stage.accumulate or stage.mask or stage.offset or (stage.reducer and not self.outer):
                return None
            if not stage.target.coefs[loops[0].dim] and not stage.leaf.row:
                return None
        return loops[0].size, self.width if len(loops) == 1 else 1

    def emit(self) -> None:
        self._outer_loops(list(self.outer))

    def _outer_loops(self, remaining: list[MergedLoop]) -> None:
        if not remaining:
            for level in sorted({s.level for s in self.stages}):
                self._level([s for s in self.stages if s.level == level])
            return

        def body(frame: Frame, _: list[Value]) -> list[Value]:
            self.frames.append(frame)
            self._outer_loops(remaining[1:])
            self.frames.pop()
            return []

        part = self.nest.part if len(self.frames) == 1 else None
        loop(self.frames[-1], remaining[0].size, 1, [], body, part=part)

    def _level(self, stages: list[Stage]) -> None:
        self.level = stages[0].level
        reductions = [s for s in stages if s.reducer]
        row = self.frames[-1]
        results = self._inner_loops(list(self.inner), stages, self._neutral(stages))
        for stage, lanes in zip(reductions, results, strict=True):
            assert stage.reducer is not None
            value = horizontal(row, lanes, stage.reducer.combine)
            row.memo[("reduced", stage.leaf)] = value
            if len(self.frames) == 1:
                stage.leaf.value = value
            if stage.leaf.stored and not stage.leaf.is_scalar:
                self._store(stage, value, row)

    def _inner_loops(
        self, remaining: list[MergedLoop], stages: list[Stage], carried: list[Value]
    ) -> list[Value]:
        if not remaining:
            return self._body(stages, carried)
        first, *others = remaining
        step = 1 if others else self.width

        def body(frame: Frame, inner: list[Value]) -> list[Value]:
            self.frames.append(frame)
            apart = (
                bool(others)
                and others[-1].size // self.width > SUMMED_AT_ONCE // 8
                and any(s.rounds for s in stages)
            )
            results = self._inner_loops(others, stages, self._neutral(stages) if apart else inner)
            if apart:
                results = self._combined(stages, inner, results, frame)
            self.frames.pop()
            return results

        part = self.nest.part if len(self.frames) == 1 else None
        rest = 0 if others else first.size % step
        if not others and first.size // step > SUMMED_AT_ONCE and any(s.rounds for s in stages):
            carried = in_blocks(
                self.frames[-1],
                first.size - rest,
                step,
                SUMMED_AT_ONCE // 8,
                carried,
                self._neutral(stages),
                body,
                partial(self._combined, stages),
            )
            if not rest:
                return carried
        elif not rest:
            return loop(self.frames[-1], first.size, step, carried, body, part=part)
        elif not self._combines(stages):  # what is computed twice is the same twice
            return loop(self.frames[-1], first.size, step, carried, body, clamp=first.size - step, part=part)
        else:
            carried = loop(self.frames[-1], first.size - rest, step, carried, body)
        self._overlap = step - rest
        carried = once(self.frames[-1], first.size - step, carried, body)
        self._overlap = 0
        return carried

    def _neutral(self, stages: list[Stage]) -> list[Value]:
        b = self._vector()
        return [b.const(s.root.elem, s.reducer.identity(s.root.elem)) for s in stages if s.reducer]

    def _combined(self, stages: list[Stage], xs: list[Value], ys: list[Value], frame: Frame) -> list[Value]:
        b = frame.builder(self.width)
        reducers = [s.reducer for s in stages if s.reducer]
        return [reducer.combine(b, x, y) for reducer, x, y in zip(reducers, xs, ys, strict=True)]

    @staticmethod
    def _combines(stages: list[Stage]) -> bool:
        return any(s.reducer or s.accumulate for s in stages)

    def _body(self, stages: list[Stage], carried: list[Value]) -> list[Value]:
        results: list[Value] = []
        accumulators = iter(carried)
        for stage in stages:
            value = self._evaluate(stage)
            if stage.reducer:
                value = self._without_overlap(value, stage.reducer.identity(stage.root.elem))
                results.append(stage.reducer.combine(self._vector(), next(accumulators), value))
            elif stage.leaf.is_scalar and not stage.accumulate:
                stage.leaf.value = value
            elif stage.leaf.stored:
                if stage.accumulate and stage.mask is None:
                    value = self._accumulated(stage, value)
                self._store(stage, value, self.frames[-1])
        return results

    def _accumulated(self, stage: Stage, value: Value) -> Value:
        assert stage.accumulate is not None
        b = self._vector()
        held = self._read(stage.leaf, stage.target, stage.offset, None, self.frames[-1], b)
        combined = stage.accumulate(b, held, value)
        fresh = self._overlap_mask()
        return combined if fresh is None else b.select(fresh, combined, held)

    def _vector(self) -> Builder:
        return self.frames[-1].builder(self.width)

    def _overlap_mask(self) -> Value | None:
        """True in the lanes that the iteration before did not handle; None if no iteration overlaps another."""
        if not self._overlap:
            return None
        lanes = ", ".join(f"i1 {'true' if k >= self._overlap else 'false'}" for k in range(self.width))
        return Value(f"<{lanes}>", BOOL, self.width)

    def _without_overlap(self, value: Value, neutral: Any) -> Value:
        mask = self._overlap_mask()
        if mask is None:
            return value
        b = self._vector()
        return b.select(mask, value, b.const(value.elem, neutral))

    # Expressions

    def _evaluate(self, stage: Stage) -> Value:
        for node in stage.nodes:
            self._value(node)
        return self._as_vector(stage.root)

    def _frame_of(self, dims: int) -> tuple[Frame, bool]:
        """The outermost frame in which what depends on ``dims`` can be computed; whether that takes vectors."""
        loops = [*self.outer, *self.inner]
        if dims & self.vector_mask:
            return self.frames[-1], self.width > 1
        for depth in range(len(loops) - 1, -1, -1):
            if dims & loops[depth].dims:
                return self.frames[depth + 1], False
        return self.frames[0], False

    def _resolved(self, node: Node) -> Node:
        """A load of what this level has just computed is the computed value itself."""
        while node.op == "load":
            stage = self.here.get(node.attr[0])
            if stage is None or stage.reducer or self.nest.exclusive:
                return node
            if stage.level != self.level:
                return node
            node = stage.root
        return node

    def _value(self, node: Node) -> Value:
        return self._computed(self._resolved(node))

    def _computed(self, node: Node) -> Value:
        """The value of a node that is resolved."""
        frame, vector = self._frame_of(node.dims)
        key = ("node", self.nest, node.id)
        value = frame.memo.get(key)
        if value is None:
            value = frame.memo[key] = self._compute(
                node, frame, frame.builder(self.width if vector else 1), vector
            )
        return value

    def _as_vector(self, node: Node) -> Value:
        return self._operand(node, self._vector(), self.width > 1)

    def _operand(self, node: Node, b: Builder, vector: bool) -> Value:
        node = self._resolved(node)
        if node.op == "const":
            constant = self._constants.get((node.id, b.width))
            if constant is None:
                constant = self._constants[node.id, b.width] = b.const(node.elem, node.attr)
            return constant
        value = self._computed(node)
        if not vector or value.width > 1:
            return value
        frame, _ = self._frame_of(node.dims)
        key = ("splat", self.nest, node.id)
        wide = frame.memo.get(key)
        if wide is None:
            wide = frame.memo[key] = frame.builder(self.width).splat(value)
        return wide

    def _compute(self, node: Node, frame: Frame, b: Builder, vector: bool) -> Value:
        if node.op == "load":
            return self._load(node, frame, b)
        if node.op == "const":
            return b.const(node.elem, node.attr)
        if node.op == "index":
            (affine,) = node.attr
            # What is cut to fewer bits later may be cut at once.
            narrow = self._fits(affine) if node.elem.is_float else node.elem.bits <= I32.bits
            return b.convert(self._position(affine, frame, b, I32 if narrow else I64), node.elem)
        if node.op == "inside":
            affine, low, high = node.attr
            elem = I32 if self._fits(affine, low, high) else I64
            shifted = b.sub(self._position(affine, frame, b, elem), b.const(elem, low))
            limit = b.const(elem, high - low)
            return b.emit(f"icmp ult {shifted.type} {shifted.name}, {limit.name}", BOOL)
        assert node.rule is not None
        args = [self._operand(a, b, vector) for a in node.args]
        if any(a.elem.is_half for a in args) and node.op not in _HALF:
            args = [b.convert(a, F32) if a.elem.is_half else a for a in args]
            return b.convert(node.rule(b, *args, **(node.attr or {})), node.elem)
        return node.rule(b, *args, **(node.attr or {}))

    # Memory

    def _load(self, node: Node, frame: Frame, b: Builder) -> Value:
        leaf, affine, offset, mask = node.attr
        stage = self.here.get(leaf)
        if stage is not None and stage.reducer:
            return self.frames[len(self.outer)].memo[("reduced", leaf)]
        if leaf.is_scalar and leaf.value is not None:
            value: Value = leaf.value
            return value
        if leaf.row:
            affine = Affine(
                tuple(
                    c if d in self.nest.order[self.nest.outer or 0 :] else 0
                    for d, c in enumerate(affine.coefs)
                ),
                affine.const,
            )
        return self._read(leaf, affine, offset, mask, frame, b)

    def _read(
        self, leaf: Leaf, affine: Affine, offset: Node | None, mask: Node | None, frame: Frame, b: Builder
    ) -> Value:
        coef = affine.coefs[self.vector_dim] if self.vector_dim >= 0 else 0
        varying = [n for n in (offset, mask) if n is not None and n.dims & self.vector_mask]
        if b.width > 1 and (coef not in (1, -1) or (offset is not None and offset in varying)):
            return self._gathered(leaf, affine, offset, mask, frame, b)
        address = self._address(leaf, affine, frame, coef, b.width)
        scalar = frame.builder()
        if offset is not None:
            at = self._value(offset)
            address = scalar.emit(
                f"getelementptr {leaf.elem.memory}, ptr {address}, {at.type} {at.name}", leaf.elem
            ).name
        if mask is not None and (mask not in varying or b.width == 1):
            # A uniform condition: read at the start of the array instead.
            address = (
                scalar.emit(
                    f"select i1 {self._value(mask).name}, ptr {address}, ptr {leaf.address}",
                    leaf.elem,
                ).name
                if leaf.size >= b.width
                else address
            )
            if leaf.size < b.width:
                return self._masked(leaf, address, b.splat(self._value(mask)), b)
            return loaded(leaf.elem, address, b, coef)
        if mask is not None:
            return self._masked(leaf, address, self._operand(mask, b, True), b, coef)
        return loaded(leaf.elem, address, b, coef)

    def _masked(self, leaf: Leaf, address: str, mask: Value, b: Builder, coef: int = 1) -> Value:
        memory = f"<{b.width} x {leaf.elem.memory}>"
        suffix = f"v{b.width}{'f' if leaf.elem.is_float else 'i'}{leaf.elem.bytes * 8}"
        name = f"llvm.masked.load.{suffix}.p0"
        b.module.declare(name, f"{memory} @{name}(ptr, i32 immarg, {mask.type}, {memory})")
        if coef == -1:
            mask = b.emit(reversal(mask.type, mask.name, b.width), BOOL)
        value = b.emit(
            f"call {memory} @{name}(ptr {address}, i32 {leaf.elem.alignment}, {mask.type} {mask.name}, "
            f"{memory} zeroinitializer)",
            leaf.elem,
        )
        if coef == -1:
            value = b.emit(reversal(memory, value.name, b.width), leaf.elem)
        return from_memory(value, b)

    def _gathered(
        self, leaf: Leaf, affine: Affine, offset: Node | None, mask: Node | None, frame: Frame, b: Builder
    ) -> Value:
        added = None if offset is None else self._operand(offset, b, True)
        elem = added.elem if added is not None else I32 if self._fits(affine) else I64
        at = self._position(affine, frame, b, elem)
        if added is not None:
            at = b.add(at, added)
        pointers = b.emit(
            f"getelementptr {leaf.elem.memory}, ptr {leaf.address}, {at.type} {at.name}", leaf.elem
        )
        memory, many = f"<{b.width} x {leaf.elem.memory}>", f"<{b.width} x ptr>"
        suffix = f"v{b.width}{'f' if leaf.elem.is_float else 'i'}{leaf.elem.bytes * 8}"
        name = f"llvm.masked.gather.{suffix}.v{b.width}p0"
        b.module.declare(name, f"{memory} @{name}({many}, i32 immarg, <{b.width} x i1>, {memory})")
        lanes = b.const(BOOL, True) if mask is None else self._operand(mask, b, True)
        value = b.emit(
            f"call {memory} @{name}({many} {pointers.name}, i32 {leaf.elem.alignment}, {lanes.type} "
            f"{lanes.name}, {memory} zeroinitializer)",
            leaf.elem,
        )
        return from_memory(value, b)

    def _store(self, stage: Stage, value: Value, frame: Frame) -> None:
        leaf, affine = stage.leaf, stage.target
        if leaf.row:
            inner = self.nest.order[self.nest.outer or 0 :]
            affine = Affine(tuple(c if d in inner else 0 for d, c in enumerate(affine.coefs)), affine.const)
        coef = affine.coefs[self.vector_dim] if self.vector_dim >= 0 and not stage.reducer else 0
        if stage.mask is not None:
            self._store_where(stage, value, frame, coef)
            return
        self._write(stage, value, frame, affine, coef)

    def _store_where(self, stage: Stage, value: Value, frame: Frame, coef: int) -> None:
        assert stage.mask is not None
        yes, done = frame.module.label(), frame.module.label()
        frame.branch(self._value(stage.mask), yes, done)
        frame.start_block(yes)
        known = dict(frame.memo)
        if stage.accumulate:
            value = self._accumulated(stage, value)
        self._write(stage, value, frame, stage.target, coef)
        frame.memo = known  # What is computed in this block is not known after it.
        frame.jump(done)
        frame.start_block(done)

    def _write(self, stage: Stage, value: Value, frame: Frame, affine: Affine, coef: int) -> None:
        leaf = stage.leaf
        address = self._address(leaf, affine, frame, coef, value.width)
        b = frame.builder(value.width)
        if stage.offset is not None:
            at = self._value(stage.offset)
            scalar = frame.builder()
            address = scalar.emit(
                f"getelementptr {leaf.elem.memory}, ptr {address}, {at.type} {at.name}", leaf.elem
            ).name
        if leaf.elem is BOOL:
            kind = f"<{b.width} x i8>" if b.width > 1 else "i8"
            value = Value(b.emit(f"zext {value.type} {value.name} to {kind}", BOOL).name, BOOL, value.width)
        else:
            kind = value.type
        if coef == -1 and b.width > 1:
            value = Value(b.emit(reversal(kind, value.name, b.width), leaf.elem).name, leaf.elem, value.width)
        frame.lines.append(f"  store {kind} {value.name}, ptr {address}, align {leaf.elem.alignment}")


#: What half precision needs no detour for: moves, and rules that convert for themselves.
_HALF = frozenset(
    "select_n convert_element_type bitcast_convert_type neg abs eq ne lt le gt ge nextafter exp2 logistic".split()
)
