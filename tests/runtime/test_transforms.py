"""Transforms against JAX: the same values, gradients and kinds of errors, in every composition."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime
from tracetrap.runtime.jaxprs.typecheck import typecheck_closed_jaxpr

jax = pytest.importorskip("jax")
jax.config.update("jax_disable_most_optimizations", True)

Program = Callable[[Any, Any], Any]

# Smooth functions of one float, as (module, x) -> value.


def _chain(j: Any, x: Any) -> Any:
    return j.numpy.sin(x) * j.numpy.exp(-x * x) + x / (1.0 + x * x)


def _vector(j: Any, x: Any) -> Any:
    y = x * j.numpy.arange(1.0, 4.0)
    return j.numpy.sum(j.numpy.tanh(y) * y[::-1])


def _cond(j: Any, x: Any) -> Any:
    return j.lax.cond(x > 0.5, lambda v: j.numpy.sin(v) * x, lambda v: v**3, x + 0.1)


def _switch(j: Any, x: Any) -> Any:
    branches = [j.numpy.sin, lambda v: v * x, lambda v: j.numpy.exp(v) * 2.0]
    return j.lax.switch(j.numpy.int32(x * 2.0), branches, x)


def _scan(j: Any, x: Any) -> Any:
    def body(carry: Any, y: Any) -> Any:
        return j.numpy.sin(carry * y) + x, carry * x

    last, ys = j.lax.scan(body, x, j.numpy.arange(1.0, 4.0))
    return last + ys.sum()


def _scan_reverse(j: Any, x: Any) -> Any:
    last, ys = j.lax.scan(
        lambda c, y: (c * j.numpy.cos(y * x), c), 1.0 + x, j.numpy.arange(4.0), reverse=True
    )
    return last * ys[1]


def _scan_of_trees(j: Any, x: Any) -> Any:
    def body(carry: Any, y: Any) -> Any:
        count, total = carry["n"], carry["t"]
        return {"n": count + 1, "t": total * y["a"] + count}, (total, y["b"])

    xs = {"a": j.numpy.ones(3) * x, "b": j.numpy.arange(3)}
    carry, (totals, numbers) = j.lax.scan(body, {"n": 0, "t": x}, xs)
    return carry["t"] + totals.sum() + numbers.sum()


def _fori(j: Any, x: Any) -> Any:
    return j.lax.fori_loop(0, 4, lambda i, c: c * x + i, x)


def _nested_loops(j: Any, x: Any) -> Any:
    def outer(i: Any, c: Any) -> Any:
        return j.lax.cond(
            c > 2.0, lambda v: v * 0.5, lambda v: j.lax.fori_loop(0, 2, lambda k, w: w * x + k, v), c
        )

    return j.lax.fori_loop(0, 3, outer, x)


def _map(j: Any, x: Any) -> Any:
    return j.lax.map(lambda y: j.numpy.sin(y * x), j.numpy.arange(3.0)).sum()


def _checkpoint(j: Any, x: Any) -> Any:
    @j.checkpoint
    def inner(v: Any) -> Any:
        return j.numpy.sin(j.numpy.sin(v)) * x

    return inner(x) * inner(x + 1.0)


def _inner_jit(j: Any, x: Any) -> Any:
    inner = j.jit(lambda v, w: (j.numpy.sin(v) * w, v + 1.0))
    a, b = inner(x, 2.0 * x)
    return a * b


def _stop_gradient(j: Any, x: Any) -> Any:
    return j.lax.stop_gradient(x * x) * x


def _custom_jvp(j: Any, x: Any) -> Any:
    @j.custom_jvp
    def f(a: Any, b: Any) -> Any:
        return j.numpy.sin(a) * b

    @f.defjvp
    def f_jvp(primals: Any, tangents: Any) -> Any:
        (a, b), (da, db) = primals, tangents
        return f(a, b), 3.0 * j.numpy.cos(a) * da * b + j.numpy.sin(a) * db

    return f(x, x * 2.0) + f(1.0, x)


def _custom_vjp(j: Any, x: Any) -> Any:
    @functools.partial(j.custom_vjp, nondiff_argnums=(0,))
    def f(k: int, a: Any, b: Any) -> Any:
        return a * b * k

    f.defvjp(
        lambda k, a, b: (a * b * k, (a, b)),
        lambda k, held, ct: (ct * held[1] * 5.0, j.numpy.sin(ct * held[0]) * k),
    )
    return f(3, x, x + 1.0)


def _custom_vjp_in_scan(j: Any, x: Any) -> Any:
    @j.custom_vjp
    def f(a: Any) -> Any:
        return a * a

    f.defvjp(lambda a: (a * a, a), lambda a, ct: (ct * a * 7.0,))
    return j.lax.scan(lambda c, y: (f(c) * y, None), x, j.numpy.ones(2) * x)[0]


def _gradient_inside(j: Any, x: Any) -> Any:
    return j.grad(lambda v: j.numpy.sin(v) * x)(x) + j.vmap(lambda v: v * x)(j.numpy.ones(2)).sum()


def _associative(j: Any, x: Any) -> Any:
    out = j.lax.associative_scan(lambda a, b: a * b, j.numpy.arange(1.0, 6.0) * x)
    return out.sum()


def _named_axis(j: Any, x: Any) -> Any:
    def body(v: Any) -> Any:
        return v * j.lax.psum(v, "i") + j.lax.pmean(v, "i") + j.lax.axis_index("i")

    return j.vmap(body, axis_name="i")(j.numpy.arange(3.0) * x).sum()


def _integers(j: Any, x: Any) -> Any:
    steps = j.numpy.floor(x * 2.0).astype(int)
    return x * steps + j.numpy.where(steps > 1, x, -x)


SMOOTH: list[Program] = [
    _chain,
    _vector,
    _cond,
    _switch,
    _scan,
    _scan_reverse,
    _scan_of_trees,
    _fori,
    _nested_loops,
    _map,
    _checkpoint,
    _inner_jit,
    _stop_gradient,
    _custom_jvp,
    _gradient_inside,
    _associative,
    _named_axis,
    _integers,
]
REVERSE_ONLY: list[Program] = [_custom_vjp, _custom_vjp_in_scan]


def _points(j: Any) -> Any:
    return j.numpy.asarray(np.array([0.3, 0.9, 1.4], np.float32))


REVERSE: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "value": lambda j, f: f(np.float32(0.7)),
    "jit": lambda j, f: j.jit(f)(0.7),
    "vmap": lambda j, f: j.vmap(f)(_points(j)),
    "grad": lambda j, f: j.grad(f)(0.7),
    "value_and_grad": lambda j, f: j.value_and_grad(f)(np.float32(0.7)),
    "jit of grad": lambda j, f: j.jit(j.grad(f))(0.7),
    "grad of jit": lambda j, f: j.grad(j.jit(f))(0.7),
    "vmap of grad": lambda j, f: j.vmap(j.grad(f))(_points(j)),
    "grad of vmap": lambda j, f: j.grad(lambda xs: j.vmap(f)(xs).sum())(_points(j)),
    "jit of vmap of grad": lambda j, f: j.jit(j.vmap(j.value_and_grad(f)))(_points(j)),
    "grad of checkpoint": lambda j, f: j.grad(j.checkpoint(f))(0.7),
    "grad of scan": lambda j, f: j.grad(
        lambda x: j.lax.scan(lambda c, _: (f(c) * 0.1 + x, None), x, None, length=2)[0]
    )(0.7),
    "vjp": lambda j, f: j.vjp(f, 0.7)[1](2.0),
    "grad of cond": lambda j, f: j.grad(lambda x: j.lax.cond(x > 0.1, f, lambda v: v, x))(0.7),
}
FORWARD: dict[str, Callable[[Any, Callable[[Any], Any]], Any]] = {
    "jvp": lambda j, f: j.jvp(f, (0.7,), (2.0,)),
    "jit of jvp": lambda j, f: j.jit(lambda x: j.jvp(f, (x,), (1.0,)))(0.7),
    "jvp of jit": lambda j, f: j.jvp(j.jit(f), (0.7,), (1.0,)),
    "vmap of jvp": lambda j, f: j.vmap(lambda x: j.jvp(f, (x,), (x,)))(_points(j)),
    "jvp of vmap": lambda j, f: j.jvp(j.vmap(f), (_points(j),), (_points(j),)),
    "grad of grad": lambda j, f: j.grad(j.grad(f))(0.7),
    "grad of jit of grad": lambda j, f: j.grad(j.jit(j.grad(f)))(0.7),
    "hessian": lambda j, f: j.hessian(f)(0.7),
    "jacfwd": lambda j, f: j.jacfwd(f)(0.7),
    "jacrev of vmap": lambda j, f: j.jacrev(j.vmap(f))(_points(j)),
    "linearize": lambda j, f: j.linearize(f, 0.7)[1](3.0),
    "jvp of while": lambda j, f: j.jvp(
        lambda x: j.lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, f(c[1])), (0, x))[1],
        (0.7,),
        (1.0,),
    ),
}


def _same(ours: Any, theirs: Any) -> None:
    found, expected = runtime.tree.leaves(ours), jax.tree.leaves(theirs)
    assert len(found) == len(expected)
    for value, wanted in zip(found, expected, strict=True):
        assert np.shape(value) == np.shape(wanted)
        assert np.asarray(value).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(np.asarray(value), np.asarray(wanted), rtol=2e-4, atol=2e-5)


@functools.cache
def _expected(program: Program) -> dict[str, Any]:
    """JAX's results of every composition, from one compiled program."""
    transforms = REVERSE if program in REVERSE_ONLY else {**REVERSE, **FORWARD}
    bound = functools.partial(program, jax)
    results: dict[str, Any] = jax.jit(
        lambda: {name: apply(jax, bound) for name, apply in transforms.items()}
    )()
    return results


@pytest.mark.parametrize("transform", [*REVERSE, *FORWARD])
@pytest.mark.parametrize("program", SMOOTH, ids=lambda f: f.__name__.strip("_"))
def test_composition(program: Program, transform: str) -> None:
    apply = {**REVERSE, **FORWARD}[transform]
    _same(apply(runtime, functools.partial(program, runtime)), _expected(program)[transform])


@pytest.mark.parametrize("transform", REVERSE)
@pytest.mark.parametrize("program", REVERSE_ONLY, ids=lambda f: f.__name__.strip("_"))
def test_reverse_only(program: Program, transform: str) -> None:
    apply = REVERSE[transform]
    _same(apply(runtime, functools.partial(program, runtime)), _expected(program)[transform])


@pytest.mark.parametrize("program", [*SMOOTH, *REVERSE_ONLY], ids=lambda f: f.__name__.strip("_"))
def test_jaxprs_are_well_typed(program: Program) -> None:
    transforms = REVERSE if program in REVERSE_ONLY else {**REVERSE, **FORWARD}
    bound = functools.partial(program, runtime)
    for apply in transforms.values():
        typecheck_closed_jaxpr(runtime.make_jaxpr(functools.partial(apply, runtime, bound))())
