"""A donated argument that is read again → the function without donation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .draft import Draft
from .names import definition_of, dotted, targets
from .static_options import drop_argument

if TYPE_CHECKING:
    from ..events import DonatedUse
    from ..files.source import SourceFile
    from ..findings import Fix

OPTIONS = ("donate_argnums", "donate_argnames")


def keep(event: DonatedUse) -> Fix | None:
    """Takes `donate_argnums` away where the function is transformed."""
    call, source = event.call
    if not isinstance(call, cst.Call) or source is not event.source:
        return None
    transform = _transform_of(source, call)
    if transform is None:
        return None
    draft = Draft(event.source, transform)
    for argument in transform.args:
        if argument.keyword is not None and argument.keyword.value in OPTIONS:
            drop_argument(draft, transform, argument)
    return draft.fix("Do not donate the argument", cost="the result needs memory of its own")


def _transform_of(source: SourceFile, call: cst.Call) -> cst.Call | None:
    """The call with the donation: a decorator of the function, or what its name is bound to."""
    if isinstance(call.func, cst.Call) and _donates(call.func):
        return call.func
    name = dotted(call.func).rpartition(".")[2]
    function = definition_of(source, name)
    if function is not None:
        applied = (decorator.decorator for decorator in function.decorators)
        return next((c for c in applied if isinstance(c, cst.Call) and _donates(c)), None)
    pending: list[cst.CSTNode] = [source.module]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Assign) and any(name in targets(t.target) for t in node.targets):
            if isinstance(node.value, cst.Call) and _donates(node.value):
                return node.value
        pending.extend(children(node))
    return None


def _donates(call: cst.Call) -> bool:
    return any(arg.keyword is not None and arg.keyword.value in OPTIONS for arg in call.args)
