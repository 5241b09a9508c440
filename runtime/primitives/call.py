"""`jit`: the application of a jaxpr as a compiled whole."""

from __future__ import annotations

from typing import Any

from ..core import ClosedJaxpr, JaxprEqn, Params, ShapedArray, Value
from ..jaxprs.discharge import HigherOrderPrimitive, discharge_call
from ..jaxprs.evaluate import eval_closed_jaxpr
from ..jaxprs.execution import run

jit_p = HigherOrderPrimitive("jit", multiple_results=True)


def _abstract_eval(*avals: ShapedArray, jaxpr: ClosedJaxpr, name: str, **params: Any) -> list[ShapedArray]:
    if len(avals) != len(jaxpr.jaxpr.invars):
        raise TypeError(f"{name} takes {len(jaxpr.jaxpr.invars)} arrays, got {len(avals)}")
    return jaxpr.out_avals


def _impl(*args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    return eval_closed_jaxpr(jaxpr, *args)


def _eager(*args: Value, jaxpr: ClosedJaxpr, **params: Any) -> list[Value]:
    return run(jaxpr, args)


def _pretty(eqn: JaxprEqn) -> Params:
    shown = {"name": eqn.params["name"], "jaxpr": eqn.params["jaxpr"]}
    if any(eqn.params.get("donated_invars", ())):
        shown["donated_invars"] = eqn.params["donated_invars"]
    return shown


jit_p.abstract_eval = _abstract_eval
jit_p.impl = _impl
jit_p.eager = _eager
jit_p.pretty = _pretty
jit_p.discharge = discharge_call(jit_p)


def _on_first_use(rule: str) -> Any:
    """The rule of that name, which the transforms give to all calls; tracing alone does not load them."""

    def load(*args: Any, **params: Any) -> Any:
        from ..transforms.calls import install_call_rules

        install_call_rules(jit_p)
        return getattr(jit_p, rule)(*args, **params)

    return load


jit_p.jvp, jit_p.batch = _on_first_use("jvp"), _on_first_use("batch")
jit_p.transpose, jit_p.partial_eval = _on_first_use("transpose"), _on_first_use("partial_eval")
