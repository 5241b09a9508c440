"""``jax.shard_map`` on one device: collectives, what Python may branch on, other transforms around it and inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

# Functions of a module, `shard` (shard_map over the axis "i", given specifications) and `P`.
USES = (
    "shard(lambda v: v * 2, P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.psum(v.sum(), 'i'), P('i'), P())(x)",
    "shard(lambda v: jax.lax.pmean(v, 'i'), P('i'), P())(x)",
    "shard(lambda v: v + jax.lax.axis_index('i'), P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.all_gather(v, 'i'), P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.all_gather(v, 'i', tiled=True), P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.ppermute(v, 'i', [(0, 0)]), P('i'), P('i'))(x)",
    "jax.jit(shard(lambda v: jax.lax.psum(v, 'i'), P('i'), P()))(x)",
    "shard(jax.jit(lambda v: v + jax.lax.axis_index('i')), P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.scan(lambda c, u: (c + u, c), v[0] * 0, v)[1], P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.scan(lambda c, u: (c + jax.lax.axis_index('i') + u, c), v[0] * 0, v)[1], P('i'), P('i'))(x)",
    "shard(lambda a, b: a + b, (P('i'), P()), P('i'))(x, x[0])",
    "shard(lambda d: d['a'] + d['b'], ({'a': P('i'), 'b': P()},), P('i'))({'a': x, 'b': x[0]})",
    "jax.grad(lambda v: shard(lambda u: jax.nn.relu(u) * u, P('i'), P('i'))(v).sum())(x)",
    "jax.grad(lambda v: shard(lambda u: jax.lax.psum((u**2).sum(), 'i'), P('i'), P())(v))(x)",
    "jax.vmap(shard(lambda u: u * 2, P('i'), P('i')))(jnp.ones((2, 3)))",
    "shard(jax.grad(lambda v: (v**2).sum()), P('i'), P('i'))(x)",
    "shard(jax.vmap(jnp.cos), P('i'), P('i'))(x)",
    "shard(lambda v: v if v.sum() > 0 else -v, P(), P())(x)",
    "shard(lambda v: v if v.sum() > 0 else -v, P('i'), P('i'))(x)",
    "shard(lambda v: float(v[0]) * v, P(), P())(x)",
    "shard(lambda v: int(v[2]) * v, P(), P())(x)",
    "shard(lambda v: jax.lax.pcast(v, 'i', to='varying'), P(), P('i'))(x)",
    "shard(lambda v: jax.lax.pcast(v, 'i', to='varying'), P(), P())(x)",
    "shard(lambda v: jax.lax.pcast(v, 'i', to='varying'), P('i'), P('i'))(x)",
    "shard(lambda v: jax.lax.pcast(v, (), to='varying'), P(), P())(x)",
    "jax.jit(shard(lambda v: jax.lax.scan(lambda c, u: (c + u, c), jax.lax.pcast(0.0, 'i', to='varying'), v), P('i'), P('i')))(x)",
    "shard(lambda v: jax.lax.scan(lambda c, u: (c + u, c), jax.lax.pcast(jnp.zeros(1), 'i', to='varying'), v), P('i'), P('i'))(x)",
    "jax.grad(lambda v: shard(lambda u: jax.lax.pcast(u, 'i', to='varying') ** 2, P(), P('i'))(v).sum())(x)",
    "jax.vmap(lambda v: jax.lax.pcast(v, 'i', to='varying'), axis_name='i')(x)",
    "jax.lax.pcast(x, 'i', to='varying')",
    "jax.lax.pcast(x, 'i', to='nothing')",
    "shard(lambda v: v, P('j'), P('i'))(x)",
    "shard(lambda v: v, P('i', 'i'), P('i'))(x)",
    "shard(lambda v: v.sum(), P('i'), P('i'))(x)",
    "shard(lambda a, b: a + b, (P('i'),), P('i'))(x, x[0])",
)


def outcome(module: Any, use: str) -> Any:
    mesh = module.sharding.Mesh(np.array(module.devices()[:1]), ("i",))

    def shard(function: Any, given: Any, returned: Any) -> Any:
        return module.shard_map(function, mesh=mesh, in_specs=given, out_specs=returned)

    names = {
        "jax": module,
        "jnp": module.numpy,
        "x": module.numpy.arange(4.0),
        "shard": shard,
        "P": module.sharding.PartitionSpec,
    }
    try:
        return np.asarray(eval(use, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("use", USES)
def test_as_in_jax(use: str) -> None:
    mine, theirs = outcome(runtime, use), outcome(jax, use)

    if isinstance(theirs, str):
        assert mine == theirs
    else:
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)


def test_several_axes() -> None:
    mesh = runtime.sharding.Mesh(np.array(runtime.devices()[:1]).reshape(1, 1), ("a", "b"))
    spec = runtime.sharding.PartitionSpec("a", "b")
    mapped = runtime.shard_map(
        lambda v: runtime.lax.psum(v, ("a", "b")) + runtime.lax.axis_index("b"),
        mesh=mesh,
        in_specs=spec,
        out_specs=spec,
    )

    assert mapped(runtime.numpy.ones((2, 2))).tolist() == [[1.0, 1.0], [1.0, 1.0]]
