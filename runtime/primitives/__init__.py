"""The primitives, one module a family. Each primitive is declared once, with all of its rules.

`FAMILIES` names the modules; `load_all` imports them, after which `core.primitives` holds every primitive by name.
Asking it for a name that it does not hold yet does so as well.
Kernels that need NumPy stand in modules named ``*_kernels``, which are imported when one of them first runs.
"""

from __future__ import annotations

import importlib

FAMILIES = (
    "unary",
    "binary",
    "comparison",
    "conversion",
    "selection",
    "reductions",
    "shape",
    "slicing",
    "dynamic_slicing",
    "contraction",
    "call",
    "indexing",
    "stacking",
    "sorting",
    "cumulative",
    "special",
    "random",
    "references",
)


def load_all() -> None:
    """Import every family."""
    for family in FAMILIES:
        importlib.import_module(f".{family}", __name__)
