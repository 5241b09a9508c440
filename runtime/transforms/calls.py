"""Rules of primitives that call one jaxpr, their parameter ``jaxpr``: ``jit``, ``remat2``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import ClosedJaxpr, Params, Primitive, Value
from ..primitives.linear import UndefinedPrimal, Zero, zero_of
from .batching import Dim, MappedAxis, batch_jaxpr, to_front
from .jvp import jvp_jaxpr
from .linearize import TangentTrace, split_jaxpr
from .rearrange import reorder
from .transpose import transpose_jaxpr


def _adapted(params: Params, closed: ClosedJaxpr) -> Params:
    """The parameters for another jaxpr. What is donated outside is not overwritten by the parts."""
    changed = {**params, "jaxpr": closed}
    if "donated_invars" in changed:
        changed["donated_invars"] = (False,) * len(closed.jaxpr.invars)
    return changed


def install_call_rules(primitive: Primitive) -> None:
    """Give `primitive` its rules."""

    def call(closed: ClosedJaxpr, args: Sequence[Value], params: Params) -> list[Value]:
        return primitive.bind(*args, **_adapted(params, closed))

    def jvp(
        primals: Sequence[Value], tangents: Sequence[Any], *, jaxpr: ClosedJaxpr, **params: Any
    ) -> tuple[list[Value], list[Any]]:
        nonzero = tuple(type(t) is not Zero for t in tangents)
        both, nonzero_out = jvp_jaxpr(jaxpr, nonzero)
        outs = call(both, [*primals, *[t for t in tangents if type(t) is not Zero]], params)
        count = len(nonzero_out)
        given = iter(outs[count:])
        return outs[:count], [
            next(given) if live else zero_of(out) for out, live in zip(outs, nonzero_out, strict=False)
        ]

    def batch(
        axis: MappedAxis, args: Sequence[Value], dims: Sequence[Dim], *, jaxpr: ClosedJaxpr, **params: Any
    ) -> tuple[list[Value], list[Dim]]:
        mapped, batched = batch_jaxpr(jaxpr, axis, tuple(dim is not None for dim in dims))
        fronts = [
            arg if dim is None else to_front(arg, dim, axis) for arg, dim in zip(args, dims, strict=True)
        ]
        return call(mapped, fronts, params), [0 if live else None for live in batched]

    def partial_eval(
        trace: TangentTrace,
        unknown: Sequence[bool],
        args: Sequence[Value],
        *,
        jaxpr: ClosedJaxpr,
        **params: Any,
    ) -> list[Value]:
        part = split_jaxpr(jaxpr, unknown)
        known_args = [arg for arg, hidden in zip(args, unknown, strict=True) if not hidden]
        count = len(part.unknown_out) - sum(part.unknown_out)
        # Residuals that are arguments need not be returned to be known.
        held: dict[Any, Value] = dict(zip(part.known.jaxpr.invars, known_args, strict=True))
        residuals = part.known.jaxpr.outvars[count:]
        made = [i for i, var in enumerate(residuals) if var not in held]
        known = reorder(part.known, None, [*range(count), *[count + i for i in made]])
        outs = call(known, known_args, params) if known.jaxpr.outvars else []
        computed = dict(zip(made, outs[count:], strict=True))
        values = [computed[i] if i in computed else held[var] for i, var in enumerate(residuals)]
        later_args = [arg for arg, hidden in zip(args, unknown, strict=True) if hidden]
        recorded = iter(trace.record(primitive, [*values, *later_args], _adapted(params, part.unknown)))
        results = iter(outs[:count])
        return [next(recorded) if hidden else next(results) for hidden in part.unknown_out]

    def transpose(cts: Sequence[Any], *args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
        linear = tuple(type(arg) is UndefinedPrimal for arg in args)
        reverse, live = transpose_jaxpr(jaxpr, linear, tuple(type(ct) is not Zero for ct in cts))
        known = [arg for arg in args if type(arg) is not UndefinedPrimal]
        outs = iter(call(reverse, [*known, *[ct for ct in cts if type(ct) is not Zero]], params))
        flags = iter(live)
        return [next(outs) if undefined and next(flags) else None for undefined in linear]

    primitive.jvp, primitive.batch = jvp, batch
    primitive.partial_eval, primitive.transpose = partial_eval, transpose
