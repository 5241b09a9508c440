"""What a name in a function may hold that is changed in place by mistake: a JAX array, or a NumPy array that JAX has been given.

The flows of names (`flows.py`) lead back to what the module has bound, to parameters, and to what other functions give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from ..domain import (
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    Static,
    Tree,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ..interpreter.functions import annotation_of, find_parameter
from ..interpreter.python.builtins import BUILTINS
from ..interpreter.python.classes import ancestors, field_annotation, open_ended
from ..interpreter.python.fields import as_field
from ..interpreter.tracing.entries import by_annotation
from ..syntax.statements import LaterBlock
from .flows import ANYTHING, CONTENT, RESULT, Flows, HandedOn
from .meanings import Meanings, leaves

if TYPE_CHECKING:
    from ..interpreter import Interpreter

_HOSTS = frozenset({"numpy", "scipy"})
_NO_ARRAY = re.compile(r"->\s*(?:none\b|(?:static|several|effect|iterator|host)\[)")
_ITSELF = frozenset({"self", "cls"})
# Functions of Python whose results hold nothing of their arguments
MAKERS = frozenset(
    {"bool", "float", "hash", "id", "int", "isinstance", "len", "ord", "range", "repr", "str", "type"}
)

MAX_DOTS = 2
"""Attributes of attributes that are told apart."""
MAX_NAMES = 4
"""Names of one thing that are followed."""


class Origin(Flag):
    """Where a value may come from."""

    ELSEWHERE = 0
    GIVEN = auto()
    """A parameter that nothing is known of."""
    HOST = auto()
    """NumPy."""
    ARRAY = auto()
    """A library that traces, or what cannot be told."""


@dataclass(slots=True)
class KeptOrigins:
    """What is known of some functions."""

    flows: dict[FunctionValue, Flows] = field(default_factory=dict)
    origins: dict[tuple[FunctionValue, str], Origin] = field(default_factory=dict)


class Origins:
    """Follows names to where their values come from.

    Args:
        is_traced: whether a dotted name is of a library that has arrays of its own.
        home: where to keep what is known of a function.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        meanings: Meanings,
        is_traced: Callable[[str], bool],
        home: Callable[[FunctionValue], KeptOrigins],
    ) -> None:
        self._interpreter, self._meanings = interpreter, meanings
        self._is_traced, self._home = is_traced, home

    def of(self, function: FunctionValue, name: str) -> Origin:
        """Where a dotted name in a function, or what the function gives, may have its value from."""
        kept = self._home(function).origins
        known = kept.get((function, name))
        if known is None:
            kept[function, name] = Origin.ELSEWHERE  # while it is looked at, for what leads back to it
            known = kept[function, name] = self._of(function, name)
        return known

    def calls(self, function: FunctionValue) -> Iterable[HandedOn]:
        """The calls in a function."""
        flows = self._flows(function)
        return () if flows is None else flows.calls

    def is_handed_on(self, function: FunctionValue, name: str) -> bool:
        """Whether a function hands what a name holds to something that may give it to JAX."""
        return any(
            name in call.places and (not call.called or self._takes_arrays(function, call.called))
            for call in self.calls(function)
        )

    def _takes_arrays(self, function: FunctionValue, name: str) -> bool:
        value, _ = self._meanings.beginning(function, name)
        if isinstance(value, ExternalValue):
            return self._is_traced(value.name)
        return value is not None and not isinstance(value, Unknown | Const | Static)

    def _flows(self, function: FunctionValue) -> Flows | None:
        body = function.node.body
        if not isinstance(body, LaterBlock):
            return None
        kept = self._home(function).flows
        known = kept.get(function)
        if known is None:
            known = kept[function] = Flows.of(body.statements, lambda called: self._keeps(function, called))
        return known

    def _keeps(self, function: FunctionValue, called: str) -> bool:
        """Whether what a call gives may hold its arguments: functions of arrays, and some of Python's, make it anew."""
        if called in MAKERS:
            return False
        value, _ = self._meanings.beginning(function, called)
        return not (
            isinstance(value, ExternalValue) and (self._is_traced(value.name) or _is_of_host(value.name))
        )

    def _of(self, function: FunctionValue, name: str) -> Origin:
        if self._flows(function) is None:
            return Origin.ARRAY
        found = Origin.ELSEWHERE
        for path, bound in self.leads(function, name):
            found |= self._from_outside(function, path, bound)
            if Origin.ARRAY in found:
                break
        return found

    def leads(self, function: FunctionValue, place: str) -> Iterator[tuple[str, bool]]:
        """The dotted names that a place may have its value from, itself among them, and whether the function binds them."""
        flows = self._flows(function)
        sources = {} if flows is None else flows.sources
        waiting, seen = [place], {place}
        while waiting:
            place = waiting.pop()
            bound = False
            for beginning in _beginnings(place):
                if beginning in sources:
                    bound = True
                    rest = place[len(beginning) :]
                    given = sources[beginning]
                    further = ({_joined(one, rest) for one in given} if rest else given) - seen
                    waiting += further
                    seen |= further
            path = place.removesuffix(CONTENT)
            yield path, bound or path is not place

    def given_to(self, function: FunctionValue, name: str) -> Iterable[str]:
        """The places that a name is given its value from at once."""
        flows = self._flows(function)
        return () if flows is None else flows.sources.get(name, ())

    def own_name(self, function: FunctionValue, name: str) -> str:
        """The first name of what a name was given, if it is just another one."""
        for _ in range(MAX_NAMES):
            other, *others = self.given_to(function, name) or (ANYTHING,)
            if others or other in (RESULT, ANYTHING) or other.endswith(CONTENT):
                break
            name = other
        return name

    def _from_outside(self, function: FunctionValue, path: str, bound: bool) -> Origin:
        """What a name holds beside what the function itself gives it."""
        name, *rest = path.split(".")
        if name == RESULT:
            return Origin.ELSEWHERE
        if not name:
            return Origin.ARRAY
        if name in _ITSELF and function.owner is not None:
            return self._of_object(function, rest, bound)
        parameter = find_parameter(function, name)
        if parameter is not None:
            annotation, default = annotation_of(parameter), dict(function.defaults).get(name)
            if annotation is None and default is None:
                return Origin.GIVEN
            return Origin.GIVEN | self._of_value(
                by_annotation(self._interpreter, annotation, default, function.scope), rest
            )
        value, rest = self._meanings.beginning(function, path)
        if value is not None:
            return self._of_value(value, rest)
        return Origin.ELSEWHERE if bound or name in BUILTINS else Origin.ARRAY

    def _gives_array(self, name: str) -> bool:
        """Whether what a library's function gives, or an attribute of that, may be an array."""
        catalogue = self._interpreter.catalogue
        line = catalogue.line(catalogue.canonical(name))
        if line is not None:
            return _NO_ARRAY.search(line) is None
        outer = name.rpartition(".")[0]
        return bool(outer) and catalogue.line(catalogue.canonical(outer)) is not None

    def _of_object(self, function: FunctionValue, path: list[str], bound: bool) -> Origin:
        """What an attribute of a method's own object, or of its class, holds."""
        if not path:
            return Origin.ELSEWHERE
        owners = () if function.owner is None else members(function.owner)
        found = [self._of_attribute(cls, path, function) for cls in owners if isinstance(cls, ClassValue)]
        known = [one for one in found if one is not None]
        return reduce(or_, known, Origin.ELSEWHERE) if known or bound else Origin.ARRAY

    def _of_attribute(
        self, cls: ClassValue, path: list[str], asking: FunctionValue | None = None
    ) -> Origin | None:
        """What an attribute of a class's objects holds beside what one method gives it, if the class tells."""
        found: Origin | None = None
        for one in ancestors(cls):
            if not isinstance(one, ClassValue):
                continue
            value = one.box.slots.get(path[0])
            if value is not None:
                found = (found or Origin.ELSEWHERE) | self._of_value(value, path[1:])
            elif (annotation := field_annotation(one, path[0])) is not None:
                value = by_annotation(self._interpreter, annotation, None, one.box.parent)
                found = (found or Origin.GIVEN) | self._of_value(value, path[1:])
            for setter in self._meanings.setters(one).get(path[0], ()):
                if asking is None or setter.node is not asking.node:
                    found = (found or Origin.ELSEWHERE) | self.of(setter, f"self.{path[0]}")
        return found

    def _of_value(self, value: Value, path: list[str]) -> Origin:
        """Where a value, or what it gives, or holds under an attribute, comes from."""
        return reduce(or_, (self._of_one(one, path) for one in members(value)), Origin.ELSEWHERE)

    def _of_one(self, value: Value, path: list[str]) -> Origin:
        match value:
            case ExternalValue():
                if self._is_traced(value.name):
                    return Origin.ARRAY if self._gives_array(value.name) else Origin.ELSEWHERE
                return Origin.HOST if _is_of_host(value.name) else Origin.ELSEWHERE
            case FunctionValue():
                return self.of(value, RESULT) & ~Origin.GIVEN
            case Array() | Tree():
                return Origin.ARRAY
            case Static():
                return Origin.HOST if value.kind == "ndarray" else Origin.ELSEWHERE
            case Const() | Unknown():
                return Origin.ELSEWHERE
            case InstanceValue() if path:
                held = value.box.slots.get(path[0])
                return self._of_value(value.cls if held is None else held, path[held is not None :])
            case ClassValue() if path:
                found = self._of_attribute(value, path)
                if found is None:
                    return Origin.ARRAY if open_ended(self._interpreter, value) else Origin.ELSEWHERE
                return found
            case MethodValue() if (given := as_field(value)) is not None:
                return self._of_value(given.default, path) | self._of_value(given.factory, path)
            case ClassValue() | InstanceValue():
                return Origin.ELSEWHERE  # it decides itself what an index does
            case ListValue() | DictValue() | Mapping() | TupleValue():
                return reduce(or_, (self._of_one(leaf, []) for leaf in leaves(value)), Origin.ELSEWHERE)
            case _:
                return Origin.ARRAY


def _is_of_host(name: str) -> bool:
    """Whether a dotted name is of a library whose arrays are NumPy's."""
    return name.partition(".")[0] in _HOSTS


def _joined(place: str, rest: str) -> str:
    """A place with what stands behind another; not where it grows, as that of `node = node.next` would."""
    whole = place + rest
    short = place in (RESULT, ANYTHING) or place.endswith(CONTENT) or whole.count(".") > MAX_DOTS
    return place if short else whole


def _beginnings(path: str) -> Iterator[str]:
    """A place, and those of what it is an attribute of, or in."""
    if path.endswith(CONTENT):
        yield path
        path = path.removesuffix(CONTENT)
    while path:
        yield path
        path = path.rpartition(".")[0]
