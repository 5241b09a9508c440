"""Strings: Python's tree joins what stands side by side, libcst's keeps it apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from .places import Recorder, Stretch

if TYPE_CHECKING:
    from .expressions import Expressions

_ONE_LITERAL = re.compile(
    r"""[A-Za-z]{0,2}(?:"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')(?:[^'\\\n]|\\.)*'"""
    r'''|"""(?:[^"\\]|\\.|"(?!""))*"""|'''
    r"""'''(?:[^'\\]|\\.|'(?!''))*''')""",
    re.DOTALL,
)
_SHOWN = re.compile(r"=\s*[}!:]")  # perhaps `{x=}`, which Python's tree holds as two parts
_CONVERSIONS = {-1: None, 97: "a", 114: "r", 115: "s"}


def string(to: Expressions, node: ast.Constant | ast.JoinedStr, value: str | bytes | None = None) -> Any:
    """A string that Python's tree holds as one: one literal, or several that stand side by side."""
    formatted = isinstance(node, ast.JoinedStr)
    written = repr(value)
    if not formatted and node.lineno == node.end_lineno:
        if node.end_col_offset == node.col_offset + len(written):
            return to.make(cst.SimpleString, node, value=written)  # no two literals are as short
    text = to.text.of(node)
    if _ONE_LITERAL.fullmatch(text) is None or (formatted and ("\n" in text or _SHOWN.search(text))):
        return parsed(to, node)
    if isinstance(node, ast.JoinedStr):
        return to.make(cst.FormattedString, node, parts=_parts(to, node.values))
    return to.make(cst.SimpleString, node, value=written)


def _parts(to: Expressions, values: Sequence[ast.expr]) -> list[cst.BaseFormattedStringContent]:
    found: list[cst.BaseFormattedStringContent] = []
    for value in values:
        if isinstance(value, ast.FormattedValue):
            spec = value.format_spec
            found.append(
                to.make(
                    cst.FormattedStringExpression,
                    value,
                    expression=to.expression(value.value),
                    conversion=_CONVERSIONS[value.conversion],
                    format_spec=_parts(to, spec.values) if isinstance(spec, ast.JoinedStr) else None,
                )
            )
        elif isinstance(value, ast.Constant) and value.value:  # Python 3.12 has empty ones at the end
            found.append(to.make(cst.FormattedStringText, value, value=value.value))
    return found


def parsed(to: Expressions, node: ast.expr) -> Any:
    """What Python's tree does not tell apart, as libcst parses it: with its layout."""
    text = to.text.of(node)
    try:
        found: Any = cst.parse_expression(f"({text})")
    except (cst.CSTValidationError, cst.ParserSyntaxError):  # libcst refuses some code that Python takes
        if isinstance(node, ast.JoinedStr):
            return to.make(cst.FormattedString, node, parts=_parts(to, node.values))
        value = node.value if isinstance(node, ast.Constant) else ""
        return to.make(cst.SimpleString, node, value=repr(value))
    newline = next((end for end in ("\r\n", "\n", "\r") if end in text), "\n")
    recorder = Recorder(default_newline=newline)
    found._codegen(recorder)
    to.retired += found.lpar[0], found.rpar[-1]
    for name, value in (("lpar", found.lpar[1:]), ("rpar", found.rpar[:-1])):
        object.__setattr__(found, name, value)
    for identity, (start, end) in recorder.found.items():
        to.origins[identity] = Stretch(node, start - 1, end - 1)
    return found
