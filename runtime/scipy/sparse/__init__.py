"""`jax.scipy.sparse`: iterative solvers. The subpackage is imported when first used."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name == "linalg":
        return importlib.import_module(".linalg", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["linalg"]
