"""Whole programs print the same numbers under JAX and under the runtime that stands in for it."""

from __future__ import annotations

import pytest
from program_outputs import assert_same_numbers, names


def test_there_are_programs() -> None:
    assert len(names("programs")) >= 20


@pytest.mark.parametrize("name", names("programs"))
def test_same_numbers_as_jax(name: str) -> None:
    pytest.importorskip("jax")
    assert_same_numbers("programs", name)
