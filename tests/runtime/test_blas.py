"""Products by BLAS: divided between our threads, with BLAS's own settings as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import blas, threads

jnp = jax.numpy


def _random(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (_random(67, 300), _random(300, 40)),
        (_random(3, 67, 300), _random(3, 300, 40)),
        (_random(2, 4, 67, 300), _random(2, 4, 300, 40)),
        (_random(1, 300), _random(300, 900)),
    ],
)
@pytest.mark.parametrize("count", ["1", "2", "5"])
def test_divided_products_are_those_of_numpy(
    left: Any, right: Any, count: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACETRAP_THREADS", count)
    monkeypatch.setattr(threads, "_PER_THREAD", 1)
    monkeypatch.setattr(blas, "_ALONE", 1)
    product = jax.jit(jnp.matmul)

    with ThreadPoolExecutor(3) as pool:
        for result in pool.map(lambda _: product(left, right), range(6)):
            np.testing.assert_allclose(result, left @ right, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(jnp.matmul(left, right), left @ right, rtol=1e-4, atol=1e-4)


def test_blas_has_its_threads_back_after_a_product() -> None:
    setting = blas._setting()
    if setting is None:
        pytest.skip("this NumPy has another BLAS than OpenBLAS")
    before = setting.read()
    setting.write(2)
    try:
        jnp.matmul(_random(100, 100), _random(100, 100))
        assert setting.read() == 2
    finally:
        setting.write(before)
