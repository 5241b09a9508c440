"""Which functions of a file are worth running although nobody is seen to call them: a look at their words.

A function that nobody calls runs outside every trace.  It matters if it names a transform, draws random numbers, stores
into arrays, or uses something of the project that does one of these.  Others are not run, and not even parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .gate import STORE, Gate

if TYPE_CHECKING:
    from .project import Project
    from .source import SourceFile

FAR = 2
"""Imports followed one after the other: to a package, and from there to the module that it takes a name from."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_ATTRIBUTE = re.compile(r"\.(\w+)\s*(?::[^=\n]*)?=(?!=)")
_EAGER = frozenset({"tree", "tree_util"})  # their `map` calls functions on the leaves as they are
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement or function.

    Args:
        names: what it gives a meaning: the function and its class, targets, attributes that it sets.
        words: the words in it.
        traces: whether it names a transform or draws random numbers.
        stores: whether it may store into an array.
        touches: whether it names a library that traces.
        end: the offset where it ends, if it is a function.
    """

    names: frozenset[str]
    words: frozenset[str]
    traces: bool
    stores: bool
    touches: bool
    end: int | None


@dataclass(frozen=True, slots=True)
class _Import:
    """What an imported name stands for: a module, or a member of one."""

    module: str
    member: str | None


@dataclass(frozen=True, slots=True)
class _Marks:
    """The names that matter of a file, those that store, and the ends of the functions that matter."""

    matter: frozenset[str]
    store: frozenset[str]
    ends: frozenset[int]

    @property
    def any(self) -> bool:
        """Whether there is anything."""
        return bool(self.matter or self.store or self.ends)


class Relevance:
    """What matters in one file.

    Attributes:
        anything: whether anything in it does.
    """

    def __init__(self, source: SourceFile, gate: Gate, project: Project | None) -> None:
        words = _Words.of(source, gate, project)
        self._ends = words.marks(FAR).ends
        self.anything = words.marks(FAR).any or words.restless

    def of(self, end: int) -> bool:
        """Whether the function that ends with the line that ends at this offset matters."""
        return end in self._ends


class _Words:
    """A file as words: its units, and what its imports lead to."""

    def __init__(self, source: SourceFile, gate: Gate, project: Project | None) -> None:
        self._source, self._gate, self._project = source, gate, project
        self._imports: dict[str, list[_Import]] = {}
        self._stars: list[str] = []
        self._read_imports(source.tree)
        self._of_library = frozenset(
            name
            for name, imports in self._imports.items()
            if any(one.module.partition(".")[0] in gate.libraries for one in imports)
        )
        self._ends = source.line_ends
        self._units = [*self._read_units(source.tree.body)]
        self._marks: dict[int, _Marks] = {}
        self.restless = any(unit.traces or unit.stores for unit in self._units)
        """Whether anything in the file itself traces or stores."""

    @classmethod
    def of(cls, source: SourceFile, gate: Gate, project: Project | None) -> _Words:
        """The words of a file, read once in a project."""
        if project is None:
            return cls(source, gate, project)
        known = project.words.get(source)
        if not isinstance(known, _Words):
            known = project.words[source] = cls(source, gate, project)
        return known

    # --- reading -----------------------------------------------------------------------------------------------

    def _read_imports(self, tree: ast.Module) -> None:
        pending: list[ast.AST] = [*tree.body]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    self._imports.setdefault(name, []).append(_Import(alias.name, None))
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                for alias in node.names:
                    if alias.name == "*":
                        self._stars.append(module)
                    else:
                        self._imports.setdefault(alias.asname or alias.name, []).append(
                            _Import(module, alias.name)
                        )
            else:
                pending += _inside(node)

    def _read_units(self, block: Iterable[ast.AST]) -> Iterator[_Unit]:
        pending = [(node, frozenset[str](), frozenset[str]()) for node in block]
        while pending:
            node, owners, bases = pending.pop()
            first, last = _first_row(node), getattr(node, "end_lineno", None) or 0
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield self._unit(owners | {node.name}, first, last, bases, function=True)
                continue
            if isinstance(node, ast.Import | ast.ImportFrom):
                continue
            inside = _inside(node)
            names = owners | _given(node)
            if first:
                head = min(map(_first_row, inside), default=last + 1) - 1
                yield self._unit(names, first, max(head, first), bases)
            if isinstance(node, ast.ClassDef):
                owners, bases = (
                    names,
                    bases
                    | {one.id for base in node.bases for one in ast.walk(base) if isinstance(one, ast.Name)},
                )
            pending += [(child, owners, bases) for child in inside]

    def _unit(
        self, names: frozenset[str], first: int, last: int, bases: frozenset[str], function: bool = False
    ) -> _Unit:
        text = "".join(self._source.lines[first - 1 : last])
        dotted = set(_DOTTED.findall(text))
        words = frozenset(word for path in dotted for word in path.split("."))
        return _Unit(
            names | set(_ATTRIBUTE.findall(text)) if function else names,
            words | bases,  # what a class inherits is used by another word: `self`
            any(map(self._traces, dotted)),
            bool(STORE.search(text)),
            not words.isdisjoint(self._of_library),
            self._ends[last - 1] if function else None,
        )

    def _traces(self, dotted: str) -> bool:
        """Whether a dotted name is, by its import, a transform or a function of random numbers."""
        root, *rest = dotted.split(".")
        imports = self._imports.get(root)
        if imports is None:
            return not rest and bool(self._stars) and root in self._gate.functions
        for one in imports:
            path = [*one.module.split("."), *([one.member] if one.member else []), *rest]
            if path[-1] in self._gate.functions and path[-2:-1] not in ([name] for name in _EAGER):
                return True
            if "random" in path and path[0] in self._gate.libraries:
                return True
        return False

    # --- deciding ----------------------------------------------------------------------------------------------

    def marks(self, far: int) -> _Marks:
        """What matters where this many imports may be followed."""
        known = self._marks.get(far)
        if known is None:
            known = self._marks[far] = self._decide(far)
        return known

    def _decide(self, far: int) -> _Marks:
        starred = [self._offered_by(module, far) for module in self._stars]
        store = self._spread({name for one in starred for name in one.store}, far, stores=True)
        ends: set[int] = set()
        matter = self._spread(
            {name for one in starred for name in one.matter}, far, stores=False, storing=store, ends=ends
        )
        return _Marks(frozenset(matter), frozenset(store), frozenset(ends))

    def _spread(
        self,
        names: set[str],
        far: int,
        *,
        stores: bool,
        storing: AbstractSet[str] = frozenset(),
        ends: set[int] | None = None,
    ) -> set[str]:
        """The names of all units that store, or else that matter, by themselves or by a name that does."""
        leads: dict[str, bool] = {}
        waiting, before = self._units, -1
        while len(waiting) != before:
            before, rest = len(waiting), []
            for unit in waiting:
                if (
                    (unit.stores if stores else unit.traces)
                    or not names.isdisjoint(unit.words)
                    or (unit.touches and (unit.stores or not storing.isdisjoint(unit.words)) and not stores)
                    or self._any_leads(unit.words, far, stores, leads)
                ):
                    names |= unit.names
                    if unit.end is not None and ends is not None:
                        ends.add(unit.end)
                else:
                    rest.append(unit)
            waiting = rest
        return names

    def _any_leads(self, words: frozenset[str], far: int, stores: bool, known: dict[str, bool]) -> bool:
        for word in self._imports.keys() & words:
            if word not in known:
                known[word] = self._leads(word, far, stores)
            if known[word]:
                return True
        return False

    def _leads(self, name: str, far: int, stores: bool) -> bool:
        """Whether an imported name stands for something of the project that stores, or else that matters."""
        for one in self._imports[name]:
            if one.member is None:
                offered = self._offered_by(one.module, far)
                if offered.store if stores else offered.matter:
                    return True
            elif self._offers(one.module, one.member, far, stores):
                return True
        return False

    def _offers(self, module: str, member: str, far: int, stores: bool) -> bool:
        found = self._find(module, far)
        if found is not None:
            marks = found.marks(far - 1)
            if member in (marks.store if stores else marks.matter):
                return True
            if member in found._imports and found._leads(member, far - 1, stores):
                return True
            if not found._is_package:
                return False
        offered = self._offered_by(f"{module}{'' if module.endswith('.') else '.'}{member}", far)
        return bool(offered.store if stores else offered.matter)

    @property
    def _is_package(self) -> bool:
        return self._source.path is not None and self._source.path.name == "__init__.py"

    def _offered_by(self, module: str, far: int) -> _Marks:
        found = self._find(module, far)
        if found is None:
            return _NOTHING
        marks = found.marks(far - 1)
        return _Marks(
            marks.matter | {name for name in found._imports if found._leads(name, far - 1, stores=False)},
            marks.store | {name for name in found._imports if found._leads(name, far - 1, stores=True)},
            frozenset(),
        )

    def _find(self, module: str, far: int) -> _Words | None:
        if far <= 0 or self._project is None:
            return None
        source = self._project.locate(module, self._source)
        if source is None or source is self._source or not source.parses:
            return None
        return _Words.of(source, self._gate, self._project)


_NOTHING = _Marks(frozenset(), frozenset(), frozenset())


def _first_row(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", None)
    return int(decorators[0].lineno if decorators else getattr(node, "lineno", 0))


def _given(node: ast.AST) -> frozenset[str]:
    """The names that a statement binds."""
    if isinstance(node, ast.ClassDef):
        return frozenset({node.name})
    if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return frozenset()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return frozenset(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def _inside(node: ast.AST) -> list[ast.AST]:
    """The statements and clauses of a node's blocks."""
    blocks = (getattr(node, name, None) for name in _BLOCKS)
    return [child for block in blocks if isinstance(block, list) for child in block]
