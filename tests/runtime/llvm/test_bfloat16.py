"""bfloat16 in native code: held as float32, and rounded as the NumPy evaluation rounds it, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.flat import Flat
from tracetrap.runtime.llvm.partition import Segment, partition

jnp = jax.numpy
bfloat16 = jnp.bfloat16


def _random(*shape: int) -> Any:
    values = np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32) * 3
    values.flat[: min(6, values.size // 8)] = [np.inf, -np.inf, np.nan, -0.0, 1e-30, 3.39e38][
        : min(6, values.size // 8)
    ]
    return jnp.asarray(values).astype(bfloat16)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda x: jnp.sin(x) * jnp.exp(x) - x**3 / 3.7, (_random(100),)),
        (lambda x: (lax.logistic(x), jnp.exp2(x), lax.erf(x), jnp.sqrt(x), lax.rsqrt(x)), (_random(100),)),
        (lambda x: (jnp.round(x), jnp.floor(x), jnp.sign(x), abs(x), -x, x > 0), (_random(100),)),
        (
            lambda x: tuple(x.astype(t) for t in ("float32", "float16", "int32", "uint8", "bool")),
            (_random(99),),
        ),
        (
            lambda i: (
                i.astype(bfloat16),
                (i * 1.37).astype(bfloat16),
                i.astype(jnp.float16).astype(bfloat16),
            ),
            (np.arange(-3000, 3000, 7, dtype=np.int32),),
        ),
        (lambda x: (x.max(0), x.min(), x.argmax(1), x.sum(1), x.mean(0), x.prod(1)), (_random(9, 17),)),
        (lambda x: (x @ x.T, x.T @ x, x[0] @ x[1]), (_random(9, 17),)),
        (lambda x: lax.dot(x, x.T, preferred_element_type=jnp.float32), (_random(9, 17),)),
        (lambda x: lax.dot_general(x, x, (((0,), (0,)), ((), ())), preferred_element_type=jnp.float32), (_random(9, 17),)),
        (lambda x: lax.dot_general(x, x, (((1,), (1,)), ((0,), (0,)))), (_random(9, 17),)),
        (lambda x: jax.nn.softmax(x) + jnp.pad(x, 1)[1:-1, 1:-1] * jnp.where(x > 0, x, 0.1), (_random(9, 17),)),
        (lambda x: lax.dynamic_update_slice(x, x[:2] * 2, (3, 1)), (_random(9, 17),)),
        (lambda x: lax.scan(lambda c, y: (jnp.tanh(c @ x[:5, :5] + y[:5]), c), x[0, :5], x), (_random(9, 17),)),
        (lambda x: lax.while_loop(lambda c: (c < 100).any(), lambda c: abs(c) * 1.3 + 1, x), (_random(7) * 0,)),
        (jax.grad(lambda x: jax.nn.log_softmax(x)[:, 0].sum().astype(jnp.float32)), (_random(5, 7),)),
    ],
)  # fmt: skip
def test_as_evaluated_by_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    closed = jax.make_jaxpr(function)(*arguments)
    inputs = [
        np.asarray(x, v.aval.dtype.storage) for x, v in zip(arguments, closed.jaxpr.invars, strict=True)
    ]

    results = compile_jaxpr(closed)(inputs)

    assert [type(part) for part in partition(Flat(closed), ())] == [Segment]  # Nothing is left to NumPy.
    for result, expected in zip(results, eval_closed_jaxpr(closed, *inputs), strict=True):
        np.testing.assert_array_equal(result, expected)
