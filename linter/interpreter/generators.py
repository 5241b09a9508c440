"""Generators: what they give, and what is left inside when a trace has advanced one of the world outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import FunctionValue, Level, ListValue, TupleValue, Value, traced_parts
from ..records import record
from ..syntax.walk import in_order
from .python.containers import content_of, extend, join_all, new_list

if TYPE_CHECKING:
    from .machine import Frame, Interpreter
    from .state import Delta


@record(frozen=True, slots=True, eq=False)
class Generation:
    """How a generator came to be, and the variables that it keeps from one step to the next."""

    function: FunctionValue
    arguments: tuple[tuple[str, Value], ...]
    content: TupleValue
    kept: tuple[tuple[Value, cst.CSTNode, str], ...]
    entering: Delta  # what it has changed outside when it yields for the first time
    leaving: Delta  # and what stands there at its end


def produce(interp: Interpreter, frame: Frame, content: TupleValue) -> None:
    """A generator yields one item, or those of `yield from`."""
    if frame.produced is None:
        return
    frame.yields.extend(content.parts)
    extend(interp, frame.produced, content)


def _content(interp: Interpreter, frame: Frame, produced: ListValue) -> TupleValue:
    """The items in order, where each `yield` that was run is surely reached once; else one that stands for all."""
    content = content_of(interp, produced)
    if content.rest is None and list(map(id, content.items)) == list(map(id, frame.yields)):
        return content
    return TupleValue((), join_all(frame.yields))


def generator_of(
    interp: Interpreter,
    frame: Frame,
    function: FunctionValue,
    given: tuple[tuple[str, Value], ...],
    made: ListValue,
) -> Value:
    """What calling a generator function gives, its body having been run."""
    content = _content(interp, frame, made)
    interp.state.write(made.box, "items", content)
    kept = tuple(
        (value, node, name)
        for name, node in updated(function.node)
        if (value := frame.yielding.get(name)) is not None
    )
    entering, after = frame.outside or {}, interp.state.delta(frame.mark)
    leaving = {place: after[place] for place in entering if place in after}
    interp.generations[made.box] = Generation(function, given, content, kept, entering, leaving)
    return made


def renewed(interp: Interpreter, value: Value) -> Value:
    """What a call that is remembered gives once more: a generator begins anew."""
    generation = interp.generations.get(value.box) if isinstance(value, ListValue) else None
    if generation is None:
        return value
    made = new_list(interp, generation.content, generation.function.node, "iterator")
    interp.generations[made.box] = generation
    return made


def updated(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """The variables that a statement gives a value made from their old one."""
    for part in in_order(node):
        if type(part) is cst.AugAssign and type(part.target) is cst.Name:
            yield part.target.value, part
        elif type(part) is cst.Assign:
            used = {name.value for name in in_order(part.value) if type(name) is cst.Name}
            for target in part.targets:
                for name in in_order(target.target):
                    if type(name) is cst.Name and name.value in used:
                        yield name.value, part


def advanced(interp: Interpreter, iterator: ListValue, node: cst.CSTNode) -> bool:
    """`next(generator)`: one made outside a trace keeps tracers when it is advanced inside; whether it does so here.

    It raises when it is advanced once more outside.
    """
    from .calls import call

    before = interp.state.read(iterator.box, "kept")
    if before is not None:
        interp.lifetimes.used(interp, (before,), node)
    generation = interp.generations.get(iterator.box)
    if generation is None or interp.trace is None or iterator.box.context is not None:
        return False
    again = call(interp, generation.function, [], dict(generation.arguments), node)
    inside = interp.generations.get(again.box) if isinstance(again, ListValue) else None
    for value, statement, name in inside.kept if inside is not None else ():
        if any(part.level is Level.ABSTRACT and part.sure for part in traced_parts(value)):
            interp.lifetimes.leaks.stored(
                interp, value, statement, "generator", name, True, generation.function.source
            )
            interp.state.write(iterator.box, "kept", value)
            return True
    return False
