"""Jaxprs with their arguments and results in another order, or without what nobody needs."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import ClosedJaxpr, Jaxpr, ShapedArray, Var


def reorder(
    closed: ClosedJaxpr, ins: Sequence[int] | None = None, outs: Sequence[int] | None = None
) -> ClosedJaxpr:
    """The same program, its argument i being what was argument ``ins[i]``, and likewise its results."""
    jaxpr = closed.jaxpr
    invars = jaxpr.invars if ins is None else [jaxpr.invars[i] for i in ins]
    outvars = jaxpr.outvars if outs is None else [jaxpr.outvars[i] for i in outs]
    return ClosedJaxpr(Jaxpr(jaxpr.constvars, invars, outvars, jaxpr.eqns, jaxpr.debug_info), closed.consts)


def with_unused_arguments(closed: ClosedJaxpr, avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    """The same program with more arguments at the end, which it ignores."""
    jaxpr = closed.jaxpr
    invars = [*jaxpr.invars, *map(Var, avals)]
    return ClosedJaxpr(
        Jaxpr(jaxpr.constvars, invars, jaxpr.outvars, jaxpr.eqns, jaxpr.debug_info), closed.consts
    )


def keep_results(closed: ClosedJaxpr, wanted: Sequence[bool]) -> ClosedJaxpr:
    """The program without the results that are not `wanted`, nor the equations that only they need."""
    jaxpr = closed.jaxpr
    outvars = [var for var, keep in zip(jaxpr.outvars, wanted, strict=True) if keep]
    needed = {var for var in outvars if isinstance(var, Var)}
    kept = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effectful or not needed.isdisjoint(eqn.outvars):
            kept.append(eqn)
            needed.update(v for v in eqn.invars if isinstance(v, Var))
    return ClosedJaxpr(
        Jaxpr(jaxpr.constvars, jaxpr.invars, outvars, kept[::-1], jaxpr.debug_info), closed.consts
    )


def groups(*lengths: int) -> list[range]:
    """Consecutive ranges of these lengths."""
    found, start = [], 0
    for length in lengths:
        found.append(range(start, start + length))
        start += length
    return found
