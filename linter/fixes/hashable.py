"""A list or dict passed for a static argument → a tuple, which has a hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import DictValue, FunctionValue, ListValue
from .arguments import argument_of
from .draft import Draft
from .place import indent_of, small, suite

if TYPE_CHECKING:
    from ..events import TracedCall
    from ..findings import Fix


def as_tuple(event: TracedCall) -> Fix | None:
    """The argument at the call."""
    argument = argument_of(event, "unhashable-static")
    if argument is None or not isinstance(event.value, ListValue) or event.value.kind not in ("list", "set"):
        return None
    draft = Draft(event.source, event.node)
    draft.replace(argument, _tuple(argument, event.value.kind, draft))
    return draft.fix(f"Pass a tuple for {event.parameter}", cost="compiles again for each new value")


def as_items(event: TracedCall) -> Fix | None:
    """A dict goes as the tuple of its items, and the function makes a dict of it again."""
    argument, function = argument_of(event, "unhashable-static"), event.transformed.function
    if argument is None or not isinstance(event.value, DictValue) or not isinstance(function, FunctionValue):
        return None
    definition = function.node
    if function.source is not event.source or not isinstance(definition, cst.FunctionDef):
        return None
    body = suite(definition.body)
    documented = isinstance(getattr(small(body[0]), "value", None), cst.SimpleString)
    if isinstance(definition.body, cst.SimpleStatementSuite) or (documented and len(body) < 2):
        return None
    first = body[1] if documented else body[0]
    draft = Draft(event.source, event.node)
    draft.replace(argument, f"tuple({draft.atom(argument)}.items())")
    again = f"{event.parameter} = dict({event.parameter})"
    if draft.text(first) != again:
        start = event.source.span_of(first).start
        draft.insert(start, f"{again}\n{indent_of(event.source, first)}")
    return draft.fix(f"Pass the items of {event.parameter}", cost="compiles again for each new value")


def _tuple(node: cst.BaseExpression, kind: str, draft: Draft) -> str:
    if isinstance(node, cst.List) and node.elements:
        items = ", ".join(
            draft.text(element.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for element in node.elements
        )
        return f"({items}{',' if len(node.elements) == 1 else ''})"
    return f"{'frozenset' if kind == 'set' else 'tuple'}({draft.text(node)})"
