"""Methods of dicts: what they give, and how they change what is held."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Const,
    DictValue,
    InstanceValue,
    Mapping,
    Static,
    TupleValue,
    Value,
)
from ...joins import join
from ...records import record
from ..stores import note_escape
from .containers import OWNER, index_mapping, mapping_of, needs_hash, new_dict, sequence_of, store_item
from .keys import compared_by_name, key_value, known_key

if TYPE_CHECKING:
    from ..machine import Interpreter


@record(frozen=True, slots=True)
class _MethodCall:
    """A method of a dict that is called; `mapping` is what that holds."""

    interp: Interpreter
    receiver: DictValue
    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    node: cst.CSTNode
    mapping: Mapping

    def store(self, key: Value, value: Value) -> None:
        """Puts an item in."""
        if isinstance(key, Const):
            self.note_rebound(key.value, value)
        store_item(self.interp, self.receiver, key, value, self.node)

    def note_read(self, key: object, value: Value) -> None:
        """A trace reads what stands under a key."""
        if self.interp.trace is not None:
            self.interp.lifetimes.frozen.read(
                self.interp, self.receiver.box, f"[{key!r}]", value, self.node, "item"
            )

    def note_rebound(self, key: object, value: Value) -> None:
        """Something else stands under a key from here on."""
        self.interp.lifetimes.frozen.written(self.interp, self.receiver.box, f"[{key!r}]", value, self.node)

    def note_kept(self, value: Value) -> None:
        """Tells where a tracer that is put in escapes by it."""
        note_escape(self.interp, self.receiver.box, value, self.node, "", "container")


def dict_method(
    interp: Interpreter,
    receiver: DictValue,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
) -> Value:
    """The result of a method of `dict`."""
    mapping = mapping_of(interp, receiver)
    run = _METHODS.get(name)
    if run is None:
        return UNKNOWN
    result = run(_MethodCall(interp, receiver, name, args, kwargs, node, mapping))
    owner = receiver.box.slots.get(OWNER)
    if isinstance(owner, InstanceValue) and name in ("update", "setdefault", "__setitem__"):
        _set_attributes(interp, owner, mapping_of(interp, receiver), node)
    return result


def _set_attributes(interp: Interpreter, owner: InstanceValue, mapping: Mapping, node: cst.CSTNode) -> None:
    """What is put into the `__dict__` of an object are attributes of it."""
    for name, value in mapping.items:
        if isinstance(name, str) and owner.box.slots.get(name) is not value:
            note_escape(interp, owner.box, value, node, f"{owner.box.name}.{name}", "attribute", key=name)
            interp.lifetimes.frozen.written(interp, owner.box, name, value, node)
            interp.state.write(owner.box, name, value)


def _item(call: _MethodCall) -> Value:
    return index_mapping(call.interp, call.receiver, call.args[0], call.node) if call.args else UNKNOWN


def _set_item(call: _MethodCall) -> Value:
    if len(call.args) == 2:
        call.note_kept(call.args[1])
        call.store(*call.args)
    return NONE


def _keys(call: _MethodCall) -> Value:
    return sequence_of(call.interp, call.receiver, call.node).iterated("dict_keys")


def _values(call: _MethodCall) -> Value:
    for key, value in call.mapping.items:
        call.note_read(key, value)
    values = TupleValue(tuple(value for _, value in call.mapping.items), call.mapping.rest)
    return values.iterated("dict_values")


def _items(call: _MethodCall) -> Value:
    mapping = call.mapping
    for key, value in mapping.items:
        call.note_read(key, value)
    pairs = tuple(TupleValue((key_value(key), value)) for key, value in mapping.items)
    rest = TupleValue((Static(), mapping.rest)) if mapping.rest is not None else None
    return TupleValue(pairs, rest, kind="dict_items")


def _get(call: _MethodCall) -> Value:
    """`get`, `pop` and `setdefault`."""
    if not call.args:
        return UNKNOWN
    asked, mapping = call.args[0], call.mapping
    needs_hash(call.interp, asked, call.node, "dict key")
    default = call.args[1] if len(call.args) > 1 else NONE
    key = known_key(asked)
    if key is None or (compared_by_name(key.value) and mapping.get(key.value) is None):
        held = index_mapping(call.interp, call.receiver, asked, call.node)
        if call.name == "pop":
            _forget_keys(call)
        return join(held, default)
    found = next((v for k, v in mapping.items if k == key.value), None)
    call.note_read(key.value, NONE if found is None else found)
    if found is None:
        found = default if mapping.rest is None else join(mapping.rest, default)
        if call.name == "setdefault":
            call.note_kept(default)
            call.store(key, default)
    elif call.name == "pop":
        kept = tuple((k, v) for k, v in mapping.items if k != key.value)
        call.note_rebound(key.value, UNKNOWN)
        call.interp.state.write(call.receiver.box, "items", Mapping(kept, mapping.rest))
    return found


def _update(call: _MethodCall) -> Value:
    for other in call.args:
        if not isinstance(other, DictValue):
            call.store(Static(), TAINTED)
            continue
        added = mapping_of(call.interp, other)
        for key, value in added.items:
            call.store(Const(key), value)
        if added.rest is not None:
            call.store(Static(), added.rest)
    for name, value in call.kwargs.items():
        call.note_kept(value)
        call.store(Const(name), value)
    return NONE


def _copy(call: _MethodCall) -> Value:
    return new_dict(call.interp, call.mapping, call.node, call.receiver.kind)


def _clear(call: _MethodCall) -> Value:
    for key, _ in call.mapping.items:
        call.note_rebound(key, UNKNOWN)
    call.interp.state.write(call.receiver.box, "items", Mapping())
    return NONE


def _popitem(call: _MethodCall) -> Value:
    item = TupleValue((Static(), index_mapping(call.interp, call.receiver, Static(), call.node)))
    _forget_keys(call)
    return item


def _forget_keys(call: _MethodCall) -> None:
    """Any one key is taken away: what is left is under whatever keys."""
    held = call.mapping.rest
    for _, value in call.mapping.items:
        held = value if held is None else join(held, value)
    call.interp.state.write(call.receiver.box, "items", Mapping((), held))


_METHODS: dict[str, Callable[[_MethodCall], Value]] = {
    "__getitem__": _item,
    "__setitem__": _set_item,
    "keys": _keys,
    "values": _values,
    "items": _items,
    "get": _get,
    "pop": _get,
    "setdefault": _get,
    "update": _update,
    "copy": _copy,
    "clear": _clear,
    "popitem": _popitem,
}
