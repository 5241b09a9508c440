"""How control flow runs outside of transforms: compiled as a program of its own, kept for the next time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from ..core import ClosedJaxpr, Jaxpr, JaxprEqn, Primitive, Value, Var, get_aval

_programs: WeakKeyDictionary[ClosedJaxpr, dict[Any, ClosedJaxpr]] = WeakKeyDictionary()


def kernel(name: str) -> Callable[..., Any]:
    """The NumPy evaluation `name`, loaded when it is first called."""

    def run(*args: Any, **params: Any) -> Any:
        from . import evaluation

        return getattr(evaluation, name)(*args, **params)

    return run


def run_compiled(primitive: Primitive, body: Callable[[dict[str, Any]], ClosedJaxpr]) -> None:
    """Have applications of `primitive` outside of transforms compiled. `body` is the jaxpr that they are kept with."""

    def eager(*args: Value, **params: Any) -> list[Value]:
        from ..jaxprs.execution import run

        avals = tuple([get_aval(arg) for arg in args])
        kept = _programs.setdefault(body(params), {})
        key = primitive.name, avals, tuple(params.values())
        program = kept.get(key)
        if program is None:
            invars = [Var(aval) for aval in avals]
            outvars = [Var(aval) for aval in primitive.abstract_eval(*avals, **params)]
            eqn = JaxprEqn(list(invars), outvars, primitive, params)
            program = kept[key] = ClosedJaxpr(Jaxpr([], invars, outvars, [eqn]))
        return run(program, args)

    primitive.eager = eager
