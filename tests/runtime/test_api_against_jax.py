"""The public API computes what JAX computes: values, types, weak types and error classes, over tables of calls.

Each combination of function, type and shape is compiled by JAX, so this is a sample: all types for vectors, other shapes
for float32. `benchmarks/runtime_numerics.py` runs every function over all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax.scipy.special")

import tracetrap.runtime as ours

HALVES = jax.numpy.array([0.5, -0.0, -1.5], "bfloat16").__array__()
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.75, np.inf, -np.inf, np.nan]
SHAPES = [(), (1,), (2, 3), (2, 0)]
VECTOR = (12,)

UNARY = (
    "abs sign floor ceil trunc rint exp exp2 expm1 log log1p log2 log10 sqrt cbrt sin cos tan arcsin arccos arctan "
    "sinh cosh tanh arcsinh arccosh arctanh isnan isinf isfinite signbit square reciprocal sinc deg2rad nan_to_num "
    "negative positive real imag conj logical_not spacing"
).split()
BINARY = (
    "add subtract multiply divide power maximum minimum fmax fmin remainder fmod floor_divide arctan2 hypot copysign "
    "logaddexp logaddexp2 heaviside nextafter equal less greater_equal logical_and logical_xor"
).split()
REDUCTIONS = (
    "sum prod max min mean var std all any argmax argmin nansum nanmax nanmean median ptp count_nonzero cumsum cumprod"
).split()
INTEGERS = (
    "bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm floor_divide remainder power".split()
)


def arrays(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    """Values of a type, the special ones of floats among them."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith(("int", "uint")):
        return rng.integers(0 if dtype.startswith("u") else -5, 6, shape).astype(dtype)
    return rng.choice(SPECIAL, shape).astype(dtype)


def outcome(call: Any) -> Any:
    """The leaves of a result as NumPy arrays with their types, or the class of the error."""
    try:
        result = call()
    except Exception as error:
        return type(error).__name__
    leaves = result if isinstance(result, (tuple, list)) else [result]
    return [
        (
            np.asarray(leaf, np.float64 if "bfloat16" in str(leaf.dtype) else None),
            str(leaf.dtype),
            leaf.weak_type,
        )
        if hasattr(leaf, "weak_type")
        else leaf
        for leaf in leaves
    ]


def assert_same(mine: Any, theirs: Any, rtol: float = 3e-5) -> None:
    if isinstance(theirs, str) or isinstance(mine, str):
        assert mine == theirs
        return
    assert len(mine) == len(theirs)
    for left, right in zip(mine, theirs):
        if not isinstance(right, tuple):
            assert left == right
            continue
        assert left[1:] == right[1:]
        np.testing.assert_allclose(left[0], right[0], rtol=rtol, atol=1e-6)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore")
def test_unary(name: str) -> None:
    shapes = SHAPES if name in ("abs", "exp", "nan_to_num") else []
    kinds = [(VECTOR, dtype) for dtype in ("float32", "int32", "bool", "uint8")]
    for shape, dtype in [*kinds, *((shape, "float32") for shape in shapes)]:
        x = arrays(shape, dtype)
        mine = outcome(lambda x=x: getattr(ours.numpy, name)(x))
        theirs = outcome(lambda x=x: getattr(jax.numpy, name)(x))
        assert_same(mine, theirs)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore")
def test_binary(name: str) -> None:
    pairs = [((2, 3), (3,)), ((1, 4), (2, 1)), ((), (3,)), ((0,), (1,))] if name in ("add", "arctan2") else []
    cases = [
        ((VECTOR, VECTOR), kinds) for kinds in (("float32",) * 2, ("int32", "float32"), ("bool", "int32"))
    ]
    for (first, second), dtypes in [*cases, *((pair, ("float32",) * 2) for pair in pairs)]:
        x, y = arrays(first, dtypes[0], 1), arrays(second, dtypes[1], 2)
        mine = outcome(lambda x=x, y=y: getattr(ours.numpy, name)(x, y))
        theirs = outcome(lambda x=x, y=y: getattr(jax.numpy, name)(x, y))
        assert_same(mine, theirs)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.filterwarnings("ignore")
def test_integers(name: str) -> None:
    for dtype in ("int32", "uint8", "int16"):
        x, y = arrays((2, 3), dtype, 3), np.abs(arrays((3,), dtype, 4))
        assert_same(
            outcome(lambda x=x, y=y: getattr(ours.numpy, name)(x, y)),
            outcome(lambda x=x, y=y: getattr(jax.numpy, name)(x, y)),
        )


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_reductions(name: str) -> None:
    cases = [((2, 3), axis, dtype) for axis in (None, -1) for dtype in ("float32", "int32", "bool")]
    for shape, axis, dtype in [*cases, ((2, 0), 0, "float32"), ((2, 0), 1, "float32")]:
        x = (
            np.nan_to_num(arrays(shape, dtype, 5), posinf=2, neginf=-2)
            if name != "nanmean"
            else arrays(shape, dtype, 5)
        )
        assert_same(
            outcome(lambda x=x, axis=axis: getattr(ours.numpy, name)(x, axis=axis)),
            outcome(lambda x=x, axis=axis: getattr(jax.numpy, name)(x, axis=axis)),
        )


SAMPLERS = (
    "bits(key, (5,))",
    "uniform(key, (2, 3))",
    "split(key, 3)",
    "fold_in(key, 7)",
    "randint(key, (4,), -3, 9)",
    "permutation(key, 6)",
    "choice(key, 5, (4,), replace=False)",
    "bernoulli(key, 0.3, (6,))",
    "normal(key, (5,))",
    "gamma(key, 0.4, (4,))",
    "beta(key, 2.0, 3.0, (3,))",
    "poisson(key, 4.0, (5,))",
    "poisson(key, 40.0, (3,))",
    "categorical(key, jnp.arange(4.0), shape=(5,))",
    "truncated_normal(key, -1.0, 0.5, (4,))",
    "gumbel(key, (3,))",
    "laplace(key, (3,))",
    "exponential(key, (3,))",
    "dirichlet(key, jnp.ones(3))",
    "t(key, 3.0, (3,))",
    "binomial(key, 20.0, 0.4, (4,))",
    "multivariate_normal(key, jnp.zeros(2), jnp.eye(2) * 2)",
    "rademacher(key, (4,))",
    "orthogonal(key, 3)",
    "ball(key, 2)",
    "cauchy(key, (2,))",
    "logistic(key, (2,))",
    "geometric(key, 0.3, (4,))",
    "gumbel(key, (3,), mode='high')",
    "multinomial(key, 20.0, jnp.array([0.2, 0.3, 0.5]), shape=(4, 3))",
    "randint(key, (3,), 0, 300, 'uint8')",
    "randint(key, (3,), 0, 4.5)",
    "normal(key, (3,), 'bfloat16')",
    "normal(key, (2,), 'complex64')",
)


@pytest.mark.parametrize("call", SAMPLERS)
def test_samplers(call: str) -> None:
    seed = 41
    results = []
    for module in (ours, jax):
        names = {"jnp": module.numpy, "key": module.random.PRNGKey(seed)}
        results.append(outcome(lambda m=module, n=names: eval(f"random.{call}", {"random": m.random, **n})))
    assert_same(*results, rtol=2e-4)


CALLS = (
    "jnp.linspace(0, 5, 7)",
    "jnp.arange(2, 9, 3)",
    "jnp.eye(3, 4, 1)",
    "jnp.tri(3, k=-1)",
    "jnp.diag(v, -1)",
    "jnp.einsum('ij,jk->ki', m, m)",
    "jnp.einsum('ii', m)",
    "jnp.matmul(m, v)",
    "jnp.kron(v, v)",
    "jnp.cross(v, v[::-1])",
    "jnp.tensordot(m, m, 1)",
    "jnp.pad(v, 2, mode='reflect')",
    "jnp.pad(m, ((1, 0), (0, 2)), constant_values=7)",
    "jnp.pad(v, 1, mode='wrap')",
    "jnp.roll(m, (1, -1), (0, 1))",
    "jnp.repeat(v, 2)",
    "jnp.tile(m, (2, 1))",
    "jnp.unique(i, return_counts=True)",
    "jnp.sort(m, axis=0, descending=True)",
    "jnp.argsort(-v)",
    "jnp.searchsorted(v, 1.5)",
    "jnp.histogram(v, 3)",
    "jnp.bincount(i, length=4)",
    "jnp.quantile(m, 0.3, axis=1)",
    "jnp.interp(1.5, v, v**2)",
    "jnp.gradient(v**2)",
    "jnp.cov(m)",
    "jnp.convolve(v, v, 'same')",
    "jnp.polyfit(v, v**2, 2)",
    "jnp.linalg.solve(m, v)",
    "jnp.linalg.inv(m)",
    "jnp.linalg.det(m)",
    "jnp.linalg.slogdet(m)",
    "jnp.linalg.norm(m, 2)",
    "jnp.linalg.cholesky(m)",
    "jnp.linalg.eigvalsh(m)",
    "jnp.linalg.svdvals(m)",
    "jnp.linalg.matrix_power(m, 5)",
    "jnp.fft.fft(v)",
    "jnp.fft.irfft(jnp.fft.rfft(v), 3)",
    "jnp.take(v, i, mode='wrap')",
    "jnp.where(v > 1, v, 0)",
    "jnp.nonzero(v > 1, size=3, fill_value=-1)",
    "jnp.clip(v, 0.5, 1.5)",
    "jnp.isin(i, jnp.array([0, 2]))",
    "v.at[i].add(1.0)",
    "m.at[0].set(v)",
    "m.at[:, ::2].multiply(2)",
    "m[[0, 2], [1, 1]]",
    "m[..., None, 1]",
    "m[::-1, 1:]",
    "v[jnp.array([5, -1])]",
    "v.at[9].set(1.0)",
    "v.at[jnp.array([9, 0])].get(mode='fill')",
    "nn.softmax(m, axis=0)",
    "nn.softmax(i)",
    "nn.softmax(b)",
    "nn.silu(i)",
    "nn.elu(i)",
    "nn.leaky_relu(i)",
    "nn.squareplus(i - 2)",
    "nn.standardize(i)",
    "nn.logsumexp(v + 1j)",
    "jnp.signbit(h - 1)",
    "jnp.around(b)",
    "jnp.linalg.outer(m, v)",
    "lax.bitcast_convert_type(h, 'int16')",
    "lax.cumsum(b)",
    "lax.unstack(v[0])",
    "scipy.special.gammasgn(h)",
    "scipy.special.ndtr(i)",
    "scipy.special.log_ndtr(v - 20, 5)",
    "scipy.special.zeta(v)",
    "scipy.special.spence(i)",
    "nn.gelu(v, approximate=False)",
    "nn.logsumexp(m, axis=1, b=m)",
    "nn.one_hot(i, 4)",
    "lax.top_k(v, 2)",
    "lax.cummax(m, axis=1)",
    "lax.cumlogsumexp(v)",
    "lax.dynamic_slice(m, (2, 2), (2, 2))",
    "lax.conv(m[None, None], m[None, None, :2, :2], (1, 1), 'SAME')",
    "lax.reduce_window(v, 0.0, lax.add, (2,), (1,), 'SAME')",
    "scipy.special.gammaln(v + 0.5)",
    "scipy.special.digamma(v + 1)",
    "scipy.special.betainc(v + 1, 2.0, 0.3)",
    "scipy.special.erfinv(v / 4)",
    "scipy.special.xlogy(v, v)",
    "scipy.special.ndtri(v / 4)",
    "scipy.linalg.expm(m / 4)",
    "scipy.stats.norm.logcdf(v - 3)",
    "jnp.geomspace(v + 1, m + 1, 4, axis=1)",
    "jnp.logspace(h, h, 3)",
    "jnp.linspace(h, h, 3)",
    "jnp.histogram(v, jnp.array([1, 2, 5]))",
    "jnp.histogram2d(v, v[::-1], bins=[2, jnp.array([0.0, 1.0, 2.0])], weights=i)",
    "jnp.power(i - 1, i[::-1] - 1)",
    "jnp.power(v, i)",
    "jnp.roll(m, 1.7, 0)",
    "jnp.outer(v > 0, v > 1)",
    "jnp.unravel_index(jnp.array([5, -9, 99]), (2, 3))",
    "jnp.setdiff1d(h, v)",
    "jnp.setxor1d(jnp.zeros(0), jnp.zeros(0))",
    "jnp.setxor1d(v + 1, i + 2, size=5)",
    "jnp.setxor1d(jnp.ones(3), jnp.ones(2) * 2, assume_unique=True)",
    "jnp.all(jnp.array([1, 1j]))",
    "lax.convert_element_type(jnp.array([1, 1j]), bool)",
    "jnp.array([1, 1j]).astype(bool)",
    "jnp.compress(jnp.array([1j, 0]), v)",
    "jnp.trim_zeros(jnp.array([0, 1, 1j]))",
    "jnp.sum(v, where=i)",
    "jnp.nanmean(v, where=i)",
    "i.at[0].apply(jnp.sin)",
    "jnp.array_split(v, jnp.array([0.5]))",
    "jnp.expand_dims(v, jnp.array([1, 2]))",
    "jnp.nan_to_num(v / v, nan=v)",
    "lax.select_n(jnp.array([0, 1, 255], 'uint8'), v, -v)",
    "lax.select(jnp.array([-1, 1, 2], 'int8'), v, -v)",
    "lax.select(v, v, -v)",
    "jnp.linalg.multi_dot([m.astype(int), m.astype(int), i])",
    "jnp.linalg.multi_dot([v, v, v])",
    "jnp.fft.irfft(jnp.ones((2, 1)))",
    "jnp.fft.hfft(jnp.ones(0))",
    "jnp.fft.hfft(v, norm='ortho')",
    "jnp.fft.ihfft(v, 5, norm='forward')",
    "jnp.fft.fftfreq(5.0)",
    "jnp.fft.fftfreq(-3)",
    "jnp.fft.fftfreq(5, dtype=int)",
    "jnp.fft.rfftfreq(7, jnp.float32(0.5))",
    "lax.fori_loop(0.5, 3.7, lambda k, c: c + k, 0)",
    "lax.fori_loop(False, True, lambda k, c: c + k, 0.0)",
    "lax.betainc(jnp.array([0, 1, jnp.inf, 0, 2.0]), jnp.array([1, jnp.inf, 1, 0, 0.0]), jnp.full(5, 0.5))",
    "jnp.quantile(m, jnp.array([0.1, 0.8]), axis=1, method='inverted_cdf', weights=v)",
    "jnp.nanquantile(m, 1.5, axis=0)",
    "jnp.sort_complex(m[::-1])",
    "jnp.log10(2.5)",
    "jnp.spacing(2.5)",
    "lax.dot(h, v.astype('bfloat16'))",
    "nn.softplus(v + 1j)",
    "nn.gelu(2.5)",
    "scipy.special.comb(i + 2, i, repetition=True)",
    "scipy.special.poch(v + 30, v)",
    "scipy.special.gammainc(v, jnp.array([0.5, 0.0, jnp.inf]))",
    "scipy.special.expn(i + 1, jnp.zeros(3))",
    "jnp.sum(v, axis=3)",
    "jnp.concatenate([m, v])",
    "jnp.reshape(v, (2, 2))",
    "jnp.arange(2.0) + jnp.ones(3)",
    "jnp.sin('a')",
    "v['a']",
    "m[1.5]",
    "jnp.stack([v, m])",
    "jnp.int8(300)",
    "jnp.roots(jnp.array([0, 0, 1j, 2, 0, 0]))",
    "jnp.roots(jnp.array([0, 0, 1, -3, 2.0]), strip_zeros=False)",
    "jax.jit(lambda p: jnp.roots(p, strip_zeros=False))(v)",
    "jnp.roots(jnp.zeros(3), strip_zeros=False)",
    "jnp.copysign(v * 1j, v)",
    "jnp.digitize(jnp.array([1j, 2]), jnp.array([0, 1j, 1]))",
    "jnp.histogram2d(v, jnp.ones(4))",
    "jnp.concatenate(np.array(1.0))",
    "jnp.piecewise(v, [v > 0, v > 1], [1, 2])",
    "jnp.piecewise(v, [v > 0, v > 1], [lambda x: x * 2, lambda x, k=0: x.ndim - x, 7])",
    "jnp.piecewise(v, v > 1, [1, 2])",
    "jax.grad(lambda x: jnp.piecewise(x, [x < 1, x >= 1], [lambda x: x**2, lambda x: 3 * x]).sum())(v)",
    "jnp.piecewise(i, [i > 0], [lambda x, a, b=1: x * a + b], 3, b=2)",
    "jnp.r_['0,2,-1', [1, 2], 1:3], jnp.r_['0,2,0', [1, 2], [3, 4]], jnp.r_['r', [1, 2], 3], jnp.r_['c', [1, 2], 3]",
    "jnp.c_['r', [1, 2], [3, 4]], jnp.c_[1:3, [5, 6]], jnp.c_['0,2,-1', [1, 2, 3], [4, 5, 6]]",
    "jnp.r_['x', 1]",
    "lax.broadcast_in_dim(m[:, :1], (2, 3, 4), (1, 0))",
    "lax.broadcast_in_dim(m[:2], (3, 2), (1, 0))",
    "lax.broadcast_in_dim(m, (3, 3), (1, 1))",
    "jnp.polyadd(m[:1], m)",
    "jnp.polysub(m, jnp.array([2.0]))",
    "jnp.polyadd(v, m[:2])",
    "jnp.fromfunction(lambda x: (x + 1) * jnp.arange(3), (2,))",
    "jnp.fromfunction(lambda x, y, k=1: (x.ndim - y, k), (2, 3), dtype=int, k=2)",
    "[jax.vmap(f)(v - 1) for f in (jnp.sinc, jax.grad(jnp.sinc), jax.grad(jax.grad(jnp.sinc)))]",
    "jax.jit(jax.grad(jax.grad(jax.grad(jax.grad(jnp.sinc)))))(0.0)",
    "jnp.linspace(0, 25, 6).tolist(), jnp.linspace(0, 10, 11, dtype=int).tolist()",
    "jnp.histogram(jnp.array([1, 2, 3, 10, 11, 15, 19, 25]), range=(0, 25), bins=5)",
    "isinstance(lax.unstack(m), tuple)",
    "jnp.array(__import__('array').array('i', [1, 2])), jnp.asarray(memoryview(b'ab'))",
    "jnp.array(b'ab')",
    "v.byteswap()",
    "h.byteswap()",
    "(v + 2j).byteswap()",
    "(jax.jit(lambda x: x.byteswap())(i), i.astype('int8').byteswap(), jnp.array(3).byteswap())",
    "jax.jit(lambda x: x.to_device(None))(v)",
    "v.clone()",
)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_calls(call: str) -> None:
    results = []
    for module in (ours, jax):
        jnp = module.numpy
        names = {
            "jax": module,
            "jnp": jnp,
            "np": np,
            "lax": module.lax,
            "nn": module.nn,
            "scipy": module.scipy,
            "v": jnp.arange(3.0),
            "m": jnp.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]),
            "i": jnp.array([0, 2, 1]),
            "b": jnp.array([True, False]),
            "h": jnp.array(HALVES),
        }
        results.append(outcome(lambda n=names: eval(call, dict(n))))
    assert_same(*results, rtol=2e-4)
