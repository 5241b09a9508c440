"""Minimisation by the method of Broyden, Fletcher, Goldfarb and Shanno (Nocedal & Wright, 2006, algorithm 6.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import asarray
from ...transforms.grad import value_and_grad
from .line_search import line_search


class OptimizeResults(NamedTuple):
    """Result of `minimize`: the minimum `x`, the value and gradient there, and how it was found.

    `status` is 0 for success, 1 for too many iterations, 3 where no step was found, and -1 for anything else.
    """

    x: Array
    success: Any
    status: Any
    fun: Array
    jac: Array
    hess_inv: Array | None
    nfev: Any
    njev: Any
    nit: Any


def minimize(
    fun: Callable[..., Any],
    x0: Array,
    args: tuple[Any, ...] = (),
    *,
    method: str,
    tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResults:
    """The minimum of ``fun(x, *args)`` near the vector `x0`.

    `options` may hold ``maxiter``, ``norm``, ``gtol`` and ``line_search_maxiter``.

    Raises:
        TypeError: if `args` is no tuple.
        ValueError: for methods other than ``BFGS``.
    """
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    if method.lower() != "bfgs":
        raise ValueError(f"Method {method} not recognized")
    return _bfgs(lambda x: fun(x, *args), asarray(x0), **(options or {}))


class _State(NamedTuple):
    x: Array
    value: Array
    gradient: Array
    inverse: Array
    previous: Array
    converged: Array
    failed: Array
    reason: Array
    iterations: Any
    evaluations: Any


def _bfgs(
    fun: Callable[[Array], Array],
    x0: Array,
    maxiter: int | None = None,
    norm: float = float("inf"),
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> OptimizeResults:
    limit = x0.size * 200 if maxiter is None else maxiter
    identity = jnp.eye(x0.shape[0], dtype=x0.dtype)
    value, gradient = value_and_grad(fun)(x0)

    def flat(gradient: Array) -> Array:
        return jnp.linalg.norm(gradient, ord=norm) < gtol

    def going(state: _State) -> Array:
        return ~state.converged & ~state.failed & (state.iterations < limit)

    def step(state: _State) -> _State:
        direction = -jnp.dot(state.inverse, state.gradient)
        found = line_search(
            fun, state.x, direction, state.value, state.gradient, state.previous, line_search_maxiter
        )
        s = found.point.step * direction
        y = found.point.gradient - state.gradient
        rho = 1 / jnp.dot(y, s)
        w = identity - rho * jnp.outer(s, y)
        inverse = jnp.dot(jnp.dot(w, state.inverse), w.T) + rho * jnp.outer(s, s)
        return _State(
            state.x + s,
            found.point.value,
            found.point.gradient,
            jnp.where(jnp.isfinite(rho), inverse, state.inverse),
            state.value,
            flat(found.point.gradient),
            found.failed,
            found.reason,
            state.iterations + 1,
            state.evaluations + found.evaluations,
        )

    before = value + jnp.linalg.norm(gradient) / 2
    start = _State(
        x0, value, gradient, identity, before, flat(gradient), jnp.array(False), jnp.array(0), 0, 1
    )
    end = lax.while_loop(going, step, start)
    status = jnp.where(
        end.converged, 0, jnp.where(end.iterations == limit, 1, jnp.where(end.failed, 2 + end.reason, -1))
    )
    return OptimizeResults(
        end.x,
        end.converged & ~end.failed,
        status,
        end.value,
        end.gradient,
        end.inverse,
        end.evaluations,
        end.evaluations,
        end.iterations,
    )
