"""Methods of lists, sets and deques: what they give, and how they change what is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import MAX_ITEMS, NONE, UNKNOWN, Const, ListValue, Static, TupleValue, Value
from ...records import record
from ..arrays.operators import compare
from ..stores import note_escape
from .containers import (
    EMPTY,
    SETS,
    content_of,
    elements,
    extend,
    join_all,
    needs_hash,
    needs_integer,
    new_list,
    sequence_of,
)
from .orderings import by_key, note_ordering

if TYPE_CHECKING:
    from ..machine import Interpreter


@record(frozen=True, slots=True)
class _MethodCall:
    """A method of a list (set, deque) that is called; `content` is what that holds."""

    interp: Interpreter
    receiver: ListValue
    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    node: cst.CSTNode
    content: TupleValue

    def hold(self, content: TupleValue) -> None:
        """Makes this what the list holds from here on."""
        self.interp.state.write(self.receiver.box, "items", content)

    def note_kept(self, value: Value) -> None:
        """Tells where a tracer that is put in escapes by it."""
        note_escape(self.interp, self.receiver.box, value, self.node, "", "container")


def list_method(
    interp: Interpreter,
    receiver: ListValue,
    name: str,
    args: list[Value],
    node: cst.CSTNode,
    kwargs: dict[str, Value] | None = None,
) -> Value:
    """The result of a method of `list`, `set` or `deque`."""
    content = content_of(interp, receiver)
    run = _METHODS.get(name)
    if run is None:
        return UNKNOWN
    if name in _CHANGING:
        interp.lifetimes.frozen.changed_list(interp, receiver.box, node)
    if name in _GROWING:
        interp.counters.put_in(interp, receiver.box)
    return run(_MethodCall(interp, receiver, name, args, kwargs or {}, node, content))


def _append(call: _MethodCall) -> Value:
    if not call.args:
        return UNKNOWN
    if call.receiver.kind in SETS:
        needs_hash(call.interp, call.args[0], call.node, "set member")
    call.note_kept(call.args[0])
    extend(call.interp, call.receiver, TupleValue((call.args[0],)), call.name == "appendleft")
    return NONE


def _extend(call: _MethodCall) -> Value:
    if not call.args:
        return UNKNOWN
    added = sequence_of(call.interp, call.args[0], call.node)
    call.note_kept(added)
    extend(call.interp, call.receiver, added)
    return NONE


def _insert(call: _MethodCall) -> Value:
    if len(call.args) != 2:
        return UNKNOWN
    index, value = call.args
    content = call.content
    call.note_kept(value)
    needs_integer(call.interp, index, call.node)
    position = index.value if isinstance(index, Const) and isinstance(index.value, int) else None
    if position is not None and content.rest is None and len(content.items) < MAX_ITEMS:
        items = list(content.items)
        items.insert(position, value)
        call.hold(TupleValue(tuple(items)))
    else:
        extend(call.interp, call.receiver, TupleValue((value,)))
    return NONE


def _pop(call: _MethodCall) -> Value:
    content, last = call.content, Const(0 if call.name == "popleft" else -1)
    index: Value = call.args[0] if call.args else last
    needs_integer(call.interp, index, call.node)
    call.interp.counters.taken(call.interp, call.node, call.name, call.receiver.box)
    if content.rest is None and isinstance(index, Const) and isinstance(index.value, int):
        if -len(content.items) <= index.value < len(content.items):
            items = list(content.items)
            value = items.pop(index.value)
            call.hold(TupleValue(tuple(items)))
            return value
    if content.length:
        call.hold(TupleValue((), join_all(content.parts), count=content.length - 1))
    return join_all(content.parts)


def _copy(call: _MethodCall) -> Value:
    return new_list(call.interp, call.content, call.node, call.receiver.kind)


def _clear(call: _MethodCall) -> Value:
    call.hold(EMPTY)
    return NONE


def _reverse(call: _MethodCall) -> Value:
    call.hold(replace(call.content, items=call.content.items[::-1]))
    return NONE


def _search(call: _MethodCall) -> Value:
    if call.args:
        compare(call.interp, "In", call.args[0], call.receiver, call.node, call.node, call.node)
    return Static("int")


def _remove(call: _MethodCall) -> Value:
    content = call.content
    if content.rest is None and call.args and call.args[0] in content.items:
        items = list(content.items)
        items.remove(call.args[0])
        call.hold(TupleValue(tuple(items)))
    elif content.items or content.rest is not None:
        call.hold(TupleValue((), elements(call.interp, call.receiver)))
    return NONE


def _sort(call: _MethodCall) -> Value:
    keyed = by_key(call.interp, call.content, call.kwargs.get("key"), call.node)
    note_ordering(call.interp, keyed, call.node, "sort")
    return NONE


def _combine(call: _MethodCall) -> Value:
    content = TupleValue((), elements(call.interp, call.receiver))
    return new_list(call.interp, content, call.node, call.receiver.kind)


def _ask(call: _MethodCall) -> Value:
    return Static("bool")


_METHODS: dict[str, Callable[[_MethodCall], Value]] = {
    "append": _append,
    "appendleft": _append,
    "add": _append,
    "extend": _extend,
    "extendleft": _extend,
    "update": _extend,
    "insert": _insert,
    "pop": _pop,
    "popleft": _pop,
    "copy": _copy,
    "clear": _clear,
    "reverse": _reverse,
    "index": _search,
    "count": _search,
    "remove": _remove,
    "discard": _remove,
    "sort": _sort,
    "union": _combine,
    "intersection": _combine,
    "difference": _combine,
    "symmetric_difference": _combine,
    "issubset": _ask,
    "issuperset": _ask,
    "isdisjoint": _ask,
}
_GROWING = frozenset("append add appendleft extend update extendleft insert".split())
_CHANGING = _GROWING | frozenset("pop popleft remove discard clear sort reverse".split())
