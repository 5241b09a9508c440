"""The search for what matters in all that a function uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
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

_Edge: TypeAlias = tuple[Used, int]  # who uses something, and the attribute by which alone it does so


@dataclass(slots=True)
class _Attributes:
    """Sets of attributes as numbers: each attribute is a bit."""

    bits: dict[str, int] = field(default_factory=lambda: {"": 0})

    def of(self, name: str) -> int:
        """An attribute alone; no attribute for an empty name."""
        return self.bits.setdefault(name, 1 << len(self.bits))


@dataclass(frozen=True, slots=True, eq=False)
class _Quiet:
    """What one search went through and found not to matter.

    Args:
        named: the attributes that it names.
        closed: those that would have led it further, had something named them.
    """

    named: int
    closed: int


@dataclass(slots=True)
class _Kept:
    """How things look, which of them matter, and what the last search went through that found one of them not to."""

    looks: dict[Used, Look] = field(default_factory=dict)
    matters: set[Used] = field(default_factory=set)
    quiet: dict[Used, _Quiet] = field(default_factory=dict)
    hazards: KeptHazards = field(default_factory=KeptHazards)
    attributes: _Attributes = field(default_factory=_Attributes)


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
        self._own, self._shared = _Kept(attributes=kept.attributes), kept
        self._meanings = Meanings(interpreter)
        self._hazards = Hazards(
            interpreter, self._meanings, self._look, self._is_traced, lambda used: self._home(used).hazards
        )

    def of(self, function: FunctionValue) -> bool:
        """Whether a function matters."""
        if function in self._home(function).matters:
            return True
        # What an earlier search went through may name more than the function leads to
        if not (self._finds(function, anew=False) and self._finds(function, anew=True)):
            return False
        self._home(function).matters.add(function)
        return True

    def _finds(self, function: FunctionValue, *, anew: bool) -> bool:
        """Whether something matters in all that a function uses.

        Of a class, that is what is named somewhere on the way: rapid type analysis (D. F. Bacon, P. F. Sweeney, "Fast Static
        Analysis of C++ Virtual Function Calls").

        Args:
            anew: whether to go through all that earlier searches went through.
        """
        users: dict[Used, _Edge | None] = {function: None}
        waiting: list[Used] = [function]
        named = 0
        closed: dict[int, list[tuple[Used, _Edge]]] = {}
        passed: dict[Used, _Quiet] = {}
        again = set[Used]()
        suspects: list[Used] = []  # what may do wrong by itself: asked last, as it takes longest to tell
        while waiting:
            used = waiting.pop()
            kept = self._home(used)
            quiet = None if anew or used in again else kept.quiet.get(used)
            uses: Sequence[tuple[int, Used]] = ()
            if quiet is not None and not quiet.closed & named:
                passed[used], attributes = quiet, quiet.named
            else:
                look = self._look(used)
                if used in kept.matters or look.traces:
                    self._note(used, users)
                    return True
                suspects.append(used)
                attributes, uses = look.attributes, look.uses
            found = [one for bit in [*closed] if bit & attributes for one in closed.pop(bit)]
            named |= attributes
            for bit, part in uses:
                if bit & ~named:
                    closed.setdefault(bit, []).append((part, (used, bit)))
                else:
                    found.append((part, (used, bit)))
            for part, edge in found:
                if part not in users:
                    users[part] = edge
                    waiting.append(part)
                    if part in self._home(part).matters:
                        break  # it is looked at next
            if not waiting:  # those again for which more has been named since
                waiting = [used for used, quiet in passed.items() if quiet.closed & named]
                again.update(waiting)
                for used in waiting:
                    del passed[used]
        for used in suspects:
            if self._hazards.has(used):
                self._note(used, users)
                return True
        result = _Quiet(named, reduce(or_, (one.closed for one in passed.values()), sum(closed)))
        for used in users:
            self._home(used).quiet[used] = result
        return False

    def _note(self, used: Used, users: Mapping[Used, _Edge | None]) -> None:
        """Notes that something matters, and so does who uses it, be it a part of an object that is named on the way to it."""
        unnamed = 0
        user: Used | None = used
        while user is not None:
            unnamed &= ~self._look(user).attributes
            if not unnamed:
                self._home(user).matters.add(user)
            edge = users[user]
            user, bit = edge or (None, 0)
            unnamed |= bit

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
                return Look(self._numbered(self._at_class(used)))
            case InstanceValue():
                return Look(self._numbered(parts([("", used.cls), *named(used.box.slots)])))
            case ExternalValue():
                *path, last = used.name.split(".")
                touches = self._is_traced(used.name)
                matters = touches and self._traces(used.name)
                draws = touches and "random" in path[1:] and last not in _KEYS
                return Look(traces=matters, touches=touches, draws=draws)
            case _:
                return Look(traces=True)

    def _numbered(self, uses: Iterable[tuple[str, Used]]) -> list[tuple[int, Used]]:
        return [(self._shared.attributes.of(name), used) for name, used in uses]

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
        uses = self._numbered(parts(found))
        touches = any(isinstance(one, ExternalValue) and self._look(one).touches for _, one in uses)
        attributes = reduce(or_, map(self._shared.attributes.of, words.attributes), 0)
        return Look(uses, attributes, touches=touches)
