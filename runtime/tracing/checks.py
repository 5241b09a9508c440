"""What ``jax_debug_nans``, ``jax_debug_infs`` and ``jax_check_tracer_leaks`` ask for: checks of values and of traces."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

from ..config import state
from ..core import ClosedJaxpr, Trace, Tracer, Var

if TYPE_CHECKING:
    import numpy

    Values = numpy.ndarray[Any, Any]


def check_values(values: Sequence[Values], name: str) -> None:
    """Raises FloatingPointError when one of the results of `name` holds what the configuration forbids."""
    found = _forbidden(values)
    if found:
        raise FloatingPointError(f"invalid value ({found}) encountered in {name}")


def _forbidden(values: Sequence[Values]) -> str:
    import numpy as np

    for value in values:
        if value.dtype.kind in "fc":
            if state.values["jax_debug_nans"] and np.isnan(value).any():
                return "nan"
            if state.values["jax_debug_infs"] and np.isinf(value).any():
                return "inf"
    return ""


def checked(
    call: Callable[[list[Values]], list[Values]], closed: ClosedJaxpr
) -> Callable[[list[Values]], list[Values]]:
    """A compiled program whose results are checked; the error names the first operation that gave a forbidden value."""

    def run(arguments: list[Values]) -> list[Values]:
        given = [argument.copy() for argument in arguments]
        results = call(arguments)
        if _forbidden(results):
            _find(closed, given)
            check_values(results, "jit")
        return results

    return run


def _find(closed: ClosedJaxpr, arguments: list[Values]) -> None:
    """Evaluate a program equation by equation, checking each result."""
    import numpy as np

    from ..jaxprs.evaluate import finished, kernel_of, to_numpy

    jaxpr = closed.jaxpr
    known: dict[Var, Values] = dict(zip(jaxpr.constvars, map(to_numpy, closed.consts), strict=True))
    known.update(zip(jaxpr.invars, arguments, strict=True))
    for eqn in jaxpr.eqns:
        operands = [
            known[a] if isinstance(a, Var) else np.asarray(a.val, a.aval.dtype.storage) for a in eqn.invars
        ]
        inner = eqn.params.get("jaxpr")
        if eqn.primitive.name == "jit" and isinstance(inner, ClosedJaxpr):
            _find(inner, operands)
        with np.errstate(all="ignore"):
            result = kernel_of(eqn)(*operands, **eqn.params)
        values = [
            finished(v, var.aval)
            for v, var in zip(
                result if eqn.primitive.multiple_results else [result], eqn.outvars, strict=True
            )
        ]
        check_values(values, eqn.primitive.name)
        known.update(zip(eqn.outvars, values, strict=True))


def check_leaks(trace: Trace) -> Callable[[], None]:
    """A function to be called when nothing should refer to `trace` any more.

    It raises Exception, as JAX does, when a tracer of that trace is still alive.
    """
    found, kind = ref(trace), type(trace).__name__

    def check() -> None:
        if found() is None:
            return
        gc.collect()
        left = found()
        if left is None:
            return
        tracers = [t for t in gc.get_referrers(left) if isinstance(t, Tracer)]
        if tracers:
            said = "\n".join(f"{t!r}{t._origin_msg()}" for t in tracers)
            name = {"JaxprTrace": "DynamicJaxprTrace"}.get(kind, kind)
            raise Exception(f"Leaked trace {name}. Leaked tracer(s):\n\n{said}\n")  # noqa: TRY002

    return check
