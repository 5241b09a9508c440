"""``cond``: the primitive that runs one of several branches, with its rules.

Operands are the index of the branch, an int32 scalar within bounds, and what every branch takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..core import ClosedJaxpr, Jaxpr, ShapedArray, Value, Var, current_trace, get_aval, literal
from ..jaxprs.discharge import HigherOrderPrimitive, Places, discharged, lasts
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.apply import broadcast_in_dim, eq, select_n, stop_gradient
from ..primitives.linear import UndefinedPrimal, Zero, instantiate, zero_of
from ..tracing.staging import trace_to_jaxpr
from .batching import BatchTrace, Dim, MappedAxis, batch_jaxpr, to_front
from .jvp import jvp_jaxpr
from .linearize import PartialJaxpr, TangentTrace, split_jaxpr
from .running import kernel, run_compiled
from .structure import check_operands, joined_weak_types
from .transpose import transpose_jaxpr

Branches: TypeAlias = tuple[ClosedJaxpr, ...]

cond_p = HigherOrderPrimitive("cond", multiple_results=True)


def _abstract_eval(index: ShapedArray, *operands: ShapedArray, branches: Branches) -> list[ShapedArray]:
    for branch in branches:
        check_operands("cond", operands, branch.in_avals)
    return joined_weak_types([branch.out_avals for branch in branches])


def _join(masks: Sequence[Sequence[bool]]) -> tuple[bool, ...]:
    return tuple(map(any, zip(*masks, strict=True)))


def _jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, branches: Branches
) -> tuple[list[Value], list[Any]]:
    nonzero = tuple(type(t) is not Zero for t in tangents[1:])
    wanted = _join([jvp_jaxpr(branch, nonzero)[1] for branch in branches])
    both = tuple(jvp_jaxpr(branch, nonzero, wanted)[0] for branch in branches)
    outs = cond_p.bind(*primals, *[t for t in tangents[1:] if type(t) is not Zero], branches=both)
    count = len(wanted)
    given = iter(outs[count:])
    return outs[:count], [
        next(given) if live else zero_of(out) for out, live in zip(outs, wanted, strict=False)
    ]


def _batch(
    axis: MappedAxis, args: Sequence[Value], dims: Sequence[Dim], *, branches: Branches
) -> tuple[list[Value], list[Dim]]:
    (index, *operands), (index_dim, *operand_dims) = args, dims
    operands = [
        op if dim is None else to_front(op, dim, axis) for op, dim in zip(operands, operand_dims, strict=True)
    ]
    batched = tuple(dim is not None for dim in operand_dims)
    if index_dim is None:
        wanted = _join([batch_jaxpr(branch, axis, batched)[1] for branch in branches])
        mapped = tuple(batch_jaxpr(branch, axis, batched, wanted)[0] for branch in branches)
        outs = cond_p.bind(index, *operands, branches=mapped)
        return outs, [0 if live else None for live in wanted]
    # Examples take different branches: run all of them, and select.
    index = to_front(index, index_dim, axis)
    every = (True,) * len(branches[0].jaxpr.outvars)
    cases = []
    for number, branch in enumerate(branches):
        # No gradient flows to operands of examples that do not take the branch: it could be NaN there.
        chosen = [
            _guarded(eq(index, literal(number, "int32")), op, live)
            for op, live in zip(operands, batched, strict=True)
        ]
        guarded = tuple(
            live or get_aval(op).dtype.kind in "fc" for op, live in zip(operands, batched, strict=True)
        )
        mapped_branch = batch_jaxpr(branch, axis, guarded, every)[0]
        cases.append(jaxpr_as_values(mapped_branch.jaxpr, mapped_branch.consts, *chosen))
    outs = [select_n(_like(index, case[0]), *case) for case in zip(*cases, strict=True)]
    return outs, [0] * len(outs)


def _guarded(taken: Value, operand: Value, batched: bool) -> Value:
    aval = get_aval(operand)
    if aval.dtype.kind not in "fc":
        return operand
    if not batched:
        operand = to_front(operand, None, get_aval(taken).shape[0])
    return select_n(_like(taken, operand), stop_gradient(operand), operand)


def _like(flags: Value, value: Value) -> Value:
    """One flag for each example, for each element of the examples in `value`."""
    shape = get_aval(value).shape
    if len(shape) == 1:
        return flags
    return broadcast_in_dim(flags, shape=shape, broadcast_dimensions=(0,), sharding=None)


def _partial_eval(
    trace: TangentTrace, unknown: Sequence[bool], args: Sequence[Value], *, branches: Branches
) -> list[Value]:
    hidden = unknown[1:]
    if unknown[0] or all(hidden):
        return trace.record(cond_p, args, {"branches": branches})
    wanted = _join([split_jaxpr(branch, hidden).unknown_out for branch in branches])
    parts = [split_jaxpr(branch, hidden, wanted) for branch in branches]
    slots, places = _shared_slots(parts)
    known = tuple(_known_branch(part, slots, where) for part, where in zip(parts, places, strict=True))
    rest = tuple(_unknown_branch(part, slots, where) for part, where in zip(parts, places, strict=True))
    operands = list(zip(args[1:], hidden, strict=True))
    outs = cond_p.bind(args[0], *[arg for arg, out in operands if not out], branches=known)
    count = len(outs) - len(slots)
    residuals = outs[count:]
    recorded = trace.record(
        cond_p, [args[0], *residuals, *[arg for arg, out in operands if out]], {"branches": rest}
    )
    computed, later = iter(outs[:count]), iter(recorded)
    return [next(later) if out else next(computed) for out in wanted]


def _shared_slots(parts: Sequence[PartialJaxpr]) -> tuple[list[ShapedArray], list[list[int]]]:
    """Residuals of all branches: each branch puts its own into slots of their type, and zeros into the others."""
    slots: list[ShapedArray] = []
    places = []
    for part in parts:
        free = list(range(len(slots)))
        where = []
        for aval in part.residual_avals:
            strong = aval.update(weak_type=False)
            slot = next((i for i in free if slots[i] is strong), None)
            if slot is None:
                slot = len(slots)
                slots.append(strong)
            else:
                free.remove(slot)
            where.append(slot)
        places.append(where)
    return slots, places


def _known_branch(part: PartialJaxpr, slots: Sequence[ShapedArray], where: Sequence[int]) -> ClosedJaxpr:
    known = part.known
    count = len(known.jaxpr.outvars) - len(where)

    def function(*args: Value) -> list[Value]:
        outs = jaxpr_as_values(known.jaxpr, known.consts, *args)
        filled = dict(zip(where, outs[count:], strict=True))
        return outs[:count] + [
            filled[i] if i in filled else instantiate(Zero(a)) for i, a in enumerate(slots)
        ]

    jaxpr, consts = trace_to_jaxpr(function, known.in_avals, known.jaxpr.debug_info)
    return ClosedJaxpr(jaxpr, consts)


def _unknown_branch(part: PartialJaxpr, slots: Sequence[ShapedArray], where: Sequence[int]) -> ClosedJaxpr:
    jaxpr = part.unknown.jaxpr
    count = len(where)
    filled = dict(zip(where, jaxpr.invars[:count], strict=True))
    residuals = [filled.get(i) or Var(aval) for i, aval in enumerate(slots)]
    invars = [*residuals, *jaxpr.invars[count:]]
    return ClosedJaxpr(Jaxpr([], invars, jaxpr.outvars, jaxpr.eqns, jaxpr.debug_info), part.unknown.consts)


def _transpose(cts: Sequence[Any], index: Value, *operands: Any, branches: Branches) -> list[Any]:
    linear = tuple(type(op) is UndefinedPrimal for op in operands)
    nonzero = tuple(type(ct) is not Zero for ct in cts)
    wanted = _join([transpose_jaxpr(branch, linear, nonzero)[1] for branch in branches])
    reverse = tuple(transpose_jaxpr(branch, linear, nonzero, wanted)[0] for branch in branches)
    outs = iter(
        cond_p.bind(
            index,
            *[op for op in operands if type(op) is not UndefinedPrimal],
            *[ct for ct in cts if type(ct) is not Zero],
            branches=reverse,
        )
    )
    live = iter(wanted)
    return [None, *[next(outs) if undefined and next(live) else None for undefined in linear]]


def _discharge(
    values: Sequence[Value], args: Sequence[Value], places: Places, *, branches: Branches
) -> tuple[list[Value], list[Value | None]]:
    if isinstance(current_trace(), BatchTrace):
        raise NotImplementedError("State effect not supported in vmap-of-cond.")
    of_operands, refs = places[1:], list(map(get_aval, values))
    wanted = _join([discharged(branch, of_operands, refs)[1] for branch in branches])
    pure = tuple(discharged(branch, of_operands, refs, wanted)[0] for branch in branches)
    operands = [arg for arg, place in zip(args[1:], of_operands, strict=True) if place is None]
    outs = cond_p.bind(args[0], *values, *operands, branches=pure)
    num_outs = len(branches[0].jaxpr.outvars)
    return outs[:num_outs], lasts(outs[num_outs:], wanted)


cond_p.discharge = _discharge
cond_p.abstract_eval = _abstract_eval
cond_p.impl = kernel("run_cond")
run_compiled(cond_p, lambda params: params["branches"][0])
cond_p.jvp = _jvp
cond_p.batch = _batch
cond_p.partial_eval = _partial_eval
cond_p.transpose = _transpose
