"""Applying the equations of a jaxpr again, to any values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core import ClosedJaxpr, Jaxpr, Literal, Value, Var


def jaxpr_as_values(
    jaxpr: Jaxpr, consts: Sequence[Value], *args: Value, propagate_source_info: bool = True
) -> list[Value]:
    """Apply the equations of a jaxpr to any values, under the current trace: ``jax.core.eval_jaxpr``."""
    from ..arrays.array import asarray  # Arrays know of jaxprs.

    env: dict[Var, Value] = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, args))
    for eqn in jaxpr.eqns:
        operands = [env[atom] if isinstance(atom, Var) else atom for atom in eqn.invars]
        result = eqn.primitive.bind(*operands, **eqn.params)
        env.update(zip(eqn.outvars, result if eqn.primitive.multiple_results else [result]))
    return [asarray(atom) if isinstance(atom, Literal) else env[atom] for atom in jaxpr.outvars]


def jaxpr_as_fun(closed_jaxpr: ClosedJaxpr) -> Callable[..., list[Value]]:
    """A closed jaxpr as a function of flat arguments."""
    return lambda *args: jaxpr_as_values(closed_jaxpr.jaxpr, closed_jaxpr.consts, *args)
