"""Names of mapped axes: which maps bind them, and collectives that use one which no map around binds.

A function that nobody is seen to call may be called under any map, so only calls from a module's own code count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import NONE, Arrays, Const, SequenceValue, Value
from ...events import ControlFlow
from ...knowledge.schema import parse_result
from ..python.containers import items_of
from ..python.copies import fresh_copy

if TYPE_CHECKING:
    from ...knowledge import Result
    from ..libraries.library import Call
    from ..machine import Interpreter


@contextmanager
def axis_name(interp: Interpreter, name: Value | None) -> Iterator[None]:
    """The body runs under a map that binds this name, if it has one."""
    if name is None or name == NONE:
        yield
        return
    known = isinstance(name, Const) and isinstance(name.value, str)
    interp.axis_names.append(name.value if known and isinstance(name, Const) else None)
    try:
        yield
    finally:
        interp.axis_names.pop()


def collective(call: Call, result: Result) -> Value:
    """`collective[RESULT]`: a function that needs its `axis_name` bound by a map around it."""
    interp = call.interp
    if interp.seen_from_module and None not in interp.axis_names:
        for name in _names(interp, call.bound.get("axis_name", NONE)):
            if name not in interp.axis_names:
                interp.tell(
                    ControlFlow, call.node, function=call.name, problem="axis-name", error="NameError",
                    detail=f"no map around the call binds the axis {name!r}",
                )  # fmt: skip
                break
    value = call.result(parse_result(result.argument(0)))
    if interp.staging:
        return value

    def leaf(item: Value) -> Value:
        """Among all members of the axis it is one value, and no tracer of the map that binds the axis."""
        return replace(item, sure=False) if isinstance(item, Arrays) and item.traced else item

    return fresh_copy(interp, value, leaf, call.node)


def _names(interp: Interpreter, value: Value) -> list[str]:
    """The names that an argument gives, as far as they are known."""
    parts = items_of(interp, value) if isinstance(value, SequenceValue) else [value]
    return [one.value for one in parts or () if isinstance(one, Const) and isinstance(one.value, str)]
