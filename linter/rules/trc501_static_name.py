"""TRC501."""

from __future__ import annotations

from collections.abc import Iterator

from ..domain import FunctionValue
from ..events import TransformApplied
from .registry import Report, Rule

ADVICE = {
    "unknown-name": "correct the name so that it matches a parameter",
    "out-of-range": "count the parameters from zero, or name them with static_argnames",
}


class UnknownStaticArgument(Rule):
    """`static_argnames` names no parameter, or `static_argnums` is out of range.

    ## What it does
    Finds names in `static_argnames` or `donate_argnames` that are no parameter of the function, and numbers in
    `static_argnums` or `donate_argnums` that lie outside its parameters.

    ## Why is this bad
    `jax.jit` refuses them when it wraps the function: `ValueError`.  (With `**kwargs` or `*args` in the signature it
    cannot tell, and accepts them.)

    ## Example
    ```python
    @partial(jax.jit, static_argnames=("itterations",))
    def relax(x, iterations):
        for _ in range(iterations):
            x = x / 2
        return x
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("iterations",))
    def relax(x, iterations):
        for _ in range(iterations):
            x = x / 2
        return x

    relax(8.0, 3)
    ```

    ## Fix safety
    The rewrite picks the parameter with the most similar name; it is offered as unsafe.

    ## References
    - [jax.jit](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC501"
    name = "unknown-static-argument"
    listens = (TransformApplied,)

    def check(self, event: TransformApplied) -> Iterator[Report]:
        """The place where the transform is applied."""
        if event.problem in ADVICE:
            function = event.transformed.function
            named = f" of {function.name}" if isinstance(function, FunctionValue) else ""
            what = "name" if event.problem == "unknown-name" else "position"
            yield Report(
                event.node,
                f"static or donated argument does not exist: {event.detail}",
                f"no parameter{named} has this {what}",
                ADVICE[event.problem],
                event.error or "ValueError",
                event.sure,
            )
