"""The search for what matters in all that a function uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ..domain import ClassValue, ExternalValue, FunctionValue, InstanceValue
from ..interpreter.python.classes import ancestors, open_ended
from ..knowledge.tracing import traces
from ..syntax.statements import LaterBlock
from .hazards import Hazards, KeptHazards, Look
from .meanings import Meanings, Used, named, parts, words_in, words_of

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from ..gate import Gate
    from ..interpreter import Interpreter

# Functions of jax.random that draw from none.
_KEYS = frozenset({"PRNGKey", "key", "key_data", "wrap_key_data", "key_impl", "PRNGKeyArray"})

_Objects: TypeAlias = ClassValue | InstanceValue
_Edge: TypeAlias = tuple[Used, str]  # who uses something, and the attribute by which alone it does so


@dataclass(slots=True)
class _Kept:
    """How things look, and whether they matter.

    `quiet` holds those that do not matter where no other attributes than these are named.
    """

    looks: dict[Used, Look] = field(default_factory=dict)
    matters: dict[Used, bool] = field(default_factory=dict)
    quiet: dict[Used, frozenset[str]] = field(default_factory=dict)
    hazards: KeptHazards = field(default_factory=KeptHazards)


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
        self._meanings = Meanings(interpreter)
        self._hazards = Hazards(
            interpreter, self._meanings, self._look, self._is_traced, lambda used: self._home(used).hazards
        )

    def of(self, function: FunctionValue) -> bool:
        """Whether a function matters."""
        known = self._home(function).matters.get(function)
        return self._decide(function) if known is None else known

    def _decide(self, function: FunctionValue) -> bool:
        """Goes through all that a function uses until something is found that matters.

        Of a class, that is what is named somewhere on the way: rapid type analysis (D. F. Bacon, P. F. Sweeney, "Fast Static
        Analysis of C++ Virtual Function Calls").
        """
        users: dict[Used, _Edge | None] = {function: None}
        waiting: list[Used] = [function]
        mentioned: frozenset[str] = frozenset()
        unmentioned: dict[str, list[tuple[Used, _Edge]]] = {}
        passed: dict[Used, frozenset[str]] = {}
        while waiting:
            used = waiting.pop()
            kept = self._home(used)
            known, quiet = kept.matters.get(used), kept.quiet.get(used)
            if known is False:
                continue
            if quiet is not None and mentioned <= quiet and used not in passed:
                passed[used] = attributes = quiet
                uses: Sequence[tuple[str, Used]] = ()
            else:
                look = self._look(used)
                if known or look.traces or self._hazards.has(used):
                    self._home(function).matters[function] = True
                    self._note(used, users)
                    return True
                attributes, uses = look.attributes, look.uses
            found = [pair for name in attributes - mentioned for pair in unmentioned.pop(name, ())]
            mentioned |= attributes
            for name, one in uses:
                if name and name not in mentioned:
                    unmentioned.setdefault(name, []).append((one, (used, name)))
                else:
                    found.append((one, (used, name)))
            for one, edge in found:
                if one not in users:
                    users[one] = edge
                    waiting.append(one)
                    if self._home(one).matters.get(one):
                        break  # it is looked at next
            if not waiting:  # once more those that were quiet as long as less was mentioned
                waiting = [used for used, quiet in passed.items() if not mentioned <= quiet]
                passed = dict.fromkeys(passed, mentioned)
        has_objects = bool(passed) or any(isinstance(used, _Objects) for used in users)
        for used in users:
            if has_objects:  # of a class, another function may name more
                self._home(used).quiet[used] = mentioned
            else:
                self._home(used).matters[used] = False
        return False

    def _note(self, used: Used, users: Mapping[Used, _Edge | None]) -> None:
        """Notes that something matters, and so does who uses it, be it a part of an object that is named on the way to it."""
        unnamed = set[str]()
        user: Used | None = used
        while user is not None:
            unnamed -= self._look(user).attributes
            if not unnamed:
                self._home(user).matters[user] = True
            edge = users[user]
            user, name = edge or (None, "")
            unnamed |= {name} - {""}

    def _home(self, used: Used) -> _Kept:
        """Where to keep what is known of something; what this file has made goes with it."""
        if isinstance(used, ExternalValue):
            return self._shared
        own = isinstance(used, InstanceValue) or used.source is self._source
        return self._own if own else self._shared

    # --- what is used ------------------------------------------------------------------------------------------

    def _look(self, used: Used) -> Look:
        looks = self._home(used).looks
        known = looks.get(used)
        if known is None:
            known = looks[used] = self._look_at(used)
        return known

    def _look_at(self, used: Used) -> Look:
        match used:
            case FunctionValue():
                return self._at_function(used)
            case ClassValue():
                return Look([*self._at_class(used)])
            case InstanceValue():
                return Look([*parts([("", used.cls), *named(used.box.slots)])])
            case ExternalValue():
                *path, last = used.name.split(".")
                touches = self._is_traced(used.name)
                matters = touches and self._traces(used.name)
                draws = touches and "random" in path[1:] and last not in _KEYS
                return Look(traces=matters, touches=touches, draws=draws)
            case _:
                return Look(traces=True)

    def _is_traced(self, name: str) -> bool:
        """Whether a dotted name is of a library that traces."""
        return name.partition(".")[0] in self._gate.functions

    def _traces(self, name: str) -> bool:
        """Whether the tables say of a library's function that it traces, or of what it is an attribute of."""
        catalogue = self._interpreter.catalogue
        line = None
        while line is None and "." in name:
            line = catalogue.line(catalogue.canonical(name))
            name = name.rpartition(".")[0]
        return line is not None and traces(line)

    def _at_class(self, cls: ClassValue) -> Iterator[tuple[str, Used]]:
        """A class: whoever has it makes an object, which a library's base may ask for anything."""
        at_will = open_ended(self._interpreter, cls)
        for one in ancestors(cls):
            slots = named(one.box.slots) if isinstance(one, ClassValue) else [("", one)]
            for name, used in parts(slots):
                yield "" if at_will or name.startswith("__") else name, used

    def _at_function(self, function: FunctionValue) -> Look:
        body = function.node.body
        words = words_of(body) if isinstance(body, LaterBlock) else words_in(body)
        found = [("", meant) for path in words.names for meant in self._meanings.of(function, path)]
        found += [("", value) for value in self._meanings.of_object(function, words.attributes)]
        uses = [*parts(found)]
        touches = any(isinstance(one, ExternalValue) and self._look(one).touches for _, one in uses)
        return Look(uses, words.attributes, touches=touches)
