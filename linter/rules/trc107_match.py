"""TRC107."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import Matched, Truth
from ..fixes import DECLARED_STATIC, PLAUSIBLE_STATIC, SELECT, SWITCH
from .registry import Report, Rule
from .truth import truth_error

REWRITES = (DECLARED_STATIC, SELECT, SWITCH, PLAUSIBLE_STATIC)


class TracedMatch(Rule):
    """`match` on a traced value.

    ## What it does
    Finds `match` statements that compare a tracer with a literal, and `case` guards on tracers.

    ## Why is this bad
    A literal pattern compares with `==` and asks the answer for its truth; a guard asks at once.  A tracer has no
    truth: `TracerBoolConversionError`.  Patterns on structure (sequences, mappings, classes) are fine.

    ## Example
    ```python
    @jax.jit
    def activate(x, kind):
        match kind:
            case 0:
                return jnp.tanh(x)
            case _:
                return jax.nn.relu(x)

    activate(1.0, 0)
    ```

    ## Use instead
    ```python
    @jax.jit
    def activate(x, kind):
        return lax.switch(kind, [jnp.tanh, jax.nn.relu], x)

    activate(1.0, 0)
    ```
    Where the selector is configuration, make it static: `@partial(jax.jit, static_argnames=("kind",))`.

    ## Fix safety
    `lax.switch` clamps its index to the branches that exist, and its branches must agree in structure, shapes and
    dtypes; the rewrite is unsafe unless verified.

    ## References
    - [jax.lax.switch](https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html)
    - [Python: the match statement](https://docs.python.org/3/reference/compound_stmts.html#the-match-statement)
    """

    code = "TRC107"
    name = "traced-match"
    listens = (Matched, Truth)

    def check(self, event: Matched | Truth) -> Iterator[Report]:
        """A literal pattern, or the guard of a case."""
        if isinstance(event, Matched):
            what = "match on a traced value"
        elif event.place == "guard":
            what = "case guard on a traced value"
        else:
            return
        advice = static_advice(event, event.value, "use lax.switch or lax.cond")
        subject = getattr(event.statement, "subject", None) if isinstance(event, Matched) else None
        yield Report(
            event.node,
            what,
            why(event, event.value, subject),
            advice,
            truth_error(event.value),
            event.sure,
            REWRITES,
        )
