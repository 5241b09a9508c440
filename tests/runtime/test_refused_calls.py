"""Bad input: JAX's error class or a clear one, and never a crash, a wrong number, or a runtime left in a bad state."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

CALLS = (
    "jnp.hstack([])", "jax.lax.dynamic_slice(x, jnp.zeros((1, 1), int), (1,))", "jax.scipy.linalg.dft(x)",
    "jax.scipy.linalg.hadamard(2.5)", "jax.scipy.linalg.hankel(2.5)", "jax.scipy.linalg.pascal(jnp.int32(4))",
    "jnp.zeros(-1)", "jnp.zeros((3, -2))", "jnp.reshape(jnp.ones(6), (4, -1))", "jnp.reshape(jnp.ones(6), (-1, -1))",
    "jnp.reshape(jnp.ones(6), (2, 4))", "jnp.stack([jnp.ones(2), jnp.ones(3)])", "jnp.concatenate([])",
    "jnp.concatenate([jnp.ones((2, 2)), jnp.ones(2)])", "jnp.sum(x, axis=1)", "jnp.argmax(x, axis=2)",
    "jnp.cumsum(x, axis=2)", "jnp.argmax(jnp.ones(0))", "jnp.max(jnp.ones(0))", "jnp.take(x, jnp.array([0.5]))",
    "jnp.matmul(m, m)", "jnp.dot(x, jnp.ones(4))", "jnp.einsum('ij,jk', m, m)", "jnp.einsum('ij->k', m)",
    "jnp.linalg.inv(m)", "jnp.linalg.cholesky(x)", "jnp.linalg.solve(jnp.ones((2, 2)), x)", "jnp.linalg.solve(m, x)",
    "jnp.transpose(m, (0, 0))", "jnp.swapaxes(m, 0, 5)", "jnp.squeeze(m, 0)", "jnp.expand_dims(x, 5)", "jnp.split(x, 2)",
    "jnp.roll(x, 1, axis=4)", "jnp.where(x, jnp.ones(4), 0)", "x + jnp.ones(4)", "x['a']", "x[1.5]", "x[range(2)]", "m[0, 0, 0]",
    "x[[True, False]]", "x.at[jnp.array([1.5])].set(0)", "x.astype('nonsense')", "jnp.array(['a'])", "jnp.array([1, 'a'])",
    "jnp.array([[1, 2], [3]])", "jnp.array(object())", "jnp.int32(2**40)", "jnp.array(2**70)", "jnp.uint8(-1)",
    "jax.lax.dynamic_slice(x, (0,), (5,))", "jax.lax.dynamic_slice(x, (0, 0), (1,))", "jax.lax.add(x, jnp.ones(4))",
    "jax.lax.add(x, 1)", "jax.lax.add(x, jnp.arange(3))", "jax.lax.sort(x, dimension=3)", "jax.lax.top_k(x, 5)",
    "jax.lax.conv(jnp.ones((1, 1, 3)), jnp.ones((1, 2, 3)), (1,), 'SAME')", "jax.lax.slice(x, (2,), (1,))",
    "jax.lax.scan(lambda c, v: (c, v), 0, x, length=4)", "jax.lax.while_loop(lambda c: c, lambda c: c + 1, 1.0)",
    "jax.lax.fori_loop(0, 1.5, lambda i, c: c, 0)", "jax.vmap(lambda v: v)(1.0)", "jax.grad(lambda v: v)(x)",
    "jax.vmap(lambda a, b: a)(jnp.ones(2), x)", "jax.grad(lambda v: v)(1)", "jax.random.normal(1)",
    "jax.random.choice(jax.random.key(0), 0)", "jax.nn.one_hot(1, -1)", "jax.lax.pad(x, 0.0, [(-5, 0, 0)])",
    "jax.lax.broadcast_in_dim(x, (4,), (0,))", "jnp.interp(1.0, jnp.ones(2), x)", "jnp.searchsorted(m, 1)",
    "jnp.convolve(m, x)", "jnp.fft.fft(x, n=-1)", "jnp.polyfit(x, jnp.ones(2), 1)", "jnp.bincount(x)",
    "jnp.median(x, axis=1)", "jnp.quantile(x, 2.0)", "jnp.bitwise_and(x, 1)", "jnp.left_shift(1.0, 1)", "jnp.gcd(1.5, 2)",
    "jnp.cross(jnp.ones(4), jnp.ones(4))", "jnp.linalg.norm(jnp.ones((2, 2, 2)), ord=2)", "jnp.moveaxis(m, 0, 3)",
    "jax.jit(None)", "jax.jit(lambda: 2**31)()", "jax.make_jaxpr(lambda: -2**31 - 1)()", "jax.jit(lambda: -2**31)()",
    "jax.jit(lambda v: v, abstracted_axes=('n',))(x)", "jax.lax.convert_element_type(x, x)",
    "jax.lax.bitcast_convert_type(x, x)", "jax.lax.cond(True, len, len, x, operand=x)",
    "jax.jit(type('NoHash', (), {'__hash__': None, '__call__': lambda self, v: v})())(x)",
    "jax.lax.abs(jnp.ones(2, 'uint8'))", "jax.lax.conj(jnp.ones(2, 'float16'))", "jax.lax.conj(jnp.ones(2, 'bfloat16'))",
    "jnp.conj(jnp.ones(2, 'float16'))",
    "jax.grad(lambda a, b: a * b, argnums=(0, -2))(2.0, 3.0)", "jax.jacrev(lambda a: a, argnums=())(2.0)",
    "jax.lax.fori_loop(0, 2**31, lambda i, c: c, 0)", "jnp.split(x, 0)", "jnp.reshape(x, (0, -1))",
    "jax.random.categorical(jax.random.key(0), m, axis=3)", "jax.lax.associative_scan(jnp.add, jnp.ones(()))",
    "jnp.power(jnp.int32(2), jnp.int32(-1))",
    "jnp.mean(x, axis=1)", "jnp.delete(x, [0])", "jnp.insert(x, 1.0, 2)", "jnp.choose(0, 3)", "jnp.histogram(x, [0, 1])",
    "jnp.histogram2d(m, m)", "jnp.zeros(2, dtype=np.ones(2))", "jnp.matvec(x, x)", "jnp.pad(m, 1.5)", "jnp.pad(m, ((1,), (2,)))",
    "jnp.polyder(2.0)", "jnp.polyfit(jnp.arange(3), jnp.arange(3), 1)", "jnp.stack(jnp.ones(0))", "jnp.eye(jnp.arange(3))",
    "jnp.fabs(1j)", "jnp.quantile(x, 1)", "jnp.unwrap(2.5)", "jnp.ravel_multi_index((1, 2), (3,))", "jax.lax.iota(bool, 3)",
    "jax.lax.reduce_sum(m, (-1,))", "jax.lax.reduce_or(m > 0, (5,))", "jax.lax.dot(m, m)", "jax.lax.dynamic_index_in_dim(m, 0, 2)",
    "jax.lax.integer_pow(True, 2)", "jax.lax.complex(jnp.float16(1), jnp.float16(1))", "jax.grad(jax.lax.polygamma)(1.0, 2.0)",
    "jax.grad(jax.lax.zeta)(2.0, 2.0)", "jax.scipy.special.polygamma(1.0, 2.0)", "jax.random.key(2.5)",
    "jax.make_jaxpr(jax.random.key)(2.5)", "jax.jit(jax.random.key)(2.5)", "jax.lax.cond(True, lambda v: v, lambda v: "
    "jax.random.uniform(jax.random.key(v)), 1.0)", "jnp.linalg.inv(jnp.eye(4, dtype='bfloat16'))",
    "jax.make_jaxpr(jnp.linalg.inv)(jnp.eye(4, dtype='bfloat16'))", "jax.jit(jnp.linalg.qr)(jnp.eye(4, dtype='float16'))",
    "jax.jit(lambda n: x[n > 0])(1.0)", "jax.jit(lambda n: [float(v) for v in x])(1.0)", "jax.jit(lambda n: jnp.unique(x))(1.0)",
    "jax.jit(lambda n: jnp.broadcast_shapes((n,), (3,)))(1)", "jax.jit(lambda n: x.transpose(n))(0)",
    "jnp.repeat(x, -1)", "jnp.linalg.svd(x)", "jnp.split(m, [1, 2], axis=3)", "jax.random.bernoulli(jax.random.key(0), 1)",
    "jax.random.key(2**70)", "jax.random.key(-2**63 - 1)", "jax.lax.reduce_window(x, 0.0, jax.lax.add, (2, 2), (1, 1), 'VALID')",
    "jnp.fft.rfft(jnp.ones(4, 'float16'))", "jnp.fft.ihfft(jnp.ones(4, 'bfloat16'))", "jnp.fft.fftfreq([3])",
    "jnp.fft.rfftfreq(3, [1.0])", "jnp.hstack(2.5)", "jnp.block((x, x))", "jnp.block([x, [x]])", "jnp.block([])",
    "jnp.cov(m, dtype=int)", "jnp.fft.hfft(x, axis=3)", "jnp.fft.ihfft(x, axis=(0,))", "jnp.fft.ihfft(x, norm='q')",
    "jax.lax.fori_loop(0j, 2j, lambda i, c: c, 0)",
    "jnp.median(x, axis=[0])", "jnp.sort(m, [0])", "jnp.take(x, 9, mode='drop')", "jnp.linalg.norm(m, axis=[0, 1])",
    "jnp.tensordot(m, m, [0])", "jnp.average(m, axis=2)", "jnp.trapezoid(m, axis=[0])",
    "jax.lax.dynamic_slice(m, (jnp.int8(0), 0), (1, 1))", "jax.lax.dynamic_slice(m, (jnp.uint32(0), jnp.int32(0)), (1, 1))",
    "jax.lax.dynamic_update_slice(m, m, (jnp.int8(0), 0))", "jax.lax.reduce_precision(x, 0, 3)", "jax.lax.argmax(x, -1, int)",
    "jax.lax.reduce_precision(x, 5, -1)", "jax.lax.argmax(x, 0, float)", "jax.lax.rng_uniform(x, x, (3,))",
    "jax.lax.ragged_dot(m, jnp.ones((2, 3, 4)), jnp.ones(2))", "jax.lax.index_take(m, (jnp.zeros(1, int),), (2,))",
    "jax.lax.ragged_dot(m, jnp.ones((3, 3, 4)), jnp.ones(2, int))", "jax.lax.reduce_and(m > 0, (-1,))",
    "jnp.linalg.eigh(x)", "jax.scipy.linalg.eigh(m)", "jnp.linalg.qr(x)", "jnp.linalg.cond(jnp.ones((2, 0)))",
    "jnp.linalg.multi_dot([m, m])", "jnp.linalg.vector_norm(jnp.arange(3), ord=0)", "jnp.linalg.lstsq(x, 1.0)",
    "jax.scipy.linalg.lu(jnp.ones((2, 2, 2)))", "jax.scipy.linalg.cholesky(m)", "jnp.linalg.vector_norm(jnp.arange(3), ord=-1)",
    "jnp.flip(x, 3)", "jnp.rot90(x)", "jnp.delete(x, 9)", "jnp.take_along_axis(m, jnp.ones(2, int), 0)",
    "jax.lax.conv(jnp.ones((1, 1, 3)), jnp.ones((1, 1, 0)), (1,), 'SAME')",
    "jax.grad(lambda v: jax.lax.nextafter(v, v))(jnp.bfloat16(1))",
)  # fmt: skip


def outcome(module: Any, call: str) -> str:
    names = {
        "jax": module,
        "jnp": module.numpy,
        "np": np,
        "x": module.numpy.ones(3),
        "m": module.numpy.ones((2, 3)),
    }
    try:
        eval(call, names)
    except Exception as error:
        return type(error).__name__
    return "no error"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_the_error_that_jax_raises(call: str) -> None:
    assert outcome(runtime, call) == outcome(jax, call)


# JAX ends the process on some of these.
ENORMOUS = (
    "jnp.zeros((2**40, 2**10))",
    "jnp.ones((2**62, 4))",
    "jnp.zeros(2**63)",
    "jnp.arange(10**13)",
    "jnp.eye(2**33)",
    "jax.jit(lambda: jnp.zeros((2**44,)))()",
    "jnp.repeat(jnp.ones(3), 2**50)",
    "jnp.tile(jnp.ones(3), (2**50,))",
    "jax.jit(lambda v: jnp.broadcast_to(v, (2**32, 2**32)))(1.0)",
    "jnp.linspace(0, 1, 2**48)",
    "jnp.pad(x, 2**45)",
    "jax.random.normal(jax.random.key(0), (2**45,))",
    "jax.random.bits(jax.random.key(0), (2**33, 2**33))",
    "jax.random.split(jax.random.key(0), -1)",
)


@pytest.mark.parametrize("call", ENORMOUS)
def test_sizes_that_no_machine_has(call: str) -> None:
    assert outcome(runtime, call) in ("JaxRuntimeError", "ValueError", "TypeError", "OverflowError")


@pytest.mark.parametrize("call", ["jnp.zeros((2**40, 2**40))", "jax.jit(lambda: jnp.ones((2**31, 2**31)))()"])
def test_sizes_beyond_the_address_space(call: str) -> None:
    with pytest.raises(runtime.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED: Out of memory allocating"):
        eval(call, {"jax": runtime, "jnp": runtime.numpy})


def test_a_jitted_function_that_calls_itself() -> None:
    function: Any = runtime.jit(lambda v: function(v) + 1)

    with pytest.raises(RecursionError):
        function(1.0)
    assert runtime.jit(lambda v: v + 1)(1.0) == 2.0


TRANSFORMS = {
    "jit": lambda j, f: j.jit(f)(1.0), "vmap": lambda j, f: j.vmap(f)(j.numpy.ones(2)), "grad": lambda j, f: j.grad(f)(1.0),
    "jvp": lambda j, f: j.jvp(f, (1.0,), (1.0,)), "checkpoint": lambda j, f: j.checkpoint(f)(1.0),
    "scan": lambda j, f: j.lax.scan(lambda c, v: (f(c), v), 0.0, j.numpy.ones(2)),
    "cond": lambda j, f: j.lax.cond(True, f, f, 1.0), "while_loop": lambda j, f: j.lax.while_loop(f, f, 1.0),
    "jit of vmap of grad": lambda j, f: j.jit(j.vmap(j.grad(f)))(j.numpy.ones(2)),
    "custom_vmap": lambda j, f: j.custom_batching.sequential_vmap(f)(1.0),
}  # fmt: skip


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_an_error_inside_a_traced_function_reaches_the_caller(transform: str) -> None:
    def fails(value: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        TRANSFORMS[transform](runtime, fails)
    # The trace is over: what follows is computed, not traced.
    assert float(runtime.numpy.ones(2).sum()) == 2.0


def test_threads_that_trace_the_same_function_at_once() -> None:
    function = runtime.jit(lambda v: runtime.lax.scan(lambda c, u: (c * 0.5 + u, c), v[0], v)[0] + v.sum())
    sizes = [1 + k % 7 for k in range(56)]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda n: float(function(runtime.numpy.arange(float(n)))), sizes))

    alone = {n: float(function(runtime.numpy.arange(float(n)))) for n in set(sizes)}
    assert results == [alone[n] for n in sizes]


@pytest.mark.parametrize("mode", ["clip", "fill", "drop"])
def test_threads_with_indices_out_of_range(mode: str) -> None:
    def take(at: Any) -> Any:
        return runtime.numpy.arange(5.0).at[at].get(mode=mode)

    compiled = runtime.jit(take)
    places = [np.array([k - 20, k, 2**31 - 1 - k, -(2**31) + k], np.int32) for k in range(24)]

    with ThreadPoolExecutor(4) as pool:
        found = [np.asarray(result) for result in pool.map(compiled, places)]

    for place, result in zip(places, found, strict=True):
        np.testing.assert_array_equal(result, np.asarray(take(place)))


@pytest.mark.parametrize(
    "call",
    [
        "y[i]", "y.at[i].get(fill_value=-5.0)", "y.at[i].get(mode='fill', fill_value=-5.0)", "jnp.take(y, i, mode='clip')",
        "jax.grad(lambda y: (y[i] * w).sum())(y)", "jax.grad(lambda y: (y.at[i].get(mode='clip') * w).sum())(y)",
        "jax.jit(jax.grad(lambda y: (y[i] * w).sum()))(y)", "jax.hessian(lambda y: (y[i] ** 2).sum())(y)",
        "jax.vjp(lambda y: y[i], y)[1](w)[0]", "jax.linear_transpose(lambda y: y[i], y)(w)[0]",
        "jax.vmap(lambda k: y.at[k].add(1, mode='promise_in_bounds'))(i)", "y.at[i].multiply(w, mode='promise_in_bounds')",
        "jax.vmap(jax.grad(lambda y, k: y[k]), (None, 0))(y, i)", "jax.jit(lambda y: y.at[i].apply(jnp.exp))(y)",
        "jax.jit(lambda y: y.at[i].apply(jnp.sin, mode='clip'))(y)",
        "jax.lax.gather(y, i[:, None], jax.lax.GatherDimensionNumbers((), (0,), (0,)), (1,), fill_value=7)",
        "jax.lax.dynamic_index_in_dim(y, -2, allow_negative_indices=False)",
        "y.astype('bfloat16').at[i[-1:]].add(1).astype('float32')",
    ],
)  # fmt: skip
def test_what_indices_out_of_range_read_and_write(call: str) -> None:
    def found(library: Any) -> Any:
        jnp = library.numpy
        names = {"y": jnp.arange(1.0, 7), "i": jnp.array([-99, -7, -1, 0, 5, 6, 99]), "w": jnp.arange(1.0, 8)}
        return np.asarray(eval(call, {"jax": library, "jnp": jnp, **names}))

    np.testing.assert_allclose(found(runtime), found(jax), rtol=1e-6)
