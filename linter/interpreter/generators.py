"""Generators: what they give, and what is left inside when a trace has advanced one of the world outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import UNKNOWN, FunctionValue, Level, ListValue, TupleValue, Value, traced_parts
from ..joins import join
from ..records import record
from ..syntax.walk import in_order
from .containers import new_list

if TYPE_CHECKING:
    from .machine import Frame, Interpreter
    from .state import Delta


@record(frozen=True, slots=True, eq=False)
class Generation:
    """How a generator came to be, and the variables that it keeps from one step to the next."""

    function: FunctionValue
    arguments: tuple[tuple[str, Value], ...]
    kept: tuple[tuple[Value, cst.CSTNode, str], ...]
    entering: Delta  # what it has changed outside when it yields for the first time
    leaving: Delta  # and what stands there at its end


def generator_of(
    interp: Interpreter, frame: Frame, function: FunctionValue, given: tuple[tuple[str, Value], ...]
) -> Value:
    """What calling a generator function gives, its body having been run."""
    element: Value | None = None
    for item in frame.yields:
        element = item if element is None else join(element, item)
    content = TupleValue((), element if element is not None else UNKNOWN)
    kept = tuple(
        (value, node, name)
        for name, node in updated(function.node)
        if (value := frame.yielding.get(name)) is not None
    )
    made = new_list(interp, content, function.node, "iterator")
    entering, after = frame.outside or {}, interp.state.delta(frame.mark)
    leaving = {place: after[place] for place in entering if place in after}
    interp.generations[made.box] = Generation(function, given, kept, entering, leaving)
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
            interp.lifetimes.stored(
                interp, value, statement, "generator", name, True, generation.function.source
            )
            interp.state.write(iterator.box, "kept", value)
            return True
    return False
