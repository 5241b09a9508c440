"""How many lanes a nest computes side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ..primitives.lowering import cost_of
from .engine import host
from .merged import MergedLoop
from .nest import Stage
from .types import BOOL

#: Vectors as wide as two registers hide the latency of arithmetic behind each other.
REGISTERS = 2
#: Bodies longer than what a processor looks ahead need more of them side by side; elementary functions, each of which
#: is one long chain of operations, need most.
LONG_REGISTERS = 4
FUNCTION_REGISTERS = 8
_LONG_WORK = 50
#: From so many additions on, an operation is such a chain.
_CHAIN = 8
#: How much of the last iteration may be done twice.
_OVERLAP = 0.15


def width_of(stages: Sequence[Stage], inner: Sequence[MergedLoop], *, quick: bool = False) -> int:
    """The lanes of the innermost loop; 1 where its stores are not contiguous, or depend on a mask or offset in it.

    Code for wide vectors takes longer to compile. Where the width does not matter to results, `quick` asks for less.
    """
    if not inner:
        return 1
    vector = inner[-1]
    for stage in stages:
        step = 1 if stage.reducer else stage.target.coefs[vector.dim]
        if step not in (1, -1) or (stage.offset is not None and stage.offset.dims & vector.dims):
            return 1
        if stage.mask is not None and stage.mask.dims & vector.dims:
            return 1
    nodes = {id(n): n for s in stages for n in s.nodes}.values()
    sizes = [n.elem.bytes for n in nodes if n.elem is not BOOL and n.op != "index"]
    costs = [cost_of(n.rule) for n in nodes]
    work = sum(costs)
    lanes = host().vector_bytes // max(sizes, default=4)
    combined = any(stage.reducer for stage in stages)
    if quick and not combined:
        return _fitting(REGISTERS * lanes, vector.size)
    if not combined and work > _LONG_WORK and 2 * sum(c for c in costs if c >= _CHAIN) > work:
        width = FUNCTION_REGISTERS * lanes
        if width <= vector.size and -vector.size % width <= _OVERLAP * vector.size:
            return width
    return _fitting((LONG_REGISTERS if work > _LONG_WORK else REGISTERS) * lanes, vector.size)


def _fitting(width: int, size: int) -> int:
    while width > size:
        width //= 2
    return width
