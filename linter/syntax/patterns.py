"""Patterns of `match` statements of Python's tree as libcst's nodes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import libcst as cst

from .text import is_parenthesized

if TYPE_CHECKING:
    from .expressions import Expressions


def pattern(to: Expressions, node: ast.pattern) -> Any:
    """The same pattern."""
    match node:
        case ast.MatchValue():
            return to.make(cst.MatchValue, node, value=to.expression(node.value))
        case ast.MatchSingleton():
            return to.make(cst.MatchSingleton, node, value=to.name(repr(node.value), node))
        case ast.MatchSequence():
            kind = cst.MatchTuple if is_parenthesized(to.text, node) else cst.MatchList
            return to.make(kind, node, patterns=[_element(to, one) for one in node.patterns])
        case ast.MatchMapping():
            return to.make(
                cst.MatchMapping,
                node,
                elements=[
                    to.make(
                        cst.MatchMappingElement,
                        (key, inner),
                        key=to.expression(key),
                        pattern=pattern(to, inner),
                    )
                    for key, inner in zip(node.keys, node.patterns, strict=True)
                ],
                rest=None if node.rest is None else to.name(node.rest, node),
            )
        case ast.MatchClass():
            return to.make(
                cst.MatchClass,
                node,
                cls=to.expression(node.cls),
                patterns=[
                    to.make(cst.MatchSequenceElement, one, value=pattern(to, one)) for one in node.patterns
                ],
                kwds=[
                    to.make(cst.MatchKeywordElement, one, key=to.name(key, one), pattern=pattern(to, one))
                    for key, one in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                ],
            )
        case ast.MatchAs():
            return to.make(
                cst.MatchAs,
                node,
                pattern=None if node.pattern is None else pattern(to, node.pattern),
                name=None if node.name is None else to.name(node.name, node),
            )
        case ast.MatchOr():
            return to.make(
                cst.MatchOr,
                node,
                patterns=[
                    to.make(cst.MatchOrElement, one, pattern=pattern(to, one)) for one in node.patterns
                ],
            )
        case _:
            raise AssertionError(node)


def _element(to: Expressions, node: ast.pattern) -> Any:
    if isinstance(node, ast.MatchStar):
        return to.make(cst.MatchStar, node, name=None if node.name is None else to.name(node.name, node))
    return to.make(cst.MatchSequenceElement, node, value=pattern(to, node))
