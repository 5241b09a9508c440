"""Libraries written for JAX import and work, unmodified, on the runtime that stands in for it."""

from __future__ import annotations

import importlib.util

import pytest
from program_outputs import assert_same_numbers, names

for library in ("jax", "optax", "tree_math"):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed", allow_module_level=True)


@pytest.mark.parametrize("name", names("libraries"))
def test_same_numbers_as_jax(name: str) -> None:
    assert_same_numbers("libraries", name)
