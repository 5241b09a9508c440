"""``scan``: the primitive that carries a value along the leading axis of arrays, with its rules.

Operands are constants, the initial carry, and the arrays that are scanned; results are the last carry, and one array
for each further result of the body, stacked along a new leading axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import ClosedJaxpr, Jaxpr, JaxprEqn, Params, ShapedArray, Value, Var, get_aval
from ..jaxprs.discharge import HigherOrderPrimitive, Places, discharged
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import UndefinedPrimal, Zero, add_tangents, instantiate, zero_of
from ..tracing.staging import trace_to_jaxpr
from .batching import Dim, MappedAxis, batch_jaxpr, move_to, to_front
from .jvp import jvp_jaxpr
from .linearize import PartialJaxpr, TangentTrace, split_jaxpr
from .rearrange import groups, reorder
from .running import kernel, run_compiled
from .structure import check_operands
from .transpose import transpose_values

scan_p = HigherOrderPrimitive("scan", multiple_results=True)


def bind_scan(
    body: ClosedJaxpr,
    consts: Sequence[Value],
    init: Sequence[Value],
    xs: Sequence[Value],
    *,
    length: int,
    reverse: bool = False,
    unroll: int = 1,
) -> list[Value]:
    """Apply the primitive."""
    return scan_p.bind(
        *consts, *init, *xs, **scan_params(body, len(consts), len(init), len(xs), length, reverse, unroll)
    )


def scan_params(
    body: ClosedJaxpr, num_consts: int, num_carry: int, num_xs: int, length: int, reverse: bool, unroll: int
) -> Params:
    """The parameters of an application, all of those that JAX has."""
    return {
        "reverse": reverse,
        "length": length,
        "jaxpr": body,
        "num_consts": num_consts,
        "num_carry": num_carry,
        "linear": (False,) * (num_consts + num_carry + num_xs),
        "unroll": unroll,
        "_split_transpose": False,
    }


def _abstract_eval(
    *avals: ShapedArray, jaxpr: ClosedJaxpr, length: int, num_consts: int, num_carry: int, **params: Any
) -> list[ShapedArray]:
    start = num_consts + num_carry
    ins, outs = jaxpr.in_avals, jaxpr.out_avals
    check_operands("scan", avals[:start], ins[:start])
    check_operands("scan", avals[start:], [aval.update(shape=(length, *aval.shape)) for aval in ins[start:]])
    check_operands("scan carry", outs[:num_carry], ins[num_consts:start])
    return outs[:num_carry] + [aval.update(shape=(length, *aval.shape)) for aval in outs[num_carry:]]


def _jvp(
    primals: Sequence[Value],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    unroll: int,
    **params: Any,
) -> tuple[list[Value], list[Any]]:
    live = tuple(type(t) is not Zero for t in tangents)
    start = num_consts + num_carry
    const_live, carry_live, xs_live = live[:num_consts], live[num_consts:start], live[start:]
    num_ys = len(jaxpr.jaxpr.outvars) - num_carry
    while True:
        both, grown = jvp_jaxpr(jaxpr, const_live + carry_live + xs_live, carry_live + (False,) * num_ys)
        if grown[:num_carry] == carry_live:
            break
        carry_live = grown[:num_carry]
    ins = groups(num_consts, num_carry, len(xs_live), sum(const_live), sum(carry_live), sum(xs_live))
    outs = groups(num_carry, num_ys, sum(carry_live), sum(grown[num_carry:]))
    body = reorder(
        both,
        [*ins[0], *ins[3], *ins[1], *ins[4], *ins[2], *ins[5]],
        [*outs[0], *outs[2], *outs[1], *outs[3]],
    )
    dots = [instantiate(t) for t, on in zip(tangents, const_live + carry_live + xs_live, strict=True) if on]
    const_dots, carry_dots, xs_dots = (
        [dots[i] for i in group] for group in groups(sum(const_live), sum(carry_live), sum(xs_live))
    )
    results = bind_scan(
        body,
        [*primals[:num_consts], *const_dots],
        [*primals[num_consts:start], *carry_dots],
        [*primals[start:], *xs_dots],
        length=length,
        reverse=reverse,
        unroll=unroll,
    )
    carry, carry_tangents, ys, ys_tangents = (
        [results[i] for i in group]
        for group in groups(num_carry, sum(carry_live), num_ys, sum(grown[num_carry:]))
    )
    given = iter(carry_tangents + ys_tangents)
    plain = carry + ys
    return plain, [next(given) if on else zero_of(out) for out, on in zip(plain, grown, strict=True)]


def _batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    unroll: int,
    **params: Any,
) -> tuple[list[Value], list[Dim]]:
    start = num_consts + num_carry
    mask = tuple(dim is not None for dim in dims)
    const_mask, carry_mask, xs_mask = mask[:num_consts], mask[num_consts:start], mask[start:]
    num_ys = len(jaxpr.jaxpr.outvars) - num_carry
    while True:
        body, grown = batch_jaxpr(
            jaxpr, axis, const_mask + carry_mask + xs_mask, carry_mask + (False,) * num_ys
        )
        if grown[:num_carry] == carry_mask:
            break
        carry_mask = grown[:num_carry]
    consts = [
        arg if dim is None else to_front(arg, dim, axis)
        for arg, dim in zip(args[:num_consts], dims[:num_consts], strict=True)
    ]
    init = [
        to_front(arg, dim, axis) if on else arg
        for arg, dim, on in zip(args[num_consts:start], dims[num_consts:start], carry_mask, strict=True)
    ]
    # The leading axis is the one that is scanned; the batch comes behind it.
    xs = [
        arg if dim is None else move_to(arg, dim, 1, axis)
        for arg, dim in zip(args[start:], dims[start:], strict=True)
    ]
    outs = bind_scan(body, consts, init, xs, length=length, reverse=reverse, unroll=unroll)
    carry_dims: list[Dim] = [0 if on else None for on in carry_mask]
    return outs, carry_dims + [1 if on else None for on in grown[num_carry:]]


def _partial_eval(
    trace: TangentTrace,
    unknown: Sequence[bool],
    args: Sequence[Value],
    *,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    unroll: int,
    **params: Any,
) -> list[Value]:
    start = num_consts + num_carry
    const_hidden, carry_hidden, xs_hidden = (
        list(part) for part in (unknown[:num_consts], unknown[num_consts:start], unknown[start:])
    )
    num_ys = len(jaxpr.jaxpr.outvars) - num_carry
    while True:
        part = split_jaxpr(jaxpr, const_hidden + carry_hidden + xs_hidden, carry_hidden + [False] * num_ys)
        if list(part.unknown_out[:num_carry]) == carry_hidden:
            break
        carry_hidden = list(part.unknown_out[:num_carry])
    hidden = const_hidden + carry_hidden + xs_hidden
    computed, fixed, stacked = _run_known(
        part,
        [arg for arg, later in zip(args, hidden, strict=True) if not later],
        num_consts - sum(const_hidden),
        num_carry - sum(carry_hidden),
        length=length,
        reverse=reverse,
        unroll=unroll,
    )
    counts = sum(const_hidden), sum(carry_hidden), sum(xs_hidden)
    _, consts, carry, xs = groups(len(fixed) + len(stacked), *counts)
    rest = reorder(part.unknown, [*fixed, *consts, *carry, *stacked, *xs])
    later_args = [arg for arg, later in zip(args, hidden, strict=True) if later]
    later_consts, later_carry, later_xs = ([later_args[i] for i in group] for group in groups(*counts))
    all_consts, all_xs = [*fixed.values(), *later_consts], [*stacked.values(), *later_xs]
    recorded = trace.record(
        scan_p,
        [*all_consts, *later_carry, *all_xs],
        scan_params(rest, len(all_consts), len(later_carry), len(all_xs), length, reverse, unroll),
    )
    now, then = iter(computed), iter(recorded)
    return [next(then) if later else next(now) for later in part.unknown_out]


def _run_known(
    part: PartialJaxpr, args: Sequence[Value], num_consts: int, num_carry: int, **options: Any
) -> tuple[list[Value], dict[int, Value], dict[int, Value]]:
    """The results of the part that is known, and its residuals by number: those that stay the same, those to be scanned.

    Residuals that are the same in each iteration, or were scanned, are handed on as they are, not stacked anew.
    """
    known = part.known.jaxpr
    count = len(part.unknown_out) - sum(part.unknown_out)
    rest, invariant = _hoisted(part.known, args[:num_consts])
    init, xs = args[num_consts : num_consts + num_carry], args[num_consts + num_carry :]
    scanned: dict[Any, Value] = dict(zip(known.invars[num_consts + num_carry :], xs, strict=True))
    results, residuals = known.outvars[:count], known.outvars[count:]
    made = [var for var in residuals if var not in invariant and var not in scanned]
    outvars = [*results, *made]
    used = {*outvars, *(v for eqn in rest for v in eqn.invars)}
    held = [var for var in invariant if var in used]
    body = ClosedJaxpr(Jaxpr([], [*held, *known.invars[num_consts:]], outvars, rest, known.debug_info))
    outs = bind_scan(body, [invariant[var] for var in held], init, xs, **options) if outvars else []
    scanned.update(zip(made, outs[count:], strict=True))
    fixed = {i: invariant[var] for i, var in enumerate(residuals) if var in invariant}
    stacked = {i: scanned[var] for i, var in enumerate(residuals) if var not in invariant}
    return outs[:count], fixed, stacked


def _hoisted(body: ClosedJaxpr, consts: Sequence[Value]) -> tuple[list[JaxprEqn], dict[Any, Value]]:
    """The equations without those that do the same in each iteration, which are computed now; and what is invariant."""
    jaxpr = body.jaxpr
    invariant: dict[Any, Value] = dict(zip(jaxpr.invars, consts, strict=False))
    invariant.update(zip(jaxpr.constvars, body.consts, strict=True))
    rest = []
    for eqn in jaxpr.eqns:
        operands = [invariant.get(v, v) for v in eqn.invars]
        if eqn.effectful or any(isinstance(v, Var) for v in operands):
            rest.append(eqn)
            continue
        out = eqn.primitive.bind(*operands, **eqn.params)
        invariant.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out], strict=True))
    return rest, invariant


def _transpose(
    cts: Sequence[Any],
    *args: Any,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    unroll: int,
    **params: Any,
) -> list[Any]:
    start = num_consts + num_carry
    consts, init, xs = args[:num_consts], args[num_consts:start], args[start:]
    linear = [
        *[type(c) is UndefinedPrimal for c in consts],
        *[True] * num_carry,
        *[type(x) is UndefinedPrimal for x in xs],
    ]
    in_avals, out_avals = jaxpr.in_avals, jaxpr.out_avals
    res_consts = [c for c in consts if type(c) is not UndefinedPrimal]
    res_xs = [x for x in xs if type(x) is not UndefinedPrimal]
    ct_carry = [instantiate(ct) for ct in cts[:num_carry]]
    ys_live = [type(ct) is not Zero for ct in cts[num_carry:]]
    ct_ys = [ct for ct in cts[num_carry:] if type(ct) is not Zero]
    const_avals = [a.to_tangent_aval() for a, on in zip(in_avals[:num_consts], linear, strict=False) if on]
    ct_consts = [instantiate(Zero(aval)) for aval in const_avals]
    sizes = len(res_consts), len(ct_consts), num_carry, len(ct_ys), len(res_xs)

    def step(*values: Value) -> list[Value]:
        held, sums, carried, ys, seen = ([values[i] for i in group] for group in groups(*sizes))
        known = iter(held + seen)
        inner = [
            UndefinedPrimal(aval) if on else next(known) for aval, on in zip(in_avals, linear, strict=True)
        ]
        given = iter(ys)
        outs = carried + [
            next(given) if on else Zero(a) for a, on in zip(out_avals[num_carry:], ys_live, strict=True)
        ]
        found = transpose_values(lambda *vs: jaxpr_as_values(jaxpr.jaxpr, jaxpr.consts, *vs), inner, outs)
        pulled = [ct for ct in found if ct is not None]
        of_consts, of_carry, of_xs = (
            [pulled[i] for i in group]
            for group in groups(len(sums), num_carry, len(pulled) - len(sums) - num_carry)
        )
        added = [add_tangents(total, ct) for total, ct in zip(sums, of_consts, strict=True)]
        return [*added, *map(instantiate, of_carry), *map(instantiate, of_xs)]

    avals = [
        *map(get_aval, res_consts),
        *const_avals,
        *[a.to_tangent_aval() for a in in_avals[num_consts:start]],
        *[a for a, on in zip(out_avals[num_carry:], ys_live, strict=True) if on],
        *[a for a, on in zip(in_avals[start:], linear[start:], strict=True) if not on],
    ]
    backwards, closed_over = trace_to_jaxpr(step, avals, jaxpr.jaxpr.debug_info)
    outs = bind_scan(
        ClosedJaxpr(backwards, closed_over),
        res_consts,
        ct_consts + ct_carry,
        ct_ys + res_xs,
        length=length,
        reverse=not reverse,
        unroll=unroll,
    )
    of_consts, of_init, of_xs = (
        iter(outs[: len(ct_consts)]),
        outs[len(ct_consts) :][:num_carry],
        iter(outs[len(ct_consts) + num_carry :]),
    )
    return [
        *[next(of_consts) if on else None for on in linear[:num_consts]],
        *[ct if type(value) is UndefinedPrimal else None for ct, value in zip(of_init, init, strict=True)],
        *[next(of_xs) if on else None for on in linear[start:]],
    ]


def _slices(values: Sequence[Value], scanned: Places) -> list[ShapedArray]:
    """What a step sees of the values of references: of those that are scanned one slice."""
    avals = [get_aval(value) for value in values]
    return [a.update(shape=a.shape[1:]) if i in scanned else a for i, a in enumerate(avals)]


def _discharge(
    values: Sequence[Value],
    args: Sequence[Value],
    places: Places,
    *,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    unroll: int,
    **params: Any,
) -> tuple[list[Value], list[Value | None]]:
    """What constants refer to is carried if it is written to; scanned references become scanned arrays, and results."""
    count, start = len(values), num_consts + num_carry
    body, written = discharged(jaxpr, places, _slices(values, places[start:]))
    scanned = {place for place in places[start:] if place is not None}
    fixed = [i for i in range(count) if i not in scanned and not written[i]]
    carried = [i for i in range(count) if i not in scanned and written[i]]
    plain = [i for i, place in enumerate(places) if place is None]
    position = {arg: count + i for i, arg in enumerate(plain)}
    consts, carry, xs = (
        [i for i in plain if i < num_consts],
        [i for i in plain if num_consts <= i < start],
        [i for i in plain if i >= start],
    )
    split = sorted(scanned)
    num_outs = len(jaxpr.jaxpr.outvars)
    last = {ref: num_outs + i for i, ref in enumerate(i for i in range(count) if written[i])}
    new = [last[i] for i in split if written[i]]
    body = reorder(
        body,
        [*fixed, *[position[i] for i in (*consts, *carry)], *carried, *split, *[position[i] for i in xs]],
        [*range(num_carry), *[last[i] for i in carried], *range(num_carry, num_outs), *new],
    )
    outs = bind_scan(
        body,
        [*[values[i] for i in fixed], *[args[i] for i in consts]],
        [*[args[i] for i in carry], *[values[i] for i in carried]],
        [*[values[i] for i in split], *[args[i] for i in xs]],
        length=length,
        reverse=reverse,
        unroll=unroll,
    )
    first, held, ys, stacked = groups(num_carry, len(carried), num_outs - num_carry, len(new))
    found: list[Value | None] = [None] * count
    for i, out in zip([*carried, *[i for i in split if written[i]]], [*held, *stacked], strict=True):
        found[i] = outs[out]
    return [outs[i] for i in (*first, *ys)], found


def _pretty(eqn: JaxprEqn) -> Params:
    return {name: value for name, value in eqn.params.items() if name not in ("linear", "_split_transpose")}


scan_p.abstract_eval = _abstract_eval
scan_p.impl = kernel("run_scan")
run_compiled(scan_p, lambda params: params["jaxpr"])
scan_p.jvp = _jvp
scan_p.batch = _batch
scan_p.partial_eval = _partial_eval
scan_p.transpose = _transpose
scan_p.pretty = _pretty
scan_p.discharge = _discharge
