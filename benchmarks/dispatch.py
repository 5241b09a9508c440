"""How long a call of a compiled function and an operation outside of jit take on `f32[8]`, beside JAX.

python benchmarks/dispatch.py
"""

from __future__ import annotations

import numpy as np
from sidebyside import compare, load, per_call


def measure(library: str) -> dict[str, float]:
    jax = load(library)
    jnp = jax.numpy
    x, y = jnp.ones(8), jnp.ones(8)
    array = np.ones(8, np.float32)
    compiled = jax.jit(lambda a, b: a * 2 + b)
    tree = jax.jit(lambda p: p["w"] * p["b"])
    static = jax.jit(lambda a, n: a * n, static_argnums=1)
    five = jax.jit(lambda a, b, c, d, e: a + b + c + d + e)
    return {
        "jit, two arrays": per_call(lambda: compiled(x, y), 2000),
        "jit, five arrays": per_call(lambda: five(x, y, x, y, x), 2000),
        "jit, NumPy array": per_call(lambda: compiled(x, array), 2000),
        "jit, Python scalar": per_call(lambda: compiled(x, 2.0), 2000),
        "jit, tree": per_call(lambda: tree({"w": x, "b": y}), 2000),
        "jit, static argument": per_call(lambda: static(x, 3), 2000),
        "eager x + y": per_call(lambda: x + y, 2000),
        "eager x * 2.0": per_call(lambda: x * 2.0, 2000),
        "eager jnp.sin(x)": per_call(lambda: jnp.sin(x), 2000),
        "eager x.sum()": per_call(lambda: x.sum(), 500),
        "eager x[0]": per_call(lambda: x[0], 300),
        "eager x[1:]": per_call(lambda: x[1:], 300),
        "eager x.reshape(2, 4)": per_call(lambda: x.reshape(2, 4), 500),
        "eager jnp.where": per_call(lambda: jnp.where(x > 0, x, y), 300),
    }


if __name__ == "__main__":
    compare(measure, __doc__ or "")
