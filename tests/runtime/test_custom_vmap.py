"""``jax.custom_batching``: rules for ``vmap`` are used as JAX uses them, under the other transforms too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")
pytest.importorskip("jax.custom_batching")


def marked(j: Any) -> Any:
    """A sine whose rule computes a cosine, so that its use shows."""

    @j.custom_batching.custom_vmap
    def f(x: Any, y: Any) -> Any:
        return j.numpy.sin(x) + y

    @f.def_vmap
    def rule(axis_size: int, in_batched: Any, x: Any, y: Any) -> Any:
        assert all(np.shape(v)[:1] == (axis_size,) for v, batched in zip((x, y), in_batched) if batched)
        return j.numpy.cos(x) + y, in_batched[0] or in_batched[1]

    return f


def of_trees(j: Any) -> Any:
    @j.custom_batching.custom_vmap
    def f(tree: Any) -> Any:
        return {"sum": tree["a"] + tree["b"], "one": 1.0}

    @f.def_vmap
    def rule(axis_size: int, in_batched: Any, tree: Any) -> Any:
        return {"sum": tree["a"] - tree["b"], "one": j.numpy.ones(())}, {"sum": True, "one": False}

    return f


def points(j: Any) -> Any:
    return j.numpy.arange(3.0)


USES: dict[str, Callable[[Any], Any]] = {
    "call": lambda j: marked(j)(1.0, 2.0),
    "keywords": lambda j: marked(j)(1.0, y=2.0),
    "jit": lambda j: j.jit(marked(j))(1.0, 2.0),
    "vmap": lambda j: j.vmap(marked(j))(points(j), points(j)),
    "one argument": lambda j: j.vmap(marked(j), (0, None))(points(j), 1.0),
    "other axis": lambda j: j.vmap(marked(j), 1)(j.numpy.ones((2, 3)), j.numpy.ones((2, 3))),
    "vmap of vmap": lambda j: j.vmap(j.vmap(marked(j)))(j.numpy.ones((2, 3)), j.numpy.ones((2, 3))),
    "jit of vmap of jit": lambda j: j.jit(j.vmap(j.jit(marked(j))))(points(j), points(j)),
    "jvp": lambda j: j.jvp(marked(j), (1.0, 2.0), (1.0, 3.0)),
    "vmap of jvp": lambda j: j.vmap(lambda x: j.jvp(marked(j), (x, 2.0), (x, 3.0)))(points(j)),
    "jvp of vmap": lambda j: j.jvp(
        lambda x: j.vmap(marked(j), (0, None))(x, 1.0), (points(j),), (points(j),)
    ),
    "grad of vmap": lambda j: j.grad(lambda x: j.vmap(marked(j))(x, x).sum())(points(j)),
    "grad": lambda j: j.grad(marked(j))(1.0, 2.0),
    "trees": lambda j: j.vmap(of_trees(j))({"a": points(j), "b": points(j) * 2}),
    "scan": lambda j: j.vmap(
        lambda x: j.lax.scan(lambda c, _: (marked(j)(c, x), None), x, None, length=3)[0]
    )(points(j)),
    "closure": lambda j: j.jit(lambda s: j.vmap(lambda x: marked(j)(x * s, s))(points(j)))(2.0),
    "sequential": lambda j: j.vmap(j.custom_batching.sequential_vmap(lambda x, y: x * y), (0, None))(
        points(j), 2.0
    ),
    "sequential keywords": lambda j: j.custom_batching.sequential_vmap(lambda x, y: x * y)(x=2.0, y=3.0),
    "no rule": lambda j: j.custom_batching.custom_vmap(lambda x: x)(1.0),
}


def outcome(module: Any, use: str) -> Any:
    try:
        return [np.asarray(leaf) for leaf in module.tree.leaves(USES[use](module))]
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("use", USES)
def test_as_in_jax(use: str) -> None:
    mine, theirs = outcome(runtime, use), outcome(jax, use)

    if isinstance(theirs, str):
        assert mine == theirs
    else:
        assert len(mine) == len(theirs)
        for value, expected in zip(mine, theirs):
            np.testing.assert_allclose(value, expected, rtol=1e-5)
