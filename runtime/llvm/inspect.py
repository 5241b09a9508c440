"""What a jaxpr becomes, stage by stage, as text; printed to stderr when ``TRACETRAP_DEBUG`` asks for it.

``TRACETRAP_DEBUG=1`` prints the jaxpr, ``2`` also its loops, ``3`` also the LLVM IR, ``4`` also the assembly.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from .engine import assembly
from .flat import Eqn, Flat
from .kernel import Kernel, build
from .listing import listing
from .partition import Segment, partition
from .types import NotLowered

KINDS = ("jaxpr", "loops", "llvm", "asm")


def emit(closed: Any, kind: str) -> str:
    """The text of one stage of a closed jaxpr: ``jaxpr``, ``loops``, ``llvm`` or ``asm``. Raises ValueError else."""
    if kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    if kind == "jaxpr":
        return str(closed)
    return "\n".join(_part(part, kind) for part in _parts(Flat(closed)))


def _parts(flat: Flat) -> list[Kernel | Eqn]:
    from .program import data_offset

    refused: set[str] = set()
    while True:
        try:
            return [
                build(part.flat, data_offset()) if isinstance(part, Segment) else part
                for part in partition(flat, refused)
            ]
        except NotLowered as error:
            if error.primitive in refused:
                raise
            refused.add(error.primitive)


def _part(part: Kernel | Eqn, kind: str) -> str:
    if isinstance(part, Eqn):
        return f"{';' if kind != 'loops' else '#'} {part.name} is left to NumPy"
    if kind == "loops":
        return listing(part.scope)
    return part.ir if kind == "llvm" else assembly(part.ir)


def debug_level() -> int:
    """``TRACETRAP_DEBUG`` as a number; 0 if it is none."""
    text = os.environ.get("TRACETRAP_DEBUG", "")
    return int(text) if text.isdigit() else 0


def report(closed: Any) -> None:
    """Prints the stages that ``TRACETRAP_DEBUG`` asks for."""
    for kind in KINDS[: debug_level()]:
        print(f"--- {kind}", emit(closed, kind), sep="\n", file=sys.stderr)
