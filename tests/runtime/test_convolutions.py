"""Convolutions of groups of the batch, and with a kernel for each place, under every transform."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime import numpy as jnp

RANDOM = np.random.default_rng(2)
IMAGES = RANDOM.normal(size=(4, 3, 6, 5)).astype(np.float32)
KERNELS = RANDOM.normal(size=(4, 3, 3, 2)).astype(np.float32)
OPTIONS: dict[str, Any] = {
    "window_strides": (1, 2),
    "padding": [(1, 0), (2, 1)],
    "lhs_dilation": (2, 1),
    "rhs_dilation": (1, 2),
}


def grouped(images: Any, kernels: Any, groups: int) -> Any:
    return lax.conv_general_dilated(images, kernels, batch_group_count=groups, **OPTIONS)


def one_by_one(images: Any, kernels: Any, groups: int) -> Any:
    parts = zip(jnp.split(images, groups), jnp.split(kernels, groups))
    return jnp.concatenate([lax.conv_general_dilated(x, k, **OPTIONS) for x, k in parts], 1)


@pytest.mark.parametrize("groups", [2, 4])
def test_batch_groups(groups: int) -> None:
    stacks = np.stack([IMAGES, -2 * IMAGES]), np.stack([KERNELS, 3 * KERNELS])

    def loss(function: Any) -> Any:
        return lambda x, k: (function(x, k, groups) ** 2).sum()

    for transform in (
        lambda f: f(IMAGES, KERNELS, groups),
        lambda f: jax.vmap(lambda x, k: f(x, k, groups))(*stacks),
        lambda f: jax.vmap(lambda x: f(x, KERNELS, groups))(stacks[0]),
        lambda f: jax.grad(loss(f), 0)(IMAGES, KERNELS),
        lambda f: jax.grad(loss(f), 1)(IMAGES, KERNELS),
        lambda f: jax.vmap(jax.grad(loss(f), 1))(*stacks),
    ):
        np.testing.assert_allclose(transform(grouped), transform(one_by_one), rtol=1e-4, atol=1e-4)


def test_groups_that_do_not_fit() -> None:
    for groups, kernels in ((3, KERNELS), (2, KERNELS[:3]), (2, KERNELS[:, :2])):
        with pytest.raises(ValueError, match="dimension size"):
            grouped(IMAGES, kernels, groups)
    kernels = np.ones((6, 1, 3, 2), np.float32)
    with pytest.raises(ValueError, match="At most one"):
        lax.conv_general_dilated(IMAGES, kernels, feature_group_count=3, batch_group_count=2, **OPTIONS)


@pytest.mark.parametrize(
    ("shape", "kernels", "options"),
    [
        ((2, 3, 5, 4), (4, 12, 4, 3), {"padding": "VALID", "filter_shape": (2, 2)}),
        ((2, 3, 7, 7), (4, 27, 3, 3), {"padding": "VALID", "filter_shape": (3, 3), "rhs_dilation": (2, 2)}),
        (
            (2, 5, 4, 3),
            (5, 2, 12, 4),
            {
                "padding": "SAME",
                "filter_shape": (2, 2),
                "window_strides": (1, 2),
                "dimension_numbers": ("NHWC", "HWIO", "NHWC"),
            },
        ),
    ],
)
def test_a_kernel_for_each_place(shape: Any, kernels: Any, options: dict[str, Any]) -> None:
    theirs = pytest.importorskip("jax")
    rng = np.random.default_rng(0)
    x, k = (rng.normal(size=s).astype(np.float32) for s in (shape, kernels))

    def of(j: Any) -> Any:
        return j.lax.conv_general_dilated_local(x, k, **{"window_strides": (1, 1), **options})

    np.testing.assert_allclose(of(jax), of(theirs), rtol=1e-5, atol=1e-5)


def test_gaps_under_an_infinite_kernel() -> None:
    """A transposed convolution adds what there is; one with zeros around its image multiplies them, as XLA does."""
    image, kernel = jnp.ones((1, 2, 4), np.float32), jnp.array([[[np.inf, 1.0]] * 2], np.float32)

    def conv(**options: Any) -> list[float]:
        return lax.conv_general_dilated(image, kernel, (1,), **options)[0, 0].tolist()

    assert conv(padding=[(0, 0)], lhs_dilation=(2,)) == [np.inf, 2.0, np.inf, 2.0, np.inf, 2.0]
    assert np.isnan(conv(padding=[(1, 0)])[0])
    wide = lax.conv_general_dilated(
        image[..., None, None, None], kernel[..., None, None, None], (1,) * 4, "VALID"
    )
    assert wide.ravel().tolist() == [np.inf] * 3


def test_windows_wider_than_what_they_run_over() -> None:
    for reduced in (
        lax.reduce_window(jnp.ones((1, 4)), 0.0, lax.add, (3, 2), (1, 1), "VALID"),
        jax.vmap(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (3,), (2,), "VALID"))(jnp.ones((0, 1))),
    ):
        assert reduced.size == 0
