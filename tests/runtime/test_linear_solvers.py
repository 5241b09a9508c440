"""Iterative solvers and `custom_linear_solve`: solutions, and derivatives by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
import tracetrap.runtime.numpy as jnp
from tracetrap.runtime import lax
from tracetrap.runtime.scipy.sparse.linalg import bicgstab, cg, gmres

rng = np.random.default_rng(0)
ROOT = rng.normal(size=(6, 6))
SYMMETRIC, GENERAL = ROOT @ ROOT.T + 6 * np.eye(6), ROOT + 6 * np.eye(6)
RIGHT = rng.normal(size=6)

SOLVERS = {
    "cg": (cg, SYMMETRIC, {}),
    "bicgstab": (bicgstab, GENERAL, {}),
    "gmres": (gmres, GENERAL, {}),
    "gmres, restarted": (gmres, GENERAL, {"restart": 3, "solve_method": "incremental"}),
    "gmres, complex": (gmres, GENERAL + 0.5j, {}),
}


@pytest.fixture(autouse=True)
def double_precision() -> Any:
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("name", SOLVERS)
def test_solutions(name: str) -> None:
    solver, matrix, options = SOLVERS[name]
    right = RIGHT.astype(matrix.dtype)
    expected = np.linalg.solve(matrix, right)
    diagonal = np.diag(matrix)

    for operator in (matrix, lambda v: jnp.dot(matrix, v)):
        np.testing.assert_allclose(solver(operator, right, tol=1e-10, **options)[0], expected, rtol=1e-7)
    preconditioned, _ = solver(matrix, right, M=lambda v: v / diagonal, tol=1e-10, **options)
    np.testing.assert_allclose(preconditioned, expected, rtol=1e-7)
    batch = np.stack([right, 2 * right])
    mapped = jax.jit(jax.vmap(lambda b: solver(matrix, b, tol=1e-10, **options)[0]))(batch)
    np.testing.assert_allclose(mapped, np.stack([expected, 2 * expected]), rtol=1e-7)


@pytest.mark.parametrize("solver", [cg, bicgstab, gmres])
def test_derivatives_are_those_of_the_solution(solver: Callable[..., Any]) -> None:
    def found(a: Any, b: Any) -> Any:
        return (solver(a, b, tol=1e-12)[0] ** 2).sum()

    def exact(a: Any, b: Any) -> Any:
        return (jnp.linalg.solve(a, b) ** 2).sum()

    for mine, expected in zip(*(jax.grad(f, (0, 1))(SYMMETRIC, RIGHT) for f in (found, exact)), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-6, atol=1e-10)
    mine, expected = (jax.jvp(f, (SYMMETRIC, RIGHT), (GENERAL, RIGHT[::-1]))[1] for f in (found, exact))
    np.testing.assert_allclose(mine, expected, rtol=1e-6)
    mine, expected = (jax.hessian(f, 1)(SYMMETRIC, RIGHT) for f in (found, exact))
    np.testing.assert_allclose(mine, expected, rtol=1e-5, atol=1e-10)


def test_trees() -> None:
    def operator(tree: dict[str, Any]) -> dict[str, Any]:
        return {"a": jnp.dot(SYMMETRIC, tree["a"]), "c": 3 * tree["c"]}

    solution, info = cg(operator, {"a": RIGHT, "c": np.array(2.0)})

    assert info is None
    np.testing.assert_allclose(solution["a"], np.linalg.solve(SYMMETRIC, RIGHT), rtol=1e-4)
    np.testing.assert_allclose(solution["c"], 2 / 3, rtol=1e-4)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: cg({"a": 1}, RIGHT), TypeError),
        (lambda: cg(SYMMETRIC[:3], RIGHT), ValueError),
        (lambda: cg(SYMMETRIC, RIGHT, x0=RIGHT[:3]), ValueError),
        (lambda: cg(SYMMETRIC, RIGHT, x0=[RIGHT]), ValueError),
        (lambda: gmres(SYMMETRIC, RIGHT, solve_method="some"), ValueError),
        (lambda: lax.custom_linear_solve(lambda x: x[:2], RIGHT, lambda mv, b: b), TypeError),
        (lambda: lax.custom_linear_solve(lambda x: x, RIGHT, lambda mv, b: (b, b)), TypeError),
    ],
)
def test_refused(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def richardson(matvec: Callable[[Any], Any], b: Any) -> Any:
    """A solver whose loop has no derivative in reverse mode."""
    return lax.while_loop(
        lambda state: state[1] < 2000,
        lambda state: (state[0] + 0.02 * (b - matvec(state[0])), state[1] + 1),
        (b, 0),
    )[0]


def test_loops_are_differentiated_implicitly() -> None:
    def solution(a: Any, b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: jnp.dot(a, x), b, richardson, richardson)

    found = jax.jacrev(solution, (0, 1))(GENERAL, RIGHT)
    expected = jax.jacrev(jnp.linalg.solve, (0, 1))(GENERAL, RIGHT)
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-9)


def test_reverse_mode_needs_the_transposed_solver() -> None:
    def solution(b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: jnp.dot(GENERAL, x), b, richardson).sum()

    assert np.isfinite(jax.jvp(solution, (RIGHT,), (RIGHT,))[1])
    with pytest.raises(TypeError, match="transpose_solve required"):
        jax.grad(solution)(RIGHT)


def test_what_else_a_solver_tells() -> None:
    def solve(matvec: Any, b: Any) -> Any:
        return jnp.linalg.solve(GENERAL, b), {"steps": jnp.array(7)}

    def solution(b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: jnp.dot(GENERAL, x), b, solve, solve, has_aux=True)

    x, told = solution(RIGHT)
    np.testing.assert_allclose(x, np.linalg.solve(GENERAL, RIGHT))
    assert int(told["steps"]) == 7


def test_roots_have_derivatives_of_any_order() -> None:
    def newton(f: Any, x: Any) -> Any:
        return lax.while_loop(lambda v: jnp.abs(f(v)) > 1e-12, lambda v: v - f(v) / (3 * v**2), x)

    def cube_root(y: Any) -> Any:
        return lax.custom_root(lambda x: x**3 - y, 1.5, newton, lambda g, y: y / g(1.0))

    y, derivative = 5.0, cube_root
    for order in range(3):
        expected = np.prod([1 / 3 - k for k in range(order)]) * y ** (1 / 3 - order)
        assert float(derivative(y)) == pytest.approx(expected, rel=1e-9)
        derivative = jax.grad(derivative)
