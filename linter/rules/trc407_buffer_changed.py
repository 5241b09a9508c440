"""TRC407."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import place_of
from ..events import BufferChanged
from .registry import Report, Rule


class ChangedBuffer(Rule):
    """A NumPy buffer is changed after it was handed over.

    ## What it does
    Finds NumPy arrays that are written to after they were given to a compiled function or an operation of JAX whose result
    nobody has waited for, or made a jax array by `jnp.asarray` or `jax.device_put`.

    ## Why is this bad
    A call returns before it has run and read what it was given, and on CPU a jax array can share memory with the NumPy
    array that it was made from.  Writing to the buffer then changes, or races with, values that JAX takes to be immutable.

    ## Example
    ```python
    buffer = np.zeros(4, dtype=np.float32)
    frames = []
    for step in range(3):
        buffer[:] = step
        frames.append(jnp.asarray(buffer))
    print(frames[0])
    ```

    ## Use instead
    ```python
    buffer = np.zeros(4, dtype=np.float32)
    frames = []
    for step in range(3):
        buffer[:] = step
        frames.append(jnp.asarray(buffer.copy()))
    print(frames[0])
    ```

    ## Fix safety
    No automatic fix.  A copy made by NumPy is always safe; `jnp.array(buffer)` copies too, but where JAX is busy it may do
    so after it has returned.

    ## References
    - [jax.numpy.asarray](https://docs.jax.dev/en/latest/_autosummary/jax.numpy.asarray.html)
    - [JAX: asynchronous dispatch](https://docs.jax.dev/en/latest/async_dispatch.html)
    """

    code = "TRC407"
    name = "changed-buffer"
    severity = "warning"
    listens = (BufferChanged,)

    def check(self, event: BufferChanged) -> Iterator[Report]:
        """The write."""
        place = place_of(*event.handed, event.source)
        if event.how == "alias":
            cause = f"the jax array made on {place} may share the memory of {event.name}"
        else:
            cause = f"{event.name} was handed to JAX on {place}, which may not have read it yet"
        yield Report(
            event.node,
            "NumPy buffer changed after it was handed over",
            cause,
            f"hand over a copy: {event.name}.copy()",
            None,
            event.sure,
        )
