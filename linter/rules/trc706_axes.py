"""TRC706."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ControlFlow, TracedCall
from .registry import Report, Rule
from .trc202_host_function import short

_FUNCTIONS = {
    "axis-name": (
        "axis name of {} that is not bound",
        "give vmap or pmap this axis_name, or use shard_map",
    ),
    "keys": ("batch of keys for {}", "map it over the keys with jax.vmap"),
    "lengths": (
        "{} goes along axes of different lengths",
        "pass arrays of one length, and length only where there are none",
    ),
}
"""What is wrong with the use of a function, and what to do about it."""


class MappedAxes(Rule):
    """`in_axes`, `out_axes` or mapped sizes do not fit the arguments.

    ## What it does
    Compares `in_axes` and `out_axes` of `vmap` with the arguments of the call: their number, their structure, their
    rank and the sizes of the mapped axes; the lengths of what `scan` goes along; whether a map around a collective
    such as `psum` binds its axis name; and whether a function of `jax.random` that takes one key is given a batch of
    them.  Arguments passed by keyword are always mapped over axis 0.

    ## Why is this bad
    Every mapped argument must have the axis, and all mapped axes one size: `ValueError`.

    ## Example
    ```python
    def scale(x, factor):
        return x * factor

    jax.vmap(scale)(jnp.ones((4, 3)), 2.0)
    ```

    ## Use instead
    ```python
    def scale(x, factor):
        return x * factor

    jax.vmap(scale, in_axes=(0, None))(jnp.ones((4, 3)), 2.0)
    ```

    ## Fix safety
    No automatic fix.

    ## References
    - [jax.vmap](https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html)
    """

    code = "TRC706"
    name = "mapped-axes"
    listens = (TracedCall, ControlFlow)

    def check(self, event: TracedCall | ControlFlow) -> Iterator[Report]:
        """The call."""
        if isinstance(event, ControlFlow):
            if event.problem in _FUNCTIONS:
                what, advice = _FUNCTIONS[event.problem]
                yield Report(
                    event.node,
                    what.format(short(event.function)),
                    event.detail,
                    advice,
                    event.error,
                    event.sure,
                )
        elif event.problem == "axes":
            name = event.transformed.kind.rsplit(".", 1)[-1]
            results = "out_axes" in event.detail or "the result" in event.detail
            yield Report(
                event.node,
                f"axes of {name} do not fit its {'results' if results else 'arguments'}",
                event.detail,
                "give out_axes the structure of the result, with an axis or None for each part"
                if results
                else "give in_axes one entry for each positional argument, None for what is not mapped",
                event.error or "ValueError",
                event.sure,
            )
