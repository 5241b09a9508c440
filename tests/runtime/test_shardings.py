"""Meshes, specifications and shardings of one device: how they print, compare and refuse, as in JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

EXPRESSIONS = (
    "m", "s.Mesh(np.array(devices), ('x',))", "jax.make_mesh((1,), ('x',))", "m.shape", "m.size", "m.empty", "m.axis_names",
    "m.axis_types", "m.devices", "m.abstract_mesh", "s.get_abstract_mesh()", "s.AbstractMesh((2,), ('x',))",
    "m == s.Mesh(np.array(devices).reshape(1, 1), ('a', 'b'))", "P('a', None)", "P()", "P(('a', 'b'))", "P('a') == ('a',)",
    "P('a') == P(('a',))", "len(P('a', 'b'))", "tuple(P('a', None))", "P('a') + P('b')", "{P('a'): 1}[P('a')]",
    "jax.tree.leaves({'a': P('a'), 'b': P()})", "named", "named == s.NamedSharding(m, P('a'))", "named.spec", "named.shard_shape((4, 2))",
    "named.is_fully_replicated", "named.device_set", "named.devices_indices_map((4,))", "named.update(spec=P('b'))",
    "jax.device_put(x, named).sharding", "jax.device_put({'a': x, 'b': 1}, {'a': named, 'b': None})['a'].sharding.spec",
    "jax.device_put(x, devices[0]).committed", "jax.device_put({'a': x, 'b': x}, named)['b'].committed", "jax.device_put(x, devices[0]).sharding", "x.sharding",
    "jax.lax.with_sharding_constraint(x, named).sharding", "s.NamedSharding(m, P('z'))", "s.NamedSharding(m, None)",
    "s.NamedSharding(m, P('a', 'a'))", "jax.device_put(x, s.NamedSharding(m, P(None, 'a')))", "jax.device_put(x, P('a'))",
    "jax.device_put(x, 'a')", "jax.make_mesh((2,), ('x',))", "jax.make_mesh((1, 1), ('x',))", "s.Mesh(np.array(devices), ('x', 'y'))",
)  # fmt: skip


def outcome(module: Any, expression: str) -> str:
    s = module.sharding
    mesh = s.Mesh(np.array(module.devices()[:1]).reshape(1, 1), ("a", "b"))
    scope = {
        "jax": module,
        "np": np,
        "s": s,
        "P": s.PartitionSpec,
        "m": mesh,
        "devices": module.devices()[:1],
    }
    scope |= {"x": module.numpy.ones(4), "named": s.NamedSharding(mesh, s.PartitionSpec("a"))}
    try:
        return str(eval(expression, scope))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_as_in_jax(expression: str) -> None:
    assert outcome(runtime, expression) == outcome(jax, expression)


BODIES = {
    "itself": lambda j, x: x,
    "a sum over the axis": lambda j, x: j.lax.psum(x, "a"),
    "a sum over another": lambda j, x: j.lax.psum(x, "b"),
    "an index": lambda j, x: x * 0 + j.lax.axis_index("b"),
    "gathered": lambda j, x: j.lax.all_gather(x, "a"),
    "a jitted sum": lambda j, x: j.jit(lambda v: j.lax.psum(v, "a"))(x),
    "a sum in a loop": lambda j, x: j.lax.fori_loop(
        0, 2, lambda i, c: c + j.lax.psum(x, "a"), j.numpy.zeros(4)
    ),
    "a gradient": lambda j, x: j.grad(lambda w: (w * x).sum())(j.numpy.ones(4)),
    "a constant": lambda j, x: j.numpy.ones(3),
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("spec", ["P()", "P('a')", "P('b')"])
def test_what_must_be_the_same_on_all_shards(body: str, spec: str) -> None:
    def result(module: Any) -> str:
        s = module.sharding
        mesh = s.Mesh(np.array(module.devices()[:1]).reshape(1, 1), ("a", "b"))
        out = eval(spec, {"P": s.PartitionSpec})
        mapped = module.shard_map(
            lambda x: BODIES[body](module, x), mesh=mesh, in_specs=s.PartitionSpec("a"), out_specs=out
        )
        try:
            return str(mapped(module.numpy.arange(4.0)))
        except ValueError as error:
            return str(error).split(" to the function")[0][:60]

    assert result(runtime) == result(jax)
