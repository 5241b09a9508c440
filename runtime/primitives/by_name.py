"""Primitives under the names that JAX shows them by: ``sin_p``, ``add_p``."""

from __future__ import annotations

from ..core import Primitive, primitives

_OTHER_NAMES = {"remat": "remat2"}


def registered(name: str) -> Primitive | None:
    """The primitive that is registered under a name; None if there is none, or if its file has not been needed yet."""
    key = name.removesuffix("_p")
    for spelling in (key, key.replace("_", "-"), _OTHER_NAMES.get(key, key)):
        try:
            return primitives[spelling]
        except KeyError:
            continue
    return None


def __getattr__(name: str) -> Primitive:
    if not name.endswith("_p") or name.startswith("_"):
        raise AttributeError(name)
    found = registered(name)
    if found is None:
        from .. import lax  # Which looks in all files, those of control flow too.

        found = lax._primitive(name)
    return found
