"""Why a jitted function was traced again: what differs from the call, among those kept, that is most like this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, ref

from ..arrays.avals import ShapedArray
from ..pytree.definition import PyTreeDef

if TYPE_CHECKING:
    from .programs import Program


class Signature(NamedTuple):
    """What a program is looked up by, besides the function: see `jit`."""

    static: tuple[tuple[int | str, type, Any], ...]
    tree: PyTreeDef
    avals: tuple[ShapedArray, ...]
    config: int

    def arguments(self, leaves: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """All arguments of a call, by position and by keyword, with these leaves for those that are traced."""
        dynamic, keywords = self.tree.unflatten(leaves)
        positional = list(dynamic)
        numbered = {where: value for where, _, value in self.static if isinstance(where, int)}
        for where in sorted(numbered):
            positional.insert(where, numbered[where])
        return positional, keywords | {name: value for name, _, value in self.static if isinstance(name, str)}


class CacheMiss(NamedTuple):
    """One trace: of which function, for which arguments, how long it took, and why it was needed."""

    function: Callable[..., Any]
    source: str
    arg_names: tuple[str, ...]
    signature: Signature
    trace_seconds: float
    program: Program
    reasons: tuple[str, ...]


# Code that has been traced, with the last function object that had it: a new object with old code is a new lambda,
# closure or partial, made anew at each call.
_traced_code: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def explain(
    function: Callable[..., Any], signature: Signature, known: Sequence[Signature], names: Sequence[str]
) -> tuple[str, ...]:
    """The reasons, in words, why no known signature fits; one reason for a function that has none."""
    if known:
        nearest = min(known, key=lambda old: _distance(old, signature))
        return differences(nearest, signature, names)
    return (_first_trace(function),)


def _first_trace(function: Callable[..., Any]) -> str:
    inner = function
    while hasattr(inner, "func"):
        inner = inner.func
    code = getattr(getattr(inner, "__func__", inner), "__code__", None)
    if code is None:
        return "first call of this function object"
    before = _traced_code.get(code)
    _traced_code[code] = ref(inner) if hasattr(inner, "__weakref__") or callable(inner) else None
    if before is None:
        return "first call"
    if hasattr(function, "func") or hasattr(function, "__func__"):
        return (
            "new partial or bound method of a function that was traced before: each is a function of its own"
        )
    return (
        "new function object with the code of one that was traced before: define it once, outside of the loop"
    )


def _distance(old: Signature, new: Signature) -> int:
    """How much differs between two signatures: static values, structure, and the parts of each aval."""
    distance = 8 * (old.tree != new.tree) + 8 * (old.config != new.config)
    distance += 4 * len(set(old.static) ^ set(new.static))
    for was, now in zip(old.avals, new.avals):
        distance += (
            2 * (was.shape != now.shape) + 2 * (was.dtype is not now.dtype) + (was.weak_type != now.weak_type)
        )
    return distance


def differences(old: Signature, new: Signature, names: Sequence[str]) -> tuple[str, ...]:
    """What changed between two signatures, in words; an empty tuple when nothing did."""
    found: list[str] = []
    before, after = ({where: (kind, value) for where, kind, value in s.static} for s in (old, new))
    for where in dict.fromkeys((*before, *after)):
        if where not in before or where not in after:
            found.append(f"static argument {where} is {'passed' if where in after else 'not passed'} now")
        elif before[where] != after[where]:
            (_, was), (_, now) = before[where], after[where]
            found.append(f"static argument {where} changed from {_short(was)} to {_short(now)}")
    if old.tree != new.tree:
        found.append(f"structure of the arguments changed from {old.tree} to {new.tree}")
    elif old.avals != new.avals:
        for position, (was_aval, now_aval) in enumerate(zip(old.avals, new.avals)):
            if was_aval is not now_aval:
                name = names[position] if position < len(names) else f"argument {position}"
                found.append(f"{name} changed {_aval_change(was_aval, now_aval)}")
    if old.config != new.config:
        found.append("the configuration changed, as by enable_x64")
    return tuple(found)


def _aval_change(old: ShapedArray, new: ShapedArray) -> str:
    if old.dtype is not new.dtype:
        return f"dtype from {old.str_short()} to {new.str_short()}"
    if old.shape != new.shape:
        return f"shape from {old.str_short()} to {new.str_short()}"
    kinds = ("weak (a Python scalar)", "strong (an array)")
    return f"weak_type from {kinds[not old.weak_type]} to {kinds[not new.weak_type]}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
