"""Planning a jaxpr: which values are computed where, in which order, in which memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from ..primitives.lowering import cost_of
from .assembled import by_parts, with_gaps
from .builder import Module
from .emit_nest import NestEmitter
from .flat import Atom, Eqn, Flat, Var
from .index import flatten, identity, reshape
from .loops import Frame
from .movement import LAZY
from .nest import Nest, Reducer, Stage, outer_target
from .node import Leaf, Node, Nodes
from .pull import Puller
from .types import NotLowered, element

#: A value used more than once is computed once if it costs more than this.
_RECOMPUTE = 3
#: Chains of lazy values are cut at this depth, which bounds recursion; the pieces still share their loops.
_DEPTH = 60
#: What reading through an index costs, where it is not free.
MOVES = {"gather": 2, "random_bits": 80, "random_split": 80, "random_fold_in": 80, "random_gamma": 1500}
_CONCATENATED = 4
#: What reads elements of its operands more than once, or next to others.
_EXPANDING = frozenset(
    ("broadcast_in_dim", "gather", "concatenate", "stack", "random_split", "random_bits", "random_gamma")
)
_ALIGNMENT = 64
END = 1 << 60


class Step(Protocol):
    """A part of the plan, run in order."""

    local_bytes: int
    local_offset: int

    @property
    def reads(self) -> Sequence[Leaf]: ...

    @property
    def writes(self) -> Sequence[Leaf]: ...

    @property
    def work(self) -> int:
        """How many elements there are to go through."""
        ...

    def emit(self, scope: Scope, frame: Frame) -> None: ...


class NestStep(Nest):
    """A loop nest as a step."""

    @property
    def work(self) -> int:
        return math.prod(self.domain)

    def emit(self, scope: Scope, frame: Frame) -> None:
        NestEmitter(self, frame).emit()

    @property
    def effort(self) -> int:
        """How much there is to do, in additions."""
        nodes = {n.id: n for stage in self.stages for n in stage.nodes}.values()
        return self.work * sum(cost_of(n.rule) for n in nodes)

    def division(self, frame: Frame) -> tuple[int, int] | None:
        """See `NestEmitter.division`."""
        return NestEmitter(self, frame).division


class Copy:
    """Copies an array; nothing if the target could take over the memory of the source."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, source: Leaf, target: Leaf, *, elidable: bool = False) -> None:
        self.source, self.target, self.elidable = source, target, elidable

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
        if self.target.root is not self.source.root:
            copy_memory(scope.module, frame, self.target, self.source)


def copy_memory(module: Module, frame: Frame, target: Leaf, source: Leaf) -> None:
    count = source.size * source.elem.bytes
    if source.value is not None:
        kind = source.elem.memory
        name = source.value.name
        if kind != source.elem.llvm:
            name = frame.builder().emit(f"zext i1 {name} to i8", source.elem).name
        frame.lines.append(f"  store {kind} {name}, ptr {target.address}, align {source.elem.alignment}")
        return
    module.declare("llvm.memcpy.p0.p0.i64", "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    frame.lines.append(
        f"  call void @llvm.memcpy.p0.p0.i64(ptr {target.address}, ptr {source.address}, "
        f"i64 {count}, i1 false)"
    )


class Scope:
    """A jaxpr being planned: its values, the steps that compute them, and the memory that these share."""

    def __init__(
        self, module: Module, flat: Flat, bindings: dict[Var, Leaf], carries: Sequence[Leaf] = ()
    ) -> None:
        self.module = module
        self.flat = flat
        self.carries = frozenset(carries)  # memory that comes from outside and may be overwritten
        self.base = 0
        self.bytes = 0
        self.leaves: dict[Var, Leaf] = dict(bindings)
        self.lazy: dict[Var, Eqn] = {}
        self.steps: list[Step] = []
        self._written: dict[Leaf, int] = {}
        self._offsets: list[tuple[Leaf, int]] = []
        self._copies: list[Copy] = []
        self._domains: dict[tuple[int, ...], tuple[Nodes, Puller]] = {}
        self._cost: dict[Var, int] = {}
        self._depth: dict[Var, int] = {}
        self._uses: dict[Var, int] = {}
        self._constants: dict[tuple[str, bytes], Leaf] = {}
        for eqn in flat.eqns:
            for atom in eqn.inputs:
                if isinstance(atom, Var):
                    self._uses[atom] = self._uses.get(atom, 0) + 1
        self._results = {a for a in flat.outputs if isinstance(a, Var)}

    @property
    def work(self) -> int:
        """How many elements there are to go through in all steps."""
        return sum(step.work for step in self.steps)

    # Planning

    def plan(self) -> None:
        from .structural import STRUCTURAL

        for eqn in self.flat.eqns:
            if eqn.rule is not None or eqn.name in LAZY:
                self._plan_lazy(eqn)
            elif eqn.name in STRUCTURAL:
                STRUCTURAL[eqn.name](self, eqn)
            else:
                raise NotLowered(eqn.name)
        for atom in self.flat.outputs:
            self.materialise(atom)

    def _plan_lazy(self, eqn: Eqn) -> None:
        for out in eqn.outputs:
            element(out.dtype)
            self.lazy[out] = eqn
        if eqn.rule is None and self._planned_in_memory(eqn):
            return
        variables = [a for a in eqn.inputs if isinstance(a, Var) and a in self.lazy and a not in self.leaves]
        cost = cost_of(eqn.rule) if eqn.rule is not None else MOVES.get(eqn.name, 0)
        depth = 1
        for a in variables:
            cost += self._cost[a]
            depth = max(depth, self._depth[a] + 1)
        for v in eqn.outputs:
            self._cost[v], self._depth[v] = cost, depth
            shared = cost >= _RECOMPUTE and self._uses.get(v, 0) > 1
            if shared or depth >= _DEPTH or v in self._results:
                self.materialise(v)

    def _planned_in_memory(self, eqn: Eqn) -> bool:
        """Stores what an equation that moves elements should not compute again for each; True if the result is planned."""
        operand, out = eqn.inputs[0] if eqn.inputs else None, eqn.outputs[0]
        if eqn.name in ("dynamic_slice", "gather"):
            self.materialise(eqn.inputs[0])
        if eqn.name == "reshape" and operand is not None:
            places = identity(out.shape)
            if reshape(places, operand.shape, out.shape, len(out.shape)) is None:
                self._alias(operand, out)
                return True
        if eqn.name in _EXPANDING:
            for a in eqn.inputs:
                if not isinstance(a, Var) or a not in self.lazy or a in self.leaves:
                    continue
                if self._cost[a] >= _RECOMPUTE and _size(a) > 1 and _size(out) != _size(a):
                    self.materialise(a)
        if eqn.name == "pad" and any(int(interior) for _, _, interior in eqn.params["padding_config"]):
            with_gaps(self, eqn)
            return True
        if eqn.name in ("concatenate", "stack") and len(eqn.inputs) > _CONCATENATED:
            by_parts(self, eqn)
            return True
        return False

    def _alias(self, operand: Atom, out: Var) -> None:
        source = self.materialise(operand)
        leaf = self.new_leaf(out, f"v{out.id}")
        leaf.alias = source
        leaf.owned = False
        self.leaves[out] = leaf

    def new_leaf(self, like: Atom, name: str) -> Leaf:
        return Leaf(name, like.shape, element(like.dtype))

    def domain(self, shape: tuple[int, ...]) -> tuple[Nodes, Puller]:
        found = self._domains.get(shape)
        if found is None:
            nodes = Nodes(len(shape))
            found = self._domains[shape] = (nodes, Puller(nodes, self.leaves, self.lazy, LAZY))
        return found

    def materialise(self, atom: Atom) -> Leaf:
        """The array that holds a value, with a step that computes it if there is none yet."""
        if isinstance(atom, Var):
            leaf = self.leaves.get(atom)
            if leaf is not None:
                return leaf
            leaf = self.new_leaf(atom, f"v{atom.id}")
            self.store(leaf, atom)
            self.leaves[atom] = leaf
            return leaf
        elem = element(atom.dtype)
        key = (elem.name, elem.literal(atom.value).encode())
        known = self._constants.get(key)
        if known is None:
            known = self._constants[key] = Leaf("const", (), elem)
            self.store(known, atom)
        return known

    def arranged(self, source: Leaf, order: Sequence[int]) -> Leaf:
        """An array in memory with its dimensions in this order: a copy, unless that is how it lies."""
        if tuple(order) == tuple(range(len(order))):
            return source
        shape = tuple(source.shape[d] for d in order)
        target = Leaf("arranged", shape, source.elem)
        nodes, puller = self.domain(shape)
        places = identity(shape)
        back = tuple(places[order.index(d)] for d in range(len(order)))
        self.place(shape, nodes, Stage(target, puller.load(source, back), flatten(places, shape, len(shape))))
        return target

    def is_cheap(self, atom: Atom) -> bool:
        """Whether computing a value again takes about as long as reading it."""
        return (
            not isinstance(atom, Var) or atom in self.leaves or self._cost.get(atom, _RECOMPUTE) <= _RECOMPUTE
        )

    def store(self, leaf: Leaf, atom: Atom) -> None:
        """Plans ``leaf[:] = atom``."""
        nodes, puller = self.domain(leaf.shape)
        places = identity(leaf.shape)
        root = puller.at(atom, places if atom.shape else ())
        self.place(leaf.shape, nodes, Stage(leaf, root, flatten(places, leaf.shape, len(leaf.shape))))

    def reduce(
        self,
        out: Var,
        domain: tuple[int, ...],
        nodes: Nodes,
        root: Node,
        kept: tuple[int, ...],
        reducer: Reducer,
    ) -> None:
        """Plans a reduction of ``root`` over the dimensions that are not ``kept``."""
        reduced = tuple(d for d in range(len(domain)) if d not in kept)
        leaf = self.new_leaf(out, f"v{out.id}")
        self.leaves[out] = leaf
        target = outer_target(domain, kept)
        wide = [d for d in range(len(domain)) if domain[d] != 1]
        if all(domain[d] == 1 for d in reduced):
            self.place(domain, nodes, Stage(leaf, root, target))
            return
        if not kept or wide[-1] in reduced:
            stage = Stage(leaf, root, target, reducer=reducer)
            self.place(domain, nodes, stage, (*kept, *reduced), len(kept))
            return
        # The last dimension is kept: rows are added to the result, one after the other.
        shape = tuple(domain[d] for d in kept)
        start_nodes, _ = self.domain(shape)
        neutral = start_nodes.const(reducer.identity(leaf.elem), leaf.elem)
        self.place(shape, start_nodes, Stage(leaf, neutral, outer_target(shape, tuple(range(len(shape))))))
        last = wide[-1]
        order = (*(d for d in kept if d < last), *reduced, *(d for d in kept if d >= last))
        stage = Stage(leaf, root, target, accumulate=reducer.combine)
        self.place(domain, nodes, stage, order, exclusive=True)

    def place(
        self,
        domain: tuple[int, ...],
        nodes: Nodes,
        stage: Stage,
        order: tuple[int, ...] | None = None,
        outer: int | None = None,
        *,
        exclusive: bool = False,
        alone: int | None = None,
    ) -> None:
        """Puts a stage into a nest that exists already, the latest that can take it, or into one of its own."""
        order = tuple(range(len(domain))) if order is None else order
        if 0 in domain:
            if stage.reducer is None:
                self._written[stage.leaf] = len(self.steps)
                return
            self._store_neutral(stage, stage.reducer)
            return
        earliest = max((self.written(n.attr[0]) for n in stage.loads), default=-1)
        if not exclusive and not stage.accumulate:
            for k in range(len(self.steps) - 1, max(earliest, 0) - 1, -1):
                nest = self.steps[k]
                if isinstance(nest, NestStep) and nest.domain == domain and nest.admits(stage, order, outer):
                    nest.add(stage, outer)
                    self._written[stage.leaf] = k
                    return
        nest = NestStep(domain, nodes, order, outer, exclusive, alone)
        nest.add(stage, outer)
        self.add(nest)

    def _store_neutral(self, stage: Stage, reducer: Reducer) -> None:
        leaf = stage.leaf
        nodes, _ = self.domain(leaf.shape)
        root = nodes.const(reducer.identity(leaf.elem), leaf.elem)
        self.place(
            leaf.shape, nodes, Stage(leaf, root, outer_target(leaf.shape, tuple(range(len(leaf.shape)))))
        )

    def add(self, step: Step) -> None:
        for leaf in step.writes:
            self._written[leaf] = len(self.steps)
        self.steps.append(step)

    def written(self, leaf: Leaf) -> int:
        """The step that writes a leaf last; -1 for what comes from outside."""
        return max(self._written.get(leaf, -1), self._written.get(leaf.root, -1))

    def updated(self, operand: Atom, out: Var) -> Leaf:
        """A copy of ``operand`` that the next step may overwrite in part; in place if nobody needs the original."""
        leaf = self.new_leaf(out, f"v{out.id}")
        if isinstance(operand, Var) and operand in self.leaves:
            self.add(Copy(self.leaves[operand], leaf, elidable=True))
        else:
            self.store(leaf, operand)
        self.leaves[out] = leaf
        return leaf

    # Memory

    def resolve(self) -> None:
        """Records who reads what until when, and lets copies take over memory that is not needed any more."""
        for atom in self.flat.outputs:
            self._read(self.materialise(atom), END)
        for number, step in enumerate(self.steps):
            for leaf in step.reads:
                self._read(leaf, number)
        for number, step in enumerate(self.steps):
            if not isinstance(step, Copy) or not step.elidable:
                continue
            source, target = step.source.root, step.target
            if self._may_overwrite(source) and not target.is_scalar and source.last_read <= number:
                target.alias = source
                target.owned = False
                source.reads.extend(target.reads)
                source.keepers.extend(target.keepers)

    def _read(self, leaf: Leaf, number: int) -> None:
        if leaf.root in self._written or leaf.root in self.carries:  # others live outside of this scope
            leaf.root.reads.append(number)

    def may_overwrite(self, atom: Atom) -> bool:
        """Whether the memory of a value could be that of an updated one."""
        leaf = self.leaves.get(atom) if isinstance(atom, Var) else None
        return leaf is not None and self._may_overwrite(leaf.root)

    def _may_overwrite(self, root: Leaf) -> bool:
        return root in self.carries or (root.owned and root in self._written)

    def finish(self, targets: Sequence[Leaf | None]) -> None:
        """Puts the results where they are wanted (None: wherever they are), and assigns all memory."""
        for atom, target in zip(self.flat.outputs, targets, strict=True):
            leaf = self.materialise(atom)
            if target is None or leaf.root is target.root:
                continue
            root = leaf.root
            if (
                root.owned
                and root in self._written
                and not leaf.is_scalar
                and root.size == target.size
                and root.pointer is None
            ):
                root.alias = target
                root.owned = False
            else:
                self._copies.append(Copy(leaf, target))
        self._settle({self.materialise(a).root for a in self.flat.outputs})
        self._allocate()

    def _settle(self, results: set[Leaf]) -> None:
        """Drops stores that nobody reads."""
        readers: dict[Leaf, set[int]] = {}
        for number, step in enumerate(self.steps):
            for leaf in step.reads:
                readers.setdefault(leaf.root, set()).add(number)
        for number, step in enumerate(self.steps):
            if isinstance(step, NestStep):
                step.settle(
                    lambda leaf, n=number: (
                        leaf.root in results
                        or bool(  # type: ignore[misc]
                            readers.get(leaf.root, set()) - {n}
                        )
                    )
                )

    def _allocate(self) -> None:
        """Offsets in the scratch memory, first fit by lifetime; also for what the children need while they run."""
        taken: list[tuple[int, int, int, int]] = []  # first step, last step, offset, end

        def find(first: int, last: int, size: int) -> int:
            offset = 0
            for _, _, start, stop in sorted(
                (t for t in taken if t[0] <= last and first <= t[1]), key=lambda t: t[2]
            ):
                if offset + size <= start:
                    break
                offset = max(offset, stop)
            taken.append((first, last, offset, offset + size))
            self.bytes = max(self.bytes, offset + size)
            return offset

        for number, step in enumerate(self.steps):
            for leaf in step.writes:
                if leaf.owned and leaf.pointer is None and leaf.stored and not leaf.is_scalar:
                    size = leaf.size if not leaf.row else self._row_size(leaf, step)
                    last = max(leaf.last_read, number)
                    leaf.pointer = f"%s{self.module.fresh()[2:]}"
                    self._offsets.append((leaf, find(number, last, _rounded(max(1, size) * leaf.elem.bytes))))
            if step.local_bytes:
                step.local_offset = find(number, number, _rounded(step.local_bytes))

    @staticmethod
    def _row_size(leaf: Leaf, step: Step) -> int:
        assert isinstance(step, NestStep)
        size = 1
        for d in step.order[step.outer or 0 :]:
            size *= step.domain[d]
        return size

    def emit(self, frame: Frame) -> None:
        for leaf, offset in self._offsets:
            self.module.entry.append(
                f"  {leaf.pointer} = getelementptr i8, ptr %scratch, i64 {self.base + offset}"
            )
        for step in self.steps:
            step.emit(self, frame)
        for copy in self._copies:
            copy.emit(self, frame)


def _rounded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _size(atom: Atom) -> int:
    total = 1
    for n in atom.shape:
        total *= n
    return total
