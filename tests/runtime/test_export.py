"""``jax.export``: programs that are called with the types that they were traced for, and what cannot be had of them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

#: `sine` is exported for ``x``, `tree` for an array and a dict by keyword; `E` exports.
ALIKE = (
    "(tree.in_avals, tree.out_avals, tree.platforms, tree.nr_devices, tree.calling_convention_version, tree.fun_name)",
    "tree.call(x, y={'b': 1.0})",
    "sine.call(x), jax.jit(lambda v: sine.call(v) * 2)(x), jax.grad(lambda v: sine.call(v).sum())(x)",
    "jax.grad(lambda v: jax.grad(lambda u: sine.call(u).sum())(v).sum())(x)",
    "(sine.has_vjp(), sine.vjp().in_avals, sine.vjp().out_avals, sine.in_shardings_hlo)",
    "sine.vjp().call(x, x + 1)",
    "E(jax.jit(lambda v, w: v * 2))(x, x).module_kept_var_idx",
    "E(jax.jit(lambda v, n: v * n, static_argnums=1))(x, 2).call(x)",
    "sine.call(jnp.ones(4))",
    "sine.call(jnp.ones(3, int))",
    "sine.call(1.0)",
    "sine.call(x, 1)",
    "jax.vmap(sine.call)(jnp.ones((2, 3)))",
    "E(lambda v: v)(x)",
    "E(jax.jit(jnp.sin), platforms=('tpu',))(x).platforms",
    "E(jax.jit(jnp.sin), platforms=('tpu',))(x).call(x)",
    "E(jax.jit(jnp.sin), platforms=('tpu',), disabled_checks=[export.DisabledSafetyCheck.platform()])(x).platforms",
    "E(jax.jit(lambda v: jax.pure_callback(np.sin, v, v)))(x)",
    "str(sine), export.default_export_platform(), export.is_symbolic_dim(3)",
)


def outcome(module: Any, expression: str) -> Any:
    """What an expression is, or the class of its error and how its message begins."""
    export = importlib.import_module(f"{module.__name__}.export")
    jnp = module.numpy
    x = jnp.arange(3.0)
    names = {"jax": module, "jnp": jnp, "np": np, "export": export, "E": export.export, "x": x}
    names["sine"] = export.export(module.jit(lambda v: jnp.sin(v)))(x)
    names["tree"] = export.export(module.jit(lambda v, y: {"a": v + y["b"]}))(x, y={"b": 2.0})
    try:
        return eval(expression, names)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:30]}"


@pytest.mark.parametrize("expression", ALIKE)
def test_exported(expression: str) -> None:
    mine, theirs = outcome(ours, expression), outcome(jax, expression)

    if not all(hasattr(leaf, "sharding") for leaf in jax.tree.leaves(theirs)) or "aval" in expression:
        assert repr(mine) == repr(theirs)
        return
    left, right = ours.tree.leaves(mine), jax.tree.leaves(theirs)
    for a, b in zip(left, right, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_what_needs_stablehlo_says_so() -> None:
    export = importlib.import_module("tracetrap.runtime.export")
    exported = export.export(ours.jit(lambda x: x + 1))(1.0)

    for refused in (exported.serialize, exported.mlir_module):
        with pytest.raises(NotImplementedError, match="StableHLO"):
            refused()
