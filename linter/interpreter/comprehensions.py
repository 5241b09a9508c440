"""Comprehensions: what they give, in order where that is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import Mapping, TupleValue, Value, unsure
from ..joins import join
from .loops import UNROLL, note_iteration
from .narrowing import narrow
from .python.containers import elements, items_of, length_of, needs_hash, new_dict, new_list
from .python.keys import known_key
from .stores import assign
from .truth import truth
from .unrolling import unrolling

if TYPE_CHECKING:
    from .machine import Interpreter


@dataclass(slots=True)
class _Comprehension:
    """A comprehension under way, and what it has given so far."""

    interp: Interpreter
    result: Callable[[], Value]
    items: list[Value] = field(default_factory=list)
    rest: list[Value] = field(default_factory=list)
    count: int | None = None  # how many items its last clause goes over

    def run(self, clause: cst.CompFor, exact: bool) -> None:
        """Goes through the clauses; `exact` where the items before are known in order."""
        interp = self.interp
        interp.consumed = clause.iter
        sequence = interp.evaluate(clause.iter)
        note_iteration(interp, sequence, clause.iter, "for")
        self.count, known = length_of(interp, sequence), items_of(interp, sequence)
        few = known is not None and len(known) <= UNROLL
        loop = known if known is not None and few else [elements(interp, sequence, clause.iter)]
        if known is None or known:
            with unrolling(interp, clause.iter, sequence):
                for item in loop:
                    self._turn(clause, item, exact and few)

    def _turn(self, clause: cst.CompFor, item: Value, exact: bool) -> None:
        interp = self.interp
        assign(interp, clause.target, item, clause)
        keep: bool | None = True
        for condition in clause.ifs:
            answer = truth(interp, interp.evaluate(condition.test), condition.test, "filter")
            if answer is False:
                return
            narrow(interp, condition.test, True)
            keep = keep if answer else None
        exact = exact and keep is True
        if clause.inner_for_in is not None:
            self.run(clause.inner_for_in, exact)
        else:
            value = self.result()
            (self.items if exact and not self.rest else self.rest).append(value if keep else unsure(value))

    def content(self, filtered: bool) -> TupleValue:
        """What it has given; how much is known where no filter and no clause inside decides it."""
        if not self.rest:
            return TupleValue(tuple(self.items))
        joined = self.rest[0]
        for value in self.rest[1:]:
            joined = join(joined, value)
        return TupleValue(tuple(self.items), joined, count=None if filtered else self.count)


def _items(interp: Interpreter, node: cst.BaseComp, result: Callable[[], Value]) -> TupleValue:
    """The items of a comprehension."""
    comp: Any = node
    clause: cst.CompFor = comp.for_in
    scope = interp.new_box("comprehension", interp.frame.scope, node)
    inner = type(interp.frame)(
        scope, interp.source, interp.frame.function, interp.frame.receiver, mark=interp.state.mark()
    )
    inner.statement = interp.frame.statement
    made = _Comprehension(interp, result)
    depth = len(interp.frames)
    interp.enter_frame(inner)
    try:
        with interp.looping(node):
            made.run(clause, True)
    finally:
        interp.leave_frames(depth)
    return made.content(bool(clause.ifs) or clause.inner_for_in is not None)


def list_comp(interp: Interpreter, node: cst.ListComp) -> Value:
    """`[f(x) for x in xs]`."""
    return new_list(interp, _items(interp, node, lambda: interp.evaluate(node.elt)), node)


def generator(interp: Interpreter, node: cst.GeneratorExp) -> Value:
    """Its body runs when it is asked for items, perhaps never."""
    with interp.doubting(interp.consumed is not node):
        return _items(interp, node, lambda: interp.evaluate(node.elt)).iterated("generator")


def set_comp(interp: Interpreter, node: cst.SetComp) -> Value:
    """`{f(x) for x in xs}`."""

    def element() -> Value:
        value = interp.evaluate(node.elt)
        needs_hash(interp, value, node.elt, "set member")
        return value

    return new_list(interp, _items(interp, node, element), node, "set")


def dict_comp(interp: Interpreter, node: cst.DictComp) -> Value:
    """`{k: v for k, v in pairs}`."""

    def pair() -> Value:
        key, value = interp.evaluate(node.key), interp.evaluate(node.value)
        needs_hash(interp, key, node.key, "dict key")
        return TupleValue((key, value))

    content = _items(interp, node, pair)
    items: dict[Any, Value] = {}
    rest: Value | None = None
    for item in (*content.items, *((content.rest,) if content.rest is not None else ())):
        if isinstance(item, TupleValue) and len(item.items) == 2:
            key, value = item.items
            known = known_key(key)
            if known is not None and item is not content.rest:
                items[known.value] = value
            else:
                rest = value if rest is None else join(rest, value)
    return new_dict(interp, Mapping(tuple(items.items()), rest), node)
