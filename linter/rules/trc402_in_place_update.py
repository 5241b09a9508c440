"""TRC402."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import text_of
from ..events import ArrayMutation
from .registry import Report, Rule

# Python operator of an augmented assignment: the method of `.at[...]` that says the same
AUGMENTED = {"+=": "add", "-=": "subtract", "*=": "multiply", "/=": "divide", "**=": "power"}


class InPlaceUpdate(Rule):
    """In-place update of a jax array.

    ## What it does
    Finds `x[i] = v`, `x[i] += v`, `del x[i]` and mutating methods on jax arrays, traced or not.

    ## Why is this bad
    Jax arrays are immutable: `TypeError`.  The functional form returns a new array, and inside `jit` it is compiled to
    an update in place.

    ## Example
    ```python
    def first_zero(x):
        x[0] = 0.0
        return x

    first_zero(jnp.ones(3))
    ```

    ## Use instead
    ```python
    def first_zero(x):
        x = x.at[0].set(0.0)
        return x

    first_zero(jnp.ones(3))
    ```

    ## Fix safety
    The rewrite rebinds the name.  Where another name refers to the same array, that one keeps the old values, which
    in-place code did not expect; so it is offered as unsafe unless verified.

    ## References
    - [jax.numpy.ndarray.at](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
    - [JAX: in-place updates](https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates)
    """

    code = "TRC402"
    name = "in-place-update"
    listens = (ArrayMutation,)

    def check(self, event: ArrayMutation) -> Iterator[Report]:
        """The target of the store."""
        array, index = _parts(event)
        what = f".{event.how}()" if event.how not in ADVICE else "in-place update"
        yield Report(
            event.node,
            f"{what} of a jax array",
            f"{array or text_of(event.node, event.source)} is immutable",
            _advice(event, array, index),
            event.error,
            event.sure,
        )


ADVICE = {
    "assign": "use {array} = {array}.at[{index}].set(value)",
    "augment": "use {array} = {array}.at[{index}].{method}(value)",
    "delete": "use {array} = jnp.delete({array}, {index}), or a mask",
}


def _advice(event: ArrayMutation, array: str, index: str) -> str:
    form = ADVICE.get(event.how)
    if form is None:
        return "use the function of jax.numpy, which returns a new array"
    return form.format(array=array or "x", index=index or "i", method=_method(event))


def _parts(event: ArrayMutation) -> tuple[str, str]:
    """The text of the array and of the index of a subscript."""
    import libcst as cst

    if not isinstance(event.node, cst.Subscript):
        return "", ""
    array = text_of(event.node.value, event.source)
    index = ", ".join(text_of(part.slice, event.source) for part in event.node.slice)
    return array, index


def _method(event: ArrayMutation) -> str:
    import libcst as cst

    if isinstance(event.statement, cst.AugAssign):
        return AUGMENTED.get(event.source.module.code_for_node(event.statement.operator).strip(), "set")
    return "add"
