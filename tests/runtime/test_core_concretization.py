"""Asking a tracer for its value raises JAX's error, with JAX's words, and names where the value came from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours
from tracetrap.runtime.errors import UnexpectedTracerError

jax = pytest.importorskip("jax")

SCALAR = 1.5
VECTOR = np.ones(3, np.float32)
INTEGER = 2

QUESTIONS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "bool": (bool, SCALAR),
    "not": (lambda x: not x, SCALAR),
    "int": (int, SCALAR),
    "float": (float, SCALAR),
    "complex": (complex, SCALAR),
    "index": (lambda x: [1, 2, 3][x], INTEGER),
    "range": (range, INTEGER),
    "range of a float": (range, SCALAR),
    "array": (np.asarray, SCALAR),
    "ufunc": (np.sin, SCALAR),
    "math": (math.sin, SCALAR),
    "floor": (math.floor, SCALAR),
    "trunc": (math.trunc, SCALAR),
    "item": (lambda x: x.item(), SCALAR),
    "tolist": (lambda x: x.tolist(), VECTOR),
    "hash": (hash, SCALAR),
    "iteration": (list, SCALAR),
    "bool of a vector": (bool, VECTOR),
    "int of a vector": (int, VECTOR),
    "float of a vector": (float, VECTOR),
    "format": (lambda x: f"{x:.2f}", SCALAR),
    "percent": (lambda x: "%.2f" % x, SCALAR),  # noqa: UP031
    "repetition": (lambda x: [0] * x, SCALAR),
    "list operand": (lambda x: x + [1], VECTOR),  # noqa: RUF005
    "string operand": (lambda x: x + "a", VECTOR),
    "store": (lambda x: x.__setitem__(0, 1), VECTOR),
    "bytes": (lambda x: x.tobytes(), VECTOR),
    "devices": (lambda x: x.devices(), VECTOR),
    "ready": (lambda x: x.block_until_ready(), VECTOR),
    "length": (len, SCALAR),
}


def _error(library: Any, function: Callable[[Any], Any], argument: Any) -> Exception:
    def question(value: Any) -> Any:
        function(value * 1)
        return value

    with pytest.raises(Exception) as caught:
        library.jit(question)(argument)
    return caught.value


@pytest.mark.parametrize("name", QUESTIONS)
def test_same_class_and_words_as_jax(name: str) -> None:
    function, argument = QUESTIONS[name]
    mine, theirs = _error(ours, function, argument), _error(jax, function, argument)
    assert _ancestry(mine) == _ancestry(theirs)
    assert _first_words(mine) == _first_words(theirs)
    for part in ("for jit", "depends on the value of the argument value."):
        assert (part in str(mine)) == (part in str(theirs))


def test_an_attribute_that_arrays_do_not_have_is_named() -> None:
    for library in (ours, jax):
        error = _error(library, lambda x: x.no_such_thing, VECTOR)
        assert type(error) is AttributeError
        assert "DynamicJaxprTracer" in str(error) and "no attribute" in str(error)
        assert "no_such_thing" in str(error)


def _ancestry(error: Exception) -> list[str]:
    return [c.__name__ for c in type(error).__mro__ if not c.__name__.startswith("_")]


def _first_words(error: Exception) -> str:
    return str(error).split("\n")[0]


def test_values_made_inside_are_explained_by_their_operations() -> None:
    def f(x: Any) -> Any:
        return x if ours.numpy.zeros(3).sum() > 0 else -x

    with pytest.raises(TypeError, match="became a tracer due to JAX operations on these lines") as error:
        ours.jit(f)(1.0)
    assert "broadcast_in_dim 0.0:f32[]" in str(error.value) and __file__ in str(error.value)


def test_concrete_values_inside_jit() -> None:
    limit = ours.numpy.array(1.0)

    def f(x: Any) -> Any:
        assert bool(limit) and float(limit) == 1.0 and np.asarray(limit) == 1.0
        if limit > 0:
            return x
        return -x

    with pytest.raises(TypeError, match="Attempted boolean conversion"):
        ours.jit(f)(1.0)


@pytest.mark.parametrize("x", [SCALAR])
def test_values_under_grad_are_concrete(x: float) -> None:
    def f(x: Any) -> Any:
        return x * int(x) if x > 1 and x.item() > 0 else -x

    assert float(ours.grad(f)(x)) == float(jax.grad(f)(x))
    for question in (float, math.sin, np.sin):
        for library in (ours, jax):
            with pytest.raises(TypeError):
                library.grad(lambda v: (question(v), v)[1])(x)  # noqa: B023


def test_leaks() -> None:
    leaked: list[Any] = []

    @ours.jit
    def leak(x: Any) -> Any:
        leaked.append(x * 2)
        return x

    leak(1.0)
    assert leaked[0].shape == () and "JitTracer" in repr(leaked[0])
    for use in (
        lambda: leaked[0] + 1,
        lambda: ours.numpy.sin(leaked[0]),
        lambda: ours.jit(lambda y: y + leaked[0])(1.0),
    ):
        with pytest.raises(UnexpectedTracerError, match=r"leak at .*test_core_concretization.py:"):
            use()
    with pytest.raises(TypeError, match="Attempted boolean conversion"):
        bool(leaked[0])
