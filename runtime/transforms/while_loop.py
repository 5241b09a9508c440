"""``while``: the primitive that repeats a body as long as a condition holds, with its rules.

Operands are the constants of the condition, those of the body, and the initial carry.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NoReturn

from ..core import ClosedJaxpr, ShapedArray, Value, get_aval
from ..jaxprs.discharge import HigherOrderPrimitive, Places, discharged
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.apply import broadcast_in_dim, reduce_or, select_n
from ..primitives.linear import Zero, instantiate, zero_of
from ..tracing.staging import trace_to_jaxpr
from .batching import Dim, MappedAxis, batch_jaxpr, to_front
from .jvp import jvp_jaxpr
from .linearize import TangentTrace, split_jaxpr
from .rearrange import groups, keep_results, reorder, with_unused_arguments
from .running import kernel, run_compiled
from .structure import check_operands

while_p = HigherOrderPrimitive("while", multiple_results=True)


def _abstract_eval(
    *avals: ShapedArray,
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> list[ShapedArray]:
    start = cond_nconsts + body_nconsts
    check_operands("while condition", avals[:cond_nconsts] + avals[start:], cond_jaxpr.in_avals)
    check_operands("while body", avals[cond_nconsts:], body_jaxpr.in_avals)
    check_operands("while carry", body_jaxpr.out_avals, body_jaxpr.in_avals[body_nconsts:])
    return body_jaxpr.out_avals


def _jvp(
    primals: Sequence[Value],
    tangents: Sequence[Any],
    *,
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> tuple[list[Value], list[Any]]:
    start = cond_nconsts + body_nconsts
    const_live = tuple(type(t) is not Zero for t in tangents[cond_nconsts:start])
    live = tuple(type(t) is not Zero for t in tangents[start:])
    while True:
        both, grown = jvp_jaxpr(body_jaxpr, const_live + live, live)
        if grown == live:
            break
        live = grown
    consts, carry, const_dots, carry_dots = groups(body_nconsts, len(live), sum(const_live), sum(live))
    body = reorder(both, [*consts, *const_dots, *carry, *carry_dots])
    dots = [
        _instantiated(t, p) for t, p, on in zip(tangents[start:], primals[start:], live, strict=True) if on
    ]
    outs = while_p.bind(
        *primals[:start],
        *[t for t in tangents[cond_nconsts:start] if type(t) is not Zero],
        *primals[start:],
        *dots,
        cond_jaxpr=with_unused_arguments(
            cond_jaxpr,
            [
                body.in_avals[len(consts) + len(const_dots) + i]
                for i in range(len(carry), len(carry) + len(dots))
            ],
        ),
        cond_nconsts=cond_nconsts,
        body_jaxpr=body,
        body_nconsts=body_nconsts + sum(const_live),
    )
    given = iter(outs[len(live) :])
    return outs[: len(live)], [
        next(given) if on else zero_of(out) for out, on in zip(outs, live, strict=False)
    ]


def _instantiated(tangent: Any, primal: Value) -> Value:
    return instantiate(tangent)


def _batch(
    axis: MappedAxis,
    args: Sequence[Value],
    dims: Sequence[Dim],
    *,
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> tuple[list[Value], list[Dim]]:
    args = [arg if dim is None else to_front(arg, dim, axis) for arg, dim in zip(args, dims, strict=True)]
    start = cond_nconsts + body_nconsts
    mask = tuple(dim is not None for dim in dims)
    cond_mask, body_mask, carry_mask = mask[:cond_nconsts], mask[cond_nconsts:start], mask[start:]
    while True:
        body, grown = batch_jaxpr(body_jaxpr, axis, body_mask + carry_mask, carry_mask)
        cond, (pred_batched,) = batch_jaxpr(cond_jaxpr, axis, cond_mask + carry_mask)
        if pred_batched:
            grown = (True,) * len(carry_mask)
        if grown == carry_mask:
            break
        carry_mask = grown
    init = [
        arg if dim is not None or not on else to_front(arg, None, axis)
        for arg, dim, on in zip(args[start:], dims[start:], carry_mask, strict=True)
    ]
    out_dims: list[Dim] = [0 if on else None for on in carry_mask]
    if not pred_batched:
        outs = while_p.bind(
            *args[:start],
            *init,
            cond_jaxpr=cond,
            cond_nconsts=cond_nconsts,
            body_jaxpr=body,
            body_nconsts=body_nconsts,
        )
        return outs, out_dims
    return _until_all_are_done(cond, body, args[:cond_nconsts], args[cond_nconsts:start], init), out_dims


def _until_all_are_done(
    cond: ClosedJaxpr,
    body: ClosedJaxpr,
    cond_consts: Sequence[Value],
    body_consts: Sequence[Value],
    init: Sequence[Value],
) -> list[Value]:
    """Repeat while one example goes on; examples that are done keep their carry. The carry starts with the condition."""
    going = jaxpr_as_values(cond.jaxpr, cond.consts, *cond_consts, *init)[0]
    flag = get_aval(going)
    consts = [*cond_consts, *body_consts]

    def any_going(flags: Value, *carry: Value) -> list[Value]:
        return [reduce_or(flags, axes=(0,))]

    def step(*args: Value) -> list[Value]:
        first, second, (flags,), carry = (
            [args[i] for i in group] for group in groups(len(cond_consts), len(body_consts), 1, len(init))
        )
        news = jaxpr_as_values(body.jaxpr, body.consts, *second, *carry)
        kept = [select_n(_like(flags, new), old, new) for old, new in zip(carry, news, strict=True)]
        return jaxpr_as_values(cond.jaxpr, cond.consts, *first, *kept) + kept

    carry_avals = body.in_avals[len(body_consts) :]
    cond_jaxpr, _ = trace_to_jaxpr(any_going, [flag, *carry_avals])
    body_jaxpr, hoisted = trace_to_jaxpr(step, [*map(get_aval, consts), flag, *carry_avals])
    outs = while_p.bind(
        *consts,
        going,
        *init,
        cond_jaxpr=ClosedJaxpr(cond_jaxpr),
        cond_nconsts=0,
        body_jaxpr=ClosedJaxpr(body_jaxpr, hoisted),
        body_nconsts=len(consts),
    )
    return outs[1:]


def _like(flags: Value, value: Value) -> Value:
    shape = get_aval(value).shape
    if len(shape) == 1:
        return flags
    return broadcast_in_dim(flags, shape=shape, broadcast_dimensions=(0,), sharding=None)


def _partial_eval(
    trace: TangentTrace,
    unknown: Sequence[bool],
    args: Sequence[Value],
    *,
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> list[Value]:
    params = {
        "cond_jaxpr": cond_jaxpr,
        "cond_nconsts": cond_nconsts,
        "body_jaxpr": body_jaxpr,
        "body_nconsts": body_nconsts,
    }
    start = cond_nconsts + body_nconsts
    cond_hidden, body_hidden, hidden = unknown[:cond_nconsts], unknown[cond_nconsts:start], unknown[start:]
    while True:
        part = split_jaxpr(body_jaxpr, [*body_hidden, *hidden], hidden)
        if list(part.unknown_out) == list(hidden):
            break
        hidden = part.unknown_out
    recorded = trace.record(while_p, args, params)
    if all(hidden) or split_jaxpr(cond_jaxpr, [*cond_hidden, *hidden]).unknown_out[0]:
        return recorded
    # What does not depend on tangents is computed now; the loop on the tape computes it again on its way.
    count = len(hidden) - sum(hidden)
    body = keep_results(part.known, [i < count for i in range(len(part.known.jaxpr.outvars))])
    cond = reorder(cond_jaxpr, [i for i, out in enumerate([*cond_hidden, *hidden]) if not out])
    outs = iter(
        while_p.bind(
            *[arg for arg, out in zip(args, [*cond_hidden, *body_hidden, *hidden], strict=True) if not out],
            cond_jaxpr=cond,
            cond_nconsts=cond_nconsts - sum(cond_hidden),
            body_jaxpr=body,
            body_nconsts=body_nconsts - sum(body_hidden),
        )
    )
    return [later if out else next(outs) for later, out in zip(recorded, hidden, strict=True)]


def _transpose(*args: Any, **params: Any) -> NoReturn:
    raise ValueError(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop "
        "values. Try using lax.scan, or using fori_loop with static start/stop."
    )


def _discharge(
    values: Sequence[Value],
    args: Sequence[Value],
    places: Places,
    *,
    cond_jaxpr: ClosedJaxpr,
    cond_nconsts: int,
    body_jaxpr: ClosedJaxpr,
    body_nconsts: int,
) -> tuple[list[Value], list[Value | None]]:
    """What the body writes to is carried, and so seen by the condition; other references are constants of both."""
    count, start = len(values), cond_nconsts + body_nconsts
    refs = list(map(get_aval, values))
    body, written = discharged(body_jaxpr, places[cond_nconsts:], refs)
    cond, changed = discharged(cond_jaxpr, places[:cond_nconsts] + places[start:], refs)
    if any(map(operator.and_, written, changed)):
        raise NotImplementedError("Cannot write to the same ref in both cond and body of while loop.")
    plain = [i for i, place in enumerate(places) if place is None]
    cond_consts = [i for i in plain if i < cond_nconsts]
    body_consts = [i for i in plain if cond_nconsts <= i < start]
    num_carry = len(args) - start
    if any(changed):
        body = _condition_first(cond, changed, body, written, len(cond_consts), num_carry)
        written = tuple(map(operator.or_, written, changed))
        body_consts = cond_consts + body_consts
    fixed, carried = [i for i in range(count) if not written[i]], [i for i in range(count) if written[i]]
    body_order = groups(count, len(body_consts), num_carry)
    cond_order = groups(count, len(cond_consts), num_carry)
    held = [values[i] for i in fixed]
    outs = while_p.bind(
        *held,
        *[args[i] for i in cond_consts],
        *held,
        *[args[i] for i in body_consts],
        *[values[i] for i in carried],
        *args[start:],
        cond_jaxpr=reorder(cond, [*fixed, *cond_order[1], *carried, *cond_order[2]], [0]),
        cond_nconsts=len(fixed) + len(cond_consts),
        body_jaxpr=reorder(
            body,
            [*fixed, *body_order[1], *carried, *body_order[2]],
            [*range(num_carry, num_carry + len(carried)), *range(num_carry)],
        ),
        body_nconsts=len(fixed) + len(body_consts),
    )
    given = iter(outs[: len(carried)])
    return outs[len(carried) :], [next(given) if on else None for on in written]


def _condition_first(
    cond: ClosedJaxpr,
    changed: Sequence[bool],
    body: ClosedJaxpr,
    written: Sequence[bool],
    num_cond_consts: int,
    num_carry: int,
) -> ClosedJaxpr:
    """A body that first writes what the condition does. What this writes when it ends the loop is lost, as in JAX."""
    count = len(written)
    num_body_consts = len(body.in_avals) - count - num_carry
    parts = groups(count, num_cond_consts, num_body_consts, num_carry)

    def step(*args: Value) -> list[Value]:
        held, of_cond, of_body, carry = [[args[i] for i in part] for part in parts]
        last = iter(jaxpr_as_values(cond.jaxpr, cond.consts, *held, *of_cond, *carry)[1:])
        held = [next(last) if on else value for value, on in zip(held, changed)]
        outs = jaxpr_as_values(body.jaxpr, body.consts, *held, *of_body, *carry)
        last = iter(outs[num_carry:])
        held = [next(last) if on else value for value, on in zip(held, written)]
        return [*outs[:num_carry], *[v for v, a, b in zip(held, written, changed) if a or b]]

    of_refs, of_cond, rest = (
        cond.in_avals[:count],
        cond.in_avals[count:][:num_cond_consts],
        body.in_avals[count:],
    )
    jaxpr, consts = trace_to_jaxpr(step, [*of_refs, *of_cond, *rest], body.jaxpr.debug_info)
    return ClosedJaxpr(jaxpr, consts)


while_p.discharge = _discharge
while_p.abstract_eval = _abstract_eval
while_p.impl = kernel("run_while")
run_compiled(while_p, lambda params: params["body_jaxpr"])
while_p.jvp = _jvp
while_p.batch = _batch
while_p.partial_eval = _partial_eval
while_p.transpose = _transpose
