"""TRC402."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import text_of
from ..events import ArrayMutation
from ..fixes import FUNCTIONAL_UPDATE
from .registry import Report, Rule

# how: the statement that says the same
ADVICE = {
    "assign": "use {array} = {array}.at[{index}].set({value})",
    "augment": "use {array} = {array}.at[{index}].{method}({value})",
    "at": "use {array}[{index}].{method}({value}), which returns the new array",
    "attribute": "keep it in a variable, or in a field of your own pytree",
    "delete": "use {array} = jnp.delete({array}, {index}), or a mask",
    "view": "make a copy that may be written to: np.array(...)",
}

# Python operator of an augmented assignment: the method of `.at[...]` that says the same
AUGMENTED = {
    "AddAssign": "add",
    "SubtractAssign": "subtract",
    "MultiplyAssign": "multiply",
    "DivideAssign": "divide",
    "PowerAssign": "power",
}


class InPlaceUpdate(Rule):
    """In-place update of a jax array.

    ## What it does
    Finds `x[i] = v`, `x[i] += v`, `del x[i]` and mutating methods on jax arrays, traced or not, and on the NumPy arrays
    that `np.asarray` makes of them without a copy.

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
        parts = _parts(event)
        yield Report(
            event.node,
            "in-place update of a jax array" if event.how in ADVICE else f".{event.how}() of a jax array",
            f"{parts['array']} is {'a read-only view of one' if event.how == 'view' else 'immutable'}",
            ADVICE.get(event.how, "use the function of jax.numpy, which returns a new array").format(**parts),
            event.error,
            event.sure,
            (FUNCTIONAL_UPDATE,),
        )


def _parts(event: ArrayMutation) -> dict[str, str]:
    """The texts of array, index and value, and the method of `.at` that stands for the operator."""
    import libcst as cst

    node, value, method = event.node, "value", "set"
    if isinstance(node, cst.Assign | cst.AugAssign):
        value = text_of(node.value, event.source)
        if isinstance(node, cst.AugAssign):
            method = AUGMENTED.get(type(node.operator).__name__, "set")
        node = node.target if isinstance(node, cst.AugAssign) else node.targets[0].target
    elif isinstance(node, cst.Del):
        node = node.target
    parts = {"array": text_of(node, event.source), "index": "i", "value": value, "method": method}
    if isinstance(node, cst.Subscript):
        parts["array"] = text_of(node.value, event.source)
        parts["index"] = ", ".join(text_of(part.slice, event.source) for part in node.slice)
    elif isinstance(node, cst.Attribute):
        parts["array"] = text_of(node.value, event.source)
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        parts["array"] = text_of(node.func.value, event.source)
    return parts
