"""Convolutions in native code: every number of axes, order of dimensions, edge, stride, dilation and group."""

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


def _orders(axes: int, which: int) -> tuple[str, str, str]:
    space = "DHW"[-axes:]
    return [
        ("NC" + space, "OI" + space, "NC" + space),
        ("N" + space + "C", space + "IO", "N" + space + "C"),
        ("C" + space + "N", space + "OI", "N" + space + "C"),
    ][which]


def _laid_out(x: Any, order: str, standard: str) -> Any:
    return np.ascontiguousarray(x.transpose([standard.index(c) for c in order]))


@pytest.mark.parametrize("seed", range(60))
def test_random_convolutions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes = int(rng.integers(1, 4))
    space = "DHW"[-axes:]
    groups, features = int(rng.choice([1, 1, 2, 3])), int(rng.integers(1, 6))
    outputs = int(rng.choice([4, 5, 8, 16, 17, 24, 33, 50]))
    if seed % 6 == 0:
        groups, features, outputs = int(rng.choice([1, 2, 9])), 1, 1  # One to one, or a single feature.
    sizes, places = rng.integers(3, 13, axes), rng.integers(1, 4, axes)
    orders = _orders(axes, int(rng.integers(3)))
    dtype = "float64" if seed % 5 == 0 else "float32"
    low = 0 if dtype == "float64" else 3  # XLA leaves edges out where numbers are double.
    image = rng.standard_normal((int(rng.integers(1, 3)), groups * features, *sizes)).astype(dtype)
    kernel = rng.standard_normal((groups * outputs, features, *places)).astype(dtype)
    arrays = _laid_out(image, orders[0], "NC" + space), _laid_out(kernel, orders[1], "OI" + space)

    strides, dilation = rng.integers(1, 3, axes).tolist(), rng.integers(1, 3, axes).tolist()
    padding = [
        (int(rng.integers(-1, low + 1)), int(rng.integers(-1, low + 1))) if low else (0, 0) for _ in sizes
    ]

    def convolve(x: Any, w: Any) -> Any:
        return lax.conv_general_dilated(
            x,
            w,
            tuple(strides),
            padding,
            rhs_dilation=tuple(dilation),
            dimension_numbers=orders,
            feature_group_count=groups,
        )

    with jax.enable_x64(True):
        closed = jax.make_jaxpr(convolve)(*arrays)
        (result,) = compile_jaxpr(closed)(list(arrays))
        (expected,) = eval_closed_jaxpr(closed, *arrays)

    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
    if result.size and kernel.size > 2:
        assert [type(part) for part in partition(Flat(closed), ())] == [Segment]  # Nothing is left to NumPy.


@pytest.mark.parametrize("where", ["kernel", "image"])
def test_infinities_reach_what_they_reach_in_numpy(where: str) -> None:
    image, kernel = np.ones((1, 9, 9, 2), np.float32), np.ones((3, 3, 2, 8), np.float32)
    (kernel if where == "kernel" else image)[0, 0, 0, 0] = np.inf

    def convolve(x: Any, w: Any) -> Any:
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    np.testing.assert_array_equal(jax.jit(convolve)(image, kernel), convolve(image, kernel))


@pytest.mark.parametrize("seed", range(40))
def test_random_convolutions_with_gaps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes = int(rng.integers(1, 3))
    space = "DHW"[-axes:]
    orders = _orders(axes, int(rng.integers(3)))
    features, outputs = int(rng.integers(1, 6)), int(rng.choice([4, 5, 8, 17]))
    sizes, places = rng.integers(1, 9, axes), rng.integers(1, 5, axes)
    image = rng.standard_normal((int(rng.integers(1, 3)), features, *sizes)).astype(np.float32)
    kernel = rng.standard_normal((outputs, features, *places)).astype(np.float32)
    if seed % 3 == 0:
        kernel.flat[int(rng.integers(kernel.size))] = np.inf  # Gaps and edges do not meet it.
    arrays = _laid_out(image, orders[0], "NC" + space), _laid_out(kernel, orders[1], "OI" + space)
    gaps = rng.integers(2, 4, axes).tolist()
    padding = [(int(rng.integers(-2, 5)), int(rng.integers(-2, 5))) for _ in sizes]

    def convolve(x: Any, w: Any) -> Any:
        return lax.conv_general_dilated(
            x, w, (1,) * axes, padding, lhs_dilation=gaps, dimension_numbers=orders
        )

    closed = jax.make_jaxpr(convolve)(*arrays)
    (result,) = compile_jaxpr(closed)(list(arrays))
    (expected,) = eval_closed_jaxpr(closed, *arrays)

    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
    if result.size:
        assert [type(part) for part in partition(Flat(closed), ())] == [Segment]


def test_what_is_cropped_beyond_all_elements_is_edge() -> None:
    result = lax.conv_general_dilated(
        np.ones((1, 1, 1), np.float32), np.ones((1, 1, 3), np.float32), (1,), [(-2, 4)]
    )

    np.testing.assert_array_equal(result, np.zeros((1, 1, 1)))


@pytest.mark.parametrize("steps", [(2, 1), (2, 3)])
@pytest.mark.parametrize("padding", ["SAME", [(1, 3), (3, 2)], [(4, 0), (2, 3)]])
def test_the_gradient_of_a_transposed_convolution_by_its_kernel(steps: Any, padding: Any) -> None:
    rng = np.random.default_rng(1)
    image, kernel = (rng.standard_normal(s).astype(np.float32) for s in ((2, 7, 9, 8), (4, 3, 8, 5)))

    def loss(w: Any, x: Any) -> Any:
        return jnp.sum(jnp.sin(lax.conv_transpose(x, w, steps, padding)))

    closed = jax.make_jaxpr(jax.grad(loss))(kernel, image)

    (found,) = compile_jaxpr(closed)([kernel, image])

    assert all(isinstance(part, Segment) for part in partition(Flat(closed), ()))
    np.testing.assert_allclose(found, eval_closed_jaxpr(closed, kernel, image)[0], rtol=1e-4, atol=1e-4)
