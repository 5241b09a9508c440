"""Control flow inside one function: while, scan and cond as blocks, their bodies planned like any jaxpr."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import Value
from .flat import Atom, Eqn, Flat, Var
from .loops import Frame
from .node import Leaf
from .scope import Copy, Scope
from .types import BOOL, I32, I64, element


class Carry:
    """One value that a loop hands from iteration to iteration.

    A scalar is a phi. An array that the body updates in place, or hands on as it is, stays where it is.
    Any other alternates between two buffers.
    """

    def __init__(self, scope: Scope, initial: Atom) -> None:
        module = scope.module
        self.scalar = initial.shape == ()
        elem = element(initial.dtype)
        self.phi = module.fresh()
        if self.scalar:
            self.start = scope.materialise(initial)
            self.current = Leaf("carry", (), elem, self.phi)
            self.current.value = Value(self.phi, elem, 1)
            return
        self.start = Leaf("carry", initial.shape, elem)
        if isinstance(initial, Var) and initial in scope.leaves:
            scope.add(Copy(scope.leaves[initial], self.start, elidable=True))
        else:
            scope.store(self.start, initial)
        self.current = Leaf("carry", initial.shape, elem, self.phi)
        self.other = Leaf("next", initial.shape, elem)
        self.other_phi = module.fresh()
        self.target: Leaf | None = Leaf("next", initial.shape, elem, self.other_phi)

    def settle(self, result: Leaf) -> None:
        """Decides whether two buffers are needed, once the body is planned."""
        if not self.scalar and result.root is self.current:
            self.current.alias = self.start
            self.target = None

    @property
    def alternates(self) -> bool:
        return not self.scalar and self.target is not None

    def result(self, var: Var) -> Leaf:
        """The value after the loop."""
        leaf = Leaf("result", var.shape, element(var.dtype), self.phi)
        if self.scalar:
            leaf.value = self.current.value
        elif self.target is None:
            leaf = Leaf("result", var.shape, element(var.dtype))
            leaf.alias = self.start
            leaf.owned = False
        else:
            self.start.keepers.append(leaf)
            self.other.keepers.append(leaf)
        return leaf


class Loop:
    """A while or scan equation as a step."""

    local_offset = 0

    def __init__(self, scope: Scope, carries: list[Carry], operands: list[Leaf]) -> None:
        self.carries = carries
        self.operands = operands
        self.scopes: list[Scope] = []
        self.results: list[Leaf] = []
        self.local_bytes = 0

    @property
    def reads(self) -> Sequence[Leaf]:
        return [*self.operands, *(c.start for c in self.carries)]

    @property
    def writes(self) -> Sequence[Leaf]:
        return [*self.results, *(c.other for c in self.carries if c.alternates)]

    def open(self, frame: Frame, head: str) -> tuple[Frame, str]:
        """The loop's frame, and the block before it."""
        self._starts = [_scalar(frame, c.start) for c in self.carries if c.scalar]
        frame.jump(head)
        return Frame(frame.module, head), frame.label

    def phis(self, before: str, latch: str) -> list[str]:
        lines: list[str] = []
        starts = iter(self._starts)
        for carry in self.carries:
            if carry.scalar:
                kind = carry.current.elem.llvm
                lines.append(
                    _phi(carry.phi, kind, (next(starts).name, before), (self._nexts[carry.phi], latch))
                )
            elif carry.alternates:
                this, that = carry.phi, carry.other_phi
                lines.append(_phi(this, "ptr", (carry.start.address, before), (that, latch)))
                lines.append(_phi(that, "ptr", (carry.other.address, before), (this, latch)))
        return lines

    def outcomes(self, body: Scope) -> list[Atom]:
        return body.flat.outputs[: len(self.carries)]

    def collect(self, body: Scope, frame: Frame) -> None:
        """The scalars that the next iteration starts with."""
        self._nexts = {
            c.phi: _scalar(frame, body.materialise(a)).name
            for c, a in zip(self.carries, self.outcomes(body), strict=True)
            if c.scalar
        }


def _phi(name: str, kind: str, *incoming: tuple[str, str]) -> str:
    return f"  {name} = phi {kind} " + ", ".join(f"[ {value}, %{block} ]" for value, block in incoming)


def _scalar(frame: Frame, leaf: Leaf) -> Value:
    """A scalar in a register."""
    if leaf.root.value is not None:
        return leaf.root.value
    b = frame.builder()
    value = b.emit(f"load {leaf.elem.memory}, ptr {leaf.address}, align {leaf.elem.alignment}", leaf.elem)
    return b.emit(f"icmp ne i8 {value.name}, 0", BOOL) if leaf.elem is BOOL else value


class WhileLoop(Loop):
    """``while cond(carry): carry = body(carry)``."""

    work = 1 << 40  # Nobody knows how often it runs.

    def emit(self, scope: Scope, frame: Frame) -> None:
        condition, body = self.scopes
        condition.base = body.base = scope.base + self.local_offset
        module = scope.module
        head, inside, leave = module.label(), module.label(), module.label()
        inner, before = self.open(frame, head)
        condition.emit(inner)
        test = _scalar(inner, condition.materialise(condition.flat.outputs[0]))
        inner.branch(test, inside, leave)
        inner.start_block(inside)
        body.emit(inner)
        self.collect(body, inner)
        inner.jump(head)
        frame.lines.append(f"{head}:")
        frame.lines.extend(self.phis(before, inner.label))
        frame.lines.extend(inner.lines)
        frame.start_block(leave)


class ScanLoop(Loop):
    """``for i in range(length): carry, ys[i] = body(carry, xs[i])``."""

    length = 0
    backwards = False

    def prepare(self, slices: list[tuple[Leaf, Leaf]], stacks: list[tuple[Leaf, Leaf]]) -> None:
        self.slices = slices  # (array, the slice of an iteration)
        self.stacks = stacks

    @property
    def writes(self) -> Sequence[Leaf]:
        return [*super().writes, *(whole for whole, _ in self.stacks)]

    @property
    def work(self) -> int:
        return self.length * sum(body.work for body in self.scopes)

    def emit(self, scope: Scope, frame: Frame) -> None:
        (body,) = self.scopes
        body.base = scope.base + self.local_offset
        module = scope.module
        head, inside, leave = module.label(), module.label(), module.label()
        counter = module.fresh()
        inner, before = self.open(frame, head)
        b = inner.builder()
        more = b.emit(f"icmp ult i64 {counter}, {self.length}", BOOL)
        inner.branch(more, inside, leave)
        inner.start_block(inside)
        at = Value(counter, I64, 1)
        if self.backwards:
            at = b.sub(b.const(I64, self.length - 1), at)
        for whole, part in (*self.slices, *self.stacks):
            step = b.mul(at, b.const(I64, part.size))
            inner.lines.append(
                f"  {part.pointer} = getelementptr {whole.elem.memory}, ptr {whole.address}, i64 {step.name}"
            )
        body.emit(inner)
        self.collect(body, inner)
        after = b.emit(f"add i64 {counter}, 1", I64)
        inner.jump(head)
        frame.lines.append(f"{head}:")
        frame.lines.append(f"  {counter} = phi i64 [ 0, %{before} ], [ {after.name}, %{inner.label} ]")
        frame.lines.extend(self.phis(before, inner.label))
        frame.lines.extend(inner.lines)
        frame.start_block(leave)


def _outer(scope: Scope, flats: Sequence[Flat]) -> tuple[dict[Var, Leaf], list[Leaf]]:
    """What the bodies read of the surrounding scope besides their operands: constants."""
    free = {v for flat in flats for v in flat.free()}
    bindings = {v: scope.materialise(v) for v in sorted(free, key=lambda v: v.id)}
    return bindings, list(bindings.values())


def _plan_body(
    scope: Scope, flat: Flat, bindings: dict[Var, Leaf], inputs: Sequence[Leaf], carries: Sequence[Carry]
) -> Scope:
    inner = dict(bindings)
    inner.update(zip(flat.inputs, inputs, strict=True))
    body = Scope(scope.module, flat, inner, [c.current for c in carries])
    body.plan()
    body.resolve()
    return body


def plan_while(scope: Scope, eqn: Eqn) -> None:
    n_cond, n_body = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
    condition, body = eqn.bodies
    consts = [scope.materialise(a) for a in eqn.inputs[: n_cond + n_body]]
    outside, captured = _outer(scope, eqn.bodies)
    carries = [Carry(scope, a) for a in eqn.inputs[n_cond + n_body :]]
    step = WhileLoop(scope, carries, [*consts, *captured])
    current = [c.current for c in carries]
    test = _plan_body(scope, condition, outside, [*consts[:n_cond], *current], ())
    test.finish([None])
    inner = _plan_body(scope, body, outside, [*consts[n_cond:], *current], carries)
    _finish(scope, eqn, step, inner, [])
    step.scopes = [test, inner]
    step.local_bytes = max(test.bytes, inner.bytes)
    scope.add(step)


def _finish(scope: Scope, eqn: Eqn, step: Loop, body: Scope, stacks: list[Leaf]) -> None:
    results = [body.materialise(a) for a in body.flat.outputs]
    for carry, leaf in zip(step.carries, results, strict=False):
        carry.settle(leaf)
    body.finish([*(None if c.scalar else c.target for c in step.carries), *stacks])
    for carry, out in zip(step.carries, eqn.outputs, strict=False):
        leaf = carry.result(out)
        scope.leaves[out] = leaf
        step.results.append(leaf)


def plan_scan(scope: Scope, eqn: Eqn) -> None:
    n_consts, n_carry = eqn.params["num_consts"], eqn.params["num_carry"]
    (flat,) = eqn.bodies
    consts = [scope.materialise(a) for a in eqn.inputs[:n_consts]]
    sequences = [scope.materialise(a) for a in eqn.inputs[n_consts + n_carry :]]
    outside, captured = _outer(scope, eqn.bodies)
    carries = [Carry(scope, a) for a in eqn.inputs[n_consts : n_consts + n_carry]]
    step = ScanLoop(scope, carries, [*consts, *captured, *sequences])
    step.length, step.backwards = int(eqn.params["length"]), bool(eqn.params["reverse"])
    slices = [(s, Leaf("slice", s.shape[1:], s.elem, scope.module.fresh())) for s in sequences]
    stacks: list[tuple[Leaf, Leaf]] = []
    for out in eqn.outputs[n_carry:]:
        whole = scope.new_leaf(out, f"v{out.id}")
        scope.leaves[out] = whole
        stacks.append((whole, Leaf("stack", out.shape[1:], whole.elem, scope.module.fresh())))
    step.prepare(slices, stacks)
    body = _plan_body(
        scope, flat, outside, [*consts, *(c.current for c in carries), *(s for _, s in slices)], carries
    )
    _finish(scope, eqn, step, body, [s for _, s in stacks])
    step.scopes = [body]
    step.local_bytes = body.bytes
    scope.add(step)


class Branches:
    """A cond equation as a step: one of several bodies runs."""

    local_offset = 0

    def __init__(self, index: Leaf, operands: list[Leaf], results: list[Leaf], scopes: list[Scope]) -> None:
        self.index, self.operands, self.results, self.scopes = index, operands, results, scopes
        self.local_bytes = max(s.bytes for s in scopes)

    @property
    def reads(self) -> Sequence[Leaf]:
        return [self.index, *self.operands]

    @property
    def writes(self) -> Sequence[Leaf]:
        return self.results

    @property
    def work(self) -> int:
        return max(branch.work for branch in self.scopes)

    def emit(self, scope: Scope, frame: Frame) -> None:
        module = scope.module
        index = _scalar(frame, self.index)
        b = frame.builder()
        last = len(self.scopes) - 1
        index = b.convert(index, I32)
        # Out of range goes to the nearest branch.
        index = b.max(b.min(index, b.const(I32, last)), b.const(I32, 0))
        labels, merge = [module.label() for _ in self.scopes], module.label()
        cases = " ".join(f"i32 {k}, label %{label}" for k, label in enumerate(labels[:-1]))
        frame.lines.append(f"  switch i32 {index.name}, label %{labels[-1]} [ {cases} ]")
        scalars: list[list[tuple[str, str]]] = [[] for _ in self.results]
        for branch, label in zip(self.scopes, labels, strict=True):
            branch.base = scope.base + self.local_offset
            inner = Frame(module, label)
            branch.emit(inner)
            values = [
                _scalar(inner, branch.materialise(a)) if r.is_scalar else None
                for a, r in zip(branch.flat.outputs, self.results, strict=True)
            ]
            for k, value in enumerate(values):
                if value is not None:
                    scalars[k].append((value.name, inner.label))
            inner.jump(merge)
            frame.lines.append(f"{label}:")
            frame.lines.extend(inner.lines)
        frame.start_block(merge)
        for leaf, incoming in zip(self.results, scalars, strict=True):
            if incoming:
                assert leaf.value is not None
                pairs = ", ".join(f"[ {value}, %{label} ]" for value, label in incoming)
                frame.lines.append(f"  {leaf.value.name} = phi {leaf.elem.llvm} {pairs}")


def plan_cond(scope: Scope, eqn: Eqn) -> None:
    index, *operands = [scope.materialise(a) for a in eqn.inputs]
    outside, captured = _outer(scope, eqn.bodies)
    results: list[Leaf] = []
    for out in eqn.outputs:
        leaf = scope.new_leaf(out, f"v{out.id}")
        if leaf.is_scalar:
            leaf.value = Value(scope.module.fresh(), leaf.elem, 1)
        scope.leaves[out] = leaf
        results.append(leaf)
    scopes: list[Scope] = []
    for flat in eqn.bodies:
        branch = _plan_body(scope, flat, outside, operands, ())
        branch.finish([None if r.is_scalar else r for r in results])
        scopes.append(branch)
    scope.add(Branches(index, [*operands, *captured], results, scopes))
