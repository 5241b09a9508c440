"""Which files can matter: two looks at the text and one at Python's own syntax tree, before libcst is imported.

A file matters when it names a library that traces and something of it that could go wrong.  All others are left out at a
hundredth of what their analysis would cost.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .failures import TOP
from .findings import Location
from .python_tree import inside
from .syntax.allowance import size_of_code

if TYPE_CHECKING:
    from .files.source import SourceFile

MAX_SIZE = 16 * 2**20
"""Characters of a file."""

MAX_PARSED = 5 * 2**19
"""Characters of a file without its long strings: Python's own tree takes up to 240 bytes for each."""

MAX_DEPTH = (
    500  # the time that libcst takes grows with the square of the depth, and its stack ends at some thousands
)
_LONG = 1_000  # characters: no shorter statement nests that deep

_WORD = re.compile(r"[A-Za-z_]\w*")
_IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\.|\w+)", re.MULTILINE)
_INDEXED = re.compile(r"\](?:\s|\\\n)*(?:[-+*/@&|^%]|//|\*\*|<<|>>)?=(?!=)")
_DELETED = re.compile(r"\bdel\s")
_PLACE = re.compile(r"\.at\b")
# What changes an array without an assignment, each with a part of it that is quick to find.
_BY_CALL = {
    "out": re.compile(r"[(,]\s*out\s*=(?!=)"),
    "copyto(": re.compile(r"\bcopyto\("),
    ".fill(": re.compile(r"\.fill\("),
}
# A statement that is a call of what gives a changed copy, which is lost so
_DROPPED = re.compile(
    r"^[ \t]*(?:(?:jnp|jax\.numpy)\.\w+|[\w.]+\.(?:_?replace|apply_updates|astype|clip|dynamic_update_\w+|flip|fold_in"
    r"|nan_to_num|permutation|reshape|roll|round|split|squeeze|swapaxes|transpose))\(",
    re.MULTILINE,
)
# A name that a loop or a function gives its meaning, and one that a statement changes
_GIVEN = re.compile(
    r"^[ \t]*(?:for[ \t]+(.+?)[ \t]+in\b|(?:async[ \t]+)?def[ \t]+\w+\(([^)]*))", re.MULTILINE
)
_AUGMENTED = re.compile(r"^[ \t]+(\w+)[ \t]*(?:[-+*/@&|^%]|//|\*\*|<<|>>)=(?!=)", re.MULTILINE)
_TREE = re.compile(r"\btree(?:_util)?\.\w|\btree_\w+\(")


def changes_by_call(text: str) -> bool:
    """Whether a text may change an array without an assignment: `out=`, `.fill(...)`."""
    return any(part in text and pattern.search(text) for part, pattern in _BY_CALL.items())


def names_places(text: str) -> bool:
    """Whether a text may make a changed copy of an array: `.at`."""
    return ".at" in text and _PLACE.search(text) is not None


def may_store(text: str) -> bool:
    """Whether a text may store into something by an index, delete from it, change or copy it by a call."""
    return (
        _INDEXED.search(text) is not None
        or ("del" in text and _DELETED.search(text) is not None)
        or changes_by_call(text)
        or names_places(text)
    )


def may_drop(text: str) -> bool:
    """Whether a text may throw away the changed copy that a call gives, or that a name gets."""
    return drops_result(text) or _rebinds(text)


def drops_result(text: str) -> bool:
    """Whether a text may throw away the changed copy that a call gives."""
    return _DROPPED.search(text) is not None


def may_augment(text: str) -> bool:
    """Whether a text changes what a name stands for: `w -= rate * g`."""
    return _AUGMENTED.search(text) is not None


def _rebinds(text: str) -> bool:
    """Whether a text may change what a loop's variable or a parameter stands for: `w -= rate * g`."""
    augmented = set(_AUGMENTED.findall(text))
    if not augmented:
        return False
    return any(not augmented.isdisjoint(_WORD.findall(" ".join(given))) for given in _GIVEN.findall(text))


def maps_trees(text: str) -> bool:
    """Whether a text names functions on trees, whose structures may differ: `jax.tree.map`, `tree_map(...)`."""
    return "tree" in text and _TREE.search(text) is not None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a file cannot be analysed, and where."""

    reason: str
    location: Location = TOP


@dataclass(frozen=True, slots=True)
class Gate:
    """What a file must mention: libraries, each with the last parts of the names of its functions that trace."""

    functions: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, transforms: Mapping[str, str]) -> Gate:
        """The gate of the knowledge tables, widened by the user's own transforms."""
        return _gate(tuple(sorted(transforms)))

    def names_library(self, text: str) -> bool:
        """Whether the text mentions a library that traces, be it in a comment."""
        return any(library in text for library in self.functions)

    def imports_library(self, text: str) -> bool:
        """Whether the text imports a library that traces."""
        return self.names_library(text) and any(root in self.functions for root in _IMPORTED.findall(text))

    def matters(self, source: SourceFile) -> bool:
        """Whether the analysis could find anything in a file: by itself, or as it calls what stands in others."""
        text = source.text
        libraries = [library for library in self.functions if library in text]
        if not libraries:
            return False
        if may_store(text) or may_drop(text) or maps_trees(text):
            return True
        functions = frozenset[str]().union(*(self.functions[library] for library in libraries))
        if any(word[0] in functions for word in _WORD.finditer(text)):
            return True
        return any(not self.knows(root) for root in _IMPORTED.findall(text))

    def knows(self, root: str) -> bool:
        """Whether a top-level module is a library that tables speak of, or one of Python's own."""
        from .knowledge.catalogue import roots

        return root in self.functions or root in roots() or root in sys.stdlib_module_names


@cache
def _gate(transforms: tuple[str, ...]) -> Gate:
    from .knowledge.tracing import tracing_names

    functions = dict(tracing_names())
    for name in transforms:
        library = name.partition(".")[0]
        functions[library] = functions.get(library, frozenset()) | {name.rpartition(".")[2]}
    return Gate(functions)


def obstacle(source: SourceFile) -> Obstacle | None:
    """Why a text cannot be parsed, if so: it is too large, no Python, or nests too deep."""
    size = len(source.text)
    if size > MAX_SIZE:
        return Obstacle(f"larger than {MAX_SIZE / 2**20:g} MB ({size:,} characters)")
    if size > MAX_PARSED and (size := size_of_code(source.text)) > MAX_PARSED:
        return Obstacle(f"more than {MAX_PARSED / 2**20:g} MB of code ({size:,} characters)")
    try:
        tree = source.tree
    except SyntaxError as error:
        return _syntax_error(error, source)
    except ValueError as error:  # null bytes
        return Obstacle(str(error).removesuffix("."))
    except (RecursionError, MemoryError):
        return _nests_too_deep()
    deep = _too_deep(tree)
    return _nests_too_deep(deep) if deep is not None else None


def _syntax_error(error: SyntaxError, source: SourceFile) -> Obstacle:
    if "too many nested parentheses" in str(error.msg):
        return _nests_too_deep(error.lineno or 1)
    row = min(max(error.lineno or 1, 1), max(len(source.lines), 1))
    column = max(error.offset or 1, 1)
    said = str(error.msg)
    reason = said if said.startswith("invalid syntax") else f"invalid syntax: {said}"
    return Obstacle(reason, Location(row, column))


def _nests_too_deep(row: int = 1) -> Obstacle:
    return Obstacle(f"code nests too deeply (the limit is {MAX_DEPTH} levels)", Location(row, 1))


def _too_deep(tree: ast.Module) -> int | None:
    """The row of a statement that nests deeper than `MAX_DEPTH`, or None."""
    pending: list[tuple[ast.AST, int]] = [(statement, 1) for statement in tree.body]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_DEPTH:
            return getattr(node, "lineno", 1)
        pending += [(child, depth + 1) for child in inside(node)]
        short = (
            isinstance(node, ast.stmt)
            and node.lineno == node.end_lineno
            and (node.end_col_offset or 0) <= _LONG
        )
        if not short and _extent(node) > _LONG and _depth_exceeds(node, depth):
            return getattr(node, "lineno", 1)
    return None


def _extent(node: ast.AST) -> int:
    """About how many characters the node itself spans, taking 80 for a line."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        last = max(getattr(body[0], "lineno", last), first)
        return (last - first) * 80 + int(getattr(body[0], "col_offset", 0))
    return (last - first) * 80 + int(getattr(node, "end_col_offset", 0)) - int(getattr(node, "col_offset", 0))


def _depth_exceeds(node: ast.AST, depth: int) -> bool:
    level: list[ast.AST] = list(_expressions(node))
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            return True
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
    return False


def _expressions(node: ast.AST) -> Iterable[ast.AST]:
    """The children of a statement that are no statements of a block in it."""
    blocks = set(map(id, inside(node)))
    return (child for child in ast.iter_child_nodes(node) if id(child) not in blocks)
