"""TRC401."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import place_of, tracer_phrase, why
from ..domain import roots_of
from ..events import Escaped, ForeignState
from ..fixes import AT_COMPILE_TIME
from .registry import Report, Rule

# where: how the place is called
PLACES = {
    "attribute": "the attribute",
    "global": "the global",
    "nonlocal": "the outer variable",
    "container": "the outer container",
    "generator": "the generator",
    "cache": "the cache of",
    "class": "the class attribute",
    "parameters": "the parameters of haiku",
}


class LeakedTracer(Rule):
    """A tracer escapes from its trace.

    ## What it does
    Finds traced values stored where they outlive their trace: on `self`, in a global or nonlocal variable, in an outer
    list or dict, in a generator, in an `lru_cache` or `cached_property`; also changes of a module or variable of flax.nnx
    that a traced function closes over, which flax refuses at once (`TraceContextError`).

    ## Why is this bad
    After the trace has ended the tracer stands for nothing.  Whatever computes with it later fails with
    `UnexpectedTracerError`, often far from the place of the mistake; and even where nothing does, the compiled function
    never stores anything again.

    ## Example
    ```python
    largest = None

    @jax.jit
    def normalise(x):
        global largest
        largest = jnp.max(x)
        return x / largest

    normalise(jnp.arange(1.0, 4.0))
    print(largest * 2)
    ```

    ## Use instead
    ```python
    @jax.jit
    def normalise(x):
        largest = jnp.max(x)
        return x / largest, largest

    scaled, largest = normalise(jnp.arange(1.0, 4.0))
    print(largest * 2)
    ```

    ## Fix safety
    A constant that no argument has a part in is computed while tracing, under `jax.ensure_compile_time_eval`; unsafe unless
    verified.  Of what depends on arguments there is no automatic fix: returning a value changes every caller.

    ## References
    - [UnexpectedTracerError](https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError)
    - [JAX: pure functions](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions)
    """

    code = "TRC401"
    name = "leaked-tracer"
    listens = (Escaped, ForeignState)

    def check(self, event: Escaped | ForeignState) -> Iterator[Report]:
        """The store; it says where the leak is used, if that was seen."""
        if isinstance(event, ForeignState):
            by = tracer_phrase(event.entry, event.source) if event.entry else "a trace"
            yield Report(
                event.node,
                f"{event.target} is changed from inside {by}",
                "it was made outside, and flax.nnx refuses changes from another trace than its own",
                "pass the module to the traced function as an argument",
                event.error,
                event.sure,
            )
            return
        cause = why(event, event.value) + _made_inside(event)
        if event.used is not None:
            cause += f", and outlives the trace: using it on {place_of(event.used, event.source, event.source)} raises"
        else:
            cause += ", and means nothing once the trace has ended"
        yield Report(
            event.node,
            f"traced value stored in {PLACES[event.where]} {event.target}".rstrip(),
            cause,
            "make it before the loop, or use the loops and branches of haiku"
            if event.where == "parameters"
            else "return it from the traced function instead",
            event.error,
            event.sure,
            (AT_COMPILE_TIME,),
        )


def _made_inside(event: Escaped) -> str:
    """The trace that has computed a value of what another one around it traces, in words; empty where that is one."""
    traced = [root for root in roots_of([event.value]) if root.kind == "parameter"]
    if event.entry is None or not traced or any(root.entry is event.entry for root in traced):
        return ""
    return f", computed inside {tracer_phrase(event.entry, event.source)}"
