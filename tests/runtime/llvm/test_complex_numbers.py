"""Complex numbers in native code: programs with nothing left to NumPy, special values, and what is left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.flat import Flat
from tracetrap.runtime.llvm.partition import Segment, partition

jnp = jax.numpy

RNG = np.random.default_rng(3)
PARTS = (1.0, -2.0, 0.5, 0.0, -0.0, np.inf, -np.inf, np.nan, 1e-3, 3e20, -1e-30, 50.0, -95.0, 300.0)
POINTS = np.array([complex(a, b) for a in PARTS for b in PARTS])
TYPES = [np.complex64, np.complex128]


def _numbers(*shape: int) -> Any:
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


def _is_native(closed: Any) -> bool:
    """Whether all equations are one native function."""
    parts = partition(Flat(closed), ())
    return len(parts) == 1 and isinstance(parts[0], Segment)


def _assert_as_evaluated(closed: Any, inputs: list[Any], tolerance: float) -> None:
    results, wanted = compile_jaxpr(closed)(inputs), eval_closed_jaxpr(closed, *inputs)

    for result, expected in zip(results, wanted, strict=True):
        assert (result.shape, result.dtype) == (np.shape(expected), expected.dtype)
        for part in (np.real, np.imag):
            np.testing.assert_allclose(part(result), part(expected), rtol=tolerance, atol=tolerance)


def _while(x: Any) -> Any:
    return lax.while_loop(lambda s: jnp.abs(s[0]).max() < 50, lambda s: (s[0] * (1 + 1j), s[1] + 1), (x, 0))


PROGRAMS = {
    "a chain": lambda x: jnp.exp(x * 1j) * x.conj() + jnp.abs(x),
    "parts": lambda x: (x.real, x.imag, lax.complex(x.imag, x.real), jnp.angle(x), x == x[::-1], x != 0),
    "conversions": lambda x: (x.real.astype(x.dtype), x.astype(bool), lax.real(x).astype(int) * 1j, -x),
    "functions": lambda x: (jnp.log(x), jnp.sqrt(x), lax.rsqrt(x), jnp.sign(x), x**3, x**-2, jnp.square(x)),
    "circles": lambda x: (
        jnp.sin(x),
        jnp.cos(x),
        jnp.tan(x),
        jnp.sinh(x),
        jnp.cosh(x),
        jnp.tanh(x),
        lax.logistic(x),
    ),
    "order": lambda x: (jnp.maximum(x, x[::-1]), jnp.minimum(x, x[:1]), jnp.where(x.real > 0, x, 2j)),
    "quotients": lambda x: (x / x[::-1], 1 / x, x / 3j, x / 2.5),
    "moves": lambda x: (
        x.T.reshape(-1),
        jnp.pad(x, 1),
        jnp.concatenate([x[:, ::2], x], 1),
        jnp.stack([x, x]),
    ),
    "indices": lambda x: (x[jnp.array([1, 0, 9])], x.at[1].set(2j), x.at[jnp.array([1, 1])].add(x[:2])),
    "factors": lambda x: (x.at[:, 1].multiply(1j), lax.dynamic_slice(x, (jnp.argmax(x.real), 1), (2, 3))),
    "sums": lambda x: (x.sum(), x.sum(0), x.mean(1), x.prod(1), jnp.cumsum(x, 1), jnp.cumprod(x, 0)),
    "products": lambda x: (x @ x.T, x[0] @ x[1], jnp.einsum("ij,kj->ik", x, x.conj()), jnp.vdot(x, x)),
    "a scan": lambda x: lax.scan(lambda c, y: (c * jnp.exp(1j * 0.1) + y, c), 0j * x[0, 0], x[0]),
    "a scan backwards": lambda x: lax.scan(lambda c, y: (c / 2 + y, c.real), x[0], x, reverse=True),
    "a loop": lambda x: lax.fori_loop(0, 9, lambda i, z: jnp.where(jnp.abs(z) < 2, z * z + x, z), x),
    "an open loop": _while,
    "branches": lambda x: lax.cond(x[0, 0].real > 0, lambda y: y * 1j, lambda y: y.conj(), x),
    "branches of scalars": lambda x: lax.switch(x.size % 3, [lambda y: y, lambda y: -y, jnp.conj], x[0, 0]),
    "a constant": lambda x: x + np.arange(7) * 1j,
    "a gradient": jax.grad(lambda x: (jnp.abs(jnp.exp(x) * x) ** 2).sum()),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_without_numpy(program: Any, dtype: Any) -> None:
    x = _numbers(5, 7).astype(dtype)
    with jax.enable_x64(dtype is np.complex128):
        closed = jax.make_jaxpr(program)(x)

        assert _is_native(closed)
        _assert_as_evaluated(closed, [x], 2e-5 if dtype is np.complex64 else 1e-11)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "name", "exp log sqrt rsqrt sin cos tan sinh cosh tanh abs sign square neg conj".split()
)
def test_special_values(name: str, dtype: Any) -> None:
    x = POINTS.astype(dtype)
    with jax.enable_x64(dtype is np.complex128):
        closed = jax.make_jaxpr(getattr(lax, name))(x)

        assert _is_native(closed)
        _assert_as_evaluated(closed, [x], 2e-6 if dtype is np.complex64 else 1e-12)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", "add sub div eq ne max min".split())
def test_special_values_of_two(name: str, dtype: Any) -> None:
    x, y = np.repeat(POINTS, POINTS.size).astype(dtype), np.tile(POINTS, POINTS.size).astype(dtype)
    with jax.enable_x64(dtype is np.complex128):
        closed = jax.make_jaxpr(getattr(lax, name))(x, y)

        assert _is_native(closed)
        _assert_as_evaluated(closed, [x, y], 2e-6 if dtype is np.complex64 else 1e-12)


@pytest.mark.parametrize("size", [1, 3, 64, 1001])
def test_arrays_that_are_only_aligned_like_their_parts(size: int) -> None:
    with jax.enable_x64(True):
        x = np.arange(2 * size + 1, dtype=np.float64)[1:].view(np.complex128)
        closed = jax.make_jaxpr(lambda x: (x * 2j, x[::-1], x.sum(), x.at[0].set(1j), jnp.cumsum(x)))(x)

        _assert_as_evaluated(closed, [x], 1e-12)


def test_products_are_those_of_jax_but_for_the_last_digit() -> None:
    theirs = pytest.importorskip("jax")
    x, y = (_numbers(999).astype(np.complex64) for _ in range(2))

    found, expected = (module.jit(lambda x, y: x * y)(x, y) for module in (jax, theirs))

    np.testing.assert_allclose(found, expected, rtol=1e-6)  # XLA's own rounding depends on the length.


def test_what_is_left_to_numpy_stands_between_native_code() -> None:
    def program(x: jax.Array) -> Any:
        def step(c: jax.Array, y: jax.Array) -> Any:
            return jnp.fft.fft(c) / 3 + y * 1j, jnp.abs(c)

        return lax.scan(step, x[0], x), jnp.arctan(x) * x, jnp.max(x, 1), lax.iota(x.dtype, 3)

    x = _numbers(5, 7).astype(np.complex64)
    closed = jax.make_jaxpr(program)(x)

    assert not _is_native(closed)
    _assert_as_evaluated(closed, [x], 2e-5)
