"""`jax.numpy.vectorize`: arguments keep the axes that the signature names, the others are mapped together.

Measured on JAX 0.10.2: positions and names in `excluded` and arguments that are None are passed as they are, other
keywords are dropped, and nothing is traced where no argument has a further axis of another length than one.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...domain import NONE, UNKNOWN, Array, Const, Level, SequenceValue, Shape, TransformedValue, Value
from ...events import TracedCall
from ...records import record
from ..arrays import shapes
from ..arrays.operators import array_result
from ..python.signatures import spreads
from .boundaries import check_result
from .entries import root_for, traced
from .jitting import call_refused
from .mapping import with_axes
from .named_arguments import constants
from .traces import inner_trace, map_leaves
from .transformed_calls import TransformedCall
from .transforms import enter, entry_for


@record(frozen=True, slots=True)
class _Argument:
    """An argument that is mapped: its shape by the signature, and that of the axes before; None where not known."""

    core: Shape
    batch: Shape


def run_vectorize(called: TransformedCall) -> Value:
    """Arguments are traced with their core axes alone; what is returned gets the others."""
    interp, transformed, node = called.interp, called.transformed, called.node
    function, names, spread = called.function, called.names, called.spread
    excluded = excluded_from(transformed)
    mapped = _mapped(called, excluded)
    if _signature_refuses(called, len(called.args)):
        return UNKNOWN
    entry = entry_for(interp, transformed, transformed.kind)
    refusals = interp.refusals
    batch = shapes.broadcast([one.batch for one in mapped.values()]) if spread is None else None
    alone = batch is not None and all(length == 1 for length in batch)

    def inside(position: int, value: Value) -> Value:
        if excluded is None:
            return UNKNOWN
        if position not in mapped:
            return value
        core = mapped[position].core
        if alone:
            return array_result(interp, [value], node, core, *shapes.dtype_of(value))
        if isinstance(value, SequenceValue):
            return UNKNOWN  # JAX makes one array of it
        root = root_for(interp, entry, function, names[position], value)
        made = traced(interp, value, root, Level.ABSTRACT, transformed, node)
        return map_leaves(made, lambda leaf: replace(leaf, shape=core) if isinstance(leaf, Array) else leaf)

    values = [inside(position, value) for position, value in enumerate(called.args)]
    named = {name: value for name, value in called.kwargs.items() if excluded is None or name in excluded}
    if interp.refusals > refusals:
        return UNKNOWN
    if spread is None and call_refused(interp, transformed, called.args, list(named), node):
        return UNKNOWN
    result = enter(interp, inner_trace(entry, False, interp.trace), function, values, named, node, spread)
    check_result(interp, result, transformed.kind, node)
    return with_axes(called, result, batch)


def excluded_from(transformed: TransformedValue) -> set[int | str] | None:
    """The positions and names that `vectorize` does not map; None where they are not known."""
    found = constants(transformed.option("excluded"), object)
    return {one for one in found if isinstance(one, int | str)} if found is not None else None


def _mapped(called: TransformedCall, excluded: set[int | str] | None) -> dict[int, _Argument]:
    """The positional arguments that are mapped, each with its axes by the signature."""
    kept = [k for k, value in enumerate(called.args) if k not in (excluded or ())]
    ranks = core_ranks(called.transformed, len(kept))
    found: dict[int, _Argument] = {}
    for k, rank in zip(kept, ranks, strict=True):
        shape = shapes.shape_of(called.args[k])
        if called.args[k] == NONE:
            continue
        if rank is None or shape is None or len(shape) < rank:
            found[k] = _Argument(None if rank is None else (None,) * rank, None)
        else:
            split = len(shape) - rank
            found[k] = _Argument(shape[split:], shape[:split])
    return found


def core_ranks(transformed: TransformedValue, count: int) -> list[int | None]:
    """How many axes each of so many mapped arguments keeps; None where the signature is not known."""
    signature = transformed.option("signature")
    if signature is None or signature == NONE:
        return [0] * count
    if not isinstance(signature, Const) or not isinstance(signature.value, str):
        return [None] * count
    groups = re.findall(r"\(([^)]*)\)", signature.value.partition("->")[0])
    ranks = [len([name for name in group.split(",") if name.strip()]) for group in groups]
    return [ranks[k] if k < len(ranks) else None for k in range(count)]


def _signature_refuses(called: TransformedCall, count: int) -> bool:
    """Tells of a call of `vectorize(f, signature=...)` with another number of arguments than the signature has."""
    transformed, node = called.transformed, called.node
    signature = transformed.option("signature")
    if not isinstance(signature, Const) or not isinstance(signature.value, str) or spreads(node):
        return False
    wanted = signature.value.partition("->")[0].count("(")
    if wanted == count or transformed.option("excluded") is not None:
        return False
    called.interp.tell(
        TracedCall, node, transformed=transformed, problem="arity", error="TypeError",
        detail=f"the signature {signature.value!r} is of {wanted} argument{'s' if wanted != 1 else ''}, not {count}",
    )  # fmt: skip
    return True
