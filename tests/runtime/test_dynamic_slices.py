"""``jax.ds``: slices of a known size that begin where a traced number says, in reads, updates and references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

ALIKE = (
    "v[ds(1, 3)], v[ds(8, 3)], v[ds(-3, 2)], v[ds(20, 3)], v[ds(4)], v[ds(None)], v[ds(1, 4, 2)]",
    "jax.jit(lambda i: (v[ds(i, 3)], v[ds(i, 3, 2)], v[ds(i, 0)]))(7)",
    "m[ds(1, 2), 0], m[ds(0, 2), ds(1, 2)], m[ds(0, 2), ::2], m[None, ds(0, 2)], m[..., ds(1, 2)], m[True, ds(1, 2)]",
    "jax.jit(lambda i: (m[ds(i, 2), jnp.array([[0, 1], [2, 3]])], m[ds(i, 2), i]))(1)",
    "v.at[ds(2, 3)].add(1), v.at[ds(jnp.array(9), 3)].set(7), v.at[ds(-2, 2)].set(9), v.at[ds(1, 3, 2)].multiply(5)",
    "v.at[ds(8, 3)].get(mode='fill', fill_value=-1), v.at[ds(20, 3)].get(mode='clip')",
    "jax.grad(lambda x: (x[ds(2, 3)] ** 2).sum())(v), jax.vmap(lambda i: v[ds(i, 3)])(jnp.array([-1, 2, 10]))",
    "v[ds(1, 20)]",
    "v[ds(1.5, 2)]",
    "jax.jit(lambda n: v[ds(1, n)])(3)",
    "v.at[ds(1, 3)].set(jnp.arange(4))",
    "hash(ds(1, 2))",
    "r[ds(2, 3)], r[ds(0, 3, 2)], jax.jit(lambda i: r[ds(i, 2)])(9)",
    "r[ds(8, 3)]",
    "r[ds(-2, 2)]",
    "jax.jit(lambda i: (t[i, ds(i, 2)], t[ds(i, 2), 1], t[:, ds(i, 2)]))(1)",
)


def outcome(module: Any, expression: str) -> Any:
    """What an expression is, or the class of its error."""
    jnp = module.numpy
    v, m = jnp.arange(10.0), jnp.arange(12).reshape(3, 4)
    names = {"jax": module, "jnp": jnp, "ds": module.ds, "v": v, "m": m}
    names |= {"r": module.new_ref(v), "t": module.new_ref(m)}
    try:
        return module.tree.map(np.asarray, eval(expression, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", ALIKE)
def test_slice(expression: str) -> None:
    mine, theirs = outcome(ours, expression), outcome(jax, expression)

    assert ours.tree.structure(mine) == ours.tree.structure(theirs)
    ours.tree.map(np.testing.assert_array_equal, mine, theirs)


def test_references_are_written_where_a_traced_slice_says() -> None:
    written = []
    for module in (ours, jax):
        ref = module.new_ref(module.numpy.arange(10.0))

        def write(i: Any, ref: Any = ref, module: Any = module) -> None:
            ref[module.ds(i, 3)] += module.numpy.ones(3)
            ref[module.ds(i + 2, 2)] = module.numpy.zeros(2)

        module.jit(write)(6)
        written.append(np.asarray(ref[...]))

    np.testing.assert_array_equal(*written)
