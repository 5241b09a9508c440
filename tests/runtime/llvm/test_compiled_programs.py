"""Compiled programs: what they share between calls, what is left to NumPy, and random ones against the reference."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from random_jaxprs import Program, jaxpr_of
from tracetrap.runtime import lax
from tracetrap.runtime import numpy as jnp
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr, kernel
from tracetrap.runtime.llvm.flat import Flat
from tracetrap.runtime.llvm.partition import Segment, partition
from tracetrap.runtime.llvm.program import Native

X = np.linspace(-2, 2, 35, dtype=np.float32).reshape(5, 7)


@pytest.mark.parametrize("seed", range(500, 540))
def test_random_programs_agree_with_the_reference(seed: int) -> None:
    program = Program(seed)
    closed = jaxpr_of(program)
    inputs = [
        np.asarray(x, v.aval.dtype.storage) for x, v in zip(program.inputs, closed.jaxpr.invars, strict=True)
    ]

    results = compile_jaxpr(closed)(inputs)

    for result, expected in zip(results, eval_closed_jaxpr(closed, *inputs), strict=True):
        assert (result.shape, result.dtype) == (np.shape(expected), expected.dtype)
        np.testing.assert_allclose(result, expected, rtol=2e-3, atol=1e-3)


@pytest.mark.parametrize("seed", range(540, 560))
def test_repeated_calls_give_the_same_bits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first calls run code that was compiled quickly, later ones run better code."""
    program = Program(seed)
    closed = jaxpr_of(program)
    inputs = [
        np.asarray(x, v.aval.dtype.storage) for x, v in zip(program.inputs, closed.jaxpr.invars, strict=True)
    ]
    monkeypatch.setattr(kernel, "_MOST_TRIALS", 2)
    call = compile_jaxpr(closed)

    first = [x.tobytes() for x in call(inputs)]

    for _ in range(5):
        assert [x.tobytes() for x in call(inputs)] == first


@pytest.mark.parametrize("low", [-9, -4, -1, 0, 2])
@pytest.mark.parametrize("high", [-3, 0, 1])
@pytest.mark.parametrize("gap", [0, 1, 3])
@pytest.mark.parametrize("dimension", [0, 1])
def test_padding_between_elements(low: int, high: int, gap: int, dimension: int) -> None:
    padding = [(low, high, gap) if d == dimension else (1, 0, 0) for d in range(2)]
    if low + high + X.shape[dimension] + gap * (X.shape[dimension] - 1) < 0:
        padding[dimension] = (low, 9, gap)
    closed = jax.make_jaxpr(lambda x: lax.pad(x * 2, jnp.float32(5), padding) + 1)(X)

    call = compile_jaxpr(closed)

    assert isinstance(call, Native)
    np.testing.assert_array_equal(call([X])[0], eval_closed_jaxpr(closed, X)[0])


@pytest.mark.parametrize("size", [2, 3, 37, 128, 1000])
def test_associative_scan_is_one_program(size: int) -> None:
    x = np.arange(size, dtype=np.float32)
    closed = jax.make_jaxpr(lambda x: lax.associative_scan(jnp.add, x))(x)

    call = compile_jaxpr(closed)

    assert isinstance(call, Native)
    np.testing.assert_array_equal(call([x])[0], np.cumsum(x))


@pytest.mark.parametrize("size", [1, 7, 15, 16, 31, 33, 55, 60, 63, 64, 65, 72, 74, 120, 127, 129, 200, 255])
def test_long_programs_of_every_size(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes around those of the vectors in which the better code computes."""

    def function(x: jax.Array) -> jax.Array:
        for _ in range(6):
            x = jnp.tanh(x) + jnp.exp(-x * x)
        return x

    x = np.linspace(-2, 2, size, dtype=np.float32)
    closed = jax.make_jaxpr(function)(x)
    monkeypatch.setattr(kernel, "_FEWEST_TRIALS", 1 << 60)
    behind = np.full(300, 7, np.float32)
    monkeypatch.setattr(np, "empty", lambda *_: behind[:size])

    (result,) = compile_jaxpr(closed)([x])

    np.testing.assert_allclose(result, eval_closed_jaxpr(closed, x)[0], rtol=1e-5)
    assert (behind[size:] == 7).all()


def test_a_loop_around_what_numpy_evaluates() -> None:
    closed = jax.make_jaxpr(lambda x: lax.fori_loop(0, 3, lambda i, c: lax.sort(-c) + i, x))(X)

    (result,) = compile_jaxpr(closed)([X])

    expected = X
    for i in range(3):
        expected = np.sort(-expected, axis=-1) + i
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_closed_over_scalars_give_scalars_where_numpy_evaluates() -> None:
    @jax.jit
    def f() -> Any:
        return jnp.sin(np.complex64(3))

    assert np.asarray(f()).shape == f().shape == ()


def test_what_passes_by_may_be_of_a_type_without_native_code() -> None:
    complex_numbers = np.array([1j, 2], np.complex64)

    def function(x: Any, z: Any, w: Any) -> Any:
        return x + 1, z, *lax.fori_loop(0, 3, lambda i, c: (c[0] * 2, c[1]), (x, w))

    inputs = [X, complex_numbers, -complex_numbers]

    plus, same, times, other = compile_jaxpr(jax.make_jaxpr(function)(*inputs))(inputs)

    np.testing.assert_array_equal(plus, X + 1)
    np.testing.assert_array_equal(times, X * 8)
    np.testing.assert_array_equal([same, other], [complex_numbers, -complex_numbers])


def test_results_do_not_share_memory_with_arguments_or_other_calls() -> None:
    call = compile_jaxpr(jax.make_jaxpr(lambda x: (x, lax.sort(x)))(X))

    first, second = call([X]), call([X])

    assert not any(np.shares_memory(a, b) for a in first for b in [X, *second])


def test_threads_may_call_one_function_at_once() -> None:
    def function(x: jax.Array) -> jax.Array:
        return lax.fori_loop(0, 200, lambda i, c: lax.sin(c) + x, x)

    call = compile_jaxpr(jax.make_jaxpr(function)(X))
    inputs = [X + k for k in range(8)]
    alone = [call([x])[0] for x in inputs]

    with ThreadPoolExecutor(8) as pool:
        together = [r[0] for r in pool.map(lambda x: call([x]), inputs * 20)]

    assert all(np.array_equal(a, b) for a, b in zip(alone * 20, together, strict=True))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint32])
def test_integers_divided_by_zero_as_in_jax(dtype: type) -> None:
    low = np.iinfo(dtype).min
    with jax.enable_x64(True):
        x, y = np.array([7, low, 0], dtype), np.array([0, -1 if low else 1, 0]).astype(dtype)
        quotient, rest = compile_jaxpr(jax.make_jaxpr(lambda x, y: (lax.div(x, y), lax.rem(x, y)))(x, y))(
            [x, y]
        )

    ones = np.array(-1).astype(dtype)
    assert quotient.tolist() == [ones, low, ones]
    assert rest.tolist() == [7, 0, 0]


def test_a_primitive_may_bring_its_own_lowering() -> None:
    from tracetrap.runtime.core import Primitive, primitives

    twice = Primitive("twice_for_this_test")
    try:
        twice.abstract_eval = lambda x: x
        twice.lower = lambda b, x: b.add(x, x)

        (result,) = compile_jaxpr(jax.make_jaxpr(twice.bind)(X))([X])
    finally:
        del primitives[twice.name]

    np.testing.assert_array_equal(result, X + X)


def test_the_result_of_a_loop_that_started_in_borrowed_memory_stays() -> None:
    """After an even number of rounds the result stands where the start stood, which no later step may overwrite."""

    def program(x: jax.Array, y: jax.Array) -> jax.Array:
        start = jnp.tanh(x)
        rows = jnp.stack([x, start * 0.5])
        result, _ = lax.scan(lambda c, row: (jnp.cos(c[::-1] * row), None), start, rows)
        later = (y * 3 + x).at[0].add(y[1])
        return result + jnp.cumsum(later, axis=0)[::-1]

    closed = jax.make_jaxpr(program)(X, X)

    (result,) = compile_jaxpr(closed)([X, X])

    np.testing.assert_allclose(result, eval_closed_jaxpr(closed, X, X)[0], rtol=1e-5, atol=1e-5)


UPDATES = {
    "of an argument by its neighbours": lambda x: x.at[1:-1, 1:-1].set(x[:-2, 1:-1] + x[2:, 1:-1]),
    "of what the program made": lambda x: (y := jnp.sin(x)).at[1:].add(y[:-1]).at[:-1].set(y[1:]),
    "in each turn of a loop": lambda x: lax.fori_loop(0, 3, lambda _, y: y.at[1:].set(y[:-1] * 2), x),
    "of an argument and of what is kept of it": lambda x: (x.at[2:4].multiply(x[:2]), x[:2] * 3),
    "beyond the end": lambda x: x.at[9].set(x[0]) + lax.dynamic_update_slice(x, x[:3] + 1, (8, -1)),
    "several times at one place": lambda x: x.at[jnp.array([1, 1, 3])].add(x[:3]),
    "of one column": lambda x: x.at[:, 2].set(jnp.exp(x[:, 1])),
}


@pytest.mark.parametrize("update", UPDATES.values(), ids=UPDATES)
def test_updates_at_known_places_read_what_was_there_before(update: Any) -> None:
    closed = jax.make_jaxpr(update)(X)

    results = compile_jaxpr(closed)([X])

    for result, expected in zip(results, eval_closed_jaxpr(closed, X), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_what_has_no_native_type_holds_up_nothing_but_itself() -> None:
    def function(x: Any, unused: Any, returned: Any) -> Any:
        return jnp.tanh(x) * 2, returned

    arguments = np.ones(8, np.float32), np.ones(3, np.complex64), np.ones(2, np.complex64)
    parts = partition(Flat(jax.make_jaxpr(function)(*arguments)), ())

    assert [type(part) for part in parts] == [Segment]
    np.testing.assert_allclose(jax.jit(function)(*arguments)[0], np.tanh(arguments[0]) * 2, rtol=1e-6)
    np.testing.assert_array_equal(jax.jit(function)(*arguments)[1], arguments[2])
