"""Options of `jit` that choose arguments by name or position, as JAX checks them when it wraps a function."""

from __future__ import annotations

from typing import TypeVar

from ...domain import NONE, Const, ListValue, SequenceValue, TransformedValue, TupleValue, Value
from ..functions import parameter_names, positional_names, positional_only, shown_by

T = TypeVar("T")


def constants(value: Value | None, kind: type[T]) -> list[T] | None:
    """The constants of an option that is one or a sequence of them; None where they are not known."""
    if value is None or value == Const(None):
        return []
    if isinstance(value, Const):
        return [value.value] if isinstance(value.value, kind) else None
    if isinstance(value, SequenceValue):
        items = value.items if isinstance(value, TupleValue) else ()
        if isinstance(value, ListValue):
            content = value.box.slots.get("items")
            items = content.items if isinstance(content, TupleValue) else ()
        if all(isinstance(item, Const) and isinstance(item.value, kind) for item in items):
            return [item.value for item in items if isinstance(item, Const)]
    return None


def _no_choice(transformed: TransformedValue, word: str) -> str:
    """What an option that chooses arguments is, if it is no choice at all; empty otherwise."""
    numbers, names = transformed.option(f"{word}_argnums"), transformed.option(f"{word}_argnames")
    for number in _chosen(numbers):
        if not isinstance(number, int):
            return f"{word}_argnums is or contains {number!r}, which is no position"
    for name in _chosen(names):
        if not isinstance(name, str):
            return f"{word}_argnames is or contains {name!r}, which is no name"
    return ""


def _chosen(value: Value | None) -> list[object]:
    """What an option gives, constant or a sequence with constants in it."""
    if value is None or value == NONE:
        return []
    if isinstance(value, ListValue):
        value = value.box.slots.get("items")
    parts = value.items if isinstance(value, TupleValue) else (value,)
    return [part.value for part in parts if isinstance(part, Const)]


def jit_problem(function: Value, transformed: TransformedValue) -> tuple[str, str]:
    """What is wrong with the static and the donated arguments of `jit`: a word and a detail; empty if nothing is."""
    function = shown_by(function)
    names = parameter_names(function)
    wrong = next(filter(None, (_no_choice(transformed, word) for word in ("static", "donate"))), "")
    if wrong:
        return "not-a-choice", wrong
    if names is None:
        return "", ""
    known, has_args, has_kwargs = names
    positional = positional_names(function)
    chosen: dict[str, set[str]] = {}
    for word in ("static", "donate"):
        chosen[word] = set(constants(transformed.option(f"{word}_argnames"), str) or ())
        for name in sorted(chosen[word]):
            if name in positional_only(function):
                return "positional-only", name
            if name not in known and not has_kwargs:
                return ("unknown-name" if word == "static" else "unknown-donated-name"), name
        for number in constants(transformed.option(f"{word}_argnums"), int) or ():
            if -len(positional) <= number < len(positional):
                chosen[word].add(positional[number])
            elif not has_args:
                return ("out-of-range" if word == "static" else "donated-out-of-range"), str(number)
    both = sorted(chosen["static"] & chosen["donate"])
    return ("static-and-donated", both[0]) if both else ("", "")
