"""How many contexts a function is run in: only so many that are alike, and outside every trace only a few.

Each call with other arguments is a context of its own.  Code that nobody is seen to run calls its helpers in many which
differ in nothing that a pitfall depends on: other lists, other numbers, other instances of one class.  So a function may
take its share of steps for each *likeness* of arguments, and of steps and runs for all together; a call beyond that is not
followed, and what it may have changed is no longer known.

Reference: O. Shivers, *Control-Flow Analysis of Higher-Order Languages*, ch. 3 (abstract contours).
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from ..domain import (
    TAINTED,
    Array,
    BoxedValue,
    ClassValue,
    Const,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    PartialValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Value,
    members,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Dictionary

    from .machine import Interpreter
    from .state import Delta, State

ASSUMED = 150  # steps that a function may take for arguments that are alike, where nobody is seen to call its caller
ASSUMED_WHOLE = 600  # of all arguments together
ABROAD = 150  # and where it is another file's as well, for all arguments: its pitfalls are found there
SEEN = 3_000  # and inside a trace, or where the module's own code leads to it
WHOLE = 10_000  # of all arguments together
RUNS = 150  # of a function with different arguments
CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
"""Only their runs are counted in a file's own analysis: what an object is decides where others go."""

NESTED = 2  # attributes of attributes that are looked into for what a call changes
DEEP = 2  # containers inside containers that are told apart


Path: TypeAlias = "tuple[Any, ...]"
"""The place of an argument, and the attributes that lead from it to an object."""


class Share:
    """What a function may still take for arguments that are alike, `whole` for any, and what of them it has changed."""

    __slots__ = ("_changed", "_left", "_runs", "_whole")

    def __init__(self, steps: float, whole: Share | None = None) -> None:
        self._left = steps
        self._runs = RUNS
        self._whole = whole
        self._changed: set[tuple[Path, Any]] = set()

    @property
    def taken(self) -> bool:
        """Whether nothing is left of it."""
        return self._left <= 0 or self._runs <= 0 or (self._whole is not None and self._whole.taken)

    def take(self, steps: int) -> None:
        """Notes that a run took so many steps."""
        self._left -= steps
        self._runs -= 1
        if self._whole is not None:
            self._whole.take(steps)

    def note_changes(self, arguments: Dictionary[int | str, Value], delta: Delta, born: int) -> None:
        """Notes which slots of its arguments, and of objects in their attributes, a run has changed that began with `born`."""
        changed = {box for box, _ in delta if box.serial < born}
        if not changed:
            return
        paths = {one.box: path for path, one in _boxed(arguments) if one.box in changed}
        if len(paths) < len(changed):
            paths = {one.box: path for path, one in _boxed(arguments, NESTED)} | paths
        found = {(paths[box], key) for box, key in delta if box in paths}
        self._changed |= found
        if self._whole is not None:
            self._whole._changed |= found

    def forget(self, arguments: Dictionary[int | str, Value], state: State) -> None:
        """Makes unknown what a call that is not followed would have changed in its arguments."""
        spent = self if self._whole is None or not self._whole.taken else self._whole
        deepest = max((len(path) for path, _ in spent._changed), default=0)
        for place, one in list(_boxed(arguments, deepest - 1)) if deepest else ():
            for changed, key in spent._changed:
                if changed == place and key in one.box.slots:
                    state.write(one.box, key, _ANYTHING.get(type(one), TAINTED))


_ANYTHING: dict[type[Value], Value] = {
    ListValue: TupleValue((), TAINTED),
    DictValue: Mapping((), TAINTED),
}
"""What a changed slot holds."""


def _boxed(arguments: Dictionary[int | str, Value], depth: int = 0) -> Iterator[tuple[Path, BoxedValue]]:
    """The objects that are passed and, as deep as told, those in their attributes, each with the way to it."""
    waiting: list[tuple[Path, Value]] = [((place,), value) for place, value in arguments.items()]
    while waiting:
        path, value = waiting.pop()
        for one in members(value):
            if isinstance(one, BoxedValue):
                yield path, one
            if isinstance(one, InstanceValue) and len(path) <= depth:
                waiting.extend(((*path, key), item) for key, item in one.box.slots.items())


def share_of(interp: Interpreter, function: FunctionValue, arguments: Dictionary[int | str, Value]) -> Share:
    """The share of a function for arguments like these."""
    shares = interp.shares
    assumed = interp.trace is None and not interp.seen_from_module
    abroad = assumed and function.source is not interp.frames[0].source
    constructor = function.name in CONSTRUCTORS
    any_arguments = id(function.node), assumed
    whole = shares.get(any_arguments)
    if whole is None:
        most = ABROAD if abroad else inf if constructor else ASSUMED_WHOLE if assumed else WHOLE
        whole = shares[any_arguments] = Share(most)
    if abroad or constructor:
        return whole
    alike = *any_arguments, *((place, likeness(value)) for place, value in arguments.items())
    share = shares.get(alike)
    if share is None:
        share = shares[alike] = Share(ASSUMED if assumed else SEEN, whole)
    return share


def likeness(value: Value, depth: int = 0) -> Any:
    """What two arguments have in common where only their numbers and identities differ, hashable."""
    match value:
        case Array():
            return Array, value.level, value.shape and len(value.shape), value.sure
        case Tree():
            return Tree, value.level, value.sure
        case Const():
            kind = type(value.value)
            return kind if kind in (int, float, complex) else repr(value.value)
        case Static():
            return Static, value.kind
        case FunctionValue() | ClassValue():
            return id(value.node)
        case MethodValue():
            return likeness(value.function, depth), likeness(value.receiver, depth)
        case PartialValue():
            return PartialValue, likeness(value.function, depth), len(value.args)
        case TransformedValue():
            return value.kind, likeness(value.function, depth)
        case InstanceValue():
            return InstanceValue, likeness(value.cls)
        case Union():
            return Union, frozenset(likeness(member, depth) for member in value.members)
        case TupleValue() if depth < DEEP:
            return TupleValue, frozenset(likeness(part, depth + 1) for part in value.parts)
        case ListValue() | DictValue() if depth < DEEP:
            content = value.box.slots.get("items")
            return type(value), None if content is None else likeness(content, depth)
        case Mapping():
            return Mapping, frozenset((key, likeness(part, depth + 1)) for key, part in value.items)
        case _:
            return type(value)
