"""Checks in traced code report what they report under JAX."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours
from tracetrap.runtime.experimental import checkify


class _Programs:
    """Programs with checks, on one library."""

    def __init__(self, jax: Any, checkify: Any) -> None:
        self.jax, self.jnp, self.checkify = jax, jax.numpy, checkify

    def positive(self, x: Any) -> Any:
        self.checkify.check(x > 0, "positive, not {x}, twice {}", x + x, x=x)
        return self.jnp.log(x)

    def scanned(self, xs: Any) -> Any:
        def body(total: Any, x: Any) -> Any:
            self.checkify.check(x < 3, "x is {x}", x=x)
            return total + x, x

        return self.jax.lax.scan(body, 0.0, xs)[0]

    def repeated(self, n: Any) -> Any:
        def goes_on(i: Any) -> Any:
            self.checkify.check(i < 4, "condition at {i}", i=i)
            return i < n

        return self.jax.lax.while_loop(goes_on, lambda i: i + 1, 0)

    def chosen(self, x: Any) -> Any:
        return self.jax.lax.cond(x > 0, lambda v: v, lambda v: self.positive(v), x)

    def described(self, key: Any, x: Any) -> Any:
        self.checkify.check(x[0] > 0, "{tree} of {key}", tree=[x, x[0]], key=key)
        return x


CALLS = (
    "checkify(p.described)(jax.random.key(0), a([-1.0, 2.0]))",
    "jax.vmap(checkify(p.described), (None, 0))(jax.random.key(0), a([[1.0, 2.0], [-1.0, 2.0]]))",
    "checkify(p.positive)(a(1.0))",
    "checkify(p.positive)(a(-1.0))",
    "jax.jit(checkify(p.positive))(a(-1.0))",
    "checkify(jax.jit(p.positive))(a(-1.0))",
    "jax.vmap(checkify(p.positive))(a([1.0, -1.0, -2.0]))",
    "checkify(jax.vmap(p.positive))(a([1.0, -1.0, -2.0]))",
    "checkify(jax.grad(p.positive))(a(-1.0))",
    "checkify(p.scanned)(jnp.arange(6.0))",
    "checkify(p.scanned)(jnp.arange(2.0))",
    "checkify(p.repeated)(a(9))",
    "checkify(p.repeated)(a(2))",
    "checkify(p.chosen)(a(-2.0))",
    "checkify(p.chosen)(a(2.0))",
    "checkify(lambda x: jnp.log(x), nan)(a(-1.0))",
    "checkify(lambda x: 1 / x, div)(a(0.0))",
    "checkify(lambda i: jnp.ones(3)[i], index)(a(5))",
    "checkify(lambda i: jnp.ones((3, 2)).at[i, 0].set(1.0), index)(a(5))",
    "checkify(lambda i: jnp.ones(3)[i], index)(a([0, 7]))",
    "checkify(lambda i: jnp.ones(3)[i], index)(a([0, 2]))",
)


def _message(call: str, jax: Any, checkify: Any) -> str | None:
    jnp = jax.numpy
    names = {
        "jax": jax,
        "jnp": jnp,
        "a": jnp.asarray,
        "p": _Programs(jax, checkify),
        "checkify": checkify.checkify,
        "nan": checkify.nan_checks,
        "div": checkify.div_checks,
        "index": checkify.index_checks,
    }
    message: str | None = eval(call, names)[0].get()
    return message


@pytest.mark.parametrize("call", CALLS)
def test_messages_are_those_of_jax(call: str) -> None:
    jax = pytest.importorskip("jax")
    theirs = importlib.import_module("jax.experimental.checkify")

    assert _message(call, ours, checkify) == _message(call, jax, theirs)


def test_a_failed_check_is_raised_outside_of_traced_code() -> None:
    with pytest.raises(checkify.JaxRuntimeError, match=r"x is 3 \(`check` failed\)"):
        checkify.check(False, "x is {x}", x=ours.numpy.asarray(3))


def test_an_error_is_raised_when_it_is_thrown() -> None:
    error, _ = checkify.checkify(_Programs(ours, checkify).positive)(ours.numpy.asarray(-1.0))

    with pytest.raises(checkify.JaxRuntimeError, match=r"positive, not -1\.0"):
        error.throw()


def test_a_check_cannot_be_compiled_as_it_is() -> None:
    with pytest.raises(ValueError, match="not functionalized"):
        ours.jit(_Programs(ours, checkify).positive)(1.0)


@pytest.mark.parametrize("condition", [1.0, "yes", None])
def test_a_condition_is_a_boolean_scalar(condition: Any) -> None:
    with pytest.raises(TypeError, match="scalar pred"):
        checkify.check(condition, "never")


def test_what_a_message_shows_are_arrays() -> None:
    with pytest.raises(TypeError, match="PyTrees of arrays"):
        checkify.check(True, "{}", "text")


def test_constants_that_are_returned_are_arrays() -> None:
    _, (total, two) = checkify.checkify(lambda x: (x.sum(), 2))(np.ones(3))
    assert (total + two, total.dtype) == (5.0, np.float32)
