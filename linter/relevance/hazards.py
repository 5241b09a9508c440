"""What a function does wrong by itself, outside every trace: it changes arrays in place, or draws from one random key twice."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ..domain import ClassValue, ExternalValue, FunctionValue, ModuleValue
from ..gate import changes_by_call, drops_result, may_augment, may_store, names_places
from ..interpreter.functions import parameters
from ..records import record
from ..syntax.memo import NodeMemo
from ..syntax.statements import LaterBlock
from .changes import holders, loses_update
from .flows import ANYTHING, CONTENT, HandedOn, statements_in
from .meanings import Meanings, Used, code_of, named, parts
from .origins import MAKERS, KeptOrigins, Origin, Origins

if TYPE_CHECKING:
    from ..interpreter import Interpreter

# Where functions of jax.random take their key
_KEY_ARGUMENTS = (0, "key", "rng", "seed")
# What no key is
_NO_KEYS = (ExternalValue, FunctionValue, ClassValue, ModuleValue)

# The methods that run where a class, or an object of it, is called
_BY_CALL = frozenset({"__new__", "__init__", "__post_init__", "__call__"})

Arguments: TypeAlias = frozenset[int | str | None]
"""Arguments of a function: places and names, None for any."""
Changing: TypeAlias = Mapping[str, Arguments]
"""What may be changed in place of the arguments, by the method that is called; under an empty name by a call itself."""

MAX_PASSED = 4
"""Functions that pass a random key on to one another."""


@record(frozen=True, slots=True)
class Look:
    """What something has to do with what matters.

    Args:
        uses: what it leads to, each with the attribute by which alone it does so, as a bit; 0 where that is none.
        attributes: the bits of those that it names.
        traces: whether it is a transform, or transformed.
        touches: whether it is, or uses something, of a library that traces.
        draws: whether it draws from a random key.
    """

    uses: Sequence[tuple[int, Used]] = ()
    attributes: int = 0
    traces: bool = False
    touches: bool = False
    draws: bool = False


@dataclass(slots=True)
class KeptHazards:
    """What is known of some functions: whether they do wrong, what they change of their arguments, whether they draw from keys."""

    wrong: dict[Used, bool] = field(default_factory=dict)
    changing: dict[Used, Changing] = field(default_factory=dict)
    drawing: dict[Used, bool] = field(default_factory=dict)
    origins: KeptOrigins = field(default_factory=KeptOrigins)


class Hazards:
    """Looks for what functions do wrong by themselves, or by what they give their arrays, or their random keys, to.

    Args:
        look: what something has to do with what matters.
        is_traced: whether a dotted name is of a library that traces.
        home: where to keep what is known of something.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        meanings: Meanings,
        look: Callable[[Used], Look],
        is_traced: Callable[[str], bool],
        home: Callable[[Used], KeptHazards],
    ) -> None:
        self._meanings, self._look, self._home = meanings, look, home
        self._origins = Origins(interpreter, meanings, is_traced, lambda function: home(function).origins)

    def has(self, used: Used) -> bool:
        """Whether something is a function that may do wrong."""
        wrong = self._home(used).wrong
        if used not in wrong:
            wrong[used] = isinstance(used, FunctionValue) and (self._changes(used) or self._draws_twice(used))
        return wrong[used]

    # --- changes -----------------------------------------------------------------------------------------------

    def _changes(self, function: FunctionValue) -> bool:
        """Whether a function may change an array, or give one to what changes it."""
        look = self._look(function)
        if not look.touches and not any(
            isinstance(one, FunctionValue) and self._look(one).touches for _, one in look.uses
        ):
            return False
        if any(self._may_go_wrong(function, place) for place in _changed_in(function)):
            return True
        changing = {one: places for _, one in look.uses if (places := self._changed_arguments(one))}
        return bool(changing) and any(
            self._hands_array(function, call, changing) for call in self._origins.calls(function)
        )

    def _may_go_wrong(self, function: FunctionValue, place: str) -> bool:
        """Whether a place may hold an array of JAX, or one of NumPy that JAX is given, and so must not be changed."""
        if not place:
            return True
        origin = self._origins.of(function, place)
        return Origin.ARRAY in origin or (
            Origin.HOST in origin and self._origins.is_handed_on(function, place)
        )

    def _hands_array(
        self, function: FunctionValue, call: HandedOn, changing: Mapping[Used, Changing]
    ) -> bool:
        """Whether a call gives an array to something that may change it in place, itself or as what it calls."""
        ways = [_changed_by(changing[one], call) for one in self._called(function, call, changing)]
        if any("" in changing[one] for one in self._handed_on(function, call, changing)):
            ways.append(frozenset({None}))
        changed = frozenset[int | str | None]().union(*ways)
        given = [
            places
            for name, places in call.arguments.items()
            if changed and (name is None or not changed.isdisjoint((None, name)))
        ]
        return any(self._may_go_wrong(function, place) for places in given for place in places)

    def _changed_arguments(self, used: Used) -> Changing:
        """What a function, or an object by its methods, may change in place of its arguments."""
        if not isinstance(used, FunctionValue | ClassValue):
            return {}
        kept = self._home(used).changing
        known = kept.get(used)
        if known is None:
            known = kept[used] = self._find_changed_arguments(used)
        return known

    def _find_changed_arguments(self, used: FunctionValue | ClassValue) -> Changing:
        methods = [("", used)] if isinstance(used, FunctionValue) else named(used.box.slots)
        found: dict[str, Arguments] = {}
        for name, method in methods:
            if isinstance(method, FunctionValue) and (changed := self._changed_of(method)):
                way = "" if name in _BY_CALL else name
                found[way] = found.get(way, frozenset()) | changed
        return found

    def _changed_of(self, used: FunctionValue) -> Arguments:
        places = _changed_in(used)
        if not places:
            return frozenset()
        changed: set[str] = set()
        for place in places:
            if not place:
                return frozenset({None})
            if Origin.GIVEN in self._origins.of(used, place):
                changed |= {path.partition(".")[0] for path, _ in self._origins.leads(used, place)}
        names = [one.name.value for one in parameters(used)][used.owner is not None :]
        return frozenset(changed) | {number for number, name in enumerate(names) if name in changed}

    # --- draws -------------------------------------------------------------------------------------------------

    def _draws_twice(self, function: FunctionValue) -> bool:
        """Whether a function may draw from one random key twice: in a loop, or from what has one name."""
        drawing = {one for _, one in self._look(function).uses if self._draws(one)}
        if not drawing:
            return False
        draws = [
            call for call in self._origins.calls(function) if any(self._reached(function, call, drawing))
        ]
        if any(call.repeated for call in draws):
            return True
        keys = Counter(key for call in draws for key in self._keys(function, call))
        return any(times > 1 for times in keys.values())

    def _keys(self, function: FunctionValue, call: HandedOn) -> set[str]:
        """The names of what a call may draw from; a function of the project may have keys of its own."""
        values = [*self._meanings.of(function, call.called)]
        places = call.places
        if values and all(isinstance(one, ExternalValue) for one in values):
            places = frozenset().union(*(call.arguments.get(name, ()) for name in _KEY_ARGUMENTS))
            own = set[str]()
        else:
            own = {call.called}
        names = {place.removesuffix(CONTENT) for place in places}
        return own | {
            self._origins.own_name(function, name)
            for name in names
            if not any(isinstance(one, _NO_KEYS) for one in self._meanings.of(function, name))
        }

    def _draws(self, used: Used, depth: int = 0) -> bool:
        """Whether a function draws from a random key that it is given: one of a library, or one of the project that uses it."""
        if isinstance(used, ExternalValue):
            return self._look(used).draws
        if not isinstance(used, FunctionValue) or depth == MAX_PASSED:
            return False
        drawing = self._home(used).drawing
        draws = drawing.get(used)
        if draws is None:
            drawing[used] = False  # while it is looked at, for one that calls itself
            draws = drawing[used] = "random" in used.source.text and any(
                self._draws(one, depth + 1) for _, one in self._look(used).uses
            )
        return draws

    def _reached(self, function: FunctionValue, call: HandedOn, wanted: Collection[Used]) -> set[Used]:
        """What of something wanted a call is one of, or hands on to be called."""
        return {*self._called(function, call, wanted), *self._handed_on(function, call, wanted)}

    def _called(self, function: FunctionValue, call: HandedOn, wanted: Collection[Used]) -> Collection[Used]:
        if not call.called:
            return wanted
        return self._meant(function, {call.called, *self._origins.given_to(function, call.called)}, wanted)

    def _handed_on(
        self, function: FunctionValue, call: HandedOn, wanted: Collection[Used]
    ) -> Collection[Used]:
        if call.called in MAKERS:
            return ()
        alone = [place for one in call.arguments.values() if len(one) == 1 for place in one]
        return self._meant(function, {self._origins.own_name(function, place) for place in alone}, wanted)

    def _meant(self, function: FunctionValue, names: Iterable[str], wanted: Collection[Used]) -> set[Used]:
        """What of something wanted some names lead to."""
        meant = (value for name in names for value in self._meanings.in_method(function, name))
        return {one for _, one in parts(("", value) for value in meant) if one in wanted}


def _changed_by(changing: Changing, call: HandedOn) -> Arguments:
    """What a call changes of its arguments, of what has some such ways of being called."""
    changed = changing.get(call.method)
    if changed is None and (call.called or not call.method):
        changed = changing.get("")
    return changed or frozenset()


def _changed_in(function: FunctionValue) -> frozenset[str]:
    body = function.node.body
    return _changed(body) if isinstance(body, LaterBlock) else frozenset()


@NodeMemo
def _changed(body: LaterBlock) -> frozenset[str]:
    """The names of what is stored into; an empty one for other changes, and for changed copies that are lost."""
    text = code_of(body)
    lost = drops_result(text) and any(
        isinstance(one, ast.Expr) and drops_result(body.rows(one.lineno, one.lineno))
        for one in statements_in(body.statements)
    )
    if lost or changes_by_call(text) or (names_places(text) and loses_update(body.statements)):
        return frozenset({ANYTHING})
    return holders(body.statements) if may_store(text) or may_augment(text) else frozenset()
