"""Hessenberg and Schur forms: the matrices that they are made of, their shapes, and what JAX refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime
from tracetrap.runtime.scipy import linalg

RANDOM = np.random.default_rng(3)
REAL = RANDOM.normal(size=(7, 7))
MATRICES = {
    "real": REAL,
    "complex": REAL + 1j * RANDOM.normal(size=(7, 7)),
    "symmetric": REAL + REAL.T,
    "cycle": np.roll(np.eye(5), 1, axis=0),
    "triangular": np.triu(REAL),
    "rotation": np.array([[0.0, -1.0], [1.0, 0.0]]),
    "single": np.array([[2.0]]),
    "batch": RANDOM.normal(size=(2, 3, 4, 4)),
}


def product(*factors: Any) -> Any:
    outer, inner = (np.asarray(f) for f in factors)
    return outer @ inner @ np.conj(np.swapaxes(outer, -1, -2))


@pytest.fixture(autouse=True)
def _double() -> Any:
    with runtime.enable_x64(True):
        yield


@pytest.mark.parametrize("name", MATRICES)
def test_hessenberg(name: str) -> None:
    a = MATRICES[name]

    h, q = linalg.hessenberg(a, calc_q=True)

    np.testing.assert_allclose(product(q, h), a, atol=1e-12)
    np.testing.assert_allclose(
        product(q, np.eye(a.shape[-1])), np.broadcast_to(np.eye(a.shape[-1]), a.shape), atol=1e-12
    )
    assert not np.any(np.tril(h, -2))
    np.testing.assert_array_equal(linalg.hessenberg(a), h)


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("name", MATRICES)
def test_schur(name: str, output: str) -> None:
    a = MATRICES[name]

    t, z = linalg.schur(a, output=output)

    np.testing.assert_allclose(product(z, t), a, atol=1e-12)
    np.testing.assert_allclose(
        product(z, np.eye(a.shape[-1])), np.broadcast_to(np.eye(a.shape[-1]), a.shape), atol=1e-12
    )
    below = np.diagonal(np.asarray(t), -1, -2, -1)
    assert not np.any(np.tril(t, -2)) and not np.any(below[..., 1:] * below[..., :-1])
    if output == "complex" or name == "complex":
        assert t.dtype == np.complex128 and not np.any(below)


@pytest.mark.parametrize("name", [name for name in MATRICES if name not in ("complex", "batch")])
def test_the_complex_form_of_a_real_one(name: str) -> None:
    t, z = linalg.rsf2csf(*linalg.schur(MATRICES[name]))

    np.testing.assert_allclose(product(z, t), MATRICES[name], atol=1e-12)
    np.testing.assert_allclose(np.tril(t, -1), 0, atol=1e-12)


def test_a_matrix_that_is_not_finite() -> None:
    t, z = linalg.schur(np.full((2, 2), np.nan))

    assert np.isnan(t).all() and np.isnan(z).all()


@pytest.mark.parametrize(
    "call",
    ["schur(a[:2])", "schur(a.astype(int))", "schur(a[0])", "schur(a, output='x')", "hessenberg(a[:2])",
     "hessenberg(a.astype(int))", "hessenberg(a[0])", "rsf2csf(a, a[:2])", "rsf2csf(a[:2], a[:2])", "schur(a[:0, :0])",
     "jax.grad(lambda a: schur(a)[0].sum())(a)", "jax.grad(lambda a: hessenberg(a).sum())(a)",
     "jax.vmap(hessenberg)(a[None])", "jax.jit(schur)(a)"],
)  # fmt: skip
def test_what_jax_makes_of_it(call: str) -> None:
    jax = pytest.importorskip("jax")
    import jax.scipy.linalg as theirs

    def outcome(module: Any, functions: Any) -> Any:
        names = {name: getattr(functions, name) for name in ("schur", "hessenberg", "rsf2csf")}
        try:
            result = eval(call, {**names, "a": module.numpy.array(REAL[:3, :3], "float32"), "jax": module})
        except Exception as error:
            return type(error)
        return [(x.shape, str(x.dtype)) for x in module.tree.leaves(result)]

    ours, expected = outcome(runtime, linalg), outcome(jax, theirs)
    assert ours == expected
