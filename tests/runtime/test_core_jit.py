"""``jit``: static arguments, the cache and why it misses, donation, errors for what cannot be traced."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime.errors import JaxRuntimeError, TracerBoolConversionError
from tracetrap.runtime.jitting import jit as jitting

jnp = jax.numpy


class Counter:
    """Counts how often the body of a function runs, which is how often it is traced."""

    def __init__(self) -> None:
        self.traces = 0

    def double(self, x: Any) -> Any:
        self.traces += 1
        return x * 2


def test_compile_reuse_compile_reuse() -> None:
    """The tutorial's section on recompilation: a new shape compiles, a known one does not."""
    counter = Counter()

    @jax.jit
    def f(x: Any) -> Any:
        return counter.double(x)

    traces = []
    for size in (3, 3, 4, 4, 3):
        f(jnp.ones(size))
        traces.append(counter.traces)
    assert traces == [1, 1, 2, 2, 2]
    assert f._cache_size() == 2


@pytest.mark.parametrize(
    ("first", "second", "retraced"),
    [
        (1.0, 2.0, False),
        (1, 2, False),
        (1, 1.0, True),
        (1, True, True),
        (1.0, np.float32(1), True),
        (np.ones(3), np.zeros(3), False),
        (np.ones(3, np.float64), np.ones(3, np.float32), False),
        (np.ones(3), np.ones(4), True),
        (np.ones(3), np.ones(3, np.int32), True),
        ([1.0], (1.0,), True),
        ({"a": 1.0}, {"a": 2.0}, False),
        ({"a": 1.0}, {"b": 1.0}, True),
        (None, 1.0, True),
    ],
)
def test_what_is_traced_again(first: Any, second: Any, retraced: bool) -> None:
    f = jax.jit(lambda x: x)
    f(first)
    f(second)
    assert f._cache_size() == 1 + retraced


def test_the_same_function_wrapped_again_is_not_traced_again() -> None:
    counter = Counter()

    def f(x: Any) -> Any:
        return counter.double(x)

    for _ in range(3):
        jax.jit(f)(1.0)
    assert counter.traces == 1
    for _ in range(3):
        jax.jit(lambda x: counter.double(x))(1.0)
    assert counter.traces == 4


def test_positional_and_keyword_calls_differ() -> None:
    f = jax.jit(lambda x, y: x + y)
    assert float(f(1.0, 2.0)) == float(f(1.0, y=2.0)) == float(f(y=2.0, x=1.0)) == 3.0
    assert f._cache_size() == 3


def test_misses_say_why() -> None:
    @functools.partial(jax.jit, static_argnames="mode")
    def f(x: Any, y: Any, mode: str = "add") -> Any:
        return x + y if mode == "add" else x - y

    def reasons(*args: Any, **kwargs: Any) -> tuple[str, ...]:
        jitting.miss_log.clear()
        f(*args, **kwargs)
        (miss,) = jitting.miss_log
        return miss.reasons

    x = jnp.ones(3)
    assert reasons(x, x, "add") == ("first call",)
    assert reasons(x, x, "sub") == ("static argument 2 changed from 'add' to 'sub'",)
    assert reasons(x, jnp.ones(()), "sub") == ("y changed shape from float32[3] to float32[]",)
    assert reasons(x, jnp.ones(3, jnp.int32), "sub") == ("y changed dtype from float32[3] to int32[3]",)
    assert reasons(x, 1.0, "sub") == ("y changed weak_type from strong (an array) to weak (a Python scalar)",)
    jitting.miss_log.clear()
    f(x, x, "add")
    assert not jitting.miss_log


def test_a_function_made_anew_is_named_as_the_reason() -> None:
    for _ in range(2):
        jitting.miss_log.clear()
        jax.jit(lambda x: x + 1)(1.0)
    (miss,) = jitting.miss_log
    assert "new function object" in miss.reasons[0]


# ------------------------------------------------------------------------------------------------ static arguments


def power(x: Any, n: int = 2) -> Any:
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


@pytest.mark.parametrize(
    "options",
    [
        {"static_argnums": 1},
        {"static_argnums": (-1,)},
        {"static_argnames": "n"},
        {"static_argnames": ["n"]},
        {"static_argnums": 1, "static_argnames": "n"},
    ],
)
def test_static_numbers_and_names_imply_each_other(options: dict[str, Any]) -> None:
    f = jax.jit(power, **options)
    assert float(f(2.0, 3)) == 8.0
    if options != {"static_argnums": (-1,)}:
        assert float(f(2.0, n=3)) == 8.0
    assert float(f(2.0)) == 4.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"static_argnums": 5}, "static_argnums=(5,), but only accepts 2 positional arguments"),
        ({"static_argnums": -3}, "static_argnums=(-3,)"),
        (
            {"static_argnames": "m"},
            "invalid argnames {'m'} in static_argnames. Function does not take these args",
        ),
        ({"donate_argnames": "m"}, "donate_argnames"),
        ({"static_argnames": "n", "donate_argnames": "n"}, "cannot intersect"),
    ],
)
def test_arguments_that_the_function_does_not_have(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        jax.jit(power, **options)
    assert message in str(error.value)


def test_variadic_functions_take_any_static_argument() -> None:
    assert jax.jit(lambda *xs: xs[1], static_argnums=1)(1.0, 7) == 7
    assert jax.jit(lambda **kw: kw["mode"] == "a", static_argnames="mode")(mode="a")


def test_static_values_are_told_apart_by_type() -> None:
    f = jax.jit(lambda x, n: x * n, static_argnums=1)
    f(1.0, 1), f(1.0, True), f(1.0, 1.0), f(1.0, 1)
    assert f._cache_size() == 3


def test_unhashable_static_argument() -> None:
    with pytest.raises(ValueError, match="Non-hashable static arguments are not supported"):
        jax.jit(power, static_argnums=1)(1.0, [3])


# ------------------------------------------------------------------------------------------------ what can be traced


def test_methods_and_signatures() -> None:
    class Model:
        scale = 3.0

        @functools.partial(jax.jit, static_argnums=0)
        def apply(self, x: Any, bias: Any = 1.0) -> Any:
            """Scale, then shift."""
            return self.scale * x + bias

    assert float(Model().apply(2.0)) == 7.0
    assert Model.apply.__doc__ == "Scale, then shift."
    assert list(inspect.signature(Model.apply).parameters) == ["self", "x", "bias"]
    assert float(Model.apply(Model(), 2.0)) == 7.0


@pytest.mark.parametrize(
    ("argument", "path"), [(({"a": [1, "b"]},), "x['a'][1]"), ((object(),), "x"), ((1.0, "text"), "y")]
)
def test_arguments_that_are_no_arrays(argument: tuple[Any, ...], path: str) -> None:
    with pytest.raises(TypeError) as error:
        jax.jit(lambda x, y=None: x)(*argument)
    assert f"was passed to the function at path {path}." in str(error.value)


def test_results_that_are_no_arrays() -> None:
    with pytest.raises(
        TypeError, match=r"returned a value of type <class 'str'> at output component \['a'\]\[1\]"
    ):
        jax.jit(lambda x: {"a": [x, "text"]})(1.0)


def test_integers_that_do_not_fit() -> None:
    with pytest.raises(OverflowError, match="argument path is x"):
        jax.jit(lambda x: x)(2**40)


def test_what_is_no_function() -> None:
    def generator(x: Any) -> Any:
        yield x

    for function, message in (
        (3, "Expected a callable"),
        (generator, "got a generator function"),
        (staticmethod(power), "staticmethod"),
    ):
        with pytest.raises(TypeError, match=message):
            jax.jit(function)


def test_errors_name_the_arguments() -> None:
    @jax.jit
    def f(x: Any, params: Any, *rest: Any, flag: Any = True) -> Any:
        return x if params["w"][0] + rest[1] > 0 else flag

    with pytest.raises(TracerBoolConversionError) as error:
        f(1.0, {"w": [1.0], "b": 2.0}, 3.0, 4.0, flag=False)
    line = inspect.getsourcelines(f.__wrapped__)[1]
    assert f"while tracing the function f at {__file__}:{line} for jit" in str(error.value)
    assert "depends on the values of the arguments params['w'][0] and rest[1]." in str(error.value)


def test_exceptions_leave_no_trace_behind() -> None:
    @jax.jit
    def broken(x: Any) -> Any:
        raise KeyError("inside")

    with pytest.raises(KeyError):
        broken(1.0)
    assert isinstance(jnp.ones(3) + 1, jax.Array) and float(jax.jit(power)(2.0)) == 4.0


def test_nested_and_disabled() -> None:
    counter = Counter()
    inner = jax.jit(counter.double)
    outer = jax.jit(lambda x: inner(x) + inner(x))
    assert float(outer(1.5)) == 6.0 and counter.traces == 1
    with jax.disable_jit():
        assert float(inner(1.0)) == 2.0
        inner(1.0)
    assert counter.traces == 3


def test_stages() -> None:
    traced = jax.jit(lambda x: (x * 2, x.sum())).trace(jnp.ones(3))
    assert [str(info.shape) for info in traced.out_info] == ["(3,)", "()"]
    doubled, total = traced.lower().compile()(jnp.ones(3))
    assert doubled.tolist() == [2.0, 2.0, 2.0] and float(total) == 3.0
    with pytest.raises(TypeError, match="Argument types differ"):
        traced.lower().compile()(jnp.ones(4))


# ------------------------------------------------------------------------------------------------ donation


def test_donated_arrays_are_deleted() -> None:
    double = jax.jit(lambda x: x * 2, donate_argnums=0)
    x = jnp.ones(3)
    assert double(x).tolist() == [2.0, 2.0, 2.0]
    assert x.is_deleted() and x.shape == (3,)
    with pytest.raises(RuntimeError, match="deleted"):
        x + 1
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)
    with pytest.raises(ValueError, match="deleted or donated"):
        double(x)


def test_donation_that_is_of_no_use_deletes_nothing() -> None:
    x = jnp.ones(3)
    jax.jit(lambda x: x.sum(), donate_argnums=0)(x)
    assert not x.is_deleted()


def test_the_same_array_donated_twice() -> None:
    x = jnp.ones(3)
    with pytest.raises(JaxRuntimeError, match="previously donated"):
        jax.jit(lambda a, b: a + b, donate_argnums=(0, 1))(x, x)


def test_repeated_calls_of_every_form_keep_to_their_own_programs() -> None:
    """The third call of a kind takes a shortcut, which must not be taken by calls of other kinds."""
    function = jax.jit(lambda *args, n=1, **kwargs: (args, n, kwargs), static_argnames="n")
    x, y = jnp.arange(3.0), jnp.arange(2)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((x, y), {}),
        ((x,), {"y": y}),
        ((x,), {"z": y}),
        ((y,), {"y": x}),
        ((x,), {}),
        ((x,), {"n": 2}),
        (((x, y),), {}),
        (([x, y],), {}),
        (({"a": x, "b": y},), {}),
        (({"a": y, "b": x},), {}),
        ((x, None), {}),
        ((x, 2.0), {}),
        ((x, 2), {}),
        ((x, True), {}),
        ((x, np.arange(2)), {}),
        ((x, np.float32(3)), {}),
    ]

    for args, kwargs in calls * 3 + calls[::-1]:
        given = (args, kwargs.get("n", 1), {k: v for k, v in kwargs.items() if k != "n"})
        result = function(*args, **kwargs)
        assert jax.tree.structure(result) == jax.tree.structure(given)
        for out, expected in zip(jax.tree.leaves(result), jax.tree.leaves(given), strict=True):
            assert out.dtype == jnp.asarray(expected).dtype
            assert np.array_equal(out, expected)


def test_repeated_calls_notice_deleted_arrays_and_configuration() -> None:
    function = jax.jit(lambda x: x * 2)
    x = jnp.ones(3)
    for _ in range(4):
        function(x)
    with jax.enable_x64(True):
        assert function(jnp.ones(3)).dtype == jnp.float64
    assert function(x).dtype == jnp.float32

    x.delete()
    with pytest.raises(ValueError, match="deleted"):
        function(x)


def test_programs_that_run_often_stay_right_and_are_counted() -> None:
    function = jax.jit(lambda x, y: (x + y, x * y))
    x, y = jnp.arange(4.0), jnp.ones(4)

    for _ in range(10_000):
        total, product = function(x, y)

    assert (total.tolist(), product.tolist()) == ([1, 2, 3, 4], [0, 1, 2, 3])
    (program,) = function._cache.programs.values()
    assert program.hits == 9_999


def test_random_keys_that_a_function_closes_over() -> None:
    keys = jax.random.split(jax.random.key(1), 3)
    key = keys[1]
    expected = jax.random.normal(key, (2,))

    assert jax.jit(lambda x: x + jax.random.normal(key, (2,)))(0.0).tolist() == expected.tolist()
    assert jax.jit(lambda i: jax.random.normal(keys[i], (2,)))(1).tolist() == expected.tolist()


def test_a_random_key_shows_its_words() -> None:
    key = jax.random.key(7)
    assert repr(key) == "Array((), dtype=key<fry>) overlaying:\n[0 7]"
    assert repr(key[None]) == "Array((1,), dtype=key<fry>) overlaying:\n[[0 7]]"
