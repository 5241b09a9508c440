"""Jaxprs are printed character for character as JAX prints them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

X = np.array([0.5, 1.0, 2.0], np.float32)


def many(x: Any) -> Any:
    for _ in range(12):
        x = x + 1
    return x


# Each takes the library, so that both can trace it.
PROGRAMS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "weak scalars": lambda jax: lambda x: (x * 2 + 1, 3 / x, 1 - x, 2.5, 3, x),
    "unary": lambda jax: lambda x: (-x, abs(x), jax.numpy.sin(x), jax.numpy.exp(x), jax.numpy.floor(x)),
    "powers": lambda jax: lambda x: (x**2, x**3, x**0.5, 2**x, x**x),
    "comparisons": lambda jax: lambda x: (x > 0) & (x < 1) | (x == 0),
    "conversion": lambda jax: lambda x: (x == 1).astype(float).sum() > 2,
    "boolean operand": lambda jax: lambda x: x * True,
    "complex operand": lambda jax: lambda x: x * 1j,
    "numpy scalar": lambda jax: lambda x: np.float32(3) * x,
    "numpy constant": lambda jax: lambda x: np.arange(3.0) * x,
    "reductions": lambda jax: lambda x: (x.sum(0), x.max() - x.min(), x.mean(), jax.numpy.prod(x)),
    "argmax": lambda jax: lambda x: jax.numpy.argmax(x),
    "broadcasting": lambda jax: lambda x: (x.reshape(3, 1) + x, x.reshape(3, 1) * 2, x + x.sum()),
    "slices": lambda jax: lambda x: (x[0], x[1:], x[::-1], x[None, :, None]),
    "where": lambda jax: lambda x: jax.numpy.where(x > 0, x, 0.0),
    "made inside": lambda jax: lambda x: (jax.numpy.zeros(3) + jax.numpy.array(1.0), jax.numpy.arange(3) + x),
    "matmul": lambda jax: lambda x: x @ x,
    "concatenate": lambda jax: lambda x: jax.numpy.concatenate([x, x]),
    "nested jit": lambda jax: lambda x: jax.jit(lambda y: y + 1)(x) * 2,
    "jit in jit": lambda jax: jax.jit(lambda x: jax.jit(lambda y: (y, y * 2, y))(x)),
    "inlined jit": lambda jax: jax.jit(lambda x: jax.jit(lambda y: y + 1, inline=True)(x)),
    "long jit": lambda jax: jax.jit(many),
    "donated": lambda jax: jax.jit(lambda x: x, donate_argnums=0),
    "tree": lambda jax: lambda x: {"b": x + 1, "a": (x, None, [x])},
    "unused": lambda jax: lambda x: (jax.numpy.sin(x), x)[1],
    "nothing": lambda jax: lambda x: x,
    "constant result": lambda jax: lambda x: 1,
    "cond": lambda jax: lambda x: jax.lax.cond(x[0] > 0, lambda a: a + 1, lambda a: a - 1, x),
    "while": lambda jax: lambda x: jax.lax.while_loop(lambda c: c.sum() < 10, lambda c: c * 2, x),
    "scan": lambda jax: lambda x: jax.lax.scan(lambda c, a: (c + a, c), 0.0, x),
    "fori": lambda jax: lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c + x, x),
    "vmap": lambda jax: lambda x: jax.vmap(lambda y: y * 2 + x.sum())(x),
    "grad": lambda jax: lambda x: jax.grad(lambda y: jax.numpy.sin(y).sum())(x),
    "dynamic slices": lambda jax: (
        lambda x: jax.lax.dynamic_update_slice(x, jax.lax.dynamic_slice(x, (1,), (2,)), (0,))
    ),
    "lax": lambda jax: (
        lambda x: (jax.lax.clamp(0.0, x, 1.0), jax.lax.select(x > 0, x, x), jax.lax.rev(x, (0,)))
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_as_jax(name: str) -> None:
    program = PROGRAMS[name]
    assert str(ours.make_jaxpr(program(ours))(X)) == str(jax.make_jaxpr(program(jax))(X))


def test_jaxprs_used_twice_are_printed_once() -> None:
    def program(jax: Any) -> Any:
        twice = jax.jit(lambda x: x * 2)
        return lambda x: twice(x) + twice(x) + jax.jit(lambda x: x * 3)(x)

    assert str(ours.make_jaxpr(program(ours))(X)) == str(jax.make_jaxpr(program(jax))(X))


def test_closed_over_arrays_are_constvars() -> None:
    def program(jax: Any) -> Any:
        array, scalar = jax.numpy.ones(3), jax.numpy.float32(2)
        inner = jax.jit(lambda x: x * array + scalar)
        return lambda x, y: (x + array, inner(x), jax.jit(lambda z: z * y + array)(x))

    assert str(ours.make_jaxpr(program(ours))(X, X)) == str(jax.make_jaxpr(program(jax))(X, X))


def test_static_arguments_and_shapes_of_the_result() -> None:
    def program(jax: Any) -> Any:
        return jax.make_jaxpr(lambda x, n: (x**n, {"n": n}), static_argnums=1, return_shape=True)

    (ours_jaxpr, ours_shape), (jaxpr, shape) = program(ours)(X, 3), program(jax)(X, 3)
    assert str(ours_jaxpr) == str(jaxpr)
    assert str(ours_shape) == str(shape)


def test_axes_that_are_named_but_not_mapped() -> None:
    def program(jax: Any) -> Any:
        return jax.make_jaxpr(
            jax.grad(lambda x: jax.lax.psum(x * x, ("i", "j")) / jax.lax.psum(1, "i")),
            axis_env=[("i", 4), ("j", 2)],
        )

    assert str(program(ours)(1.0)) == str(program(jax)(1.0))


def test_source_info_names_the_users_line() -> None:
    text = ours.make_jaxpr(lambda x: x * 2)(X).pretty_print(source_info=True)
    assert f"{__file__}:" in text and "test_core_printing" in text


def test_bfloat16_arrays_are_written_with_six_digits_and_no_padding() -> None:
    def written(library: Any) -> list[str]:
        x = library.numpy.array([[1, 2.484375], [0.125, 1e10]], "bfloat16")
        return [repr(x), str(x), repr(x[0, 1]), str(x[0, 1]), f"{x[0, 1]}", repr(x[:, :0])]

    assert written(ours) == written(jax)
