"""How long it takes to trace an equation, beside JAX: 1000 elementwise equations, written with operators.

python benchmarks/trace.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sidebyside import compare, load, per_call

EQUATIONS = 1000


def operators(x: Any, y: Any) -> Any:
    """Four equations in each of 250 steps."""
    for _ in range(EQUATIONS // 4):
        x = -(x * y + 1.0 - y)
    return x


def measure(library: str) -> dict[str, float]:
    jax = load(library)
    jnp, lax = jax.numpy, jax.lax

    def functions(x: Any, y: Any) -> Any:
        for _ in range(EQUATIONS // 4):
            x = jnp.add(jnp.tanh(jnp.multiply(x, y)), jnp.sin(y))
        return x

    def primitives(x: Any, y: Any) -> Any:
        for _ in range(EQUATIONS // 4):
            x = lax.add(lax.tanh(lax.mul(x, y)), lax.sin(y))
        return x

    x = np.ones(3, np.float32)

    def trace(function: Any) -> float:
        # A new function object each time: both libraries remember what they have traced.
        return per_call(lambda: jax.make_jaxpr(lambda a, b: function(a, b))(x, x), 3, 7) / EQUATIONS

    gradient = jax.grad(lambda a, b: operators(a, b).sum())
    return {
        "operators, an equation": trace(operators),
        "jnp functions, an equation": trace(functions),
        "lax functions, an equation": trace(primitives),
        "gradient of operators": trace(gradient),
    }


if __name__ == "__main__":
    compare(measure, __doc__ or "")
