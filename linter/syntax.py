"""Concrete syntax by need: libcst parses what stands outside functions, and a function's body when it is looked into.

Most of the time of an analysis would go into parsing, and most functions of a file are never run by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from .collector import held_back
from .outline import Body, Outline
from .positions import Recorder

MAX_PARSED = 1_000_000
"""Characters of one file that are parsed: libcst's nodes take up to 700 bytes for each."""

_LONG_STRING = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|' + r"'''(?:[^'\\]|\\.|'(?!''))*'''", re.DOTALL)
_WHOLE_STEP = "    "
_ELIDED = " ..."
_FIELDS = tuple(field.name for field in fields(cst.IndentedBlock))


class TooMuchCode(ValueError):
    """More of a file would have to be parsed than memory allows."""


class Allowance:
    """How much of a file may still be parsed."""

    def __init__(self) -> None:
        self._left = MAX_PARSED

    def take(self, text: str) -> None:
        """Counts a text that is about to be parsed; raises TooMuchCode."""
        size = len(text)
        if size > self._left:
            size = len(_LONG_STRING.sub("", text))  # however long, it is one node
        if size > self._left:
            raise TooMuchCode(f"it has more than {MAX_PARSED:,} characters of code that matter")
        self._left -= size


class LaterBlock(cst.IndentedBlock):
    """The body of a function, parsed when one of its fields is first read.

    Attributes:
        text: what stands behind the function's colon, its last line end included.
        place: where that is in the file.
        failure: why it could not be parsed after all, if so; it is then taken to be empty.
    """

    __slots__ = ("allowance", "failure", "outline", "parsed", "place", "text")  # type: ignore[misc]

    text: str
    place: Body
    outline: Outline
    allowance: Allowance
    parsed: bool
    failure: cst.ParserSyntaxError | TooMuchCode | None

    @classmethod
    def of(cls, text: str, place: Body, outline: Outline, allowance: Allowance) -> LaterBlock:
        """The body that stands at a place of a text."""
        block = cls.__new__(cls)
        for name, value in (
            ("text", text[place.start : place.end]),
            ("place", place),
            ("outline", outline),
            ("allowance", allowance),
            ("parsed", False),
            ("failure", None),
        ):
            object.__setattr__(block, name, value)
        return block

    def _codegen_impl(self, state: CodegenState) -> None:
        if isinstance(state, Recorder):
            state.pass_over(self)
        else:
            super()._codegen_impl(state)

    def __getattr__(self, name: str) -> Any:
        if name not in _FIELDS or self.parsed:
            raise AttributeError(name)
        object.__setattr__(self, "parsed", True)
        try:
            self.allowance.take(self.text)
            found = _parse_body(self)
        except (cst.ParserSyntaxError, TooMuchCode) as error:
            object.__setattr__(self, "failure", error)
            found = cst.IndentedBlock([])
        for field in _FIELDS:
            object.__setattr__(self, field, getattr(found, field))
        return getattr(self, name)


def parse(text: str, outline: Outline | None) -> cst.Module:
    """The tree of a text; the bodies that its outline knows are `LaterBlock`s.

    Raises:
        libcst.ParserSyntaxError: what stands outside them is no Python that libcst knows.
        TooMuchCode: there is too much outside them.
    """
    if outline is not None:
        module = _parse_around(text, outline)
        if module is not None:
            return module
    Allowance().take(text)
    return _parse(text)


def later_blocks(module: cst.Module) -> Iterator[LaterBlock]:
    """The bodies in a tree that are, or were, left for later."""
    for function in _functions(module):
        if isinstance(function.body, LaterBlock):
            yield function.body


def _parse_around(text: str, outline: Outline) -> cst.Module | None:
    """The tree with its bodies left for later; None if the text does not come apart as the outline says."""
    pieces: list[str] = []
    done = 0
    newline = outline.newline
    for _, body in outline.functions:
        if body is not None:
            pieces += text[done : body.start], _ELIDED, newline
            done = body.end
    if not done:
        return None
    rest = "".join(pieces) + text[done:]
    allowance = Allowance()
    allowance.take(rest)
    prologue = "" if outline.indent == _WHOLE_STEP else f"if 1:{newline}{outline.indent}0{newline}"
    try:
        module = _parse(prologue + rest)
    except cst.ParserSyntaxError:
        return None  # the whole text tells where it is wrong
    if prologue:
        object.__setattr__(module, "body", module.body[1:])
    functions = list(_functions(module))
    names = [function.name.value for function in functions]
    if module.default_indent != outline.indent or names != [name for name, _ in outline.functions]:
        return None
    for function, (_, body) in zip(functions, outline.functions, strict=True):
        if body is not None:
            object.__setattr__(function, "body", LaterBlock.of(text, body, outline, allowance))
    return module


def _parse_body(block: LaterBlock) -> cst.IndentedBlock:
    place, indent = block.place, block.outline.indent
    around = "".join(f"{indent * step}if 1:{block.outline.newline}" for step in range(place.depth))
    head = f"{indent * place.depth}{'async ' if place.asynchronous else ''}def _():"
    suite: Any = _parse(around + head + block.text)
    for _ in range(place.depth + 1):
        suite = suite.body[0].body
    assert isinstance(suite, cst.IndentedBlock)
    return suite


def _functions(module: cst.Module) -> Iterator[cst.FunctionDef]:
    """The functions that stand in no other, in the order of the text."""
    pending: list[cst.CSTNode] = [*reversed(module.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.FunctionDef):
            yield node
        elif not isinstance(node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            pending += reversed(_inside(node))


def _inside(node: Any) -> list[cst.CSTNode]:
    """The statements and clauses directly inside a compound statement or a clause."""
    suite = getattr(node, "body", None)
    found: list[cst.CSTNode] = []
    if isinstance(suite, cst.IndentedBlock):
        found += suite.body
    for name in ("handlers", "orelse", "finalbody"):
        clause = getattr(node, name, None)
        if isinstance(clause, cst.CSTNode):
            found.append(clause)
        elif isinstance(clause, Sequence):
            found += clause
    return found


def _parse(text: str) -> cst.Module:
    with held_back():
        return cst.parse_module(text)
