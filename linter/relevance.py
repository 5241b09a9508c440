"""Which functions are worth running although nobody is seen to call them: a look at their words, and at what these mean.

A function that nobody calls runs outside every trace.  It matters if it reaches a transform, may draw from one random key
twice, or may store into an array, by itself or in what it uses of the project.  Others are not run, and not even parsed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from . import domain
from .domain import (
    UNKNOWN,
    ClassValue,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    TransformedValue,
    TupleValue,
    Union,
    Value,
    members,
)
from .gate import changes_by_call, drops_result, may_augment, may_store, names_places
from .holders import holders, loses_update, statements_in
from .interpreter.functions import find_parameter
from .interpreter.imports import dotted, module_attribute
from .interpreter.python.builtins import BUILTINS
from .interpreter.python.classes import ancestors, open_ended
from .python_tree import is_docstring
from .records import record
from .syntax.memo import NodeMemo
from .syntax.statements import LaterBlock
from .syntax.walk import in_order

if TYPE_CHECKING:
    from .files.source import SourceFile
    from .gate import Gate
    from .interpreter import Interpreter

_ATTRIBUTE = re.compile(r"\b(?:self|cls)\.(\w+)\s*(?::[^=\n]*)?=(?!=)")
# What stands between the dotted names of a text becomes white space.
_APART = "".join(sign if sign.isalnum() or sign in "_." else " " for sign in map(chr, range(128)))
_LOOP = re.compile(r"\b(?:for|while)\b")
# Functions of jax.random that draw from none.
_KEYS = frozenset({"PRNGKey", "key", "key_data", "wrap_key_data", "key_impl", "PRNGKeyArray"})
_EAGER = frozenset({"tree", "tree_util"})  # their `map` calls functions on the leaves as they are

MAX_PASSED = 4
"""Functions that pass a random key on to one another."""

_Used: TypeAlias = FunctionValue | ClassValue | InstanceValue | TransformedValue | ExternalValue
"""What of a value can matter."""
_Objects: TypeAlias = ClassValue | InstanceValue


@record(frozen=True, slots=True)
class _Words:
    """The body of a function as words.

    Args:
        names: each dotted name in it, in its parts, with how often it stands there.
        attributes: what stands behind a dot.
        sets: the attributes that it sets of its object or class.
        loops: whether there is a loop in it.
    """

    names: Sequence[tuple[list[str], int]]
    attributes: frozenset[str]
    sets: frozenset[str] = frozenset()
    loops: bool = False


@record(frozen=True, slots=True)
class _Look:
    """What something has to do with what matters.

    Args:
        uses: what it leads to, each with the attribute by which alone it does so, if there is one, and how often.
        attributes: those that it names.
        loops: whether there is a loop in it.
        traces: whether it is a transform, or transformed.
        touches: whether it is, or uses something, of a library that traces.
        draws: whether it draws from a random key.
    """

    uses: Sequence[tuple[str, _Used, int]] = ()
    attributes: frozenset[str] = frozenset()
    loops: bool = False
    traces: bool = False
    touches: bool = False
    draws: bool = False


@dataclass(slots=True)
class _Kept:
    """How things look, whether they matter, whether by themselves, and whether they draw from random keys.

    `quiet` holds those that do not matter where no other attributes than these are named.
    """

    looks: dict[_Used, _Look] = field(default_factory=dict)
    matters: dict[_Used, bool] = field(default_factory=dict)
    quiet: dict[_Used, frozenset[str]] = field(default_factory=dict)
    alone: dict[_Used, bool] = field(default_factory=dict)
    drawing: dict[_Used, bool] = field(default_factory=dict)


class Relevance:
    """What matters in a module that has been run.

    Args:
        shared: what is known of other files, for all that import them.
    """

    def __init__(
        self, interpreter: Interpreter, gate: Gate, source: SourceFile, shared: dict[str, object]
    ) -> None:
        self._interpreter, self._gate, self._source = interpreter, gate, source
        kept = shared.setdefault("relevance", _Kept())
        assert isinstance(kept, _Kept)
        self._own, self._shared = _Kept(), kept
        self._set: dict[ClassValue, dict[str, list[Value]]] = {}

    def of(self, function: FunctionValue) -> bool:
        """Whether a function matters."""
        known = self._home(function).matters.get(function)
        return self._decide(function) if known is None else known

    def _decide(self, function: FunctionValue) -> bool:
        """Goes through all that a function uses until something is found that matters.

        Of a class, that is what is named somewhere on the way: rapid type analysis (D. F. Bacon, P. F. Sweeney, "Fast Static
        Analysis of C++ Virtual Function Calls").
        """
        users: dict[_Used, _Used | None] = {function: None}
        waiting: list[_Used] = [function]
        named: frozenset[str] = frozenset()
        unnamed: dict[str, list[tuple[_Used, _Used]]] = {}
        passed: dict[_Used, frozenset[str]] = {}
        while waiting:
            used = waiting.pop()
            kept = self._home(used)
            known, quiet = kept.matters.get(used), kept.quiet.get(used)
            if known is False:
                continue
            if quiet is not None and named <= quiet and used not in passed:
                passed[used] = attributes = quiet
                uses: Sequence[tuple[str, _Used, int]] = ()
            else:
                look = self._look(used)
                if known or look.traces or self._matters_alone(used):
                    self._home(function).matters[function] = True
                    self._note(used, users)
                    return True
                attributes, uses = look.attributes, look.uses
            found = [pair for name in attributes - named for pair in unnamed.pop(name, ())]
            named |= attributes
            for name, one, _ in uses:
                if name and name not in named:
                    unnamed.setdefault(name, []).append((one, used))
                else:
                    found.append((one, used))
            for one, user in found:
                if one not in users:
                    users[one] = user
                    waiting.append(one)
            if not waiting:  # once more those that were quiet as long as less was named
                waiting = [used for used, quiet in passed.items() if not named <= quiet]
                passed = dict.fromkeys(passed, named)
        has_objects = bool(passed) or any(isinstance(used, _Objects) for used in users)
        for used in users:
            if has_objects:  # of a class, another function may name more
                self._home(used).quiet[used] = named
            else:
                self._home(used).matters[used] = False
        return False

    def _matters_alone(self, used: _Used) -> bool:
        alone = self._home(used).alone
        if used not in alone:
            alone[used] = isinstance(used, FunctionValue) and self._changes_or_draws(used)
        return alone[used]

    def _changes_or_draws(self, function: FunctionValue) -> bool:
        """Whether a function matters by itself, or by what it gives its arrays, or its random keys, to."""
        look = self._look(function)
        if look.touches:
            if any(self._may_be_array(function, name) for name in _changed_in(function)):
                return True
            if any(isinstance(one, FunctionValue) and any(_changed_in(one)) for _, one, _ in look.uses):
                return True
        drawn = sum(times for _, one, times in look.uses if self._draws(one))
        return drawn > 1 or (drawn > 0 and look.loops)

    def _note(self, used: _Used, users: Mapping[_Used, _Used | None]) -> None:
        """Notes that something matters, and so does who uses it, be it not as a part of an object."""
        user: _Used | None = used
        while user is not None and not isinstance(user, _Objects):
            self._home(user).matters[user] = True
            user = users[user]

    def _home(self, used: _Used) -> _Kept:
        """Where to keep what is known of something; what this file has made goes with it."""
        if isinstance(used, ExternalValue):
            return self._shared
        own = isinstance(used, InstanceValue) or used.source is self._source
        return self._own if own else self._shared

    # --- what is used ------------------------------------------------------------------------------------------

    def _look(self, used: _Used) -> _Look:
        looks = self._home(used).looks
        known = looks.get(used)
        if known is None:
            known = looks[used] = self._look_at(used)
        return known

    def _look_at(self, used: _Used) -> _Look:
        match used:
            case FunctionValue():
                return self._at_function(used)
            case ClassValue():
                return _Look([*self._at_class(used)])
            case InstanceValue():
                return _Look([*_parts([("", used.cls, 1), *_named(used.box.slots)])])
            case ExternalValue():
                *path, last = used.name.split(".")
                root = path[0] if path else last
                traces = last in self._gate.traced_by(root) and _EAGER.isdisjoint(path[-1:])
                touches = root in self._gate.functions
                draws = touches and "random" in path[1:] and last not in _KEYS
                return _Look(traces=traces, touches=touches, draws=draws)
            case _:
                return _Look(traces=True)

    def _at_class(self, cls: ClassValue) -> Iterator[tuple[str, _Used, int]]:
        """A class: whoever has it makes an object, which a library's base may ask for anything."""
        at_will = open_ended(self._interpreter, cls)
        for one in ancestors(cls):
            slots = _named(one.box.slots) if isinstance(one, ClassValue) else [("", one, 1)]
            for name, used, times in _parts(slots):
                yield "" if at_will or name.startswith("__") else name, used, times

    def _at_function(self, function: FunctionValue) -> _Look:
        body = function.node.body
        words = _words_of(body) if isinstance(body, LaterBlock) else _names_in(body)
        found = [("", meant, times) for path, times in words.names for meant in self._meant(function, path)]
        for owner in members(function.owner) if function.owner is not None else ():
            if isinstance(owner, ClassValue):
                found += [("", value, 1) for value in self._of_object(owner, words.attributes)]
        uses = [*_parts(found)]
        touches = any(isinstance(one, ExternalValue) and self._look(one).touches for _, one, _ in uses)
        return _Look(uses, words.attributes, words.loops, touches=touches)

    def _of_object(self, owner: ClassValue, attributes: frozenset[str]) -> Iterator[Value]:
        """What attributes of a method's own object are: members of its class, or what its methods set."""
        for cls in ancestors(owner):
            if isinstance(cls, ClassValue):
                for name in attributes & cls.box.slots.keys():
                    yield cls.box.slots[name]
                setters = self._setters(cls)
                for name in attributes & setters.keys():
                    yield from setters[name]

    def _setters(self, cls: ClassValue) -> dict[str, list[Value]]:
        """The methods of a class that set each attribute."""
        found = self._set.get(cls)
        if found is None:
            found = self._set[cls] = {}
            for _, value, _ in _named(cls.box.slots):
                if isinstance(value, FunctionValue) and isinstance(value.node.body, LaterBlock):
                    for name in _words_of(value.node.body).sets:
                        found.setdefault(name, []).append(value)
        return found

    def _may_be_array(self, function: FunctionValue, name: str) -> bool:
        """Whether a name in a function, of whose caller nothing is known, may be an array."""
        if not name:
            return True
        parameter = find_parameter(function, name)
        if parameter is not None:
            return parameter.annotation is not None or parameter.default is not None
        value = self._interpreter.find_from(function.scope, name)[1]
        return not isinstance(value, DictValue | ListValue)

    def _meant(self, function: FunctionValue, path: list[str]) -> Iterable[Value]:
        """What a dotted name stands for in a function, as far as that can be told without running anything."""
        scope, value = self._interpreter.find_from(function.scope, path[0])
        if value is None or (scope is None and path[0] in BUILTINS):
            return ()
        rest = path[1:]
        while rest and isinstance(value, ModuleValue):
            value, rest = module_attribute(self._interpreter, value, rest[0]) or UNKNOWN, rest[1:]
        if not rest:
            return members(value)
        return [
            ExternalValue(".".join((one.name, *rest))) if isinstance(one, ExternalValue) else one
            for one in members(value)
        ]

    def _draws(self, used: _Used, depth: int = 0) -> bool:
        """Whether a function draws from a random key that it is given: one of a library, or one of the project that uses it."""
        if isinstance(used, ExternalValue):
            return self._look(used).draws
        if not isinstance(used, FunctionValue) or "random" not in used.source.text or depth == MAX_PASSED:
            return False
        drawing = self._home(used).drawing
        if used not in drawing:
            drawing[used] = False  # while it is looked at, for one that calls itself
            drawing[used] = any(self._draws(one, depth + 1) for _, one, _ in self._look(used).uses)
        return drawing[used]


def _named(slots: Mapping[object, Value]) -> list[tuple[str, Value, int]]:
    return [(name, value, 1) for name, value in slots.items() if isinstance(name, str)]


def _parts(named: Iterable[tuple[str, Value, int]]) -> Iterator[tuple[str, _Used, int]]:
    """What of some values, and of those inside them, can matter, by the same names."""
    waiting, seen = [*named], dict[int, Value]()
    while waiting:
        name, value, times = waiting.pop()
        if isinstance(value, _Used):
            yield name, value, times
        elif id(value) not in seen:
            seen[id(value)] = value
            waiting += ((name, inner, times) for inner in _inside(value))


def _inside(value: Value) -> Iterable[Value]:
    match value:
        case MethodValue():
            return (value.function,)
        case PartialValue():
            return (value.function, *value.args, *(argument for _, argument in value.kwargs))
        case TupleValue():
            return value.parts
        case ListValue() | DictValue():
            return value.box.slots.values()
        case domain.Mapping():
            return (*(item for _, item in value.items), *([] if value.rest is None else [value.rest]))
        case Union():
            return value.members
        case _:
            return ()


# --- words -----------------------------------------------------------------------------------------------------


@NodeMemo
def _words_of(body: LaterBlock) -> _Words:
    text = _code(body)
    names, attributes = _parted(text.translate(_APART).split())
    return _Words(
        names,
        attributes,
        frozenset(_ATTRIBUTE.findall(text)) if "self." in text or "cls." in text else frozenset(),
        _LOOP.search(text) is not None,
    )


@NodeMemo
def _names_in(body: cst.CSTNode) -> _Words:
    """The words of a lambda, or of a function on one row."""
    return _Words(
        *_parted(
            name
            for node in in_order(body)
            if isinstance(node, cst.Name | cst.Attribute) and (name := dotted(node))
        )
    )


def _parted(words: Iterable[str]) -> tuple[list[tuple[list[str], int]], frozenset[str]]:
    """Dotted names in their parts, with how often they stand there; and all that stands behind a dot."""
    names: list[tuple[list[str], int]] = []
    attributes: set[str] = set()
    for word, times in Counter(words).items():
        path = word.split(".")
        attributes.update(path[1:])
        if path[0]:
            names.append((path, times))
    return names, frozenset(attributes)


def _changed_in(function: FunctionValue) -> frozenset[str]:
    body = function.node.body
    return _changed(body) if isinstance(body, LaterBlock) else frozenset()


@NodeMemo
def _changed(body: LaterBlock) -> frozenset[str]:
    """The names of what is stored into; an empty one for other changes, and for changed copies that are lost."""
    text = _code(body)
    lost = drops_result(text) and any(
        isinstance(one, ast.Expr) and drops_result(body.rows(one.lineno, one.lineno))
        for one in statements_in(body.statements)
    )
    if lost or changes_by_call(text) or (names_places(text) and loses_update(body.statements)):
        return frozenset({""})
    return holders(body.statements) if may_store(text) or may_augment(text) else frozenset()


def _code(body: LaterBlock) -> str:
    """The text of a body without a docstring that has rows of its own."""
    first, *others = body.statements
    end = first.end_lineno or 0
    if is_docstring(first) and others and others[0].lineno > end:
        return body.rows(end + 1, body.last_row)
    return body.text
