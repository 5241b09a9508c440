"""The look-up over all tables.

A table is a module of this package with any of the names

- `ROOTS`: the top-level modules that it speaks of
- `FUNCTIONS`: lines of `schema`, each name relative to `PREFIX` (or absolute where it starts with a root)
- `ALIASES`: dotted name to canonical dotted name; also for whole modules (`jax.experimental.pjit.pjit = jax.jit`)
- `OBJECTS`: dotted name to a word: `dtype` (a callable scalar type), `constant:float`, `static:KIND`, `module`,
  `context:KIND` (context managers), `class:KIND`
- `METHODS`: type (`Array`, `ndarray`, `Key`, `At`) to lines for its methods, the receiver left out
- `ATTRIBUTES`: type to attribute to a word: `static:KIND`, `array`, `same`, `at`
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import ModuleType

from .schema import Signature, parse


class Catalogue:
    """All tables together, with the user's own transforms added.

    Tables are imported when a name of theirs is first asked for, and lines parsed when they are looked up.
    """

    def __init__(self, transforms: Mapping[str, str] | None = None) -> None:
        self._aliases = dict(transforms or {})
        self._loaded: dict[str, _Table] = {}

    def canonical(self, name: str) -> str:
        """The canonical name of a dotted name, following aliases of the name and of its modules."""
        for _ in range(8):
            renamed = self._rename(name)
            if renamed == name:
                return name
            name = renamed
        return name

    def _rename(self, name: str) -> str:
        table = self._table(name)
        head, tail = name, ""
        while True:
            target = self._aliases.get(head) or (table.aliases.get(head) if table else None)
            if target is not None:
                return target + tail
            cut = head.rfind(".")
            if cut < 0:
                return name
            head, tail = head[:cut], head[cut:] + tail

    def function(self, name: str) -> Signature | None:
        """The function with this canonical name, or None where the tables do not know it."""
        table = self._table(name)
        line = table.functions.get(name) if table else None
        return parse(line) if line else None

    def object(self, name: str) -> str | None:
        """The word for a constant, dtype, class or context manager with this canonical name."""
        table = self._table(name)
        return table.objects.get(name) if table else None

    def method(self, kind: str, name: str) -> Signature | None:
        """A method of `Array`, `ndarray`, ..."""
        for table in self._tables_of(kind):
            line = table.methods.get(kind, {}).get(name)
            if line:
                return parse(line)
        return None

    def attribute(self, kind: str, name: str) -> str | None:
        """The word for an attribute of `Array`, `ndarray`, ..."""
        for table in self._tables_of(kind):
            word = table.attributes.get(kind, {}).get(name)
            if word:
                return word
        return None

    def knows(self, root: str) -> bool:
        """Whether some table speaks of this top-level module."""
        return root in _roots()

    def _table(self, name: str) -> _Table | None:
        module = _roots().get(name.split(".", 1)[0])
        return self._load(module) if module else None

    def _tables_of(self, kind: str) -> list[_Table]:
        return [self._load("numpy" if kind in ("ndarray", "HostArray") else "jax")]

    def _load(self, module: str) -> _Table:
        if module not in self._loaded:
            self._loaded[module] = _Table(importlib.import_module(f".{module}_table", __package__))
        return self._loaded[module]


class _Table:
    """One table module, its names made absolute."""

    def __init__(self, module: ModuleType) -> None:
        self.functions: dict[str, str] = {}
        for prefix, lines in getattr(module, "FUNCTIONS", {}).items():
            for line in lines.strip().splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    name = line.split("(", 1)[0].strip()
                    self.functions[f"{prefix}.{name}" if prefix else name] = line.strip()
        self.aliases: dict[str, str] = getattr(module, "ALIASES", {})
        self.objects: dict[str, str] = getattr(module, "OBJECTS", {})
        self.methods: dict[str, dict[str, str]] = {
            kind: {line.split("(", 1)[0].strip(): line.strip() for line in lines.strip().splitlines() if line.strip()}
            for kind, lines in getattr(module, "METHODS", {}).items()
        }
        self.attributes: dict[str, dict[str, str]] = getattr(module, "ATTRIBUTES", {})


@cache
def _roots() -> dict[str, str]:
    """Top-level module to the table that speaks of it; a table `NAME_table.py` speaks of `NAME` and of its `ROOTS`."""
    found: dict[str, str] = {}
    package = importlib.import_module(__package__ or "")
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.endswith("_table"):
            name = info.name.removesuffix("_table")
            found[name] = name
            if name in EXTRA_ROOTS:
                found.update(dict.fromkeys(EXTRA_ROOTS[name], name))
    return found


EXTRA_ROOTS: dict[str, tuple[str, ...]] = {}
"""Further top-level modules of a table, named here so that a table need not be imported to learn them."""


@cache
def catalogue() -> Catalogue:
    """The tables without any settings of the user."""
    return Catalogue()
