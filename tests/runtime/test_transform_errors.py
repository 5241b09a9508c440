"""Misused transforms: the class of error, and the first words, are JAX's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

X = np.ones(3, np.float32)


def _same(x: Any) -> Any:
    return x


def _double(x: Any) -> Any:
    return x * 2


def _reverse_only(j: Any) -> Any:
    @j.custom_vjp
    def sine(x: Any) -> Any:
        return j.numpy.sin(x)

    sine.defvjp(lambda x: (j.numpy.sin(x), x), lambda x, g: (g * j.numpy.cos(x),))
    return sine


def _while_carry(j: Any, step: Callable[[Any], Any], start: Any = 0) -> Any:
    return j.lax.while_loop(lambda c: True, step, start)


def _scan_carry(j: Any, step: Callable[[Any, Any], Any], start: Any = 0.0, **options: Any) -> Any:
    return j.lax.scan(step, start, X, **options)


CASES: dict[str, Callable[[Any], Any]] = {
    # gradients
    "argument counted back too far": lambda j: j.grad(_double, argnums=-2)(2.0),
    "scan along no axis": lambda j: j.lax.associative_scan(lambda a, b: a + b, X, axis=-2),
    "forward mode in a branch not taken": lambda j: j.jvp(
        lambda x: j.lax.cond(x > 1, _reverse_only(j), _double, x), (0.5,), (1.0,)
    ),
    "forward mode in a loop without a step": lambda j: j.jvp(
        lambda x: j.lax.while_loop(lambda c: c < 0, _reverse_only(j), x), (0.5,), (1.0,)
    ),
    "derivative of a scalar bound": lambda j: j.grad(lambda low: j.lax.clamp(low, X, X).sum())(np.float32(0)),
    "axes as arrays": lambda j: j.vmap(_same, in_axes=j.numpy.array(0)),
    "axes as numbers of NumPy": lambda j: j.vmap(_same, in_axes=(np.int64(0),)),
    "axes of results as numbers of NumPy": lambda j: j.vmap(_same, out_axes=np.int32(0)),
    "grad of a vector": lambda j: j.grad(_double)(X),
    "grad of an int": lambda j: j.grad(_double)(1),
    "grad of a bool": lambda j: j.grad(_double)(True),
    "int result": lambda j: j.grad(lambda x: 1)(1.0),
    "tuple result": lambda j: j.grad(lambda x: (x, x))(1.0),
    "None result": lambda j: j.grad(lambda x: None)(1.0),
    "argnums out of range": lambda j: j.grad(_double, argnums=1)(1.0),
    "no argument": lambda j: j.grad(_double)(),
    "keyword argument": lambda j: j.grad(_double)(x=1.0),
    "argnums of a wrong type": lambda j: j.grad(_double, argnums="a"),
    "grad of no function": lambda j: j.grad(3),
    "aux is missing": lambda j: j.grad(_same, has_aux=True)(1.0),
    "string argument": lambda j: j.grad(_double)("a"),
    "complex argument": lambda j: j.grad(_double)(1j),
    "holomorphic of a float": lambda j: j.grad(_double, holomorphic=True)(1.0),
    "jacrev of an int": lambda j: j.jacrev(_double)(1),
    "jacfwd of an int": lambda j: j.jacfwd(_double)(1),
    # jvp and vjp
    "jvp without tuples": lambda j: j.jvp(_double, 1.0, 1.0),
    "int tangent": lambda j: j.jvp(_double, (1.0,), (1,)),
    "tangent of an int": lambda j: j.jvp(_double, (1,), (1,)),
    "tangent of another shape": lambda j: j.jvp(_double, (X,), (1.0,)),
    "tangents of another structure": lambda j: j.jvp(_double, (1.0,), (1.0, 2.0)),
    "cotangent of another shape": lambda j: j.vjp(_double, X)[1](1.0),
    "cotangent of another dtype": lambda j: j.vjp(_double, X)[1](np.ones(3, np.int32)),
    "cotangent of another structure": lambda j: j.vjp(_double, X)[1]((X,)),
    "two cotangents": lambda j: j.vjp(_double, X)[1](X, X),
    # vmap
    "sizes differ": lambda j: j.vmap(lambda x, y: x + y)(X, np.ones(4, np.float32)),
    "sizes differ in a tree": lambda j: j.vmap(lambda x, y: y)({"a": X, "b": X}, np.ones(4, np.float32)),
    "axis_size differs": lambda j: j.vmap(_double, axis_size=4)(X),
    "vmap of a scalar": lambda j: j.vmap(_double)(1.0),
    "axis out of range": lambda j: j.vmap(_double, in_axes=1)(X),
    "negative axis out of range": lambda j: j.vmap(_double, in_axes=-2)(X),
    "too many in_axes": lambda j: j.vmap(_double, in_axes=(0, 0))(X),
    "nothing mapped": lambda j: j.vmap(_double, in_axes=None)(X),
    "in_axes of a wrong type": lambda j: j.vmap(_double, in_axes="a"),
    "in_axes is a float": lambda j: j.vmap(_double, in_axes=0.5),
    "out_axes out of range": lambda j: j.vmap(_double, out_axes=1)(X),
    "out_axes None for a batch": lambda j: j.vmap(_double, out_axes=None)(X),
    "out_axes is a float": lambda j: j.vmap(_double, 0, 1.5),
    "out_axes of another structure": lambda j: j.vmap(_double, out_axes=(0, 0))(X),
    "in_axes of another structure": lambda j: j.vmap(lambda x, y: x["a"], in_axes=({"a": 0}, 0))(
        {"a": X, "b": X}, X
    ),
    "no argument to map": lambda j: j.vmap(_double)(),
    "string result": lambda j: j.vmap(lambda x: "a")(X),
    "string mapped": lambda j: j.vmap(_double)("abc"),
    "keyword argument is a scalar": lambda j: j.vmap(lambda x, k: x * k)(X, k=2.0),
    "unbound axis name": lambda j: j.vmap(lambda x: j.lax.psum(x, "j"), axis_name="i")(X),
    "psum outside": lambda j: j.lax.psum(1.0, "i"),
    "out_axes None for a batch of a named axis": lambda j: j.vmap(_double, out_axes=None, axis_name="i")(X),
    "permutation of too few": lambda j: j.vmap(lambda x: j.lax.ppermute(x, "i", [(0, 1)]), axis_name="i")(X),
    "shuffle that is no permutation": lambda j: j.vmap(
        lambda x: j.lax.pshuffle(x, "i", [0, 2]), axis_name="i"
    )(X),
    "callback without vmap_method": lambda j: j.vmap(lambda x: j.pure_callback(_same, x, x))(X),
    "ordered callback under vmap": lambda j: j.vmap(
        lambda x: j.experimental.io_callback(_same, x, x, ordered=True)
    )(X),
    # branches
    "vector predicate": lambda j: j.lax.cond(X > 0, _same, _same, 1.0),
    "string predicate": lambda j: j.lax.cond("a", _same, _same, 1.0),
    "no predicate": lambda j: j.lax.cond(None, _same, _same, 1.0),
    "list predicate": lambda j: j.lax.cond([1], _same, _same, 1.0),
    "complex predicate": lambda j: j.lax.cond(1j, _same, _same, 1.0),
    "branch structure": lambda j: j.lax.cond(True, _same, lambda x: (x,), 1.0),
    "branch keys": lambda j: j.lax.cond(True, lambda x: {"a": x, "b": x}, lambda x: {"a": x}, 1.0),
    "branch dtype": lambda j: j.lax.cond(True, _same, lambda x: 1, 1.0),
    "branch shape": lambda j: j.lax.cond(True, _same, lambda x: j.numpy.ones(2), 1.0),
    "branch is no function": lambda j: j.lax.cond(True, _same, 1.0, 2.0),
    "branch with too few operands": lambda j: j.lax.cond(True, _same, _same),
    "branch returns a string": lambda j: j.lax.cond(True, lambda x: "a", _same, 1.0),
    "string operand": lambda j: j.lax.cond(True, _same, _same, "a"),
    "float index": lambda j: j.lax.switch(1.0, [_same, _same], 3.0),
    "vector index": lambda j: j.lax.switch(X, [_same, _same], 3.0),
    "bool index": lambda j: j.lax.switch(True, [_same, _same], 3.0),
    "string index": lambda j: j.lax.switch("a", [_same, _same], 3.0),
    "no branches": lambda j: j.lax.switch(0, [], 3.0),
    "switch branch structure": lambda j: j.lax.switch(0, [_same, lambda x: (x, x)], 3.0),
    # loops
    "condition is an int": lambda j: j.lax.while_loop(_same, _same, 0),
    "condition is a vector": lambda j: j.lax.while_loop(lambda x: j.numpy.ones(2) < 0, _same, 0),
    "condition is a tuple": lambda j: j.lax.while_loop(lambda x: (x < 3,), _same, 0),
    "condition is None": lambda j: j.lax.while_loop(lambda x: None, _same, 0),
    "condition is no function": lambda j: j.lax.while_loop(1, _same, 0),
    "while carry structure": lambda j: _while_carry(j, lambda x: (x, x)),
    "while carry shape": lambda j: _while_carry(j, lambda x: j.numpy.ones(2)),
    "while carry dtype": lambda j: _while_carry(j, lambda x: x + 1.0, j.numpy.int32(0)),
    "while carry of another type": lambda j: _while_carry(j, lambda x: {"a": x[0]}, (0, 1)),
    "while carry component": lambda j: _while_carry(j, lambda x: {"a": X[:2]}, {"a": X}),
    "while carry is a string": lambda j: _while_carry(j, _same, "a"),
    "reverse through while": lambda j: j.grad(lambda x: j.lax.while_loop(lambda c: c < 9, _double, x))(1.0),
    "reverse through traced bounds": lambda j: j.jit(
        j.grad(lambda x, n: j.lax.fori_loop(0, n, lambda i, c: c * x, x))
    )(2.0, 3),
    "fori bounds differ": lambda j: j.lax.fori_loop(0, 3.0, lambda i, x: x, 0),
    "fori bound is bool": lambda j: j.lax.fori_loop(True, 3, lambda i, x: x, 0),
    "fori body with one parameter": lambda j: j.lax.fori_loop(0, 3, _same, 0),
    "fori carry structure": lambda j: j.lax.fori_loop(0, 3, lambda i, x: (x, x), 0),
    "scan body returns no pair": lambda j: _scan_carry(j, lambda c, x: c),
    "scan body returns three": lambda j: _scan_carry(j, lambda c, x: (c, c, c)),
    "scan body returns None": lambda j: _scan_carry(j, lambda c, x: None),
    "scan carry structure": lambda j: _scan_carry(j, lambda c, x: ((c, c), c)),
    "scan carry shape": lambda j: _scan_carry(j, lambda c, x: (j.numpy.ones(2), c)),
    "scan carry dtype": lambda j: _scan_carry(j, lambda c, x: (c + x, c), j.numpy.int32(0)),
    "scan carry keys": lambda j: _scan_carry(j, lambda c, x: ({"a": c["a"]}, None), {"a": 0.0, "b": 1}),
    "scan carry None": lambda j: _scan_carry(j, lambda c, x: (None, x)),
    "scan length differs": lambda j: _scan_carry(j, lambda c, x: (c, c), length=2),
    "scan length unknown": lambda j: j.lax.scan(lambda c, x: (c, c), 0.0, None),
    "scan sizes differ": lambda j: j.lax.scan(lambda c, x: (c, c), 0.0, (X, np.ones(4, np.float32))),
    "scan of scalars": lambda j: j.lax.scan(lambda c, x: (c, x), 0.0, [1, 2]),
    "scan of a string": lambda j: j.lax.scan(lambda c, x: (c, x), 0.0, "abc"),
    "scan result is a string": lambda j: _scan_carry(j, lambda c, x: (c, "a")),
    "scan body with one parameter": lambda j: _scan_carry(j, lambda c: c),
    "scan of no function": lambda j: j.lax.scan(3, 0.0, X),
    "traced scan length": lambda j: j.jit(lambda n: j.lax.scan(lambda c, x: (c, x), 0.0, None, length=n))(3),
    "associative_scan sizes": lambda j: j.lax.associative_scan(j.numpy.add, (X, np.ones(4, np.float32))),
    "associative_scan of no function": lambda j: j.lax.associative_scan(3, X),
    # custom rules
    "custom_jvp without rule": lambda j: j.custom_jvp(_double)(1.0),
    "custom_vjp without rules": lambda j: j.custom_vjp(_double)(1.0),
    "forward mode through custom_vjp": lambda j: j.jvp(_with_vjp(j, lambda r, ct: (ct,)), (1.0,), (1.0,)),
    "bwd returns too much": lambda j: j.grad(_with_vjp(j, lambda r, ct: (ct, ct)))(1.0),
    "bwd returns another shape": lambda j: j.grad(_with_vjp(j, lambda r, ct: (X,)))(1.0),
    "jvp rule returns no pair": lambda j: j.grad(_with_jvp(j, lambda p, t: p[0]))(1.0),
    "jvp rule returns another structure": lambda j: j.grad(_with_jvp(j, lambda p, t: (p[0], t)))(1.0),
    "jvp rule returns another shape": lambda j: j.grad(_with_jvp(j, lambda p, t: (p[0], X)))(1.0),
    "linearized at another shape": lambda j: j.linearize(_double, 1.0)[1](X),
    "transpose at another dtype": lambda j: j.linear_transpose(_double, 1.0)(1),
}


def _with_vjp(j: Any, bwd: Any) -> Any:
    f = j.custom_vjp(_double)
    f.defvjp(lambda x: (x * 2, None), bwd)
    return f


def _with_jvp(j: Any, rule: Any) -> Any:
    f = j.custom_jvp(_double)
    f.defjvp(rule)
    return f


def _raised(case: Callable[[Any], Any], module: Any) -> BaseException:
    with pytest.raises(Exception) as raised:
        case(module)
    return raised.value


@pytest.mark.parametrize("name", CASES)
def test_class_and_first_words(name: str) -> None:
    ours, theirs = _raised(CASES[name], runtime), _raised(CASES[name], jax)
    public = [kind.__name__ for kind in type(theirs).__mro__ if not kind.__name__.startswith("_")]
    # A private class of JAX's is known to users by the class that it specialises.
    assert type(ours).__name__ in public[:2]
    assert str(ours)[:18].lower() == str(theirs).lstrip()[:18].lower()


@pytest.mark.parametrize("function", [lambda x: x * x, lambda x: 1 / x, lambda x: x @ x])
def test_what_is_not_linear_has_no_transpose(function: Callable[[Any], Any]) -> None:
    for library in (jax, runtime):
        with pytest.raises(AssertionError):
            library.linear_transpose(function, X)(function(X))


def test_the_place_that_differs_is_named() -> None:
    def body(carry: Any, x: Any) -> Any:
        return {"count": carry["count"] + 0.5, "sum": carry["sum"][:1]}, None

    start = {"count": runtime.numpy.int32(0), "sum": X}
    with pytest.raises(TypeError) as raised:
        runtime.lax.scan(body, start, X)
    text = str(raised.value)
    assert "carry component carry['count'] has type int32[] but" in text
    assert "carry component carry['sum'] has type float32[3] but" in text
    assert "so the shapes do not match" in text


def test_branches_are_named_with_their_lines() -> None:
    def yes(x: Any) -> Any:
        return x, x

    def no(x: Any) -> Any:
        return (x,)

    with pytest.raises(TypeError) as raised:
        runtime.lax.cond(True, yes, no, 1.0)
    line = yes.__code__.co_firstlineno
    assert f"true_fun is yes at {__file__}:{line}" in str(raised.value)
    assert "so the numbers of children do not match" in str(raised.value)
