"""Arrays that are put together in memory: each part is stored where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .flat import Eqn
from .index import flatten, identity, zero
from .nest import Stage

if TYPE_CHECKING:
    from .scope import Scope


def by_parts(scope: Scope, eqn: Eqn) -> None:
    """Plans joined arrays as one store for each of them."""
    (out,) = eqn.outputs
    stacked = eqn.name == "stack"
    axis = eqn.params["axis" if stacked else "dimension"]
    leaf = scope.leaves[out] = scope.new_leaf(out, f"v{out.id}")
    start = 0
    for operand in eqn.inputs:
        shape = operand.shape
        nodes, puller = scope.domain(shape)
        places = identity(shape)
        here = zero(len(shape)).plus(start) if stacked else places[axis].plus(start)
        at = (*places[:axis], here, *places[axis if stacked else axis + 1 :])
        stage = Stage(leaf, puller.at(operand, places), flatten(at, leaf.shape, len(shape)))
        scope.place(shape, nodes, stage, exclusive=True)
        start += 1 if stacked else shape[axis]


def with_gaps(scope: Scope, eqn: Eqn) -> None:
    """Plans an array with gaps between its elements: it is filled, and then they are stored."""
    operand, fill = eqn.inputs
    (out,) = eqn.outputs
    if not scope.is_cheap(operand):  # Stores with gaps are not vectorised.
        scope.materialise(operand)
    leaf = scope.new_leaf(out, f"v{out.id}")
    scope.store(leaf, fill)
    scope.leaves[out] = leaf
    padding = [(int(low), int(interior) + 1) for low, _, interior in eqn.params["padding_config"]]
    # Of each dimension, the first element that is not cut off, and how many there are.
    first = [max(0, -(low // step)) for low, step in padding]
    domain = tuple(
        min(n, -(-(total - low) // step)) - start
        for n, total, (low, step), start in zip(operand.shape, out.shape, padding, first, strict=True)
    )
    if min(domain, default=1) <= 0:
        return
    nodes, puller = scope.domain(domain)
    places = tuple(a.plus(start) for a, start in zip(identity(domain), first, strict=True))
    at = tuple(a.times(step).plus(low) for a, (low, step) in zip(places, padding, strict=True))
    stage = Stage(leaf, puller.at(operand, places), flatten(at, out.shape, len(domain)))
    scope.place(domain, nodes, stage, exclusive=True)
