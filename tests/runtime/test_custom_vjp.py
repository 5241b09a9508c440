"""``custom_vjp``: what rules see and may return, as in JAX: symbolic zeros, static residuals, None for parts of a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

X = np.arange(1.0, 4.0, dtype=np.float32)


def watched(j: Any, log: list[Any]) -> Any:
    """A function of two arguments, with two results, whose rules note which of these matter."""

    @j.custom_vjp
    def f(x: Any, y: Any) -> Any:
        return x * y, x + y

    def forward(x: Any, y: Any) -> Any:
        log.append(("perturbed", x.perturbed, y.perturbed))
        return f(x.value, y.value), (x.value, y.value)

    def backward(kept: Any, cts: Any) -> Any:
        zeros = [isinstance(ct, j.custom_derivatives.SymbolicZero) for ct in cts]
        log.append(("zeros", *zeros))
        first = 0.0 if zeros[0] else cts[0]
        return first * kept[1], None

    f.defvjp(forward, backward, symbolic_zeros=True)
    return f


SEEN: dict[str, Callable[[Any, Any], Any]] = {
    "both": lambda j, f: j.grad(lambda x, y: f(x, y)[0], (0, 1))(2.0, 3.0),
    "first": lambda j, f: j.grad(lambda x: f(x, 3.0)[0])(2.0),
    "second": lambda j, f: j.grad(lambda y: f(2.0, y)[1])(3.0),
    "stopped": lambda j, f: j.grad(lambda x: f(x, j.lax.stop_gradient(x))[0])(2.0),
    "both results": lambda j, f: j.grad(lambda x: sum(f(x, 3.0)))(2.0),
    "under jit": lambda j, f: j.jit(j.grad(lambda x: f(x, 3.0)[0]))(2.0),
    "of jit": lambda j, f: j.grad(j.jit(lambda x: f(x, 3.0)[0]))(2.0),
    "under vmap": lambda j, f: j.vmap(j.grad(lambda x: f(x, 3.0)[0]))(X),
    "of vmap": lambda j, f: j.grad(lambda x: j.vmap(lambda a: f(a, 3.0)[0])(x).sum())(X),
}


@pytest.mark.parametrize("name", SEEN)
def test_rules_see_what_is_zero(name: str) -> None:
    logs: list[list[Any]] = []
    for j in (runtime, jax):
        log: list[Any] = []
        value = SEEN[name](j, watched(j, log))
        logs.append([*map(np.asarray, value if isinstance(value, tuple) else [value]), *log])
    mine, wanted = logs
    assert [entry for entry in mine if isinstance(entry, tuple)] == (
        [entry for entry in wanted if isinstance(entry, tuple)]
    )
    np.testing.assert_allclose(mine[0], wanted[0], rtol=1e-6)


def of_trees(j: Any, cotangent: Callable[[Any], Any]) -> Any:
    @j.custom_vjp
    def f(tree: Any) -> Any:
        return tree["a"] * 2 + tree["b"][0]

    f.defvjp(lambda tree: (f(tree), None), lambda _, ct: (cotangent(ct),))
    return j.grad(lambda x: f({"a": x, "b": (x, None, x)}))(1.5)


def with_static_residual(j: Any) -> Any:
    @j.custom_vjp
    def f(x: Any) -> Any:
        return x

    f.defvjp(lambda x: (x, (True, 3, x)), lambda kept, ct: (ct * kept[1] if kept[0] else kept[2],))
    return j.jit(j.grad(lambda x: j.lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0]))(1.0)


RETURNED: dict[str, Callable[[Any], Any]] = {
    "whole": lambda j: of_trees(j, lambda ct: {"a": ct, "b": (ct, None, ct)}),
    "None for a part": lambda j: of_trees(j, lambda ct: {"a": ct, "b": None}),
    "None for leaves": lambda j: of_trees(j, lambda ct: {"a": None, "b": (ct, None, None)}),
    "None for all": lambda j: of_trees(j, lambda ct: None),
    "static residuals": with_static_residual,
}


@pytest.mark.parametrize("name", RETURNED)
def test_returned_cotangents(name: str) -> None:
    np.testing.assert_allclose(RETURNED[name](runtime), RETURNED[name](jax), rtol=1e-6)


def test_another_tree_is_refused() -> None:
    for j in (runtime, jax):
        with pytest.raises(TypeError, match="same container"):
            of_trees(j, lambda ct: {"a": ct, "c": ct})


MIXED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "kept": lambda j, f, x: f(x),
    "indexed": lambda j, f, x: f(x[j.numpy.array([0, 2])]),
    "converted": lambda j, f, x: f(x.astype("float16").astype(x.dtype)),
    "added": lambda j, f, x: f(x) + x,
    "multiplied": lambda j, f, x: f(j.numpy.sin(x)),
}


@pytest.mark.parametrize("name", MIXED)
def test_cotangents_of_another_float(name: str) -> None:
    """They are passed on as they are, and refused where they meet others."""
    seen = []
    for j in (runtime, jax):
        f = j.custom_vjp(lambda x: x * 2)
        f.defvjp(lambda x: (x * 2, None), lambda _, ct: (ct.astype("float32") * 2,))
        x = j.numpy.arange(3, dtype="bfloat16")
        try:
            seen.append(str(j.grad(lambda x, j=j, f=f: MIXED[name](j, f, x).sum())(x)))
        except TypeError as error:
            seen.append(str(error).split("\n")[0])
    assert seen[0] == seen[1]


def test_a_symbolic_zero_of_another_shape_is_refused() -> None:
    def gradient(j: Any) -> Any:
        f = j.custom_vjp(lambda x: x)
        zero = j.custom_derivatives.SymbolicZero(j.typeof(j.numpy.ones(3)))
        f.defvjp(lambda x: (x, None), lambda kept, ct: (zero,))
        return j.grad(f)(1.0)

    for j in (jax, runtime):
        with pytest.raises(
            ValueError, match="produced a SymbolicZero with a shape/dtype that does not match"
        ):
            gradient(j)
