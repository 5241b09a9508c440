"""What is concrete under which transform, what is traced again, what leaks: as in JAX."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

V = np.arange(3, dtype=np.float32)
INFINITE = np.float32([[0.5, np.inf, np.nan], [-2.0, -np.inf, 3.0]])


def _branch(x: Any) -> Any:
    return x * x if x > 1 else x


def _with_jvp(j: Any) -> Any:
    f = j.custom_jvp(_branch)
    f.defjvp(lambda p, t: (f(*p), t[0] if p[0] > 0 else -t[0]))
    return f


def _with_vjp(j: Any) -> Any:
    f = j.custom_vjp(_branch)
    f.defvjp(lambda x: (f(x), x), lambda x, ct: (ct if x > 0 else -ct,))
    return f


# Each either gives a value or raises: both runtimes must agree on which, on the value, and on the class of error.
CASES: dict[str, Callable[[Any], Any]] = {
    "grad: if": lambda j: j.grad(_branch)(2.0),
    "grad: int": lambda j: j.grad(lambda x: x * int(x))(2.0),
    "grad: item": lambda j: j.grad(lambda x: x * x.item())(2.0),
    "grad: float": lambda j: j.grad(lambda x: x * float(x))(2.0),
    "grad: math": lambda j: j.grad(lambda x: x * math.sin(x))(2.0),
    "grad: numpy": lambda j: j.grad(lambda x: x * np.sin(x))(2.0),
    "grad: mask": lambda j: j.grad(lambda v: v[v > 0].sum())(j.numpy.asarray(V)),
    # A mask times a number that is not finite is 0, where both stand in one program.
    "mask: vmap": lambda j: j.vmap(lambda v: (v < 1) * v)(INFINITE),
    "mask: shared": lambda j: j.vmap(lambda m, v: m * v, (None, 0))(INFINITE[0] < 1, INFINITE),
    "mask: of NumPy": lambda j: (INFINITE < 1) * j.numpy.asarray(INFINITE),
    "mask: jvp": lambda j: j.jvp(lambda v: v * (v < 1), (INFINITE,), (INFINITE,)),
    "mask: value_and_grad": lambda j: j.value_and_grad(lambda v: ((v < 1) * v).sum())(
        j.numpy.asarray(INFINITE[0])
    ),
    "mask: linearize": lambda j: j.linearize(lambda v: (v < 1) * v, INFINITE)[0],
    "mask: grad of vmap": lambda j: j.grad(lambda v: j.vmap(lambda r: (r < 1) * r)(v).sum())(INFINITE),
    "grad: nonzero": lambda j: j.grad(lambda v: j.numpy.nonzero(v)[0].sum() * v.sum())(j.numpy.asarray(V)),
    "grad: iteration": lambda j: j.grad(lambda v: sum(x for x in v))(j.numpy.asarray(V)),
    "grad: exponent is static": lambda j: j.grad(lambda x, n: x**n)(2.0, 3),
    "grad: string argument": lambda j: j.grad(lambda x, m: x if m == "a" else -x)(2.0, "a"),
    "grad: function argument": lambda j: j.grad(lambda x, f: f(x))(2.0, j.numpy.sin),
    "grad: closed-over arrays are concrete": lambda j: j.grad(lambda x: x * float(j.numpy.ones(3).sum()))(
        1.0
    ),
    "jvp: if": lambda j: j.jvp(_branch, (2.0,), (1.0,)),
    "vjp: if": lambda j: j.vjp(_branch, 2.0)[1](1.0),
    "linearize: if": lambda j: j.linearize(_branch, 2.0)[1](1.0),
    "hessian: if": lambda j: j.hessian(_branch)(2.0),
    "jacfwd: if": lambda j: j.jacfwd(_branch)(2.0),
    "vmap: if": lambda j: j.vmap(_branch)(V),
    "vmap: int": lambda j: j.vmap(lambda x: int(x))(V),
    "vmap: arrays inside are concrete": lambda j: j.vmap(lambda x: x * float(j.numpy.ones(3).sum()))(V),
    "vmap: range of a shared argument": lambda j: j.vmap(lambda x, n: x * sum(range(n)), (0, None))(V, 3),
    "vmap: string as shared argument": lambda j: j.vmap(lambda x, m: x if m == "a" else -x, (0, None))(
        V, "a"
    ),
    "jit of vmap: range of a shared argument": lambda j: j.jit(
        j.vmap(lambda x, n: x * sum(range(n)), (0, None))
    )(V, 3),
    "jit: arrays inside are traced": lambda j: j.jit(lambda x: x * float(j.numpy.ones(3).sum()))(1.0),
    "checkpoint: if": lambda j: j.checkpoint(_branch)(2.0),
    "checkpoint: static argument": lambda j: j.checkpoint(
        lambda x, n: x * n if n > 1 else x, static_argnums=1
    )(2.0, 3),
    "checkpoint: closed-over if": lambda j: j.grad(lambda x: j.checkpoint(lambda y: y if x > 1 else -y)(x))(
        2.0
    ),
    "custom_jvp: if": lambda j: _with_jvp(j)(2.0),
    "custom_jvp: if under grad": lambda j: j.grad(_with_jvp(j))(2.0),
    "custom_jvp: if under jit": lambda j: j.jit(_with_jvp(j))(2.0),
    "custom_jvp: if under vmap": lambda j: j.vmap(_with_jvp(j))(V),
    "custom_vjp: if": lambda j: _with_vjp(j)(2.0),
    "custom_vjp: if under grad": lambda j: j.grad(_with_vjp(j))(2.0),
    "custom_vjp: if under jit": lambda j: j.jit(_with_vjp(j))(2.0),
    "scan body: if": lambda j: j.lax.scan(lambda c, x: (_branch(c), x), 2.0, V),
    "cond branch: if": lambda j: j.lax.cond(True, _branch, _branch, 2.0),
    "fori_loop: counter in range": lambda j: j.lax.fori_loop(0, 3, lambda i, c: c + sum(range(i)), 0),
    "while_loop: condition with and": lambda j: j.lax.while_loop(
        lambda c: c > 0 and c < 3, lambda c: c + 1, 1
    ),
    "cond: Python predicates": lambda j: [j.lax.cond(p, lambda: 1, lambda: 2) for p in (True, 0, 2.5)],
    "cond: old form": lambda j: j.lax.cond(False, 1.0, lambda x: x, 2.0, lambda y: y * 3),
    "switch clamps": lambda j: [j.lax.switch(i, [lambda: 1, lambda: 2]) for i in (-3, 0, 1, 7)],
    "fori_loop: no iterations": lambda j: j.lax.fori_loop(5, 3, lambda i, c: c + 1, 0),
    "scan: weak carry becomes float": lambda j: j.lax.scan(lambda c, x: (c + x, c), 0, V),
    "while: weak carry becomes float": lambda j: j.lax.while_loop(lambda c: c < 3, lambda c: c + 1.5, 0),
    "grad through fori_loop": lambda j: j.grad(lambda x: j.lax.fori_loop(0, 3, lambda i, c: c * x, x))(2.0),
    "grad with a concrete bound": lambda j: j.grad(lambda x, n: j.lax.fori_loop(0, n, lambda i, c: c * x, x))(
        2.0, 3
    ),
    "second derivatives of a solution": lambda j: j.hessian(
        lambda a: j.numpy.sum(j.numpy.linalg.solve(a, j.numpy.sin(a[0])) ** 2)
    )(np.array([[3.0, 1.0], [0.5, 2.0]], np.float32)),
    "gradients through complex numbers": lambda j: j.grad(
        lambda x: j.numpy.sum(
            j.numpy.abs(j.lax.complex(x, x * x) * (1 + 2j)) + j.numpy.imag(j.lax.complex(x, x) ** 3)
        )
    )(V),
    "second derivatives of absolute values": lambda j: (
        j.hessian(lambda x: j.numpy.abs(j.lax.complex(x, x * x)))(0.5),
        j.grad(j.numpy.abs)(0.0),
    ),
    "sums of exponentials at infinity": lambda j: j.grad(
        lambda x: j.numpy.sum(j.numpy.logaddexp(x, x[::-1]) + j.nn.softplus(x))
    )(np.array([np.inf, 1.0, -np.inf], np.float32)),
    "powers at zero": lambda j: (j.grad(lambda x: x**x)(0.0), j.grad(j.numpy.cbrt)(0.0)),
    "holomorphic": lambda j: j.grad(lambda z: z * z, holomorphic=True)(1 + 2j),
    "vjp returned from jit": lambda j: j.jit(lambda x: j.vjp(lambda y: y * x, x))(2.0)[1](3.0),
    "axes of trees": lambda j: j.vmap(lambda t: t[0] + t[1]["k"], in_axes=((0, {"k": None}),))(
        (V, {"k": 1.0})
    ),
    "out axes": lambda j: j.vmap(lambda x: x, in_axes=1, out_axes=1)(np.ones((2, 3), np.float32)),
    "mapped keywords": lambda j: j.vmap(lambda x, k: x * k)(V, k=V),
    "axis_size alone": lambda j: j.vmap(lambda x: x * 2, in_axes=None, axis_size=4)(2.0),
    "collectives": lambda j: j.vmap(
        lambda x: (j.lax.pmax(x, "i") - j.lax.pmin(x, "i"), j.lax.all_gather(x, "i"), j.lax.psum(1, "i")),
        axis_name="i",
        out_axes=(0, 0, None),
    )(V),
    "map in batches": lambda j: j.lax.map(lambda x: x * 2, np.arange(5), batch_size=2),
    "empty scan": lambda j: j.lax.scan(lambda c, x: (c, x * 2), np.float32(0), np.ones((0, 2), np.float32)),
    "value and aux": lambda j: j.value_and_grad(lambda x: (x * x, {"a": x + 1}), has_aux=True)(3.0),
    "aux that is no array": lambda j: j.grad(lambda x: (x * x, "text"), has_aux=True)(3.0)[1],
}


def _outcome(case: Callable[[Any], Any], module: Any) -> Any:
    try:
        return [np.asarray(leaf) for leaf in module.tree.leaves(case(module))]
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("name", CASES)
def test_same_outcome(name: str) -> None:
    ours, theirs = _outcome(CASES[name], runtime), _outcome(CASES[name], jax)
    if isinstance(theirs, str):
        assert ours == theirs
        return
    assert len(ours) == len(theirs)
    for value, wanted in zip(ours, theirs):
        assert (value.shape, value.dtype) == (wanted.shape, wanted.dtype)
        if wanted.dtype.kind in "biufc":
            np.testing.assert_allclose(value, wanted, rtol=1e-5)


RETRACED: dict[str, Callable[[Any, Callable[..., Any]], Any]] = {
    "scan": lambda j, f: j.lax.scan(f, 0.0, V),
    "scan with a lambda": lambda j, f: j.lax.scan(lambda c, x: f(c, x), 0.0, V),
    "while_loop": lambda j, f: j.lax.while_loop(lambda c: c < 3, f, 0),
    "fori_loop": lambda j, f: j.lax.fori_loop(0, 3, f, 0),
    "cond": lambda j, f: j.lax.cond(True, f, f, 1),
    "checkpoint": lambda j, f: j.checkpoint(f)(1.0),
    "grad": lambda j, f: j.grad(f)(1.0),
    "jit of vmap": lambda j, f: j.jit(j.vmap(f))(V),
}


@pytest.mark.parametrize("name", RETRACED)
def test_same_number_of_traces(name: str) -> None:
    counts = []
    for module in (runtime, jax):
        calls: list[int] = []

        def body(*args: Any, calls: list[int] = calls) -> Any:
            calls.append(1)
            carry = args[-1] if len(args) == 1 or "fori" in name else args[0]
            return (carry + 1.0, None) if "scan" in name else carry + 1

        for _ in range(3):
            RETRACED[name](module, body)
        counts.append(len(calls))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("transform", ["grad", "vmap", "checkpoint"])
def test_a_value_that_leaks_is_an_error_when_it_is_used(transform: str) -> None:
    leaked: list[Any] = []

    def function(x: Any) -> Any:
        leaked.append(x)
        return x * 2.0

    getattr(runtime, transform)(function)(V if transform == "vmap" else 1.0)
    with pytest.raises(runtime.errors.UnexpectedTracerError):
        runtime.jit(lambda y: y + leaked[0])(1.0)


def test_gradients_flow_through_integers_as_float0() -> None:
    value, pull = runtime.vjp(lambda x, n: x * n, 2.0, 3)
    assert value == 6.0
    ct_x, ct_n = pull(1.0)
    assert ct_x == 3.0
    assert ct_n.dtype == [("float0", "V")]


def test_shared_arguments_stay_the_same_object() -> None:
    seen = []
    table = {"name": object()}
    runtime.vmap(lambda x, t: (seen.append(t["name"]), x)[1], in_axes=(0, None))(V, table)
    assert seen[0] is table["name"]


def test_tangents_of_integers_have_the_type_float0() -> None:
    float0 = runtime.dtypes.float0
    assert float0 == jax.dtypes.float0
    x, n = runtime.numpy.ones(3), runtime.numpy.arange(3)
    _, tangent = runtime.jvp(lambda x, n: x * n, (x, n), (x, np.zeros(3, float0)))
    np.testing.assert_array_equal(tangent, [0, 1, 2])
    assert runtime.vjp(lambda x, n: x * n, x, n)[1](x)[1].dtype == float0


@pytest.mark.parametrize("argnums", [0, (1, 0), (), 5])
@pytest.mark.parametrize("has_aux", [False, True])
def test_forward_and_backward_pass_are_compiled_once(argnums: Any, has_aux: bool) -> None:
    def outcome(j: Any) -> Any:
        traced = []

        def f(x: Any, y: Any) -> Any:
            traced.append(x)
            out = j.numpy.sin(x) * y
            return (out, x) if has_aux else out

        fwd, bwd = j.fwd_and_bwd(f, argnums, has_aux=has_aux)
        found = []
        try:
            for k in range(3):
                out, residuals, *aux = fwd(V + k, V - k)
                found += j.tree.leaves((out, bwd(residuals, out), aux))
        except ValueError:
            return "ValueError", []
        return (len(traced), bwd._cache_size()), found

    (mine, values), (theirs, wanted) = outcome(runtime), outcome(jax)
    assert mine == theirs
    for value, other in zip(values, wanted, strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-6)


class Boxed:
    """An array of another library, in the words in which JAX asks for it. Its name is no string."""

    def __init__(self, value: Any) -> None:
        self.value, self.__name__ = value, 3

    def __jax_array__(self) -> Any:
        return self.value

    def __call__(self, x: Any) -> Any:
        return x + self


def test_operators_ask_other_objects_for_their_array() -> None:
    jnp = runtime.numpy
    x = jnp.arange(3.0)

    assert runtime.grad(lambda v: (x * Boxed(v) + x).sum())(x).tolist() == [0.0, 1.0, 2.0]
    assert runtime.vmap(lambda v: Boxed(v) @ x)(jnp.ones((2, 3))).tolist() == [3.0, 3.0]
    assert runtime.vmap(Boxed(1.0))(x).tolist() == [1.0, 2.0, 3.0]


def test_what_a_callback_raises() -> None:
    def refuse(x: Any) -> None:
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        runtime.debug.callback(refuse, 1.0)
    with pytest.raises(runtime.errors.JaxRuntimeError, match="refused"):
        runtime.jit(lambda x: runtime.debug.callback(refuse, x))(1.0)


def test_a_compiled_function_may_return_the_tangent_of_an_integer() -> None:
    assert runtime.jit(runtime.grad(lambda n: n * 1.0, allow_int=True))(3).dtype == runtime.dtypes.float0


@pytest.mark.parametrize("backend", [runtime, jax], ids=["runtime", "jax"])
def test_what_all_branches_return_as_it_came_does_not_pass_through_them(backend: Any) -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        return backend.lax.cond(p, lambda x, y: (x + 1, y), lambda x, y: (x, y), x, y)

    found = backend.vmap(f, (0, 0, None), (0, None))(np.array([True, False]), V[:2], 3.0)

    assert [x.tolist() for x in found] == [[1.0, 1.0], 3.0]
    assert backend.grad(lambda y: f(True, 1.0, y * 2)[1])(1.0) == 2.0
