"""Products of arrays in groups, by named algorithms, and of scaled blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

#: `a[2, 4, 3]`, `b[3, 2, 3, 2]` and `sizes` of 3 groups; `N` makes dimension numbers.
ALIKE = (
    "lax.ragged_dot_general(a[0], b[:, 0], sizes, N((((1,), (1,)), ((), ())), (0,), (0,)))",
    "lax.ragged_dot_general(a[0], b[:, 0], jnp.array([1, 0, 9]), N((((1,), (1,)), ((), ())), (0,), (0,)))",
    "lax.ragged_dot_general(a[0], a[1, :, :2], sizes, N((((0,), (0,)), ((), ())), (0,), ()))",
    "lax.ragged_dot_general(a, a[..., :2], jnp.stack([sizes, sizes[::-1]]), N((((1,), (1,)), ((0,), (0,))), (1,), ()))",
    "lax.ragged_dot_general(a, b, sizes, N((((2,), (2,)), ((0,), (1,))), (1,), (0,)))",
    "lax.ragged_dot_general(a, b, jnp.stack([sizes, sizes[::-1]]), N((((2,), (2,)), ((0,), (1,))), (1,), (0,)))",
    "lax.ragged_dot_general(a, b[0], sizes[:2], N((((2,), (1,)), ((0,), (0,))), (0,), ()))",
    "lax.ragged_dot_general(a[0], b[:, 0], sizes[:2], N((((1,), (1,)), ((), ())), (0,), (0,)))",
    "lax.ragged_dot_general(a[0], b[:, 0], sizes, N((((1,), (1,)), ((), ())), (0, 1), (0,)))",
    "lax.ragged_dot_general(a[0], b[:, 0], sizes * 1.0, N((((1,), (1,)), ((), ())), (0,), (0,)))",
    "[lax.dot(a[0] / 3, a[0].T, precision=p) for p in ('F32_F32_F32', 'F16_F16_F16', lax.DotAlgorithmPreset.DEFAULT)]",
    "lax.dot(a[0], a[0].T, precision='BF16_BF16_F32_X9')",
    "lax.dot(a[0], a[0].T, precision='nonsense')",
    "[(str(p), p.supported_lhs_types, p.accumulation_type) for p in lax.DotAlgorithmPreset if 'BF16' not in p.name]",
    "jax.nn.scaled_dot_general(a[0].astype('bfloat16'), a[1].astype('bfloat16'), (((1,), (1,)), ((), ())))",
    "jax.nn.scaled_matmul(a, a, a, a)",
    "jax.nn.scaled_matmul(a, a, a[:1], a)",
)


def outcome(module: Any, expression: str) -> Any:
    """What an expression is, or the class of its error."""
    jnp, lax = module.numpy, module.lax
    names = {"jax": module, "jnp": jnp, "lax": lax, "N": lax.RaggedDotDimensionNumbers}
    names |= {"a": jnp.arange(24.0).reshape(2, 4, 3), "b": jnp.arange(36.0).reshape(3, 2, 3, 2)}
    try:
        return eval(expression, names | {"sizes": jnp.array([1, 2, 1])})
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", ALIKE)
def test_product(expression: str) -> None:
    mine, theirs = outcome(ours, expression), outcome(jax, expression)

    if not hasattr(theirs, "dtype") and not (isinstance(theirs, list) and hasattr(theirs[0], "dtype")):
        assert mine == theirs
        return
    for left, right in zip(*(x if isinstance(x, list) else [x] for x in (mine, theirs)), strict=True):
        assert str(left.dtype) == str(right.dtype)
        np.testing.assert_allclose(np.asarray(left), np.asarray(right), rtol=1e-3)
