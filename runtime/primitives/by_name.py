"""Primitives under the names that JAX shows them by: ``sin_p``, ``add_p``."""

from __future__ import annotations

from ..core import Primitive, primitives

_OTHER_NAMES = {"remat": "remat2", "while": "while", "jit": "jit"}


def __getattr__(name: str) -> Primitive:
    if not name.endswith("_p") or name.startswith("_"):
        raise AttributeError(name)
    key = name[:-2]
    for spelling in (key, key.replace("_", "-"), _OTHER_NAMES.get(key, key)):
        try:
            return primitives[spelling]
        except KeyError:
            continue
    raise AttributeError(name)
