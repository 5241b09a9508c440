"""TRC703."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ControlFlow
from .registry import Report, Rule
from .trc202_host_function import short

ADVICE = {
    "cond": "use jnp.where element by element, or reduce with jnp.all or jnp.any",
    "while_loop": "return one boolean: a comparison, reduced with jnp.all or jnp.any",
    "switch": "give one integer",
}


class PredicateNotScalar(Rule):
    """A predicate is not a scalar.

    ## What it does
    Finds predicates of `lax.cond` and conditions of `lax.while_loop` that are no scalar, or (for `while_loop`) no
    boolean, and indices of `lax.switch` that are no integer scalar.

    ## Why is this bad
    One decision needs one truth value: `TypeError`.

    ## Example
    ```python
    def rectify(x):
        return lax.cond(x > 0, lambda x: x, lambda x: -x, x)

    rectify(jnp.array([1.0, -2.0]))
    ```

    ## Use instead
    ```python
    def rectify(x):
        return jnp.where(x > 0, x, -x)

    rectify(jnp.array([1.0, -2.0]))
    ```
    To decide once for the whole array, reduce: `lax.cond(jnp.all(x > 0), ...)`.

    ## Fix safety
    No automatic fix: element by element, `any` and `all` are three different functions.

    ## References
    - [jax.lax.cond](https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html)
    """

    code = "TRC703"
    name = "predicate-not-scalar"
    listens = (ControlFlow,)

    def check(self, event: ControlFlow) -> Iterator[Report]:
        """The call."""
        if event.problem == "predicate":
            yield Report(
                event.node,
                f"predicate of {short(event.function)} does not fit",
                event.detail,
                ADVICE.get(event.function.rsplit(".", 1)[-1], ADVICE["cond"]),
                event.error,
                event.sure,
            )
