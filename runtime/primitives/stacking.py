"""Joining arrays along a new dimension, and taking them apart again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Primitive, ShapedArray, Value, shaped_array
from .family import Kernel, check_same_dtypes
from .linear import Zero, instantiate, is_undefined_primal, zero_of

stack_p = Primitive("stack")
unstack_p = Primitive("unstack", multiple_results=True)

_ROWS = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])


def _stack_abstract(*avals: ShapedArray, axis: int) -> ShapedArray:
    if any(aval.shape != avals[0].shape for aval in avals):
        raise ValueError(f"All input arrays must have the same shape, got {[aval.shape for aval in avals]}")
    check_same_dtypes("stack", avals)
    shape = avals[0].shape
    weak = all(aval.weak_type for aval in avals)
    return shaped_array((*shape[:axis], len(avals), *shape[axis:]), avals[0].dtype, weak)


def _stack_jvp(primals: Sequence[Value], tangents: Sequence[Any], *, axis: int) -> tuple[Value, Any]:
    out = stack_p.bind(*primals, axis=axis)
    if all(type(t) is Zero for t in tangents):
        return out, zero_of(out)
    return out, stack_p.bind(*map(instantiate, tangents), axis=axis)


def _stack_transpose(ct: Value, *operands: Any, axis: int) -> list[Any]:
    parts = unstack_p.bind(ct, axis=axis)
    return [part if is_undefined_primal(x) else None for x, part in zip(operands, parts)]


def _stack_batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], *, axis: int
) -> tuple[Value, int]:
    from .shape import batch_to_front

    return stack_p.bind(*(batch_to_front(x, d, size) for x, d in zip(args, dims)), axis=axis + 1), 0


stack_p.abstract_eval = _stack_abstract
stack_p.impl = Kernel("stacking_kernels:stack")
stack_p.jvp = _stack_jvp
stack_p.transpose = _stack_transpose
stack_p.batch = _stack_batch
stack_p.examples = [(_ROWS, {"axis": axis}) for axis in (0, 1)]


def _unstack_abstract(x: ShapedArray, *, axis: int) -> list[ShapedArray]:
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    return [shaped_array(shape, x.dtype, x.weak_type)] * x.shape[axis]


def _unstack_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, axis: int
) -> tuple[list[Value], list[Any]]:
    return unstack_p.bind(*primals, axis=axis), unstack_p.bind(*tangents, axis=axis)


def _unstack_transpose(cts: Sequence[Any], x: Any, *, axis: int) -> list[Value]:
    shape = x.aval.shape
    part = shaped_array((*shape[:axis], *shape[axis + 1 :]), x.aval.dtype)
    return [stack_p.bind(*(instantiate(Zero(part) if ct is None else ct) for ct in cts), axis=axis)]


def _unstack_batch(
    size: int, args: Sequence[Value], dims: Sequence[Any], *, axis: int
) -> tuple[list[Value], list[int]]:
    from .shape import move_axis

    parts = unstack_p.bind(move_axis(args[0], dims[0], 0), axis=axis + 1)
    return parts, [0] * len(parts)


unstack_p.abstract_eval = _unstack_abstract
unstack_p.impl = Kernel("stacking_kernels:unstack")
unstack_p.jvp = _unstack_jvp
unstack_p.transpose = _unstack_transpose
unstack_p.batch = _unstack_batch
unstack_p.examples = [((list(_ROWS),), {"axis": axis}) for axis in (0, 1)]
