"""TRC503."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_with, tracer_phrase
from ..domain import DictValue, Entry, TupleValue
from ..events import ControlFlow, TracedCall
from ..fixes import LISTED, STATIC_ARGUMENT
from .kinds import kind_of
from .registry import Report, Rule
from .trc202_host_function import short


class NonArrayArgument(Rule):
    """A string, function or other non-array is passed as a traced argument.

    ## What it does
    Finds arguments of transformed functions that are neither arrays, numbers nor pytrees of them, for parameters that
    are traced: strings, functions, dtypes, plain objects; and lists given to functions of `jax.numpy` that take arrays alone.

    ## Why is this bad
    JAX has no tracer for such a value: `TypeError` at the call.

    ## Example
    ```python
    @jax.jit
    def reduce(x, how):
        return x.sum() if how == "sum" else x.mean()

    reduce(jnp.ones(3), "sum")
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("how",))
    def reduce(x, how):
        return x.sum() if how == "sum" else x.mean()

    reduce(jnp.ones(3), "sum")
    ```

    ## Fix safety
    Making the parameter static is safe where every caller passes a hashable value that is no array.  A view or an iterator is
    passed as a list; that is safe.

    ## References
    - [JAX: pytrees](https://docs.jax.dev/en/latest/pytrees.html)
    - [jax.jit, static_argnames](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC503"
    name = "non-array-argument"
    listens = (TracedCall, ControlFlow)

    def check(self, event: TracedCall | ControlFlow) -> Iterator[Report]:
        """The call."""
        if isinstance(event, ControlFlow):
            if event.problem == "sequence":
                yield Report(
                    event.node,
                    f"{kind_of(event.value)} as an argument of {short(event.function)}",
                    f"{kind_of(event.value)} {event.detail}",
                    "make an array of it first, with jnp.array or jnp.stack",
                    event.error,
                    event.sure,
                )
        elif event.problem == "non-array" and event.parameter != "self":
            yield Report(
                event.node,
                "non-array as a traced argument",
                f"{event.parameter} is {kind_of(event.value)}, {event.detail or f'which {tracer(event)} cannot trace'}",
                _advice(event),
                event.error or "TypeError",
                event.sure,
                (STATIC_ARGUMENT,) if _may_be_static(event) else (LISTED,),
            )
        elif event.problem == "not-differentiable":
            yield Report(
                event.node,
                "derivative with respect to an integer",
                event.detail,
                f"convert {event.parameter} to a float, or leave it out of argnums",
                event.error or "TypeError",
                event.sure,
            )


def _may_be_static(event: TracedCall) -> bool:
    """Whether the argument is worth making static: neither an iterator nor a mapping, whose values are wanted as arrays."""
    return not isinstance(event.value, TupleValue | DictValue)


def _advice(event: TracedCall) -> str:
    if isinstance(event.value, TupleValue):
        return "pass a list of what it gives: list(...)"
    if isinstance(event.value, DictValue):
        return "use keys of one type" if event.value.kind == "dict" else "pass a dict of it: dict(...)"
    static = static_with(event.parameter, event.transformed)
    return f"make {event.parameter} static with {static}, or bind it with partial"


def tracer(event: TracedCall) -> str:
    """`jit (line 12)` for the transform that is called."""
    transformed = event.transformed
    name = transformed.kind.rsplit(".", 1)[-1]
    return tracer_phrase(Entry(name, name, transformed.node, transformed.source), event.source)
