"""A fix while it is written: its edits, and the imports that its new code needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from ..findings import Applicability, Edit, Fix, Location, Span
from ..syntax.walk import children
from .names import bound, dotted, every_name, locals_of
from .place import ancestors, comments, indent_of, small, text, unit_of

if TYPE_CHECKING:
    from ..files.source import SourceFile

# module: how it is imported where nothing gives a name for it, and that name
IMPORTS = {
    "jax": ("import jax", "jax"),
    "jax.numpy": ("import jax.numpy as jnp", "jnp"),
    "jax.lax": ("from jax import lax", "lax"),
    "numpy": ("import numpy as np", "np"),
    "jax.experimental.checkify": ("from jax.experimental import checkify", "checkify"),
    "functools.partial": ("from functools import partial", "partial"),
}
# Modules that `import jax` gives, and that people call by their full name
ATTRIBUTES = frozenset({"jax.lax"})


class Draft:
    """Collects the edits of one fix to one file; `node` is where its new code will stand."""

    def __init__(self, source: SourceFile, node: cst.CSTNode) -> None:
        self.source = source
        self.node = node
        self._edits: list[Edit] = []
        self._imports: dict[str, None] = {}

    # --- names ---

    def module(self, name: str) -> str:
        """How `jax.numpy` (or another module or function) is called here; imports it if nothing does."""
        known = imported(self.source)
        for alias, canonical in known.items():
            if canonical == name and self._reachable(alias):
                return alias
        if name in ATTRIBUTES or name not in IMPORTS:
            package, _, last = name.rpartition(".")
            if package and (name not in IMPORTS or package in known.values()):
                return f"{self.module(package)}.{last}"
        statement, alias = IMPORTS.get(name, (f"import {name}", name))
        if alias in every_name(self.source) and known.get(alias) != name:
            statement, alias = f"import {name}", name
            if "." in name and name.rpartition(".")[0] == "functools":
                statement = "import functools"
        self._imports[statement] = None
        return alias

    def jnp(self, function: str) -> str:
        """`jnp.where`, by the name that jax.numpy has here."""
        return f"{self.module('jax.numpy')}.{function}"

    def lax(self, function: str) -> str:
        """`lax.cond`, by the name that jax.lax has here."""
        return f"{self.module('jax.lax')}.{function}"

    def _reachable(self, alias: str) -> bool:
        """Whether no function around the place has a local variable of this name."""
        head = alias.split(".")[0]
        return not any(
            head in locals_of(holder)
            for holder in ancestors(self.source, self.node)
            if isinstance(holder, cst.FunctionDef | cst.Lambda)
        )

    # --- edits ---

    def text(self, node: cst.CSTNode) -> str:
        """A node as it is written."""
        return text(self.source, node)

    def atom(self, node: cst.BaseExpression) -> str:
        """An expression as an operand: in parentheses unless it binds tightly."""
        return atom(self.source, node)

    @property
    def unit(self) -> str:
        """One level of indentation."""
        return unit_of(self.source)

    def replace(self, node: cst.CSTNode, content: str) -> None:
        """Puts other text in the place of a node."""
        self._edits.append(Edit(extent(self.source, node), content))

    def replace_statements(
        self, first: cst.CSTNode, last: cst.CSTNode, lines: Sequence[str], *kept: cst.CSTNode
    ) -> None:
        """Puts lines in the place of statements and of the comment behind them.

        The comments of the `kept` nodes go before the lines.
        """
        indent = indent_of(self.source, first)
        notes = [note for node in kept for note in comments(node)]
        span = Span(self.source.span_of(first).start, self._end_of_line(self.source.span_of(last).end))
        written = "\n".join(f"{indent}{line}" if line else "" for line in [*notes, *lines])
        self._edits.append(Edit(span, written[len(indent) :]))

    def insert(self, place: Location, content: str) -> None:
        """Puts text before a place."""
        self._edits.append(Edit(Span(place, place), content))

    def cut(self, start: Location, end: Location) -> None:
        """Takes the text between two places away."""
        self._edits.append(Edit(Span(start, end), ""))

    def _end_of_line(self, place: Location) -> Location:
        """The end of the comment behind a place, or the place itself."""
        line = self.source.lines[place.row - 1].rstrip("\r\n")
        return (
            Location(place.row, len(line) + 1) if line[place.column - 1 :].lstrip().startswith("#") else place
        )

    def delete_statement(self, statement: cst.CSTNode) -> None:
        """Takes a statement away together with its line."""
        span = self.source.span_of(statement)
        self.cut(Location(span.start.row, 1), Location(span.end.row + 1, 1))

    def fix(self, message: str, applicability: Applicability = "unsafe", cost: str = "") -> Fix:
        """The finished fix."""
        edits = list(self._edits)
        if self._imports:
            place = _import_place(self.source)
            last = self.source.lines[-1] if self.source.lines else ""
            broken = place.row > len(self.source.lines) and not last.endswith(("\n", "\r"))
            content = "".join(f"{statement}\n" for statement in self._imports)
            edits.insert(0, Edit(Span(place, place), ("\n" if broken and last else "") + content))
        return Fix(message, tuple(edits), applicability, cost)


def extent(source: SourceFile, node: cst.CSTNode) -> Span:
    """The place of a node with the parentheses around it."""
    span = source.span_of(node)
    if getattr(node, "lpar", ()):
        opening, closing = node.lpar[0], node.rpar[-1]  # type: ignore[attr-defined]
        return Span(source.span_of(opening).start, source.span_of(closing).end)
    return span


def atom(source: SourceFile, node: cst.BaseExpression) -> str:
    """An expression as an operand: in parentheses unless it binds tightly."""
    written = text(source, node)
    tight = isinstance(
        node,
        cst.Name
        | cst.Attribute
        | cst.Call
        | cst.Subscript
        | cst.BaseNumber
        | cst.List
        | cst.Dict
        | cst.SimpleString,
    )
    return written if tight or node.lpar else f"({written})"


@lru_cache(maxsize=1)  # every fix of a file asks for them
def imported(source: SourceFile) -> Mapping[str, str]:
    """What the imports of a module's own scope bind: name, and what it stands for."""
    found: dict[str, str] = {}
    pending: list[cst.CSTNode] = [source.module]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda | cst.BaseExpression):
            continue
        if isinstance(node, cst.If) and dotted(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, cst.Import):
            for item in node.names:
                name = dotted(item.name)
                if item.asname is not None:
                    found[bound(item.asname)[0]] = name
                else:
                    found[name] = name
                    found.setdefault(name.split(".")[0], name.split(".")[0])
        elif (
            isinstance(node, cst.ImportFrom)
            and node.module is not None
            and not isinstance(node.names, cst.ImportStar)
        ):
            if not node.relative:
                for item in node.names:
                    alias = bound(item.asname)[0] if item.asname is not None else dotted(item.name)
                    found[alias] = f"{dotted(node.module)}.{dotted(item.name)}"
        else:
            pending.extend(children(node))
    return found


def _import_place(source: SourceFile) -> Location:
    """Where a new import goes: after the last import of the leading block, else after docstring and header."""
    body = source.module.body
    after: cst.CSTNode | None = None
    for position, statement in enumerate(body):
        inner = small(statement)
        if isinstance(inner, cst.Import | cst.ImportFrom) or (
            position == 0
            and isinstance(inner, cst.Expr)
            and isinstance(inner.value, cst.SimpleString | cst.ConcatenatedString)
        ):
            after = statement
        elif not isinstance(inner, cst.Assign | cst.AnnAssign | cst.Expr):
            break
    if after is not None:
        return Location(source.span_of(after).end.row + 1, 1)
    return source.span_of(body[0]).start if body else Location(1, 1)
