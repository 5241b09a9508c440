"""TRC502."""

from __future__ import annotations

from collections.abc import Iterator

from ..events import TracedCall
from ..fixes import HASHABLE, HASHABLE_ITEMS
from .kinds import kind_of
from .registry import Report, Rule


class UnhashableStatic(Rule):
    """A static argument is unhashable.

    ## What it does
    Finds lists, dicts, sets and other unhashable objects passed for a static parameter; and unhashable objects with a
    `__call__` that are transformed themselves; and arrays of NumPy or JAX in the metadata of pytrees (`meta_fields`,
    `static=True`, the second part of `tree_flatten`), where a later call has another one.

    ## Why is this bad
    Static values are part of the key of the compilation cache, so they must be hashable: `ValueError`. Metadata
    is compared with that of earlier calls, which arrays cannot be: `ValueError` at the second call.

    ## Example
    ```python
    @partial(jax.jit, static_argnames=("sizes",))
    def blocks(x, sizes):
        return [x[:n].sum() for n in sizes]

    blocks(jnp.arange(6.0), sizes=[2, 3])
    ```

    ## Use instead
    ```python
    @partial(jax.jit, static_argnames=("sizes",))
    def blocks(x, sizes):
        return [x[:n].sum() for n in sizes]

    blocks(jnp.arange(6.0), sizes=(2, 3))
    ```
    For a dict of settings: a tuple of its items, or a frozen dataclass.

    ## Fix safety
    A list display becomes a tuple display; this is safe where the function only reads it.  A dict goes as the tuple of its
    items, and the function begins with making a dict of it again; unsafe unless verified, as other callers must follow.

    ## References
    - [jax.jit, static_argnums](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html)
    """

    code = "TRC502"
    name = "unhashable-static"
    listens = (TracedCall,)

    def check(self, event: TracedCall) -> Iterator[Report]:
        """The call."""
        if event.problem == "unhashable-static":
            inside = f" with {kind_of(event.part)} inside" if event.part is not None else ""
            yield Report(
                event.node,
                "static argument that is not hashable",
                f"{event.parameter} is static, so a key of the cache, and {kind_of(event.value, 'this')}{inside} has no hash",
                "pass a tuple, a frozen dataclass, or another hashable object",
                event.error or "ValueError",
                event.sure,
                () if inside else (HASHABLE, HASHABLE_ITEMS),
            )
        elif event.problem == "metadata":
            yield Report(
                event.node,
                "array in the metadata of a pytree",
                f"{event.parameter} is part of the structure of an argument, which is compared with that of the call before, "
                f"and that was another array: of several elements there is no one truth",
                "make the field a leaf, share one array between the objects, or keep it as a tuple",
                event.error or "ValueError",
                event.sure,
            )
        elif event.problem == "unhashable-function":
            transform = event.transformed.kind
            yield Report(
                event.node,
                "function that is not hashable",
                f"{transform} calls {kind_of(event.value, 'an object')} as a function, a key of its cache, and that has no hash",
                "give its class a __hash__ (a frozen dataclass has one), or transform a method of it",
                event.error or "TypeError",
                event.sure,
            )
