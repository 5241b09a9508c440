"""Types, promotion, and the numbers that primitives give, beside JAX: special values, overflow, division by zero."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours
from tracetrap.runtime import dtypes
from tracetrap.runtime.core import primitives
from tracetrap.runtime.jaxprs.execution import Executable

jax = pytest.importorskip("jax")

STANDARD = [d for d in dtypes.NUMERIC if not d.narrow]


@pytest.mark.parametrize("dtype", STANDARD, ids=str)
def test_types_stand_for_numpys(dtype: dtypes.DType) -> None:
    theirs = np.dtype(dtype.name)
    assert dtype == theirs and theirs == dtype and hash(dtype) == hash(theirs)
    assert dtype in {theirs: 1} and dtype == dtype.name and dtype == theirs.type and dtype != "float8"
    assert np.dtype(dtype) == theirs and np.zeros(2, dtype).dtype == theirs
    assert (dtype.kind, dtype.itemsize, dtype.type) == (theirs.kind, theirs.itemsize, theirs.type)
    assert dtypes.as_dtype(theirs) is dtypes.as_dtype(theirs.type) is dtypes.as_dtype(theirs.char) is dtype


OPERANDS: list[Any] = [True, 1, 1.0, 1j, *[np.ones((), d.name) for d in STANDARD]]


@pytest.mark.parametrize("x64", [False, True])
def test_promotion(x64: bool) -> None:
    """Every pair of types, weak ones included; JAX is only asked for the type, which spares it the compilation."""

    def results(library: Any, run: Callable[[Callable[[], Any]], Any]) -> list[tuple[str, bool]]:
        convert = library.numpy.asarray
        with library.enable_x64(x64):
            operands = [v if isinstance(v, (bool, int, float, complex)) else convert(v) for v in OPERANDS]
            pairs = itertools.product(operands, operands)
            products = [run(lambda a=a, b=b: convert(a) * b) for a, b in pairs]
            return [(str(product.dtype), product.weak_type) for product in products]

    assert results(ours, lambda function: function()) == results(jax, jax.eval_shape)


def test_a_random_key_has_no_common_type_with_numbers() -> None:
    with pytest.raises(TypeError, match="No type promotion path"):
        dtypes.promote(dtypes.KEY, False, dtypes.FLOAT32, False)


FLOATS = np.array(
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.0, 1e30, -1e30, np.inf, -np.inf, np.nan], np.float32
)
INTEGERS = np.array([0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 2**31 - 1, -(2**31)], np.int32)
UNSIGNED = np.array([0, 1, 2, 3, 7, 31, 32, 200, 255], np.uint8)

BINARY = {
    "add": (FLOATS, INTEGERS, UNSIGNED),
    "sub": (FLOATS, INTEGERS, UNSIGNED),
    "mul": (FLOATS, INTEGERS, UNSIGNED),
    "div": (FLOATS, INTEGERS, UNSIGNED),
    "rem": (FLOATS, INTEGERS, UNSIGNED),
    "max": (FLOATS, INTEGERS, UNSIGNED),
    "min": (FLOATS, INTEGERS, UNSIGNED),
    "pow": (FLOATS,),
    "atan2": (FLOATS,),
    "nextafter": (FLOATS,),
    "and": (INTEGERS, UNSIGNED),
    "or": (INTEGERS, UNSIGNED),
    "xor": (INTEGERS, UNSIGNED),
    "shift_left": (INTEGERS, UNSIGNED),
    "shift_right_logical": (INTEGERS, UNSIGNED),
    "shift_right_arithmetic": (INTEGERS, UNSIGNED),
    "eq": (FLOATS, INTEGERS),
    "ne": (FLOATS, INTEGERS),
    "lt": (FLOATS, INTEGERS, UNSIGNED),
    "le": (FLOATS, INTEGERS),
    "gt": (FLOATS, INTEGERS),
    "ge": (FLOATS, INTEGERS),
}
UNARY = {
    "neg": (FLOATS, INTEGERS, UNSIGNED),
    "sign": (FLOATS, INTEGERS, UNSIGNED),
    "abs": (FLOATS, INTEGERS),
    "floor": (FLOATS,),
    "ceil": (FLOATS,),
    "is_finite": (FLOATS,),
    "exp": (FLOATS,),
    "log": (FLOATS,),
    "log1p": (FLOATS,),
    "expm1": (FLOATS,),
    "tanh": (FLOATS,),
    "logistic": (FLOATS,),
    "sin": (FLOATS,),
    "cos": (FLOATS,),
    "sqrt": (FLOATS,),
    "rsqrt": (FLOATS,),
    "cbrt": (FLOATS,),
    "square": (FLOATS, INTEGERS),
    "not": (INTEGERS, UNSIGNED),
    "population_count": (INTEGERS, UNSIGNED),
    "clz": (INTEGERS, UNSIGNED),
    "asin": (FLOATS,),
    "acosh": (FLOATS,),
}
PARAMS: dict[str, dict[str, Any]] = {
    name: {"accuracy": None}
    for name in ("exp", "log", "log1p", "expm1", "tanh", "logistic", "sin", "cos", "sqrt", "rsqrt", "cbrt")
}


def _theirs(name: str, *args: Any, **params: Any) -> Any:
    public = {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "not": "bitwise_not"}
    return np.asarray(getattr(jax.lax, public.get(name, name))(*args, **params))


def _ours(name: str, *args: Any, **params: Any) -> list[Any]:
    """The results of the reference and of compiled code."""
    closed = ours.make_jaxpr(lambda *xs: primitives[name].bind(*xs, **params))(*args)
    return [np.asarray(primitives[name].bind(*args, **params)), np.asarray(Executable(closed)(args)[0])]


def _same(actual: Any, wanted: Any) -> None:
    assert actual.dtype == wanted.dtype
    if wanted.dtype.kind == "f":
        # XLA reads and writes subnormal numbers as zero; they are kept here, and left out of the comparison.
        np.testing.assert_allclose(actual, wanted, rtol=3e-6, atol=1.2e-38)
    else:
        np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operations(name: str) -> None:
    for values in BINARY[name]:
        x, y = (grid.ravel() for grid in np.meshgrid(values, values))
        wanted = _theirs(name, x, y)
        for actual in _ours(name, x, y):
            _same(actual, wanted)


@pytest.mark.parametrize("name", UNARY)
def test_unary_operations(name: str) -> None:
    for values in UNARY[name]:
        wanted = _theirs(name, values)
        for actual in _ours(name, values):
            _same(actual, wanted)


@pytest.mark.parametrize(
    "target", ["int32", "uint8", "int8", "float16", "bool", "float32", "bfloat16", "complex64"]
)
def test_conversions(target: str) -> None:
    for values in (FLOATS, INTEGERS, UNSIGNED):
        wanted = np.asarray(jax.lax.convert_element_type(values, target))
        params = {"new_dtype": dtypes.as_dtype(target), "weak_type": False, "sharding": None}
        for actual in _ours("convert_element_type", values, **params):
            _same(
                actual.astype(np.complex64) if target == "bfloat16" else actual,
                wanted.astype(np.complex64) if target == "bfloat16" else wanted,
            )


@pytest.mark.parametrize("exponent", [-3, -1, 0, 1, 2, 3, 7, 10])
def test_integer_powers(exponent: int) -> None:
    for values in (FLOATS, INTEGERS) if exponent >= 0 else (FLOATS,):
        wanted = _theirs("integer_pow", values, exponent)
        for actual in _ours("integer_pow", values, y=exponent):
            _same(actual, wanted)


@pytest.mark.parametrize("method", [0, 1])
def test_rounding(method: int) -> None:
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, -0.0, np.nan, np.inf], np.float32)
    wanted = _theirs("round", halves, jax.lax.RoundingMethod(method))
    for actual in _ours("round", halves, rounding_method=method):
        _same(actual, wanted)
        np.testing.assert_array_equal(np.signbit(actual), np.signbit(wanted))


def test_python_integers_wrap_or_overflow() -> None:
    for library in (ours, jax):
        assert int(library.numpy.uint8(1) + 300) == 45 and int(library.numpy.uint8(3) * -1) == 253
        with pytest.raises(OverflowError):
            library.numpy.ones(3) + 2**200


@pytest.mark.parametrize(
    "name", ["reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "argmax", "argmin"]
)
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (1, 1), (2, 0)])
def test_reductions_of_odd_shapes(name: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=shape).astype(np.float32)
    if x.size:
        x.flat[0] = np.nan
    for axis in (0, 1):
        if name.startswith("arg"):
            if shape[axis] == 0:
                continue
            wanted = np.asarray(getattr(jax.lax, name)(x, axis, np.int32))
            params: dict[str, Any] = {"axes": (axis,), "index_dtype": dtypes.INT32}
        else:
            wanted = np.asarray(getattr(jax.lax, name)(x, (axis,)))
            params = {"axes": (axis,)} | ({"out_sharding": None} if name == "reduce_sum" else {})
        for actual in _ours(name, x, **params):
            _same(actual, wanted)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.filterwarnings("ignore")
def test_neighbours_and_lists_of_each_type_of_floats(dtype: str) -> None:
    values = [0.0, -0.0, 1.0, -1.0, 3.5, 60000.0, np.inf, -np.inf, np.nan, 0.1]

    def found(library: Any) -> list[Any]:
        jnp = library.numpy
        x, two = jnp.array(values, dtype), jnp.array(2, dtype)
        results = [x, jnp.nextafter(x, two), library.jit(jnp.nextafter)(x, -two), jnp.spacing(x)]
        return [(str(r.dtype), np.asarray(r.astype("float32")).view(np.int32).tolist()) for r in results]

    mine, theirs = found(ours), found(jax)
    assert [d for d, _ in mine] == [d for d, _ in theirs]
    for (_, left), (_, right) in zip(mine, theirs):
        np.testing.assert_array_equal(
            np.array(left, np.int32).view(np.float32), np.array(right, np.int32).view(np.float32)
        )


@pytest.mark.parametrize(
    "call",
    [
        "jnp.equal(2.5, 2)", "jnp.asarray(2.5) < 3", "lax.is_finite(2.5)", "jnp.isnan(2.5)", "jnp.logical_not(2)",
        "jnp.isinf(2.5)", "jnp.isneginf(2.5)", "jnp.signbit(3)", "jnp.any(jnp.asarray(2) > 1)", "jnp.angle(2.5)",
        "(jnp.asarray(2.5) < 3) | (jnp.asarray(2) < 3)", "~(jnp.asarray(2.5) < 3)", "jnp.stack([jnp.asarray(1) < 2] * 2)",
        "(jnp.asarray(1) < 2) * 2", "jnp.floor_divide(i, 2.0)", "jnp.divmod(i, 2.0)[0]", "jnp.hypot(i, 2.0)",
        "jnp.heaviside(i, 2.0)", "jnp.hypot(3, 4)", "jnp.atan2(i, u)", "jnp.arctan2(i, u)", "jnp.arctan2(c, c + 1)",
        "jnp.fmax(c, c[::-1])", "jnp.fmin(c, c[::-1])", "jnp.fmod(b, b[::-1])", "jnp.convolve(i, i)",
        "jnp.correlate(i, i, 'full')", "jnp.convolve(b, b)", "lax.mulhi(3, 2**30)", "lax.cumlogsumexp(c)", "jax.jit(lax.cumlogsumexp)(c * 3)",
        "jax.scipy.special.erfcx(c)", "jax.scipy.special.logit(0.3)", "jax.scipy.special.spence(jnp.array([jnp.inf, 2.0]))",
        "jnp.linalg.vector_norm(i)",
        "jnp.linalg.vector_norm(i, ord=3.5)", "jnp.linalg.norm(jnp.ones(0), ord=jnp.inf)",
        "jnp.linalg.lstsq(jnp.zeros((2, 2)), jnp.ones(2))[0]", "jnp.linalg.lstsq(jnp.zeros((0, 2)), jnp.ones(0))[2]",
        "jnp.linalg.lstsq(jnp.ones((3, 2)), i)[1]", "jnp.linalg.lstsq(jnp.ones((3, 2)), i, numpy_resid=True)[1]",
        "jnp.linalg.solve(jnp.ones((0, 0)), jnp.ones(0))", "jnp.linalg.slogdet(jnp.ones((2, 0, 0)))[0]",
        "lax.linalg.lu(jnp.ones((2, 0)))[2]", "jnp.ones((3, 4))[jnp.int8(1), -1]", "jnp.ones((3, 4))[jnp.uint32(1), i[0]:]",
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_calls_that_give_weak_types_or_take_unusual_ones(call: str) -> None:
    def found(library: Any) -> Any:
        names = {
            "jax": library,
            "jnp": library.numpy,
            "lax": library.lax,
            "i": np.array([-3, 0, 5], np.int32),
            "u": np.array([1, 2**32 - 1, 7], np.uint32),
            "c": np.array([1 + 2j, -1j, 0.5], np.complex64),
            "b": np.array([True, False, True]),
        }
        return eval(call, names)

    mine, theirs = found(ours), found(jax)
    assert (str(mine.dtype), mine.weak_type, mine.shape) == (
        str(theirs.dtype),
        theirs.weak_type,
        theirs.shape,
    )
    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("x64", [False, True])
def test_float64_scalars_of_numpy_are_no_python_numbers(x64: bool) -> None:
    def found(library: Any) -> list[Any]:
        jnp, lax, two = library.numpy, library.lax, np.sqrt(4.0)
        with library.enable_x64(x64):
            results = [
                jnp.ones(2, "bfloat16") * two, jnp.ones(2, "float16") / two, jnp.ones(2, "float32") + two, jnp.sin(two),
                lax.sin(two), two * jnp.ones(2, "float16"), jnp.where(True, two, jnp.float16(1)), jnp.asarray([two]),
                library.jit(lambda x: x)(two), jnp.full((2,), two), jnp.ones(2, "float32") * np.complex128(2),
                jnp.stack([two, two]), jnp.maximum(jnp.ones(2, "bfloat16"), two),
            ]  # fmt: skip
            return [(str(r.dtype), r.weak_type) for r in results]

    assert found(ours) == found(jax)


def test_fft_of_nothing_and_powers_by_concrete_scalars() -> None:
    assert ours.numpy.fft.fft(np.ones((2, 0))).shape == (2, 0)
    assert ours.numpy.linalg.inv(np.ones((0, 0))).shape == (0, 0)
    with pytest.raises(TypeError, match="negative powers"):
        ours.numpy.power(ours.numpy.int32(2), ours.numpy.int32(-1))


@pytest.mark.parametrize("x64", [False, True])
def test_types_named_by_pythons_types_and_by_dtypes(x64: bool) -> None:
    def found(library: Any) -> list[Any]:
        jnp, convert = library.numpy, library.lax.convert_element_type
        with library.enable_x64(x64):
            results = [convert(jnp.ones(2), kind) for kind in (np.dtype("float64"), np.int64)]
            results += [jnp.sum(np.ones(2)), jnp.mean(np.arange(3)), jnp.std(np.ones(2))]
            types = [jnp.result_type(a, jnp.bfloat16) for a in (float, np.dtype("float64"), np.float64, int)]
            return [*((str(r.dtype), r.weak_type) for r in results), *map(str, types)]

    assert found(ours) == found(jax)


@pytest.mark.parametrize("x64", [False, True])
def test_the_float_that_an_integer_becomes(x64: bool) -> None:
    def results(library: Any, x: Any) -> list[Any]:
        jnp = library.numpy
        return [
            jnp.sin(x), x / x, x / 2, jnp.mean(x), jnp.var(x), jnp.linspace(x, x, 3), jnp.fft.fft(x), jnp.linalg.inv(x),
            jnp.histogram(x)[1], library.scipy.special.gammaln(x), jnp.rint(x), jnp.square(x), jnp.median(x),
        ]  # fmt: skip

    def found(library: Any, run: Callable[[Callable[[Any], Any], Any], Any]) -> list[Any]:
        with library.enable_x64(x64):
            squares = [library.numpy.ones((2, 2), dtype) for dtype in ("bool", "int8", "uint32", "int64")]
            given = [one for x in squares for one in run(lambda x: results(library, x), x)]
            return [(str(one.dtype), one.weak_type) for one in given]

    assert found(ours, lambda function, x: function(x)) == found(jax, jax.eval_shape)
