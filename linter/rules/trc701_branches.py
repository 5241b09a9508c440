"""TRC701."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ControlFlow
from ..fixes import PROMOTE_BRANCHES
from .registry import Report, Rule
from .trc202_host_function import short


class BranchMismatch(Rule):
    """Branches return different structures, shapes or dtypes.

    ## What it does
    Compares what the branches of `lax.cond` and `lax.switch` return, and the two values of `lax.select`.

    ## Why is this bad
    Which branch runs is unknown while tracing, so all must give results of one structure, shape and dtype: `TypeError`.
    A weakly typed number (`0.0`) takes the dtype of the other branch; a different shape or dtype does not match.

    ## Example
    ```python
    def normalised(x, enough):
        return lax.cond(enough, lambda x: x / x.sum(), lambda x: 0.0, x)

    normalised(jnp.ones(3), True)
    ```

    ## Use instead
    ```python
    def normalised(x, enough):
        return lax.cond(enough, lambda x: x / x.sum(), lambda x: jnp.zeros_like(x), x)

    normalised(jnp.ones(3), True)
    ```

    ## Fix safety
    Choosing between the results of both branches promotes their dtypes, as Python would; both are computed.  Unsafe
    unless verified: which of the dtypes was meant is the author's to say.

    ## References
    - [jax.lax.cond](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
    - [jax.lax.switch](https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html)
    """

    code = "TRC701"
    name = "branch-mismatch"
    listens = (ControlFlow,)

    def check(self, event: ControlFlow) -> Iterator[Report]:
        """The call."""
        if event.problem == "branches":
            select = short(event.function) == "select"
            yield Report(
                event.node,
                f"{'values' if select else 'branches'} of {short(event.function)} do not agree",
                event.detail,
                "jnp.where promotes dtypes and broadcasts"
                if select
                else "return the same structure, shapes and dtypes from each",
                event.error,
                event.sure,
                (PROMOTE_BRANCHES,),
            )
