"""Costly invariants of loops are computed once, before the loop, and the results are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime import numpy as jnp
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.flat import Flat
from tracetrap.runtime.llvm.invariant import hoisted
from tracetrap.runtime.llvm.program import Native

Array = Any
RNG = np.random.default_rng(0)
W = RNG.normal(size=(20, 20)).astype(np.float32)
X = RNG.normal(size=20).astype(np.float32)
CLOSED = np.abs(RNG.normal(size=20)).astype(np.float32)


def recurrence(w: Array, x: Array) -> Any:
    def step(c: Array, r: Array) -> tuple[Array, Array]:
        return jnp.tanh(c @ jnp.exp(-w * w) + jnp.sort(x)) * r, c.sum() + jnp.log(CLOSED)

    return lax.scan(step, x, x)


def solved_each_time(w: Array, x: Array) -> Any:
    system = w @ w.T + jnp.eye(20)
    return lax.fori_loop(0, 5, lambda i, c: c + jnp.linalg.solve(system + jnp.diag(jnp.exp(x)), x) * i, x)


def nested(w: Array, x: Array) -> Any:
    def outer(c: Array, r: Array) -> Any:
        def inner(d: Array, s: Array) -> tuple[Array, Array]:
            return d + jnp.cumsum(jnp.exp(w[0] * 2)) + jnp.sort(r * x) * s, jnp.sort(c)[:2]

        d, y = lax.scan(inner, c, x[:3])
        return d * 0.1, (d, y)

    return lax.scan(outer, x, x[:4])


def loop_as_invariant(w: Array, x: Array) -> Any:
    def total(start: Array) -> Array:
        return lax.scan(lambda d, s: (d + jnp.exp(s), None), start * 2, w)[0]

    return lax.scan(lambda c, r: (c + total(jnp.zeros(20) * w[0]) * r, c[0]), x, x)


def invariant_results(w: Array, x: Array) -> Any:
    return lax.scan(lambda c, r: (jnp.sort(x), (c * r, jnp.sort(w[0]))), x, x)


def condition(w: Array, x: Array) -> Any:
    return lax.while_loop(lambda c: (c**2).sum() < jnp.exp(w).sum(), lambda c: c * 1.5 + jnp.sort(x)[0], x)


def branches(w: Array, x: Array) -> Any:
    def step(c: Array, r: Array) -> tuple[Array, Array]:
        return lax.cond(r > 0, lambda c: c + jnp.sort(w[0]), lambda c: c * 0.5, c), c

    return lax.scan(step, x, x)


def updated(w: Array, x: Array) -> Any:
    def step(c: Array, r: Array) -> tuple[Array, Array]:
        start = jnp.zeros(20).at[3].set(jnp.exp(x[2]))
        return c.at[0].add(start.at[4].set(r)[3:5].sum()), start

    return lax.scan(step, x, x)


PROGRAMS = [
    recurrence,
    solved_each_time,
    nested,
    loop_as_invariant,
    invariant_results,
    condition,
    branches,
    updated,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_results(program: Callable[[Array, Array], Any]) -> None:
    closed = jax.make_jaxpr(program)(W, X)

    call = compile_jaxpr(closed)

    assert isinstance(call, Native)
    for found, expected in zip(call([W, X]), eval_closed_jaxpr(closed, W, X), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=1e-5)


def test_what_does_not_change_leaves_all_loops() -> None:
    flat = hoisted(Flat(jax.make_jaxpr(nested)(W, X)))

    (outer,) = (e for e in flat.eqns if e.name == "scan")
    (inner,) = (e for e in outer.bodies[0].eqns if e.name == "scan")
    named = [{e.name for e in body.eqns} for body in (flat, outer.bodies[0], inner.bodies[0])]
    assert "cumsum" in named[0] and "sort" not in named[0]
    assert "sort" in named[1]
    assert not named[2] & {"sort", "cumsum", "exp"}
