"""The computations that `throughput.py` and `compile.py` measure, written once for both libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Kernel = tuple[Callable[..., Any], tuple[Any, ...]]


def chain(jnp: Any, length: int) -> Callable[[Any], Any]:
    """Elementwise operations, one after the other: two in five are transcendental."""

    def run(x: Any) -> Any:
        for k in range(length):
            x = jnp.tanh(x) * 0.9 + 0.1 if k % 5 == 4 else x * 1.01 + 0.5 if k % 2 else jnp.exp(-x * x)
        return x

    return run


def kernels(jax: Any, *, large: bool) -> dict[str, Kernel]:
    """Functions and their arguments: about a million elements if `large`, else about ten thousand."""
    jnp, lax = jax.numpy, jax.lax
    rng = np.random.default_rng(0)
    size, side = (1_000_000, 1000) if large else (10_000, 100)
    width, batch, steps, square = (1024, 256, 100_000, 1024) if large else (8, 8, 1000, 64)

    def normal(*shape: int) -> Any:
        return rng.standard_normal(shape).astype(np.float32)

    def layernorm(x: Any) -> Any:
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def scan(carry: Any, xs: Any) -> Any:
        return lax.scan(lambda c, x: (jnp.tanh(c * 0.9 + x), c.sum()), carry, xs)

    def loop(n: Any) -> Any:
        start = (np.int32(0), np.float32(1))
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 0.999 + 0.5), start)

    def stencil(u: Any) -> Any:
        return u.at[1:-1, 1:-1].set(0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]))

    v, matrix, at = normal(size), normal(side, side), rng.integers(0, size, size).astype(np.int32)
    a, b = normal(square, square), normal(square, square)
    key = np.array([0, 7], np.uint32)
    return {
        "chain of 10": (chain(jnp, 10), (v,)),
        "chain of 100": (chain(jnp, 100), (v,)),
        "tanh(x*w+b)": (lambda x, w, b: jnp.tanh(x * w + b), (v, normal(size), normal(size))),
        "exp(-x*x)*sin(x)": (lambda x: jnp.exp(-x * x) * jnp.sin(x), (v,)),
        "softmax": (lambda x: jax.nn.softmax(x), (matrix,)),
        "layernorm": (layernorm, (matrix,)),
        "logsumexp": (lambda x: jax.nn.logsumexp(x, axis=-1), (matrix,)),
        "sum of squares": (lambda x: jnp.sum(x * x), (v,)),
        "mlp": (
            lambda x, w1, w2: jnp.tanh(x @ w1) @ w2,
            (normal(batch, 256), normal(256, 512), normal(512, 64)),
        ),
        "scan of 1000": (scan, (normal(width), normal(1000, width))),
        "while": (loop, (np.int32(steps),)),
        "stencil": (stencil, (matrix,)),
        "cumsum": (lambda x: jnp.cumsum(x), (v,)),
        "gather": (lambda x, i: x[i], (v, at)),
        "scatter-add": (lambda x, i: jnp.zeros_like(x).at[i].add(x), (v, at)),
        "sort": (lambda x: jnp.sort(x), (v,)),
        "threefry normal": (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (size,)), (key,)),
        f"matmul {square}": (lambda x, y: x @ y, (a, b)),
    }
