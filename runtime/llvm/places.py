"""Where the loops of a nest are, and where in memory that is: affine forms as instructions, hoisted as far as they can be."""

from __future__ import annotations

from typing import Any

from .builder import Builder, Value
from .index import Affine
from .loops import Frame
from .merged import merged
from .nest import Nest
from .node import Leaf
from .types import I64, Element


class Places:
    """The loops of a nest, and the frames of those that are being emitted, outermost first."""

    def __init__(self, nest: Nest, frame: Frame) -> None:
        self.nest = nest
        self.frames = [frame]
        outer = nest.outer or 0
        affines = self._affines()
        self.outer = merged(nest, nest.order[:outer], affines)
        self.inner = merged(nest, nest.order[outer:], affines)
        self.vector_dim = self.inner[-1].dim if self.inner else -1
        self.vector_mask = self.inner[-1].dims if self.inner else 0

    def _affines(self) -> list[Affine]:
        found: dict[Affine, None] = {}
        for stage in self.nest.stages:
            found[stage.target] = None
            for node in stage.nodes:
                if node.affine is not None:
                    found[node.affine] = None
        return list(found)

    def _sum(self, affine: Affine, frame: Frame, *, skip_vector: bool) -> Value:
        """The affine form over the loops outside of, or with, the innermost one, hoisted as far as it can be."""
        b0 = self.frames[0].builder()
        total = b0.const(I64, affine.const)
        key: tuple[Any, ...] = ("sum", affine.const)
        loops = [*self.outer, *self.inner]
        if skip_vector and self.inner:
            loops = loops[:-1]
        constant = True
        for depth, each in enumerate(loops):
            coef = affine.coefs[each.dim]
            if not coef or depth + 1 >= len(self.frames):
                continue
            place = self.frames[depth + 1]
            key = (*key, depth, coef)
            known = place.memo.get(key)
            if known is None:
                b = place.builder()
                assert place.position is not None
                term = place.position if coef == 1 else b.mul(place.position, b.const(I64, coef))
                known = term if constant and total.name == "0" else b.add(total, term)
                place.memo[key] = known
            total, constant = known, False
        return total

    def _fits(self, affine: Affine, *others: int) -> bool:
        """Whether all values of an affine form, and others, are 32-bit integers."""
        ends = [c * (n - 1) for c, n in zip(affine.coefs, self.nest.domain, strict=True)]
        low, high = affine.const + sum(e for e in ends if e < 0), affine.const + sum(e for e in ends if e > 0)
        return all(-(1 << 31) <= value < 1 << 31 for value in (low, high, *others))

    def _position(self, affine: Affine, frame: Frame, b: Builder, elem: Element = I64) -> Value:
        """The value of an affine form, in each lane."""
        base = self._sum(affine, frame, skip_vector=b.width > 1)
        if b.width == 1:
            return b.convert(base, elem)
        coef = affine.coefs[self.vector_dim]
        assert frame.position is not None
        scalar = frame.builder()
        start = scalar.add(base, scalar.mul(frame.position, scalar.const(I64, coef)))
        steps = b.mul(b.lanes(elem), b.const(elem, coef)) if coef != 1 else b.lanes(elem)
        return b.add(b.splat(scalar.convert(start, elem)), steps)

    def _pointer(self, leaf: Leaf, affine: Affine, frame: Frame) -> tuple[str, Element]:
        base = self._sum(affine, frame, skip_vector=True)
        depth = max(
            (
                k + 1
                for k, each in enumerate([*self.outer, *self.inner[:-1]])
                if affine.coefs[each.dim] and k + 1 < len(self.frames)
            ),
            default=0,
        )
        place = self.frames[depth]
        key = ("pointer", leaf, base.name)
        known = place.memo.get(key)
        if known is None:
            if base.name == "0":
                known = Value(leaf.address, leaf.elem, 1)
            else:
                known = place.builder().emit(
                    f"getelementptr {leaf.elem.memory}, ptr {leaf.address}, i64 {base.name}", leaf.elem
                )
            place.memo[key] = known
        return known.name, leaf.elem

    def _address(self, leaf: Leaf, affine: Affine, frame: Frame, vector_coef: int, width: int) -> str:
        """The address of the first element of a contiguous access (the last in memory if it runs backwards)."""
        pointer, elem = self._pointer(leaf, affine, frame)
        if not vector_coef:
            return pointer
        assert frame.position is not None
        b = frame.builder()
        at = frame.position if vector_coef == 1 else b.mul(frame.position, b.const(I64, vector_coef))
        if vector_coef == -1 and width > 1:
            at = b.sub(at, b.const(I64, width - 1))
        if at.name == "0":
            return pointer
        key = ("address", pointer, at.name)
        known = frame.memo.get(key)
        if known is None:
            known = frame.memo[key] = b.emit(
                f"getelementptr {elem.memory}, ptr {pointer}, i64 {at.name}", elem
            )
        return known.name
