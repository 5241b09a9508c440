"""Arrays whose type comes from Python's numbers alone stay weak through the same functions as in JAX, and become strong in others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

#: `w` and `k` are weak, `v` and `i` are not.
CALLS = [
    "jnp.einsum('i,i', w, w)", "jnp.einsum('i,j->ji', k, w)", "jnp.einsum('i,i', w, v)", "jnp.einsum('i,i,i->', k, k, k)",
    "jnp.cross(w, w)", "jnp.cross(w[:2], w[:2])", "jnp.convolve(w, w)", "jnp.correlate(w, v)", "jnp.polymul(k, k)",
    "jnp.setdiff1d(w, v)", "jnp.setdiff1d(w, w, size=2)", "jnp.setxor1d(w, w)", "jnp.setxor1d(k, k + 1, size=2)",
    "jnp.union1d(k, k, size=2, fill_value=1)", "jnp.intersect1d(k, k + 1)", "jnp.unique(k, size=2, fill_value=1)",
    "w[np.zeros(3, bool)]", "w[np.zeros(0, int)]", "w.at[np.zeros(0, int)].get(mode='fill')",
    "jnp.choose(np.array([0, 1, 0]), [w, w])", "jnp.place(w, v > 1, 1, inplace=False)", "jnp.pad(w, 1)",
    "jnp.pad(k, 1, mode='mean')", "jnp.pad(w, 1, mode='linear_ramp')", "jnp.insert(k, 0, 1)", "jnp.diag(w)",
    "jnp.diag(jnp.stack([w, w]))", "jnp.diagonal(jnp.stack([k, k]))", "jnp.divmod(k, k)[0]", "k // 2", "jnp.sinc(w)",
    "jnp.deg2rad(w)", "jnp.angle(w, deg=True)", "jnp.argpartition(w, 1)", "lax.top_k(k, 1)[1]", "jnp.gcd(k, k)",
    "jnp.power(3, jnp.array(True))", "jnp.power(3, True)", "jnp.power(k, k)", "jax.jit(lambda: jnp.power(3, jnp.array(2)))()",
    "jnp.gcd(3, 2)", "jnp.full_like(w, w)", "jnp.histogram_bin_edges(w, w)", "jnp.asarray(w, 'float32')", "jnp.interp(w, w, w)",
    "lax.dot(w, k)", "lax.dot_general(w, w, (((0,), (0,)), ((), ())), preferred_element_type='float32')",
    "jax.scipy.special.exp1(w)", "jax.scipy.special.expi(w)", "jax.scipy.special.logit(w)", "jnp.isreal(w)", "jnp.iscomplex(k)", "jnp.unravel_index(k, (3, 3))[0]",
    "jax.grad(lambda x: jnp.sum(x[1:]))(w)", "jax.grad(lambda x: x[0])(w)", "jax.grad(lambda x: jnp.sum(jnp.sort(x)))(w)",
    "jax.grad(lambda x: jnp.sum(x**2))(w)", "jax.grad(lambda x: x**2.5)(w[0])", "jax.grad(lambda x: jnp.dot(x, x))(w)",
    "jax.grad(lambda x: jnp.sum(jnp.sqrt(x)))(w)", "jax.grad(lambda x: jnp.sum(jnp.tanh(x)))(w)", "jax.grad(jnp.sqrt)(w[0])",
    "jax.grad(lambda x: jnp.sum(jnp.maximum(x, 1.0)))(w)", "jax.grad(lambda x: jnp.sum(1 / x))(w)",
    "jax.grad(lambda x: jnp.sum(lax.associative_scan(jnp.add, x)))(w)", "jax.grad(lambda x: jnp.sum(jnp.tan(x)))(w)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_weak_types(call: str) -> None:
    def found(library: Any) -> tuple[Any, ...]:
        jnp = library.numpy
        names = {
            "jnp": jnp,
            "lax": library.lax,
            "jax": library,
            "np": np,
            "w": jnp.full(3, 2.0),
            "k": jnp.full(3, 2),
        }
        result = eval(call, {**names, "v": jnp.arange(3.0), "i": jnp.arange(3)})
        return str(result.dtype), result.weak_type, np.asarray(result).tolist()

    mine, theirs = found(ours), found(jax)
    assert mine[:2] == theirs[:2]
    np.testing.assert_allclose(mine[2], theirs[2], rtol=1e-5, atol=1e-6)
