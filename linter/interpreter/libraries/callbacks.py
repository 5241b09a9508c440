"""Functions that libraries call for the user: which, in which trace, and with what, as the tables say.

`traces[fun(init, *args, state:arrays), RESULT]` of a table says: calling this traces what was given as `fun`, with `init`
and what is in `args` as tracers, and of `state` only the arrays.  `maps[...]` is the same under `vmap`, where nothing else
is staged, `calls[...]` in the trace that is under way, if any.  The words after an argument's name are

- nothing: arrays and Python numbers are traced, as by `jit`
- `strict`: the same, and all else is refused
- `arrays`: arrays are traced, all else is the caller's own
- `own`: the caller's own value
- `row`: one of the rows along its leading axis, traced
- `index`: an index along this axis, traced

Instead of an argument, `ARRAY`, `SCALAR`, `KEY` and `TREE` stand for one of that sort that the library makes, `BUFFER` and
`NUMBER` for a NumPy array and a Python float.  A function is named by a parameter, of the call or of what the object was made with; `terms.vector_field` are all functions
of that name in the objects in `terms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...domain import (
    TAINTED,
    UNKNOWN,
    Array,
    BoxedValue,
    DictValue,
    Entry,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    SequenceValue,
    Static,
    Trail,
    Tree,
    TupleValue,
    Value,
)
from ...knowledge.schema import parse_result, split
from ..arrays.precision import default_dtype
from ..calls import call as run
from ..calls import opaque
from ..functions import positional_names, underlying
from ..python.classes import find_member
from ..python.containers import contents, mapping_of, row, sequence_of
from ..python.copies import fresh_copy
from ..tracing.boundaries import check_operand
from ..tracing.entries import root_for, traced
from ..tracing.traces import Trace, inner_trace
from ..tracing.transforms import enter
from .objects import object_method

if TYPE_CHECKING:
    from ...knowledge import Result
    from ..machine import Interpreter
    from .library import Call

_CALL = re.compile(r"(?P<function>[\w.]+)\((?P<terms>.*)\)$", re.DOTALL)
_DEPTH = 5  # objects inside each other
STAND_INS = ("ARRAY", "SCALAR", "KEY", "TREE", "BUFFER", "NUMBER")


def traces(call: Call, result: Result) -> Value:
    """Calls functions inside a trace of their own."""
    return _run(call, result, "traces")


def maps(call: Call, result: Result) -> Value:
    """Calls functions under `vmap`."""
    return _run(call, result, "maps")


def calls(call: Call, result: Result) -> Value:
    """Calls functions in the trace that is under way."""
    return _run(call, result, "calls")


def _run(call: Call, result: Result, way: str) -> Value:
    interp = call.interp
    own, value = "", None
    for text in result.arguments:
        if _CALL.match(text) is None:
            own = text
        else:
            value = [value, *answers(call, text, way)][-1]
    if own == "same":
        return value if value is not None else TAINTED if interp.staging else opaque(interp, call.inputs, {})
    if own:
        return call.result(parse_result(own))
    return TAINTED if interp.staging else opaque(interp, call.inputs, {})


def answers(call: Call, text: str, way: str) -> list[Value]:
    """What the functions give that `FUNCTION(ARGUMENTS)` names."""
    match = _CALL.match(text)
    if match is None:
        return []
    terms = split(match["terms"])
    return [_call(call, function, terms, way) for function in functions_of(call, match["function"])]


def _call(call: Call, function: Value, terms: list[str], how: str) -> Value:
    interp, tracing = call.interp, how != "calls"
    inner = underlying(function)
    entry = Entry(
        getattr(inner, "name", "a function"), _maker(call), call.node, interp.source,
        inner if isinstance(inner, FunctionValue) else None,
    )  # fmt: skip
    names = positional_names(_callable(interp, function))
    args: list[Value] = []
    kwargs: dict[str, Value] = {}

    def inside(term: str, way: str, position: int, value: Value) -> Value:
        shown_as = names[position] if position < len(names) else term.lower()
        return _inside(call, entry, function, shown_as, way if tracing else "own", value)

    for term in terms:
        bare, _, way = term.partition(":")
        value = argument_of(call, bare.lstrip("*"))
        if way == "strict" and value is not None and check_operand(interp, value, call.name, call.node):
            return UNKNOWN
        if bare in STAND_INS:
            args.append(_stand_in(call, entry, function, names, len(args), bare, tracing))
        elif bare.startswith("**"):
            extra = mapping_of(interp, value).items if isinstance(value, DictValue) else ()
            for key, item in (*extra, *_rest(call, bare[2:])):
                kwargs[str(key)] = inside(str(key), way, len(names), item)
        elif bare.startswith("*"):
            for item in sequence_of(interp, value).items if isinstance(value, SequenceValue) else ():
                args.append(inside(bare[1:], way, len(args), item))
        elif value is not None:
            args.append(inside(bare, way, len(args), value))
    if not tracing:
        return run(interp, function, args, kwargs, call.node)
    trace = inner_trace(entry, how == "traces", interp.trace)
    with interp.doubting(interp.jit_disabled):
        return enter(interp, trace, function, args, kwargs, call.node, call.spread)


def _maker(call: Call) -> str:
    """The name of the function that is called, or of the class of the object whose method is."""
    receiver = call.bound.get("self")
    name = getattr(getattr(receiver, "cls", None), "name", call.name)
    return str(name).rsplit(".", 1)[-1]


def _callable(interp: Interpreter, function: Value) -> Value:
    """A function as it is called: an instance by its `__call__`."""
    if isinstance(function, InstanceValue):
        method = find_member(interp, function.cls, "__call__")
        return MethodValue(method, function) if method is not None else function
    return function


def _rest(call: Call, name: str) -> list[tuple[str, Value]]:
    """The keyword arguments that go to `**name`."""
    known = {p.name for p in call.signature.parameters}
    return [(key, value) for key, value in call.kwargs.items() if key not in known]


def argument_of(call: Call, name: str) -> Value | None:
    """What was given for a parameter, of the call or of what made the object."""
    value = call.bound.get(name)
    receiver = call.bound.get("self")
    if value is None and isinstance(receiver, InstanceValue):
        value = call.interp.state.read(receiver.box, name)
    return value


def functions_of(call: Call, path: str) -> Iterator[Value]:
    """The functions that a path names."""
    first, *others = path.split(".")
    value = argument_of(call, first)
    found = [] if value is None else [value]
    for name in others:
        found = [inner for one in found for inner in _named(call.interp, one, name)]
    for one in found:
        parts = contents(one) if isinstance(one, ListValue | DictValue) else getattr(one, "items", (one,))
        for part in parts:
            if isinstance(part, FunctionValue | MethodValue | InstanceValue) or hasattr(part, "function"):
                yield part


def _named(interp: Interpreter, value: Value, name: str, depth: int = 0) -> Iterator[Value]:
    """What the objects in a value hold by this name, or their methods."""
    if depth > _DEPTH:
        return
    if isinstance(value, InstanceValue):
        found = interp.state.read(value.box, name) or object_method(interp, value, name)
        method = find_member(interp, value.cls, name) if found is None else None
        if method is not None:
            found = MethodValue(method, value)
        if found is not None:
            yield found
            return
    parts = value.items if isinstance(value, TupleValue) else ()
    if isinstance(value, TupleValue) and name in value.fields:
        parts = ()
        yield value.items[value.fields.index(name)]
    if isinstance(value, BoxedValue):
        parts = tuple(contents(value))
    for part in parts:
        yield from _named(interp, part, name, depth + 1)


def _stand_in(
    call: Call, entry: Entry, function: Value, names: list[str], position: int, word: str, tracing: bool
) -> Value:
    """An argument that the library makes."""
    if word in ("BUFFER", "NUMBER"):
        return Static("ndarray" if word == "BUFFER" else "float")
    interp = call.interp
    level = Level.ABSTRACT if tracing or interp.staging else Level.CONCRETE
    name = names[position] if position < len(names) else f"args[{position}]"
    root = root_for(interp, entry, function, name, None)
    roots = (root,) if level else ()
    trail = Trail(f"{name} is traced by {entry.transform}", root.node, root.source) if level else None
    if word == "TREE":
        return Tree(level, True, roots, trail)
    shape, dtype = {"SCALAR": ((), default_dtype("float32")), "KEY": ((), "key")}.get(word, (None, None))
    return Array(level, shape, dtype, False, True, roots, trail)


def _inside(call: Call, entry: Entry, function: Value, name: str, way: str, value: Value) -> Value:
    """An argument as the function sees it."""
    interp = call.interp
    if way == "own":
        return value
    root = root_for(interp, entry, function, name, value)
    if way == "row":
        value = fresh_copy(
            interp, value, lambda leaf: row(leaf) if isinstance(leaf, Array) else leaf, call.node
        )
    if way == "index":
        return Array(Level.ABSTRACT, (), default_dtype("int32"), False, True, (root,))
    if way in ("", "strict"):
        return traced(interp, value, root, Level.ABSTRACT, None, call.node)

    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            return Array(Level.ABSTRACT, item.shape, item.dtype, item.weak, item.sure, (root,))
        if isinstance(item, Static) and item.kind == "ndarray":
            return Array(Level.ABSTRACT, item.shape, None, False, True, (root,))
        if isinstance(item, Tree):
            return Tree(Level.ABSTRACT, False, (root,))
        return item

    with interp.bearing(Trace(entry, True, interp.trace)):
        return fresh_copy(interp, value, leaf, call.node)
