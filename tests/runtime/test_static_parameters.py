"""Arrays where `jax.lax` keeps programs by a parameter: hashed, as JAX does, or converted where JAX converts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

CALLS = (
    "lax.rev(x, (axis,))", "lax.transpose(x[None], (n, axis))", "lax.squeeze(x[None], (axis,))",
    "lax.slice(x, (n,), (2,))", "lax.slice_in_dim(x, n, 2, axis=axis)", "lax.index_in_dim(x, n)",
    "lax.reduce(x, 0.0, lax.add, (axis,))", "lax.reduce_sum(x, (axis,))", "lax.broadcast(x, (n,))",
    "lax.broadcast_in_dim(x, (1, 3), (n,))", "lax.expand_dims(x, (axis,))", "lax.concatenate([x, x], axis)",
    "lax.pad(x, 0.0, [(n, 1, 0)])", "lax.argmax(x, axis, 'int32')", "lax.tile(x, (n,))", "lax.split(x, (n, 2))",
    "lax.dot_general(x, x, (((axis,), (0,)), ((), ())))", "lax.dynamic_index_in_dim(x, n, axis=axis)",
    "lax.dynamic_slice_in_dim(x, n, 1, axis=axis)", "lax.dynamic_slice_in_dim(x, 0, n)", "lax.integer_pow(x, n)",
    "lax.reduce_precision(x, n, 10)", "lax.reduce_window(x, 0.0, lax.add, (n,), (1,), 'SAME')",
    "lax.conv(x.reshape(1, 1, 1, 3), x[:1].reshape(1, 1, 1, 1), (n, 1), 'SAME')", "lax.approx_max_k(x, n)",
    "lax.top_k(x, n)", "lax.cumsum(x, axis)", "lax.map(lambda v: v, x, batch_size=n)",
    "lax.scan(lambda c, v: (c + v, v), 0.0, x, reverse=n)", "lax.scan(lambda c, v: (c, v), 0.0, x, unroll=n)",
    "lax.fori_loop(0, 3, lambda i, v: v, x, unroll=n)", "random.split(random.key(0), n)", "numpy.repeat(x, n)",
    "numpy.repeat(x, n[None])",
)  # fmt: skip

BAD = tuple(
    f"lax.{call}"
    for value in ("-1", "2.5", "'a'", "None", "0", "True")
    for call in (
        f"scan(lambda c, v: (c + v, v), 0.0, x, unroll={value})",
        f"fori_loop(0, 3, lambda i, v: v, x, unroll={value})",
        f"map(lambda v: v, x, batch_size={value})",
    )
)


def outcome(module: Any, call: str, context: str) -> str:
    """``ok`` or the class of the error of a call of which the arrays are known, closed over by `jit`, or traced."""
    x, n, axis = module.numpy.arange(3.0), module.numpy.array(1), module.numpy.array(0)

    def body(x: Any, n: Any, axis: Any) -> None:
        eval(
            call,
            {"lax": module.lax, "numpy": module.numpy, "random": module.random, "x": x, "n": n, "axis": axis},
        )

    try:
        if context == "eager":
            body(x, n, axis)
        elif context == "numpy":
            body(x, np.array(1), np.array(0))
        elif context == "closed":
            module.jit(lambda x: body(x, n, axis))(x)
        else:
            module.jit(body)(x, n, axis)
    except Exception as error:
        return type(error).__name__
    return "ok"


@pytest.mark.parametrize("context", ["eager", "numpy", "closed", "traced"])
@pytest.mark.parametrize("call", CALLS)
def test_arrays_for_static_parameters(call: str, context: str) -> None:
    assert outcome(runtime, call, context) == outcome(jax, call, context)


@pytest.mark.parametrize("call", BAD)
def test_numbers_of_steps_at_once(call: str) -> None:
    assert outcome(runtime, call, "eager") == outcome(jax, call, "eager")


def test_the_error_names_the_parameter() -> None:
    with pytest.raises(
        TypeError, match=r"dimensions of lax.rev must be static and hashable, got 0 of type ArrayImpl"
    ):
        runtime.lax.rev(runtime.numpy.arange(3.0), (runtime.numpy.array(0),))
