"""How fast some 160 functions run when compiled, beside JAX, one core each: what a program may be slowed down by.

python benchmarks/functions.py [--rounds 1]

Each line is the body of a function, given the arrays of `operands`; TRACETRAP_SIZE says of how many elements
these are, 10,000 if it does not.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sidebyside import compare, load
from throughput import best

SIZE = int(os.environ.get("TRACETRAP_SIZE", "10000"))

FUNCTIONS = """
jnp.sort(v)
jnp.argsort(v)
jnp.sort(m, 0)
lax.top_k(v, 8)
jnp.median(v)
jnp.quantile(v, 0.9)
jnp.searchsorted(v, w)
jnp.interp(u, g, g)
jnp.histogram(v, 50)[0]
jnp.digitize(v, g)
jnp.bincount(i % 64, length=64)
jnp.unique(i % 64, size=64)
jnp.cumsum(m, 0)
jnp.cumsum(m, 1)
jnp.cumprod(v)
lax.cummax(v)
lax.cumlogsumexp(v)
lax.associative_scan(jnp.add,v)
jnp.diff(v)
jnp.roll(v, 3)
jnp.flip(v)
m.T + 0
jnp.tile(v, 3)
jnp.repeat(v, 3)
jnp.pad(m, 2)
jnp.pad(m, 2, mode="reflect")
jnp.concatenate([v, w, v])
jnp.stack([v, w], 1)
jnp.where(v > 0, v, w)
m[i[:64] % s]
v.at[i].set(1.0)
v.at[i].max(w)
jnp.nonzero(v > 0, size=100)[0]
jnp.argmax(m, 1)
jnp.argmax(m, 0)
jnp.argmin(v)
(v > 5).any()
m.max(0)
m.mean(0)
m.var(1)
jnp.prod(u)
nn.logsumexp(m, 0)
nn.softmax(m, 0)
jnp.cov(m)
m @ v[:s]
v[:s] @ m
m @ m.T
m.T @ m
jnp.outer(v[:s], v[:s])
v @ w
b @ b
jnp.kron(b[0], b[1])
jnp.einsum("ij,jk,kl", m, m, m)
jnp.tensordot(m, m, 2)
h @ h
jnp.tanh(h * 2) + 1
jnp.linalg.inv(d)
jnp.linalg.solve(d, d)
jnp.linalg.cholesky(d)
jnp.linalg.det(d)
jnp.linalg.eigh(d[:100])
jnp.linalg.qr(b[:100])
jnp.linalg.svd(b[:100])
scipy.linalg.expm(b[0])
jnp.linalg.solve(p2, v[:64])
jnp.linalg.cholesky(p2)
jnp.linalg.slogdet(p2)
jnp.linalg.matrix_power(b, 5)
jnp.fft.fft(c)
jnp.fft.rfft(v)
jnp.fft.fft2(m)
jnp.exp(c * 1j) * c.conj()
conv(x, k)
conv(x, k, 2)
grad(conv)(x, k)
grad(conv, 1)(x, k, 2)
lax.conv_transpose(x, k, (2, 2), "SAME")
jnp.convolve(v, jnp.ones(9))
pool(x)
jax.image.resize(x, (4, 16, 16, 8), "bilinear")
random.uniform(key, (n,))
random.normal(key, (n,))
random.randint(key, (n,), 0, 9)
random.bernoulli(key, 0.3,(n,))
random.permutation(key, n)
random.choice(key, n, (100,))
random.categorical(key, m)
random.gumbel(key, (n,))
random.gamma(key, 2.0, (99,))
random.beta(key, 2.0, 3.0, (99,))
random.poisson(key, 3.0, (99,))
random.exponential(key, (n,))
random.split(key, n // 4)
random.laplace(key, (n,))
lax.erf(v)
lax.erf_inv(u)
lax.lgamma(p)
lax.digamma(p)
lax.igamma(p, u)
lax.betainc(p, p, u)
lax.bessel_i0e(v)
scipy.special.ndtri(u)
p**v
jnp.arctan2(v, w)
jnp.sinh(v)
jnp.arccosh(p + 1)
jnp.tan(v)
jnp.arcsin(u)
jnp.cbrt(v)
jnp.log1p(p)
jnp.expm1(v)
jnp.fmod(v, p)
v // p
i // 7 + i % 13
i**3
lax.population_count(i)
jnp.round(v, 2)
jnp.sinc(v)
jnp.hypot(v, w)
jnp.nextafter(v, w)
jnp.clip(v, -1, 1)
jnp.nan_to_num(v)
jnp.unwrap(v)
nn.gelu(v)
nn.silu(v)
nn.softplus(v)
nn.log_softmax(m)
nn.one_hot(i % 16, 16)
jnp.polyval(g[:6], v)
jnp.vander(v[:s])
jnp.tril(m)
jnp.trace(m)
jnp.isin(i, jnp.arange(20))
jnp.lexsort((v, i))
jnp.gradient(v)
jax.ops.segment_sum(v, i % 64, 64)
jax.ops.segment_max(v, i % 64, 64)
scan(lambda c, y: (jnp.tanh(c @ m[:16, :16] + y), c), z, m[:, :16])
scan(lambda c, y: (c * 0.9 + y, c), 0.0, v)
grad(lambda v: scan(lambda c, y: (jnp.sin(c) + y, c), 0.0, v)[1].sum())(v)
scan(lambda c, y: (c, jnp.sort(y)), 0, m)
lax.fori_loop(0, 10, lambda _, a: jnp.tanh(a @ a), m[:32, :32])
scan(lambda c, y: (c, jnp.argmax(y + c)), 0.0, m)
vmap(lambda y: lax.while_loop(lambda t: t > 0.5, lambda t: t * 0.7, y))(p)
scan(lambda c, j: (c + v[j], c), 0.0, i)
vmap(lambda y: lax.cond(y > 0, jnp.sin, jnp.cos, y))(v)
scan(lambda c, y: (c, lax.top_k(y, 3)[0]), 0, m)
scan(lambda c, y: (c * 0.9 + y, c), h[0, 0] * 0, h[0])
scan(lambda c, y: (c, jnp.linalg.cholesky(y)), 0, d)
scan(lambda c, y: (c, jnp.linalg.solve(y, y)), 0, d)
scan(lambda c, y: (c, jnp.linalg.eigh(y)[0]), 0, d[:50])
scan(lambda c, y: (c, random.normal(random.fold_in(key, y), (8,))), 0, i[:100])
scan(lambda c, y: (c, jnp.fft.fft(y)), 0, m)
jax.hessian(lambda v: (jnp.sin(v) ** 2).sum())(v[:64])
jax.jacrev(lambda v: jnp.cumsum(jnp.sin(v)))(v[:64])
grad(lambda m: -nn.log_softmax(m)[:, 0].mean())(m)
nn.softmax(m[:64, :64] @ m[:64, :64].T) @ m[:64, :64]
grad(lambda a: jnp.tanh(m @ a).sum())(m)
grad(lambda v: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(v).sum())(v)
"""


def operands(jax: Any, size: int) -> dict[str, Any]:
    """Arrays of about so many elements: vectors, matrices, small matrices, images, complex and half precision numbers."""
    rng = np.random.default_rng(0)
    side = int(size**0.5)
    small = rng.standard_normal((max(100, size // 16), 4, 4)).astype(np.float32)
    edge = max(8, int((size / 16) ** 0.5))
    vector = rng.standard_normal(size).astype(np.float32)
    some = rng.standard_normal((64, 64)).astype(np.float32)
    arrays = {
        "v": vector,
        "w": rng.standard_normal(size).astype(np.float32),
        "p": np.abs(vector) + 0.1,
        "u": rng.random(size).astype(np.float32) * 0.98 + 0.01,
        "i": rng.integers(0, size, size).astype(np.int32),
        "m": rng.standard_normal((side, side)).astype(np.float32),
        "g": np.linspace(0, 1, 100, dtype=np.float32),
        "z": np.zeros(16, np.float32),
        "b": small,
        "d": small @ small.transpose(0, 2, 1) + np.eye(4, dtype=np.float32),
        "p2": some @ some.T + np.eye(64, dtype=np.float32),
        "c": (vector + 1j * vector[::-1]).astype(np.complex64),
        "x": rng.standard_normal((4, edge, edge, 8)).astype(np.float32),
        "k": rng.standard_normal((3, 3, 8, 8)).astype(np.float32),
    }
    placed = {name: jax.device_put(array) for name, array in arrays.items()}
    return {**placed, "h": placed["m"].astype(jax.numpy.bfloat16), "key": jax.random.PRNGKey(0)}


def names(jax: Any, size: int) -> dict[str, Any]:
    """What else the functions speak of."""
    lax = jax.lax

    def conv(x: Any, k: Any, stride: int = 1) -> Any:
        return lax.conv_general_dilated(
            x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def grad(function: Any, argnums: int = 0) -> Any:
        return jax.grad(lambda *args: (function(*args) ** 2).sum(), argnums)

    def pool(x: Any) -> Any:
        return lax.reduce_window(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    return {
        "jax": jax, "jnp": jax.numpy, "lax": lax, "nn": jax.nn, "random": jax.random, "scipy": jax.scipy,
        "scan": lambda f, init, xs: lax.scan(f, init, xs)[1], "vmap": jax.vmap, "grad": grad, "conv": conv, "pool": pool,
        "n": size, "s": int(size**0.5),
    }  # fmt: skip


def measure(library: str) -> dict[str, float]:
    jax = load(library)
    __import__(f"{jax.__name__}.scipy.linalg")
    __import__(f"{jax.__name__}.scipy.special")
    arrays, shared = operands(jax, SIZE), names(jax, SIZE)
    figures: dict[str, float] = {}
    for body in (
        part.strip() for line in FUNCTIONS.splitlines() for part in line.split("   ") if part.strip()
    ):
        compiled = jax.jit(eval(f"lambda {', '.join(arrays)}: {body}", shared))

        def call(compiled: Any = compiled) -> None:
            jax.block_until_ready(compiled(*arrays.values()))

        figures[body] = best(call)
    return figures


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    compare(measure, __doc__ or "", groups=("",))
