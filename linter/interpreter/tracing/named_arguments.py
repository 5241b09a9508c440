"""Options of `jit` that choose arguments by name or position: what they choose, and what JAX refuses of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ...domain import NONE, Const, ListValue, SequenceValue, TransformedValue, TupleValue, Unknown, Value
from ...records import record
from ..functions import parameter_names, positional_names, positional_only, shown_by

T = TypeVar("T")


def constants(value: Value | None, kind: type[T]) -> list[T] | None:
    """The constants of an option that is one or a sequence of them; None where they are not known."""
    if value is None or value == Const(None):
        return []
    if isinstance(value, Const):
        return [value.value] if isinstance(value.value, kind) else None
    if isinstance(value, SequenceValue):
        content = value.box.slots.get("items") if isinstance(value, ListValue) else value
        if not isinstance(content, TupleValue) or content.rest is not None:
            return None
        if all(isinstance(item, Const) and isinstance(item.value, kind) for item in content.items):
            return [item.value for item in content.items if isinstance(item, Const)]
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


@record(frozen=True, slots=True)
class StaticParameters:
    """The parameters that `jit` makes static: the keywords, and the positions of arguments."""

    names: frozenset[str] = frozenset()
    numbers: frozenset[int] = frozenset()

    def among(self, positional: Sequence[str]) -> frozenset[str]:
        """The names of all, of those at a position as well."""
        return self.names | {name for k, name in enumerate(positional) if k in self.numbers}


def static_parameters(transformed: TransformedValue, count: int | None = None) -> StaticParameters | None:
    """What `jit` makes static, by name and by position, as JAX infers one from the other; None where it is not known.

    Names are inferred from the signature; negative positions count from the end of the `count` arguments of a call.
    """
    function = shown_by(transformed.function)
    names = constants(transformed.option("static_argnames"), str)
    numbers = constants(
        transformed.option("static_argnums") or transformed.option("static_broadcasted_argnums"), int
    )
    if names is None or numbers is None:
        return None
    positional = positional_names(function)
    known = parameter_names(function)
    inferred = names and transformed.option("static_argnums") in (None, NONE)
    if inferred and isinstance(function, Unknown):
        return None  # the signature tells the positions, and is not known
    if count is None and known is not None and known[1] and any(n < 0 for n in numbers):
        return None
    total = len(positional) if count is None else count
    by_number = {n + total if n < 0 else n for n in numbers}
    by_name = set(names)
    if numbers and transformed.option("static_argnames") in (None, NONE):
        by_name |= {positional[n] for n in numbers if -len(positional) <= n < len(positional)}
    if inferred:
        by_number |= {k for k, name in enumerate(positional) if name in by_name}
    return StaticParameters(frozenset(by_name), frozenset(by_number))
