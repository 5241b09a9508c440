"""`jax.scipy.cluster`. The subpackage is imported when first used."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name == "vq":
        return importlib.import_module(".vq", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["vq"]
