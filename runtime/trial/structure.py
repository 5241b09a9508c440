"""Values built to fit a `Usage`: mappings, sequences, callables, objects, with arrays as leaves."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from .arguments import make_array
from .usage import Usage

SIDE = 4  # the length of every axis: even, so that halves and pairs can be made of it


def fitting(usage: Usage, leaf_rank: int, name: str = "") -> Any:
    """A value that can be used so; leaves of unknown rank have `leaf_rank` axes."""
    if usage.random_key:
        return make_array("key", ())
    if usage.called:
        return stand_in_function(usage.results, usage.scalar_result)
    if usage.items:
        return {key: fitting(part, leaf_rank, key) for key, part in usage.items.items()}
    if usage.attributes:
        parts = {key: fitting(part, leaf_rank, key) for key, part in usage.attributes.items()}
        return types.SimpleNamespace(**parts)
    if usage.members:
        return tuple(fitting(member, leaf_rank) for member in usage.members)
    if usage.element is not None and usage.element.has_structure:
        return [fitting(usage.element, leaf_rank), fitting(usage.element, leaf_rank)]
    if usage.element is not None and usage.element.rank is not None:
        return [fitting(usage.element, leaf_rank)] * 2
    if usage.strings:
        return usage.strings[0]
    if usage.counted:
        return 2
    if usage.tree and not name:
        return {"w": _leaf(usage, leaf_rank), "b": _leaf(usage, leaf_rank)}
    return _leaf(usage, leaf_rank)


def _leaf(usage: Usage, leaf_rank: int) -> Any:
    if usage.shape is not None:
        return make_array("f32", usage.shape)
    rank = usage.rank if usage.rank is not None else max(leaf_rank, usage.least_rank)
    return make_array("i32" if usage.integer else "f32", (SIDE,) * rank)


def stand_in_function(results: int, scalar: bool) -> Callable[..., Any]:
    """A differentiable function of anything: its first argument, so many times, or the sum of it."""

    def stand_in(*arguments: Any) -> Any:
        value = arguments[0] if arguments else 1.0
        if scalar:
            return sys.modules["jax.numpy"].sum(value)
        return (value,) * results if results else value

    return stand_in
