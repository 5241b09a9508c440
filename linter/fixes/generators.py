"""A generator function that is transformed → a function that returns the list of all that it yielded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue
from ..syntax.walk import children
from .draft import Draft
from .names import fresh
from .place import indent_of, parents, small, suite

if TYPE_CHECKING:
    from ..events import TransformApplied
    from ..findings import Fix


def as_list(event: TransformApplied) -> Fix | None:
    """Each `yield` as a statement becomes an `append`."""
    function = event.transformed.function
    if (
        event.problem != "generator"
        or not isinstance(function, FunctionValue)
        or function.source is not event.source
    ):
        return None
    definition = function.node
    if not isinstance(definition, cst.FunctionDef) or isinstance(definition.body, cst.SimpleStatementSuite):
        return None
    source = event.source
    draft = Draft(source, definition.body)
    (name,) = fresh(source, "values")
    pending: list[cst.CSTNode] = [definition.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Yield):
            if not isinstance(parents(source).get(node), cst.Expr) or node.value is None:
                return None
            inner = node.value
            extends = isinstance(inner, cst.From)
            value = inner.item if isinstance(inner, cst.From) else inner
            draft.replace(node, f"{name}.{'extend' if extends else 'append'}({draft.text(value)})")
        elif isinstance(node, cst.Return):
            draft.replace(node, f"return {name}")
        elif not isinstance(node, cst.FunctionDef | cst.Lambda):
            pending.extend(children(node))
    body = suite(definition.body)
    documented = isinstance(getattr(small(body[0]), "value", None), cst.SimpleString)
    first = body[1] if documented and len(body) > 1 else body[0]
    indent = indent_of(source, body[0])
    draft.insert(source.span_of(first).start, f"{name} = []\n{indent}")
    draft.insert(source.span_of(body[-1]).end, f"\n{indent}return {name}")
    return draft.fix("Return a list", cost="all values are computed before the first is used")
