"""Einstein sums of several operands: the order of their contraction, and what is contracted, as in JAX."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

SUMS: dict[str, list[tuple[int, ...]]] = {
    "ij,jk,kl->il": [(10, 90), (90, 5), (5, 50)],
    "ij,jk,ki->": [(3, 4), (4, 5), (5, 3)],
    "i,ij,ijk,k->j": [(3,), (3, 4), (3, 4, 5), (5,)],
    "ij,k,kl->ijl": [(1, 3), (4,), (4, 1)],
    "i,i,i": [(4,), (4,), (4,)],
    "...ij,jk,...kl->...li": [(2, 3, 4), (4, 5), (5, 2)],
    "ii,ij->j": [(3, 3), (3, 2)],
    "bij,bjk->kbi": [(2, 3, 4), (2, 4, 5)],
}
PATHS: list[Any] = ["auto", "optimal", "greedy", False]


@pytest.mark.parametrize("optimize", PATHS)
@pytest.mark.parametrize("subscripts", SUMS)
def test_paths_and_programs(subscripts: str, optimize: Any) -> None:
    arrays = [np.ones(shape, np.float32) for shape in SUMS[subscripts]]
    results = [
        (
            module.numpy.einsum_path(subscripts, *arrays, optimize=optimize)[0],
            str(
                module.make_jaxpr(lambda *a, np_=module.numpy: np_.einsum(subscripts, *a, optimize=optimize))(
                    *arrays
                )
            ),
        )
        for module in (runtime, jax)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("count", [5, 7])
def test_long_chains_are_cheap(count: int) -> None:
    sizes = [40, 2, 50, 3, 60, 2, 40, 5][: count + 1]
    arrays = [np.ones(shape, np.float32) for shape in itertools.pairwise(sizes)]
    subscripts = ",".join("abcdefgh"[k : k + 2] for k in range(count)) + "->a" + "abcdefgh"[count]
    mine, theirs = (module.numpy.einsum_path(subscripts, *arrays)[1] for module in (runtime, jax))
    assert mine.opt_cost == theirs.opt_cost
    assert f"{mine.opt_cost:.3e}" in str(mine)


@pytest.mark.parametrize(
    "args",
    [
        ([1.0, 2.0],),
        ([[1.0, 2.0]], ["b", "a"], [[3.0], [4.0]], ["a", "c"], ["c", "b"]),
        ([1.0], [0], [3]),
        ([1.0], [0], [2.0], [0], [3.0], [0], []),
    ],
)
def test_labels_in_lists(args: Any) -> None:
    results = []
    for module in (runtime, jax):
        try:
            results.append(np.asarray(module.numpy.einsum(*map(_array, args))).tolist())
        except Exception as error:
            results.append(type(error))
    assert results[0] == results[1]


def _array(value: Any) -> Any:
    return (
        np.array(value)
        if isinstance(value, list) and value and isinstance(value[0], (float, list))
        else value
    )
