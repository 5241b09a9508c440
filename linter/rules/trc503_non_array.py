"""TRC503."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_with, tracer_phrase
from ..domain import Entry
from ..events import ControlFlow, TracedCall
from ..fixes import STATIC_ARGUMENT
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
    Making the parameter static is safe where every caller passes a hashable value that is no array.

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
                f"{event.parameter} is {kind_of(event.value)}, which {tracer(event)} cannot trace",
                f"make {event.parameter} static with {static_with(event.parameter, event.transformed)}, or bind it with partial",
                event.error or "TypeError",
                event.sure,
                (STATIC_ARGUMENT,),
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


def tracer(event: TracedCall) -> str:
    """`jit (line 12)` for the transform that is called."""
    transformed = event.transformed
    name = transformed.kind.rsplit(".", 1)[-1]
    return tracer_phrase(Entry(name, name, transformed.node, transformed.source), event.source)
