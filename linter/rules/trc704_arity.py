"""TRC704."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import ControlFlow, TracedCall
from .kinds import kind_of
from .registry import Report, Rule
from .trc202_host_function import short


class CallableArity(Rule):
    """A callable has the wrong number of parameters or results.

    ## What it does
    Finds functions given to `scan`, `fori_loop`, `while_loop`, `cond`, `switch`, `map` and other transforms that take
    another number of arguments than they are called with, or return another number of results than is needed; results
    that are no arrays; and functions of `custom_jvp` and `custom_vjp` that are called before they have a rule, that close
    over what is differentiated, whose rule is not one for the derivative that is taken, or is given tracers that have
    ended.

    ## Why is this bad
    The transform calls the function in one fixed way: `TypeError` when it does, or when it unpacks the result.

    ## Example
    ```python
    def total(xs):
        return lax.scan(lambda carry, x: carry + x, 0.0, xs)

    total(jnp.arange(3.0))
    ```

    ## Use instead
    ```python
    def total(xs):
        return lax.scan(lambda carry, x: (carry + x, None), 0.0, xs)

    total(jnp.arange(3.0))
    ```

    ## Fix safety
    No automatic fix.

    ## References
    - [jax.lax.scan](https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html)
    - [jax.lax.fori_loop](https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html)
    """

    code = "TRC704"
    name = "callable-arity"
    listens = (ControlFlow, TracedCall)

    def check(self, event: ControlFlow | TracedCall) -> Iterator[Report]:
        """The call of the transform, or of the transformed function."""
        if event.problem == "arity":
            function = event.function if isinstance(event, ControlFlow) else event.transformed.kind
            yield Report(
                event.node,
                f"callable of {short(function)} does not fit",
                event.detail,
                "give it the parameters and results that the transform expects",
                event.error or "TypeError",
                event.sure,
            )
        elif event.problem == "no-rule" and isinstance(event, ControlFlow):
            define = "defjvp" if event.function == "custom_jvp" else "defvjp"
            yield Report(
                event.node,
                f"{event.function} without a rule",
                event.detail,
                f"give it a rule with .{define}(...), which JAX asks for even where no derivative is taken",
                event.error,
                event.sure,
            )
        elif event.problem == "outlived" and isinstance(event, ControlFlow):
            yield Report(
                event.node,
                f"tracer kept for a rule of {event.function}",
                event.detail,
                "make it an ordinary argument, whose tangent the rule does not use",
                event.error,
                event.sure,
            )
        elif event.problem == "forward" and isinstance(event, ControlFlow):
            yield Report(
                event.node,
                f"{short(event.function)} of a function without a rule for it",
                event.detail,
                "use reverse mode (jax.grad, jax.vjp, jax.jacrev), or give it a custom_jvp rule",
                event.error,
                event.sure,
            )
        elif isinstance(event, ControlFlow) and event.problem in ("result", "operand", "scalar"):
            what = "operand" if event.problem == "operand" else "result"
            verb = "differentiate" if event.problem == "scalar" else "trace"
            yield Report(
                event.node,
                f"{what} that {short(event.function)} cannot {verb}",
                f"{kind_of(event.value)} {event.detail}",
                "reduce it to a number (jnp.sum, jnp.mean), or use jax.jacobian"
                if event.problem == "scalar"
                else "pass and return arrays, numbers, or pytrees of them",
                event.error,
                event.sure,
            )
