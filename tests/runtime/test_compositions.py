"""A sample of random compositions of transforms and control flow, beside JAX; `benchmarks/runtime_compositions.py` runs more."""

from __future__ import annotations

import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

from compositions import composed, difference, outcome

#: Among them 116, of a custom derivative of a function with defaults that must stay static.
SEEDS = (2, 5, 9, 14, 21, 27, 33, 48, 71, 116)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore")
def test_the_same_as_in_jax(seed: int) -> None:
    assert not difference(outcome(ours, seed), outcome(jax, seed)), composed(ours, seed)[0]
