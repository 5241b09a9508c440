"""Primitives that only move values: their results are their operands, read at other indices."""

from __future__ import annotations

from typing import Any

from . import elementwise
from .flat import Eqn, Var
from .index import Affine, Index, reshape, zero
from .node import Node
from .pull import LazyRule, Puller
from .threefry import RANDOM
from .types import BOOL, I32, I64, NotLowered, element


def _broadcast(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    operand = eqn.inputs[0]
    dims = eqn.params["broadcast_dimensions"]
    at = tuple(index[d] if n != 1 else zero(p.rank) for d, n in zip(dims, operand.shape, strict=True))
    return p.at(operand, at, mask)


def _reshape(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand = eqn.inputs[0]
    at = reshape(index, operand.shape, out.shape, p.rank)
    if at is None:
        raise NotLowered("reshape", "not affine")
    return p.at(operand, at, mask)


def _squeeze(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    dims = {d % len(eqn.inputs[0].shape) for d in eqn.params["dimensions"]}
    rest = iter(index)
    at = tuple(zero(p.rank) if d in dims else next(rest) for d in range(len(eqn.inputs[0].shape)))
    return p.at(eqn.inputs[0], at, mask)


def _expand_dims(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    dims = {d % len(out.shape) for d in eqn.params["dimensions"]}
    return p.at(eqn.inputs[0], tuple(a for d, a in enumerate(index) if d not in dims), mask)


def _transpose(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    at = [zero(p.rank)] * len(index)
    for d, source in enumerate(eqn.params["permutation"]):
        at[source] = index[d]
    return p.at(eqn.inputs[0], tuple(at), mask)


def _rev(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    dims = set(eqn.params["dimensions"])
    at = tuple(a.times(-1).plus(out.shape[d] - 1) if d in dims else a for d, a in enumerate(index))
    return p.at(eqn.inputs[0], at, mask)


def _slice(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    starts = eqn.params["start_indices"]
    steps = eqn.params["strides"] or (1,) * len(starts)
    at = tuple(a.times(int(s)).plus(int(o)) for a, s, o in zip(index, steps, starts, strict=True))
    return p.at(eqn.inputs[0], at, mask)


def _split(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    start = sum(int(n) for n in eqn.params["sizes"][: eqn.outputs.index(out)])
    axis = eqn.params["axis"]
    at = tuple(a.plus(start) if d == axis else a for d, a in enumerate(index))
    return p.at(eqn.inputs[0], at, mask)


def _iota(p: Puller, eqn: Eqn, out: Var, index: Index, _: Node | None) -> Node:
    at = index[eqn.params["dimension"]]
    return p.nodes.index(at, element(out.dtype))


def _pad(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, fill = eqn.inputs
    value = p.at(fill, ())
    if 0 in operand.shape:
        return value
    at: list[Affine] = []
    inside: Node | None = None
    for a, n, total, (low, _high, _) in zip(
        index, operand.shape, out.shape, eqn.params["padding_config"], strict=True
    ):
        low = int(low)
        at.append(a.plus(-low))
        if low > 0 or low + n < total:
            inside = p.both(inside, p.nodes.inside(a, low, low + n))
    if inside is None:
        return p.at(operand, tuple(at), mask)
    return p.select(inside, p.at(operand, tuple(at), p.both(mask, inside)), value)


def _concatenate(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["dimension"]
    result: Node | None = None
    start = 0
    for operand in eqn.inputs:
        size = operand.shape[axis]
        if size:
            inside = p.nodes.inside(index[axis], start, start + size)
            at = tuple(a.plus(-start) if d == axis else a for d, a in enumerate(index))
            value = p.at(operand, at, p.both(mask, inside))
            result = value if result is None else p.select(inside, value, result)
        start += size
    assert result is not None
    return result


def _stack(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["axis"]
    at = (*index[:axis], *index[axis + 1 :])
    first, *others = eqn.inputs
    if not others:
        return p.at(first, at, mask)
    result = p.at(first, at, p.both(mask, p.nodes.inside(index[axis], 0, 1)))
    for k, operand in enumerate(others, 1):
        inside = p.nodes.inside(index[axis], k, k + 1)
        result = p.select(inside, p.at(operand, at, p.both(mask, inside)), result)
    return result


def _unstack(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    axis = eqn.params["axis"]
    place = zero(p.rank).plus(eqn.outputs.index(out))
    return p.at(eqn.inputs[0], (*index[:axis], place, *index[axis:]), mask)


def _dynamic_slice(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, *starts = eqn.inputs
    leaf = p.leaves[operand]  # type: ignore[index]
    terms = [
        (p.bounded(p.integer(s, ()), n - m), step)
        for s, n, m, step in zip(starts, operand.shape, out.shape, leaf.strides, strict=True)
        if n != m
    ]
    return p.load(leaf, index, mask, p.linear(terms))


#: Indices that are 32-bit integers or become such without loss.
_NARROW = frozenset(("int8", "int16", "int32", "uint8", "uint16"))


def _gather(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    operand, indices = eqn.inputs
    numbers, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]
    batch = [index[d] for d in range(len(out.shape)) if d not in numbers.offset_dims]
    window = [index[d] for d in numbers.offset_dims]
    dropped = set(numbers.collapsed_slice_dims) | set(numbers.operand_batching_dims)
    rest = iter(window)
    at = [zero(p.rank) if d in dropped else next(rest) for d in range(len(operand.shape))]
    for d, source in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        at[d] = batch[source]
    leaf = p.leaves[operand]  # type: ignore[index]
    narrow = leaf.size < 1 << 31 and str(indices.dtype) in _NARROW
    starts = [
        p.integer(indices, (*batch, zero(p.rank).plus(k)), mask, I32 if narrow else I64)
        for k in range(len(numbers.start_index_map))
    ]
    mode = str(eqn.params["mode"]).rsplit(".", 1)[-1].lower()
    fills = "fill" in mode or mode == "1"
    inside: Node | None = None
    terms: list[tuple[Node, int]] = []
    for d, start in zip(numbers.start_index_map, starts, strict=True):
        high = operand.shape[d] - int(sizes[d])
        safe = p.bounded(start, high)
        terms.append((safe, leaf.strides[d]))
        if fills:
            inside = p.both(inside, p.nodes.compute("eq", elementwise.eq, (safe, start), BOOL))
    value = p.load(leaf, tuple(at), mask, p.linear(terms))
    if inside is None:
        return value
    return p.select(inside, value, p.nodes.const(_fill_value(eqn, value), value.elem))


def _fill_value(eqn: Eqn, value: Node) -> Any:
    """JAX's default: NaN, the smallest signed or the largest unsigned integer, True."""
    if eqn.params.get("fill_value") is not None:
        return eqn.params["fill_value"]
    elem = value.elem
    if elem.kind in "fc":
        return float("nan")
    return True if elem is BOOL else -(1 << (elem.bits - 1)) if elem.is_signed else (1 << elem.bits) - 1


LAZY: dict[str, LazyRule] = {
    **RANDOM,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "transpose": _transpose,
    "rev": _rev,
    "slice": _slice,
    "split": _split,
    "iota": _iota,
    "pad": _pad,
    "concatenate": _concatenate,
    "stack": _stack,
    "unstack": _unstack,
    "dynamic_slice": _dynamic_slice,
    "gather": _gather,
}
