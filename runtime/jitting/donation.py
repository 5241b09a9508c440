"""Donated arguments: results may take over their memory, so they are deleted by the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..arrays.array import ArrayImpl
from ..core import ShapedArray, Value


def run_donating(
    run: Callable[[Sequence[Value]], list[Value]],
    leaves: Sequence[Value],
    donated: Sequence[bool],
    out_avals: Sequence[ShapedArray],
) -> list[Value]:
    """Run, then delete each donated array that some result of the same shape and type can have taken the place of.

    Raises:
        ValueError: for a donated array that was deleted already.
        JaxRuntimeError: for an array that is passed twice and donated.
    """
    seen: dict[int, bool] = {}
    for position, (leaf, gives) in enumerate(zip(leaves, donated)):
        if isinstance(leaf, ArrayImpl):
            if id(leaf) in seen and (gives or seen[id(leaf)]):
                from ..errors import JaxRuntimeError

                raise JaxRuntimeError(
                    "INVALID_ARGUMENT: Attempt to use a buffer that was previously donated in the same call (flattened "
                    f"argument {position}). Toy example for this bug: `f(donate(a), a)`."
                )
            seen[id(leaf)] = seen.get(id(leaf), False) or gives
            leaf._check_alive_for_call(position)
    results = run(leaves)
    room: list[Any] = [(aval.shape, aval.dtype.name) for aval in out_avals]
    for leaf, gives in zip(leaves, donated):
        if gives and isinstance(leaf, ArrayImpl):
            kind = (leaf.aval.shape, leaf.aval.dtype.name)
            if kind in room:
                room.remove(kind)
                leaf.delete()
    return results
