"""Loops that reverse-mode differentiation cannot go through, told of where a derivative depends on their result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import Array, Arrays, Entry, Root, Value, roots_of
from ...events import ControlFlow
from ..arrays import shapes
from ..closures import captured
from ..libraries.library import Call, flattened
from ..python.copies import fresh_copy

if TYPE_CHECKING:
    import libcst as cst

    from ..machine import Interpreter
    from .traces import Trace

REVERSE = frozenset(
    "grad value_and_grad jacrev jacobian hessian vjp filter_grad filter_value_and_grad".split()
)


FORWARD = frozenset(("jvp", "jacfwd", "linearize", "filter_jvp"))


def depends_on(values: Iterable[Value], tracing: frozenset[str] | Entry) -> bool:
    """Whether any of the values depends on an argument that one of these transforms, or this entry point, traces."""
    waiting = list(roots_of(values))
    seen: set[int] = set()
    while waiting:
        root = waiting.pop()
        if id(root) in seen:
            continue
        seen.add(id(root))
        entry = root.entry
        if entry is not None and (
            entry.transform in tracing if isinstance(tracing, frozenset) else entry is tracing
        ):
            return True
        waiting.extend(root.origins)
    return False


UNSTORED = ", so that its steps cannot be stored for the backward pass"


def one_way(
    call: Call, function: str, why: str, count: Value | None = None, error: str = "ValueError"
) -> Root | None:
    """The mark of a loop, or a solver, through which there is no backward pass, if a derivative may go through it.

    `count` is what the number of its steps depends on, where that could be static.
    """
    interp = call.interp
    if interp.trace is None or not interp.trace.reverse:
        return None
    parts = [flattened(interp, value) for value in call.inputs]
    if not depends_on([*parts, *(tracer for value in call.inputs for tracer in captured(value))], REVERSE):
        return None
    mark = Root("operation", function, _differentiator(interp.trace), call.node, interp.source)
    event = ControlFlow(
        node=call.node, source=interp.source, entry=interp.trace.entry, sure=interp.certain and not interp.swallowed,
        statement=interp.frame.statement, function=function, problem="reverse",
        detail=why, error=error, value=count,
    )  # fmt: skip
    interp.one_way[id(mark)] = (mark, event)
    return mark


def _differentiator(trace: Trace) -> Entry:
    """The outermost entry point around that differentiates: what carries its roots keeps them until it ends."""
    found = trace.entry
    outer: Trace | None = trace
    while outer is not None:
        if outer.entry.transform in REVERSE:
            found = outer.entry
        outer = outer.parent
    return found


def marked(interp: Interpreter, value: Value, mark: Root | None) -> Value:
    """A loop's result; what in it a derivative may come through carries the loop's mark among its roots."""
    if mark is None:
        return value

    def leaf(item: Value) -> Value:
        whole = isinstance(item, Array) and item.dtype is not None and shapes.kind_of(item.dtype) in "bui"
        if isinstance(item, Arrays) and item.traced and not whole and depends_on([item], REVERSE):
            return replace(item, roots=(*item.roots, mark))
        return item

    return fresh_copy(interp, value, leaf, None)


def check_reversible(interp: Interpreter, result: Value, call: cst.CSTNode | None) -> None:
    """Tells of loops that a differentiated result has come through; `call` takes the derivative."""
    if not interp.one_way:
        return
    for root in roots_of([flattened(interp, result)]):
        if id(root) in interp.one_way:
            event = interp.one_way.pop(id(root))[1]
            here = call if event.source is interp.source else None
            interp.listener(replace(event, used=here))
