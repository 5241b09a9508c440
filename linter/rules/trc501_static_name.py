"""TRC501."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from ..domain import FunctionValue
from ..events import TransformApplied
from ..fixes import STATIC_NAME
from .registry import Report, Rule

ADVICE = {
    "unknown-name": "correct the name so that it matches a parameter",
    "unknown-donated-name": "correct the name so that it matches a parameter",
    "out-of-range": "count the parameters from zero, or name them with static_argnames",
    "donated-out-of-range": "count the parameters from zero, or name them with donate_argnames",
    "positional-only": "choose it by position, with static_argnums or donate_argnums",
    "no-option": "correct the name of the option, or leave it out",
    "not-a-choice": "choose arguments by position with static_argnums, by name with static_argnames",
    "static-and-donated": "donate only what is traced: a static argument has no buffer to give away",
}


class UnknownStaticArgument(Rule):
    """A static or donated argument that is no parameter, is out of range, or is both.

    ## What it does
    Finds names in `static_argnames` or `donate_argnames` that are no parameter of the function, and numbers in
    `static_argnums` or `donate_argnums` that lie outside its parameters; and arguments that are both static and donated.

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
        if event.problem not in ADVICE:
            return
        names = _parameters(event)
        function = getattr(event.transformed.function, "name", "the function")
        advice = ADVICE[event.problem]
        kind = "donated" if "donated" in event.problem else "static"
        if event.problem == "static-and-donated":
            what, cause = (
                "argument both static and donated",
                f"{event.detail!r} of {function} is chosen as both",
            )
        elif event.problem == "not-a-choice":
            what, cause = "choice of arguments that is none", event.detail
        elif event.problem == "positional-only":
            what, cause = (
                "name of an argument that has none",
                f"{event.detail!r} of {function} is positional-only",
            )
        elif event.problem == "no-option":
            what, cause = "option that the transform does not have", event.detail
        elif event.problem.endswith("-name"):
            what, cause = f"{kind} name that is no parameter", f"{function} has no parameter {event.detail!r}"
            similar = get_close_matches(event.detail, names, 1)
            advice = f"did you mean {similar[0]!r}?" if similar else advice
        else:
            what = f"{kind} position out of range"
            cause = f"{function} has no parameter at position {event.detail}"
        fixes = (STATIC_NAME,) if kind == "static" and event.problem != "not-a-choice" else ()
        yield Report(event.node, what, cause, advice, event.error or "ValueError", event.sure, fixes)


def _parameters(event: TransformApplied) -> list[str]:
    function = event.transformed.function
    if not isinstance(function, FunctionValue):
        return []
    params = function.node.params
    return [p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)]
