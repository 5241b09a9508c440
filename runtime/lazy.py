"""Packages whose names are imported when first used (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package.

    `homes` tells which names, separated by spaces, each of its modules defines; `modules` are those that users name.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}
    submodules = frozenset(modules)

    def find(name: str) -> Any:
        if name in submodules:
            return importlib.import_module(f".{name}", package)
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f".{home[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: sorted({*submodules, *home})
