"""A walk over the nodes that mean something, without white space, commas and parentheses.

libcst's own `children` visits every token and costs nearly as much as the parse; this costs a twentieth of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import libcst as cst

_LAYOUT = frozenset(
    "lpar rpar comma semicolon equal colon dot leading_lines lines_after_decorators header footer indent star "
    "lbracket rbracket lbrace rbrace trailing_whitespace newline comment asynchronous first_line type_comment "
    "operator_whitespace async_token start end first_colon second_colon separator trailing_comma".split()
)

_fields: dict[type[cst.CSTNode], tuple[str, ...]] = {}


def is_layout(field: str) -> bool:
    """Whether a field of a node says how it is written, and nothing of what it means."""
    return field in _LAYOUT or "whitespace" in field


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes directly inside a node, in the order of its fields."""
    names = _fields.get(type(node))
    if names is None:
        names = tuple(field.name for field in fields(node) if not is_layout(field.name))
        _fields[type(node)] = names
    found: list[cst.CSTNode] = []
    for name in names:
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            found.extend(item for item in value if _is_node(type(item)))
        elif _is_node(kind):
            found.append(value)
    return found


_nodes: dict[type, bool] = {}


def _is_node(kind: type) -> bool:
    known = _nodes.get(kind)
    if known is None:
        known = _nodes[kind] = issubclass(kind, cst.CSTNode)
    return known


def in_order(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all the nodes in it, in the order of the text."""
    waiting = [node]  # deep nests of generators would be slow
    while waiting:
        item = waiting.pop()
        yield item
        waiting.extend(reversed(children(item)))
