"""Numbers of the world outside that a traced function counts up, and items that it takes away: once for each trace, not call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import Box, ClassValue, Const, DictValue, FunctionValue, InstanceValue, ListValue, Value
from ..events import Effect, EffectKind
from ..syntax.walk import children
from .imports import dotted
from .tracing.traces import Trace, number_dtype, outward

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from .machine import Interpreter

REPEATED = frozenset(("scan", "while_loop", "fori_loop", "map", "vmap", "associative_scan"))
"""Transforms that run a function once for what plain Python would call it many times."""
KEPT = frozenset(("jit", "pjit", "pmap", "filter_jit"))
"""Transforms whose second call does not run the function again."""
OF_TRACES = re.compile("trac|compil", re.IGNORECASE)
"""A counter with such a name counts traces on purpose."""


@dataclass(slots=True, eq=False)
class Count:
    """Where a trace counts something up, or takes something away."""

    event: Effect
    name: str  # by which the number is used elsewhere
    emptied: Box | None  # the container that something is taken away from
    statement: cst.CSTNode
    function: cst.CSTNode | None
    source: SourceFile
    serial: int | None  # of the compiled function whose second call goes wrong; None: the first one does


class Counters:
    """The counting that was seen inside traces, told when the module has been run."""

    def __init__(self) -> None:
        self._seen: dict[int, Count] = {}
        self._grown: set[Box] = set()  # containers that traces put something into

    def counted(
        self, interp: Interpreter, statement: cst.CSTNode, target: cst.BaseExpression, value: Value
    ) -> None:
        """A trace gives a place a number that was worked out from the one that stood there."""
        if number_dtype(value) is None or not interp.certain or not interp.seen_from_module:
            return
        name, box = _place(interp, target)
        if not name or box is None or _inside(interp, box) or OF_TRACES.search(dotted(target)):
            return
        self._note(interp, statement, name, f"counting {dotted(target) or name}", "counter", None)

    def put_in(self, interp: Interpreter, box: Box) -> None:
        """A container gets one more item: what a trace has put in itself, it may take away again."""
        if interp.trace is not None:
            self._grown.add(box)

    def taken(self, interp: Interpreter, node: cst.CSTNode, name: str, box: Box) -> None:
        """An item is taken out of a container: one of the world outside holds it until a trace has taken it, and no longer."""
        statement = interp.frame.statement
        if type(statement) is cst.Expr and statement.value is node:
            return  # what is taken away is not used
        if interp.trace is None or not interp.certain or not interp.seen_from_module:
            return
        if not _inside(interp, box):
            self._note(interp, node, "", name, "taken", box)

    def _note(
        self,
        interp: Interpreter,
        node: cst.CSTNode,
        name: str,
        function: str,
        kind: EffectKind,
        emptied: Box | None,
    ) -> None:
        transforms = _transforms(interp)
        program = interp.lifetimes.frozen.outermost() if transforms & KEPT else None
        serial = program.serial if program is not None else None
        if serial is None and not transforms & REPEATED:
            return
        assert interp.trace is not None
        event = Effect(
            node=node, source=interp.source, entry=interp.trace.entry, statement=interp.frame.statement,
            function=function, kind=kind,
        )  # fmt: skip
        before = self._seen.get(id(node))
        if before is None or before.serial is not None:
            inner = interp.frame.function.node if interp.frame.function is not None else None
            self._seen[id(node)] = Count(event, name, emptied, node, inner, interp.source, serial)

    def tell(self, interp: Interpreter) -> None:
        """Tells of the numbers that somebody uses, and of containers that no trace fills again."""
        for count in self._seen.values():
            again = count.serial is None or interp.repetition.calls.get(count.serial, 0) > 1
            lost = _is_used(count) if count.emptied is None else count.emptied not in self._grown
            if again and lost:
                interp.listener(count.event)


def counter_of(node: cst.Assign) -> cst.BaseExpression | None:
    """The place that `n = n + 1` counts up."""
    value, target = node.value, node.targets[0].target
    if type(value) is not cst.BinaryOperation or len(node.targets) > 1:
        return None
    return target if _alike(target, value.left) else None


def _alike(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether two expressions name the same place: a name, an attribute, an item under a constant key."""
    if type(one) is not type(other):
        return False
    if isinstance(one, cst.Name | cst.SimpleString | cst.Integer):
        return one.value == getattr(other, "value", None)
    if isinstance(one, cst.Attribute | cst.Subscript | cst.SubscriptElement | cst.Index):
        pairs = zip(children(one), children(other), strict=False)
        return len(children(one)) == len(children(other)) and all(_alike(a, b) for a, b in pairs)
    return False


def _place(interp: Interpreter, target: cst.BaseExpression) -> tuple[str, Box | None]:
    """The name by which a target is used elsewhere, and the object that holds it."""
    if type(target) is cst.Name:
        home = interp.home_of(target.value)
        return target.value, home if home is not interp.frame.scope else None
    if type(target) is cst.Attribute:
        owner = interp.evaluate(target.value)
        if isinstance(owner, FunctionValue):
            return target.attr.value, owner.scope
        return target.attr.value, owner.box if isinstance(owner, InstanceValue | ClassValue) else None
    if type(target) is cst.Subscript and len(target.slice) == 1:
        owner = interp.evaluate(target.value)
        part = target.slice[0].slice
        key = interp.evaluate(part.value) if type(part) is cst.Index else None
        if isinstance(owner, DictValue | ListValue) and isinstance(key, Const):
            return dotted(target.value), owner.box
    return "", None


def _inside(interp: Interpreter, box: Box) -> bool:
    """Whether an object was made in the trace under way, so that it ends with it."""
    home: Any = box.context
    return isinstance(home, Trace) and home.within(interp.trace)


def _transforms(interp: Interpreter) -> set[str]:
    return {trace.entry.transform for trace in outward(interp.trace)}


def _is_used(count: Count) -> bool:
    """Whether the file reads the number for more than counting it up, checking it in a test, or naming things."""
    wanted = count.name.rsplit(".", 1)[-1]
    return any(_name(node) == wanted for node in _read(count.source.module, count, False))


def _read(node: cst.CSTNode, count: Count, within: bool) -> Iterator[cst.CSTNode]:
    """The names and attributes that are read, but for those that do not count as a use.

    `within`: in the function that counts, where a text made of the number names something.
    """
    if node is count.statement or isinstance(node, cst.Assert | cst.Global | cst.Nonlocal | cst.Param):
        return
    if type(node) is cst.Call and dotted(node.func).rsplit(".", 1)[-1].startswith("assert"):
        return
    if type(node) is cst.FormattedString and within:
        return
    if isinstance(node, cst.Name | cst.Attribute):
        yield node
    inner = children(node)
    if type(node) is cst.Attribute:
        inner = [node.value]
    elif isinstance(node, cst.Assign | cst.AnnAssign | cst.AugAssign):
        inner = [node.value] if node.value is not None else []
    for part in inner:
        yield from _read(part, count, within or node is count.function)


def _name(node: cst.CSTNode) -> str:
    return node.attr.value if type(node) is cst.Attribute else getattr(node, "value", "")
