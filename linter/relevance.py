"""Which functions of a file are worth running although nobody is seen to call them: a look at their words.

A function that nobody calls runs outside every trace.  It matters if it names a transform, may draw from one random key
twice, may store into an array, or uses something of the project that does one of these.  Others are not run, and not even
parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from .gate import Gate, changes_by_call, may_drop, may_store
from .python_tree import first_row, inside, is_docstring
from .records import record

if TYPE_CHECKING:
    from .files.project import Project
    from .files.source import SourceFile

FAR = 2
"""Imports followed one after the other: to a package, and from there to the module that it takes a name from."""

_ATTRIBUTE = re.compile(r"\b(?:self|cls)\.(\w+)\s*(?::[^=\n]*)?=(?!=)")
# What stands between the dotted names of a text becomes white space.
_APART = "".join(sign if sign.isalnum() or sign in "_." else " " for sign in map(chr, range(128)))
_LOOP = re.compile(r"\b(?:for|while)\b")
# Functions of jax.random that draw from none.
_KEYS = frozenset({"PRNGKey", "key", "key_data", "wrap_key_data", "key_impl", "PRNGKeyArray"})
_EAGER = frozenset({"tree", "tree_util"})  # their `map` calls functions on the leaves as they are


@record(frozen=True, slots=True)
class _Unit:
    """A statement or function.

    Args:
        names: what it gives a meaning: the function and its class, targets, attributes that it sets.
        words: the other words in it.
        reaches: the imported names in it, each with the name behind its dot, if there is one.
        matters: whether it does by itself: it names a transform, or draws random numbers more than once.
        stores: whether it stores into something, which matters where a library is named.
        draws: whether it draws random numbers, which matters where another does so too.
        touches: whether it names a library that traces.
        trees: whether it is no function and calls one on trees, which refuses trees that differ.
        end: the offset where it ends, if it is a function.
    """

    names: frozenset[str]
    words: frozenset[str]
    reaches: frozenset[tuple[str, str]]
    matters: bool
    stores: bool
    draws: bool
    touches: bool
    trees: bool
    end: int | None


@record(frozen=True, slots=True)
class _Import:
    """What an imported name stands for: a module, or a member of one."""

    module: str
    member: str | None


@record(frozen=True, slots=True)
class _Marks:
    """The names that matter of a file, those that do halfway, the last rows of the functions that matter.

    `anything` does even where the only statement that does gives no name a meaning.
    """

    matter: frozenset[str]
    halfway: frozenset[str]
    ends: frozenset[int]
    anything: bool


class Relevance:
    """What matters in one file.

    Attributes:
        anything: whether anything in it does.
    """

    def __init__(self, source: SourceFile, gate: Gate, project: Project | None) -> None:
        words = _Words.of(source, gate, project)
        self._ends = words.marks(FAR).ends
        self.anything = words.marks(FAR).anything

    def of(self, last_row: int) -> bool:
        """Whether the function that ends on this row matters."""
        return last_row in self._ends


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
            if any(one.module.partition(".")[0] in gate.functions for one in imports)
        )
        self._found: dict[str, _Words | None] = {}
        self._tracing: dict[str, bool] = {}
        self._random = "random" in source.text
        self._is_package = source.path is not None and source.path.name == "__init__.py"
        self._units = [*self._read_units(source.tree.body)]
        self._marks: dict[int, _Marks] = {}

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
                pending += inside(node)

    def _read_units(self, block: Iterable[ast.AST]) -> Iterator[_Unit]:
        pending = [(node, frozenset[str](), frozenset[str]()) for node in block]
        while pending:
            node, owners, bases = pending.pop()
            first, last = first_row(node), getattr(node, "end_lineno", None) or 0
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield self._unit(node, owners | {node.name}, first, last, bases)
                continue
            if isinstance(node, ast.Import | ast.ImportFrom) or is_docstring(node):
                continue
            children = inside(node)
            names = owners | _given(node)
            if first:
                head = min(map(first_row, children), default=last + 1) - 1
                yield self._unit(node, names, first, max(head, first), bases)
            if isinstance(node, ast.ClassDef):
                owners, bases = (
                    names,
                    bases
                    | {one.id for base in node.bases for one in ast.walk(base) if isinstance(one, ast.Name)},
                )
            pending += [(child, owners, bases) for child in children]

    def _unit(
        self, node: ast.AST, names: frozenset[str], first: int, last: int, bases: frozenset[str]
    ) -> _Unit:
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        text = self._code(node, first, last)
        found = text.translate(_APART).split()
        dotted = set(found)
        words = frozenset(" ".join(dotted).replace(".", " ").split())
        known = [path for path in dotted if path.partition(".")[0] in self._imports]
        draws = sum(found.count(path) for path in known if self._draws(path)) if self._random else 0
        traces = any(map(self._traces, known)) or (
            bool(self._stars) and any(not names.isdisjoint(dotted) for names in self._gate.functions.values())
        )
        return _Unit(
            names | _attributes(text) if function else names,
            (words - names) | bases,  # what a class inherits is used by another word: `self`
            frozenset(map(_head, known)) | {(base, "") for base in bases & self._imports.keys()},
            traces or draws > 1 or bool(draws and _LOOP.search(text)),
            may_drop(text) or (may_store(text) and (changes_by_call(text) or _stores(node))),
            draws > 0,
            not words.isdisjoint(self._of_library),
            not function and any(map(self._is_of_tree, known)),
            last if function else None,
        )

    def _code(self, node: ast.AST, first: int, last: int) -> str:
        """The rows of a statement, without a docstring that has rows of its own."""
        lines = self._source.lines
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) > 1:
            told, following = node.body[:2]
            end = told.end_lineno or 0
            alone = following.lineno > end and lines[told.lineno - 1][: told.col_offset].isspace()
            if alone and is_docstring(told):
                return "".join((*lines[first - 1 : told.lineno - 1], *lines[end:last]))
        return "".join(lines[first - 1 : last])

    def _traces(self, dotted: str) -> bool:
        """Whether a dotted name is, by its import, a transform."""
        known = self._tracing.get(dotted)
        if known is None:
            known = self._tracing[dotted] = any(
                path[-1] in self._gate.traced_by(path[0]) and _EAGER.isdisjoint(path[-2:-1])
                for path in self._paths(dotted)
            )
        return known

    def _is_of_tree(self, dotted: str) -> bool:
        """Whether a dotted name is, by its import, a function on trees."""
        return any(
            not _EAGER.isdisjoint(path[-2:-1]) and path[0] in self._gate.functions
            for path in self._paths(dotted)
        )

    def _paths(self, dotted: str) -> Iterator[list[str]]:
        """What a dotted name stands for, by its imports."""
        root, *rest = dotted.split(".")
        for one in self._imports[root]:
            yield [*one.module.split("."), *([one.member] if one.member else []), *rest]

    def _draws(self, dotted: str) -> bool:
        """Whether a dotted name is, by its import, a function that draws from a random key."""
        if dotted.partition(".")[0] not in self._of_library:
            return False
        return any(
            "random" in path[:-1] and path[-1] not in _KEYS and path[0] in self._gate.functions
            for path in self._paths(dotted)
        )

    # --- deciding ----------------------------------------------------------------------------------------------

    def marks(self, far: int) -> _Marks:
        """What matters where this many imports may be followed."""
        known = self._marks.get(far)
        if known is None:
            known = self._marks[far] = self._decide(far)
        return known

    def _decide(self, far: int) -> _Marks:
        starred = [self._offered_by(module, far) for module in self._stars]
        halfway = {name for one in starred for name in one.halfway}
        storing = self._spread(halfway, lambda unit: unit.stores or unit.draws, far, half=True)
        matter = {name for one in starred for name in one.matter}
        mattering = self._spread(
            matter,
            lambda unit: (
                unit.matters or (unit.touches and (unit.stores or not halfway.isdisjoint(unit.words)))
            ),
            far,
            half=False,
        )
        ends = frozenset(unit.end for unit in mattering if unit.end is not None)
        trees = any(unit.trees for unit in self._units)
        anything = bool(matter or halfway or storing or mattering or trees)
        return _Marks(frozenset(matter), frozenset(halfway), ends, anything)

    def _spread(
        self, names: set[str], begins: Callable[[_Unit], bool], far: int, *, half: bool
    ) -> list[_Unit]:
        """All units with which it begins, and those that use a name of such a one; adds their names."""
        leads: dict[tuple[str, str], bool] = {}
        found: list[_Unit] = []
        waiting, before = self._units, -1
        while len(waiting) != before:
            before, rest = len(waiting), []
            for unit in waiting:
                if (
                    begins(unit)
                    or not names.isdisjoint(unit.words)
                    or self._any_leads(unit.reaches, far, half, leads)
                ):
                    names |= unit.names
                    found.append(unit)
                else:
                    rest.append(unit)
            waiting = rest
        return found

    def _any_leads(
        self, reaches: frozenset[tuple[str, str]], far: int, half: bool, known: dict[tuple[str, str], bool]
    ) -> bool:
        for reach in reaches:
            if reach not in known:
                known[reach] = self._leads(*reach, far, half)
            if known[reach]:
                return True
        return False

    def _leads(self, name: str, attribute: str, far: int, half: bool) -> bool:
        """Whether an imported name, or its attribute, is of the project and matters, or does halfway."""
        for one in self._imports[name]:
            if one.member is None:
                plain = name != one.module.partition(".")[0] or "." not in one.module
                if attribute and plain:
                    leads = self._offers(one.module, attribute, far, half)
                else:
                    offered = self._offered_by(one.module, far)
                    leads = bool(offered.halfway if half else offered.matter)
            else:
                leads = self._offers(one.module, one.member, far, half, attribute)
            if leads:
                return True
        return False

    def _offers(self, module: str, member: str, far: int, half: bool, attribute: str = "") -> bool:
        """Whether a member of a module matters; if the member is a module, its attribute, where one is named."""
        found = self._find(module, far)
        if found is not None:
            marks = found.marks(far - 1)
            if member in (marks.halfway if half else marks.matter):
                return True
            if member in found._imports and found._leads(member, attribute, far - 1, half):
                return True
            if not found._is_package:
                return False
        inner = f"{module}{'' if module.endswith('.') else '.'}{member}"
        if attribute:
            return self._find(inner, far) is not None and self._offers(inner, attribute, far, half)
        offered = self._offered_by(inner, far)
        return bool(offered.halfway if half else offered.matter)

    def _offered_by(self, module: str, far: int) -> _Marks:
        found = self._find(module, far)
        if found is None:
            return _NOTHING
        marks = found.marks(far - 1)
        return _Marks(
            marks.matter | {name for name in found._imports if found._leads(name, "", far - 1, half=False)},
            marks.halfway | {name for name in found._imports if found._leads(name, "", far - 1, half=True)},
            frozenset(),
            marks.anything,
        )

    def _find(self, module: str, far: int) -> _Words | None:
        if far <= 0 or self._project is None:
            return None
        if module not in self._found:
            source = self._project.locate(module, self._source)
            usable = source is not None and source is not self._source and source.parses
            self._found[module] = (
                _Words.of(source, self._gate, self._project) if source is not None and usable else None
            )
        return self._found[module]


_NOTHING = _Marks(frozenset(), frozenset(), frozenset(), False)


def _head(dotted: str) -> tuple[str, str]:
    """The first name of a dotted one, and the second; empty if there is none."""
    root, _, rest = dotted.partition(".")
    return root, rest.partition(".")[0]


def _attributes(text: str) -> set[str]:
    """The attributes that a function sets of its object or class."""
    return set(_ATTRIBUTE.findall(text)) if "self." in text or "cls." in text else set()


def _given(node: ast.AST) -> frozenset[str]:
    """The names that a statement binds."""
    if isinstance(node, ast.ClassDef):
        return frozenset({node.name})
    if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return frozenset()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return frozenset(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def _stores(node: ast.AST) -> bool:
    """Whether a statement, or one inside it, stores into something by an index that an array can have."""
    pending = [node]
    while pending:
        statement = pending.pop()
        pending += inside(statement)
        targets = [*getattr(statement, "targets", ()), getattr(statement, "target", None)]
        targets += [item.optional_vars for item in getattr(statement, "items", ())]
        for target in filter(None, targets):
            for inner in ast.walk(target):
                if isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                    if not (isinstance(inner.slice, ast.Constant) and isinstance(inner.slice.value, str)):
                        return True
    return False
