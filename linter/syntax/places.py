"""Where nodes stand: by what they come from in Python's tree, or, once they have their layout, by writing them out.

The latter is one pass, a tenth of what libcst's position metadata costs: the tree is written out as text, which is the
text that it was parsed from, and the length written so far is noted where a node says that its syntax begins and ends.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import libcst as cst
from libcst._nodes.internal import CodegenState

from .text import Text, gap_end, is_parenthesized, last_mark_end


class Stretch(NamedTuple):
    """A part of what a node of Python's tree covers, as offsets from where that begins."""

    of: ast.AST
    start: int
    end: int


Origin: TypeAlias = "ast.AST | Stretch | tuple[ast.AST, ast.AST]"
"""Where a node comes from: one of Python's, a part of one, or all from one to another."""


Places = dict[int, tuple[int, int]]
"""Start and end of nodes, by their identity."""

_DEFINED = re.compile(r"(?:async\s+)?(?:def|class)[\s\\]+")


def place_of(node: cst.CSTNode, origin: Origin, text: Text) -> tuple[int, int]:
    """Start and end of a node as offsets into a text, without surrounding white space and parentheses."""
    if isinstance(origin, Stretch):
        start = text.start(origin.of)
        return start + origin.start, start + origin.end
    if isinstance(origin, tuple):
        return text.start(origin[0]), text.end(origin[1])
    special = _SPECIAL.get(type(node))
    found = None if special is None else special(node, origin, text)
    return (text.start(origin), text.end(origin)) if found is None else found


def _name(node: Any, origin: ast.AST, text: Text) -> tuple[int, int] | None:
    if isinstance(origin, ast.Name | ast.Constant):
        return None
    value, start, end = node.value, text.start(origin), text.end(origin)
    if isinstance(origin, ast.Attribute):
        return end - len(value), end
    if isinstance(origin, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        found = _DEFINED.match(text.whole, start)
        start = start if found is None else found.end()
    elif isinstance(origin, ast.ExceptHandler | ast.MatchAs | ast.alias):
        found = re.compile(rf"\bas\s+(?={value}\b)").search(text.whole, start, end)
        start = start if found is None else found.end()
    elif not isinstance(origin, ast.keyword | ast.arg):
        found = re.compile(rf"\b{value}\b").search(text.whole, start, end)
        start = start if found is None else found.start()
    return start, start + len(value)


def _tuple(_: cst.CSTNode, origin: Any, text: Text) -> tuple[int, int] | None:
    if not isinstance(origin, ast.Tuple):
        return None
    if not origin.elts:
        return _inner(origin, None, text)
    # Before 3.12, Python takes the braces of a formatted string for a tuple's parentheses
    in_braces = text.begins(origin, "{") and text.start(origin) < text.start(origin.elts[0])
    return _inner(origin, origin.elts[-1], text) if in_braces or is_parenthesized(text, origin) else None


def _generator(_: cst.CSTNode, origin: ast.AST, text: Text) -> tuple[int, int] | None:
    if not isinstance(origin, ast.GeneratorExp):
        return None
    clause = origin.generators[-1]
    return _inner(origin, clause.ifs[-1] if clause.ifs else clause.iter, text)


def _inner(origin: ast.AST, last: ast.AST | None, text: Text) -> tuple[int, int]:
    """What stands between the parentheses that a node of Python's tree includes; `last` is the last node in it."""
    start, end = gap_end(text.whole, text.start(origin) + 1), text.end(origin) - 1
    if last is None:
        return start, end
    return start, last_mark_end(text.whole, text.end(last), end)


_SPECIAL: dict[type[cst.CSTNode], Callable[[Any, Any, Text], tuple[int, int] | None]] = {
    cst.Name: _name,
    cst.Tuple: _tuple,
    cst.GeneratorExp: _generator,
    cst.Arg: _generator,
}


def spelled(value: str, origin: Origin, text: Text) -> str:
    """A name as it is written: in Python's tree, `ϵ` and `ε` are the same letter."""
    for spelling in text.spellings.get(value, ()):
        name = cst.Name(spelling)
        start, end = place_of(name, origin, text)
        if text.whole[start:end] == spelling:
            return spelling
    return value


class _Syntax:
    """Notes the extent of what is written inside the block; one object serves all blocks, as they nest."""

    __slots__ = ("_open", "_recorder")

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._open: list[tuple[cst.CSTNode, int, cst.CSTNode | None, cst.CSTNode | None]] = []

    def begin(self, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None) -> None:
        self._open.append((node, self._recorder.offset, start_node, end_node))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        node, start, start_node, end_node = self._open.pop()
        found, end = self._recorder.found, self._recorder.offset
        if start_node is not None:
            start = found[id(start_node)][0]
        if end_node is not None:
            end = found[id(end_node)][1]
        found[id(node)] = (start, end)


class Recorder(CodegenState):
    """Receives the text of a tree token by token and keeps only its length."""

    def __init__(self, default_indent: str = "    ", default_newline: str = "\n") -> None:
        super().__init__(default_indent=default_indent, default_newline=default_newline)
        self.found: Places = {}
        self.offset = 0
        self._starts: list[int] = []
        self._syntax = _Syntax(self)

    def add_token(self, value: str) -> None:
        self.offset += len(value)

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.offset += len(token)

    def pop_trailing_newline(self) -> None:
        pass

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._starts.pop()
        if id(node) not in self.found:
            self.found[id(node)] = (start, self.offset)

    def record_syntactic_position(self, node: cst.CSTNode, **ends: Any) -> Any:
        self._syntax.begin(node, ends.get("start_node"), ends.get("end_node"))
        return self._syntax
