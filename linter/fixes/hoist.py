"""`jit` of a function that is made anew in each turn of a loop → compiled once, before the loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from ..syntax.walk import children
from .draft import Draft, extent
from .names import bound, dotted, fresh, mentions, parameters, read
from .place import ancestors, indent_of, parents, small, statement_of, suite

if TYPE_CHECKING:
    from ..events import TransformApplied
    from ..files.source import SourceFile
    from ..findings import Fix

COST = "what changes from turn to turn is an argument, and no constant, of the compiled program"


@dataclass(frozen=True, slots=True)
class _Applied:
    """A transform that is applied to a function in a loop, the names that this function takes from the turn, and its calls."""

    call: cst.Call
    loop: cst.For | cst.While
    captured: Sequence[str]
    calls: Sequence[cst.Call]
    name: str | None  # that it is bound to, if it is not called at once


def before_loop(event: TransformApplied) -> Fix | None:
    """`jit(lambda ...)(x)`, or `f = jit(lambda ...)` and calls of `f`, inside a `for` or `while`."""
    source = event.source
    applied = _applied(source, event.node)
    if applied is None:
        return None
    compiled = _with_parameters(source, applied)
    if compiled is None:
        return None
    draft = Draft(source, applied.call)
    name = applied.name or fresh(source, "compiled")[0]
    draft.insert(
        source.span_of(applied.loop).start, f"{name} = {compiled}\n{indent_of(source, applied.loop)}"
    )
    statement = statement_of(source, applied.call)
    if applied.name is None:
        draft.replace(applied.call, name)
    elif statement is not None:
        draft.delete_statement(statement)
    for call in applied.calls if applied.captured else ():
        place = extent(source, call.args[-1].value).end
        draft.insert(place, "".join(f", {captured}" for captured in applied.captured))
    return draft.fix("Compile once, before the loop", cost=COST if applied.captured else "")


def _applied(source: SourceFile, node: cst.CSTNode) -> _Applied | None:
    """What is applied where; None where it is neither called at once nor bound to a name that is only called."""
    loop = _loop_around(source, node)
    if not isinstance(node, cst.Call) or loop is None or "\n" in source.module.code_for_node(node).strip():
        return None
    above = parents(source).get(node)
    taken = read(node)
    captured = [name for name in bound(loop) if name in taken]
    if isinstance(above, cst.Call) and above.func is node:
        return _Applied(node, loop, captured, [above], None)
    statement = statement_of(source, node)
    inner = small(statement) if statement is not None else None
    if not isinstance(inner, cst.Assign) or inner.value is not node or len(suite(loop.body)) < 2:
        return None
    names = bound(inner)
    if (
        len(inner.targets) != 1
        or not isinstance(inner.targets[0].target, cst.Name)
        or statement not in suite(loop.body)
    ):
        return None
    calls = _calls(loop, names[0])
    if mentions(source.module, names[0]) != 1 + len(calls):
        return None
    return _Applied(node, loop, captured, calls, names[0])


def _loop_around(source: SourceFile, node: cst.CSTNode) -> cst.For | cst.While | None:
    """The innermost loop whose body a node stands in, in the same scope."""
    inside = node
    for holder in ancestors(source, node):
        if isinstance(holder, cst.FunctionDef | cst.Lambda | cst.ClassDef | cst.CompFor):
            return None
        if isinstance(holder, cst.For | cst.While) and inside is holder.body:
            return holder
        inside = holder
    return None


def _calls(node: cst.CSTNode, name: str) -> list[cst.Call]:
    found: list[cst.Call] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Call) and dotted(current.func) == name:
            found.append(current)
        pending.extend(children(current))
    return found


def _with_parameters(source: SourceFile, applied: _Applied) -> str | None:
    """The transform as it is written, of a lambda that takes what it captured; None where that cannot be said."""
    call = applied.call
    if not applied.captured:
        return source.module.code_for_node(call).strip()
    function = call.args[0].value if len(call.args) == 1 and not call.args[0].star else None
    if not isinstance(function, cst.Lambda) or call.args[0].keyword is not None:
        return None
    params = function.params
    plain = [p for p in params.params if p.default is None]
    taken = parameters(function)
    if not plain or len(plain) != len(taken) or set(applied.captured) & set(taken):
        return None
    for made in applied.calls:
        if len(made.args) != len(plain) or any(arg.keyword or arg.star for arg in made.args):
            return None
    body = source.module.code_for_node(function.body)
    written = f"lambda {', '.join([*taken, *applied.captured])}: {body}"
    return f"{source.module.code_for_node(call.func)}({written})"
