"""The look-up over all tables.

A table is a module `NAME_table.py` of this package; it speaks of the library `NAME`, an underscore standing for a dot
(`jax_numpy_table` of `jax.numpy`), and of those that `ROOTS_OF` lists for it.  It has any of the names

- `FUNCTIONS`: prefix to lines of `schema`; a line that starts with a blank continues the one before, `#` starts a remark,
  and several names before the parenthesis share a description, where `.*` stands for a dot and the function's name
- `ALIASES`: dotted name to canonical dotted name; also for whole modules
- `OBJECTS`: dotted name to a word: `dtype` (a callable scalar type), `constant:float`, `static:KIND`, `module`,
  `context:KIND` (context managers), `class:KIND` (`class:opaque`: no pytree, so that no trace takes its objects)
- `METHODS`: type (`Array`, `ndarray`, `EquinoxLayer`) to lines for its methods, the receiver left out; a type is called
  after its library, or listed in `TABLE_OF_TYPE`
- `ATTRIBUTES`: type to attribute to a word: `static:KIND`, `shape`, `array:SHAPE,DTYPE` (rules of `schema` over `self`),
  `same`, `at`, `concrete:ERROR,KIND` (static, but a tracer lacks it and raises ERROR)
- `COMMON`: type to those of its names that other types often have too, so that they do not tell what an object is
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from types import ModuleType

from .schema import Signature, TableError, parse

ROOTS_OF: Mapping[str, str] = {
    "jax_array": "",
    "numpy_array": "",
    "jax_scipy": "jax.scipy jax.image jax.ops",
    "math": "math cmath statistics",
    "flax_layers": "flax",
    "distributions": "distrax numpyro tensorflow_probability",
    "optimisation": "blackjax diffrax jaxopt lineax optax optimistix",
    "checking": "beartype chex einops jaxtyping typeguard",
    "functional": "abc array bisect collections contextlib copy dataclasses decimal enum fractions functools heapq inspect itertools "
    "operator re string struct toolz types typing typing_extensions",
    "effects": "absl.logging builtins cPickle cloudpickle csv datetime glob json logging loguru ntpath os pathlib pickle "
    "posixpath pprint random rich secrets shutil subprocess sys tempfile time traceback tqdm uuid wandb warnings",
}
"""The libraries that a table speaks of, where its name does not tell."""

TABLE_OF_TYPE: Mapping[str, str] = {
    kind: table
    for table, kinds in {
        "argparse": "ArgumentParser",
        "distributions": "Distribution",
        "effects": "Logger Path Random file",
        "flax": "TrainState",
        "flax_layers": "AttentionLayer Cell Chain Convolution DenseLayer DropoutLayer EmbeddingLayer GraphDropout GraphRecurrent GraphStatistics Layer "
        "LinearLayer LinenModule Recurrent SameLayer SizedCell SizedLayer StatisticsLayer Streams graph",
        "functional": "ChainMap Dispatcher MappingProxyType SimpleNamespace UserObject",
        "jax_array": "Array At",
        "jax_nn": "Initializer",
        "numpy": "Vectorized",
        "numpy_array": "ndarray",
        "numpy_random": "Generator RandomState",
        "scipy": "HostDistribution HostFunction HostMatrix HostSolver",
        "numpyro": "Guide Handler Kernel Prediction Recorder Sampler Variational",
    }.items()
    for kind in kinds.split()
}
"""The table that has the methods and attributes of a type, where the type is not called after its library."""


class Catalogue:
    """All tables together, with the user's own transforms added.

    Tables are imported when a name of theirs is first asked for, and lines parsed when they are looked up.

    Args:
        transforms: the user's own functions: dotted name to the dotted name that it behaves like, or to a line of
            `schema` without the function's name: `(fun, *, static_argnums=) -> transform[jit]`.

    Raises:
        TableError: an entry of `transforms` is neither.
    """

    def __init__(self, transforms: Mapping[str, str] | None = None) -> None:
        self._canonical: dict[str, str] = {}
        self._functions: dict[str, Signature | None] = {}
        self._objects: dict[str, str | None] = {}
        self._aliases: dict[str, str] = {}
        self._lines: dict[str, str] = {}
        for name, meaning in (transforms or {}).items():
            if meaning.lstrip().startswith("("):
                parse(name + meaning)
                self._lines[name] = name + meaning
            elif all(part.isidentifier() for part in meaning.split(".")):
                self._aliases[name] = meaning
            else:
                raise TableError(
                    f"cannot read the transform {name!r}: expected a dotted name such as jax.jit, or parameters and a "
                    f"result such as '(fun, *, static_argnums=) -> transform[jit]', not {meaning!r}"
                )

    def canonical(self, name: str) -> str:
        """The canonical name of a dotted name, following aliases of the name and of its modules."""
        known = self._canonical.get(name)
        if known is None:
            known = self._canonical[name] = self._follow(name)
        return known

    def _follow(self, name: str) -> str:
        for _ in range(8):
            renamed = self._rename(name)
            if renamed == name:
                return name
            name = renamed
        return name

    def _rename(self, name: str) -> str:
        tables = list(_tables_for(name))
        head, tail = name, ""
        while True:
            target = self._aliases.get(head)
            if target is None:
                target = next((table.aliases[head] for table in tables if head in table.aliases), None)
            if target is not None:
                return target + tail
            cut = head.rfind(".")
            if cut < 0:
                return name
            head, tail = head[:cut], head[cut:] + tail

    def function(self, name: str) -> Signature | None:
        """The function with this canonical name, or None where the tables do not know it."""
        if name not in self._functions:
            line = self.line(name)
            self._functions[name] = parse(line) if line else None
        return self._functions[name]

    def line(self, name: str) -> str | None:
        """What the tables say of the function with this canonical name."""
        return self._lines.get(name) or next(
            (t.functions[name] for t in _tables_for(name) if name in t.functions), None
        )

    def object(self, name: str) -> str | None:
        """The word for a constant, dtype, class or context manager with this canonical name."""
        if name not in self._objects:
            self._objects[name] = next(
                (t.objects[name] for t in _tables_for(name) if name in t.objects), None
            )
        return self._objects[name]

    def method(self, kind: str, name: str) -> Signature | None:
        """A method of `Array`, `ndarray`, `Generator`, ..."""
        table = table_of_type(kind)
        line = table.methods.get(kind, {}).get(name) if table else None
        return parse(line) if line else None

    def attribute(self, kind: str, name: str) -> str | None:
        """The word for an attribute of `Array`, ...; `*` stands for all others."""
        table = table_of_type(kind)
        words = table.attributes.get(kind, {}) if table else {}
        return words.get(name, words.get("*"))

    def is_common(self, kind: str, name: str) -> bool:
        """Whether objects of many other types than this one have such an attribute or method."""
        table = table_of_type(kind)
        return table is not None and name in table.common.get(kind, ())

    def knows(self, root: str) -> bool:
        """Whether some table speaks of this top-level module."""
        return root in self._own_roots() or root in roots()

    def _own_roots(self) -> set[str]:
        return {name.split(".", 1)[0] for name in (*self._aliases, *self._lines)}


class Table:
    """One table module, its names made absolute."""

    def __init__(self, module: ModuleType) -> None:
        self.functions: dict[str, str] = {}
        for prefix, text in getattr(module, "FUNCTIONS", {}).items():
            for name, line in _lines(text):
                self.functions[f"{prefix}.{name}" if prefix else name] = line
        self.aliases: dict[str, str] = getattr(module, "ALIASES", {})
        self.objects: dict[str, str] = getattr(module, "OBJECTS", {})
        self.methods = {kind: dict(_lines(text)) for kind, text in getattr(module, "METHODS", {}).items()}
        self.attributes: dict[str, dict[str, str]] = getattr(module, "ATTRIBUTES", {})
        self.common: dict[str, frozenset[str]] = getattr(module, "COMMON", {})


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Each function's name and description in the lines of a table."""
    whole: list[str] = []
    for line in cleandoc(text).splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    for line in whole:
        names, parenthesis, description = line.partition("(")
        for name in names.split():
            yield name, name + parenthesis + description.replace(".*", f".{name}")


@cache
def read_table(name: str) -> Table:
    """The table of that name, its module imported."""
    return Table(importlib.import_module(f".{name}_table", __package__))


@cache
def table_of_type(kind: str) -> Table | None:
    """The table that has the methods and attributes of a type, if one has them."""
    if kind in TABLE_OF_TYPE:
        return read_table(TABLE_OF_TYPE[kind])
    for root in roots():
        library = root.replace("_", "")
        if kind.lower().startswith(library) and kind[len(library) :][:1].isupper():
            for table in _tables_for(root):
                if kind in table.methods or kind in table.attributes:
                    return table
    return None


@cache
def prefixes() -> Mapping[str, tuple[str, ...]]:
    """The dotted prefixes that tables speak of, and the names of these tables."""
    found: dict[str, tuple[str, ...]] = {}
    package = importlib.import_module(__package__ or "")
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.endswith("_table"):
            name = info.name.removesuffix("_table")
            for prefix in ROOTS_OF.get(name, name.replace("_", ".")).split():
                found[prefix] = (*found.get(prefix, ()), name)
    return found


@cache
def roots() -> frozenset[str]:
    """The top-level modules that tables speak of."""
    return frozenset(prefix.split(".", 1)[0] for prefix in prefixes())


def is_module(name: str) -> bool:
    """Whether a dotted name is that of a module, one of Python's own or one that tables speak of."""
    return name in prefixes() or name in sys.stdlib_module_names


def _tables_for(name: str) -> Iterator[Table]:
    """The tables that may speak of a dotted name, that of the longest prefix first."""
    known = prefixes()
    while name:
        for table in known.get(name, ()):
            yield read_table(table)
        name = name.rpartition(".")[0]


def tables() -> dict[str, Table]:
    """All tables by name."""
    names = {name for group in prefixes().values() for name in group} | ROOTS_OF.keys()
    return {name: read_table(name) for name in sorted(names)}


@cache
def catalogue_for(transforms: tuple[tuple[str, str], ...]) -> Catalogue:
    """The tables with a user's transforms, made once; raises TableError where one cannot be read."""
    return Catalogue(dict(transforms))


@cache
def catalogue() -> Catalogue:
    """The tables without any settings of the user."""
    return Catalogue()
