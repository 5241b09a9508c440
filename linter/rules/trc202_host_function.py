"""TRC202."""

from __future__ import annotations

from collections.abc import Iterator

from ..causes import static_advice, why
from ..events import HostCall
from ..fixes import FILL_ARRAY, HOST_TWIN
from .registry import Report, Rule

PLACES = {
    "numpy.ndarray.__setitem__": "assignment to a NumPy buffer",
    "functools.singledispatch": "singledispatch by the type",
}
OBJECTS = {
    "Vectorized": "a function of np.vectorize",
    "HostFunction": "a function object of NumPy or SciPy",
    "HostDistribution": "a distribution of SciPy",
    "HostMatrix": "an operation with a sparse matrix of SciPy",
    "HostSolver": "a sparse factorization of SciPy",
}
"""What people call the objects whose methods need concrete values."""
SHORT = {"numpy": "np", "jax.numpy": "jnp", "jax.lax": "lax"}


class TracedHostFunction(Rule):
    """A NumPy, SciPy or `math` function is applied to a traced value.

    ## What it does
    Finds calls of host functions (NumPy, SciPy, `math`, `statistics`, ...) whose argument is a tracer, if the function
    needs the numbers themselves.

    ## Why is this bad
    Such a function runs now, in Python or C, and needs an `ndarray` or a `float`: `TracerArrayConversionError` (NumPy,
    SciPy) or `ConcretizationTypeError` (`math`).  On static values, such as shapes, they are the right choice.  A few
    NumPy functions (`np.sum`, `np.reshape`, ...) hand the work to the array's own method and therefore work.

    ## Example
    ```python
    @jax.jit
    def wave(t):
        return np.sin(2 * np.pi * t)

    wave(jnp.linspace(0.0, 1.0, 8))
    ```

    ## Use instead
    ```python
    @jax.jit
    def wave(t):
        return jnp.sin(2 * np.pi * t)

    wave(jnp.linspace(0.0, 1.0, 8))
    ```
    Where no twin exists, `jax.pure_callback` runs the host function when the program runs.

    ## Fix safety
    The twin computes in JAX's default precision (32 bits unless `jax_enable_x64` is set).

    ## References
    - [TracerArrayConversionError](https://docs.jax.dev/en/latest/errors.html#jax.errors.TracerArrayConversionError)
    - [JAX: external callbacks](https://docs.jax.dev/en/latest/external-callbacks.html)
    """

    code = "TRC202"
    name = "traced-host-function"
    listens = (HostCall,)

    def check(self, event: HostCall) -> Iterator[Report]:
        """The call."""
        if event.function == "functools.singledispatch":
            otherwise = "register the function for jax.core.Tracer too: the type of a tracer is not jax.Array"
        elif event.function in PLACES:
            otherwise = "build the array with jnp, or with .at[].set: a NumPy buffer cannot hold tracers"
        elif event.function.startswith("HostMatrix."):
            otherwise = "make it a matrix of jax outside, with jax.experimental.sparse.BCOO.from_scipy_sparse"
        elif event.wrapper:
            otherwise = f"wrap the outermost compiled function in {event.wrapper}"
        elif event.replacement:
            otherwise = f"use {short(event.replacement)}"
        else:
            otherwise = "compute it outside the traced function, or through jax.pure_callback"
        yield Report(
            event.node,
            f"{PLACES.get(event.function) or short(event.function)} of a traced value",
            why(event, event.value),
            static_advice(event, event.value, otherwise),
            event.error,
            event.sure,
            (HOST_TWIN, FILL_ARRAY),
        )


def short(name: str) -> str:
    """A canonical name as people write it: `jnp.sin`, `np.r_`."""
    if name.partition(".")[0] in OBJECTS:
        return OBJECTS[name.partition(".")[0]]
    module, _, function = name.removesuffix(".__getitem__").rpartition(".")
    if module == "Array":
        return f".{function}"
    return f"{SHORT.get(module, module)}.{function}" if module and module != "builtins" else function
