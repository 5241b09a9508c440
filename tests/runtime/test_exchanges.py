"""Collectives that exchange parts of arrays under `vmap`, against the same done by NumPy; and what JAX refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax

X = np.arange(4 * 4 * 8, dtype=np.float32).reshape(4, 4, 8)


def over_examples(function: Any) -> Any:
    return jax.vmap(function, axis_name="i")


@pytest.mark.parametrize(("split", "concat"), [(0, 0), (0, 1)])
def test_all_to_all(split: int, concat: int) -> None:
    found = over_examples(lambda x: lax.all_to_all(x, "i", split, concat))(X)

    expected = [np.stack([np.take(x, i, split) for x in X], concat) for i in range(4)]
    np.testing.assert_array_equal(found, np.stack(expected))


@pytest.mark.parametrize(("split", "concat"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_all_to_all_in_tiles(split: int, concat: int) -> None:
    found = over_examples(lambda x: lax.all_to_all(x, "i", split, concat, tiled=True))(X)

    parts = [np.split(x, 4, split) for x in X]
    np.testing.assert_array_equal(found, [np.concatenate([p[i] for p in parts], concat) for i in range(4)])


def test_sums_are_scattered() -> None:
    whole = X.sum(0)

    found = over_examples(lambda x: lax.psum_scatter(x, "i"))(X)
    tiles = over_examples(lambda x: lax.psum_scatter(x, "i", scatter_dimension=1, tiled=True))(X)

    np.testing.assert_array_equal(found, whole)
    np.testing.assert_array_equal(tiles, np.stack(np.split(whole, 4, 1)))


def test_axes_are_swapped_and_one_example_is_given_to_all() -> None:
    np.testing.assert_array_equal(over_examples(lambda x: lax.pswapaxes(x, "i", 0))(X), X.transpose(1, 0, 2))
    np.testing.assert_array_equal(over_examples(lambda x: lax.pbroadcast(x, "i", 2))(X), [X[2]] * 4)


def test_gathering_over_two_axes_keeps_their_order() -> None:
    def both(names: tuple[str, str]) -> Any:
        inner = jax.vmap(lambda x: lax.all_gather(x, names), axis_name="j")
        return np.asarray(over_examples(inner)(X[:2, :3, 0]))

    np.testing.assert_array_equal(both(("i", "j"))[1, 2], X[:2, :3, 0].ravel())
    np.testing.assert_array_equal(both(("j", "i"))[0, 0], X[:2, :3, 0].T.ravel())


def test_cotangents_take_the_way_back() -> None:
    weights = np.cos(X)

    def through(function: Any) -> Any:
        return lambda x: (over_examples(function)(x) * weights).sum()

    np.testing.assert_array_equal(
        jax.grad(through(lambda x: lax.pswapaxes(x, "i", 0)))(X), weights.transpose(1, 0, 2)
    )
    scattered = jax.grad(lambda x: (over_examples(lambda v: lax.psum_scatter(v, "i"))(x) * weights[0]).sum())(
        X
    )
    np.testing.assert_array_equal(scattered, [weights[0]] * 4)


def test_sums_of_booleans_count() -> None:
    found = over_examples(lambda x: lax.psum(x, "i"))(np.array([True, False, True]))

    assert found.dtype == np.int32 and found.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: lax.all_to_all(x, "i", 1, 0), ValueError),
        (lambda x: lax.all_to_all(x[:3], "i", 0, 1, tiled=True), ValueError),
        (lambda x: lax.psum_scatter(x[:3], "i", tiled=True), ValueError),
        (lambda x: lax.all_to_all(x, "k", 0, 0), NameError),
        (lambda x: lax.ppermute(x, "i", [(0, 1)]), AssertionError),
        *(
            (lambda x, f=f: f(x, "i", axis_index_groups=[[0, 1], [2, 3]]), NotImplementedError)
            for f in (lax.psum, lax.pmean, lax.pmax, lax.all_gather, lax.psum_scatter)
        ),
    ],
)
def test_refused_exchanges(function: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        over_examples(function)(X)


def test_extrema_over_named_axes_have_no_derivative() -> None:
    with pytest.raises(NotImplementedError, match="pmax"):
        jax.grad(lambda x: over_examples(lambda v: lax.pmax(v, "i"))(x).sum())(X)
