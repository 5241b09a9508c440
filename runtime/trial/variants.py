"""Variants of a call that differ in their values: other signs, magnitudes, lengths, flags, words.

Floats are multiples of 1/16, so that sums of them are exact and both sides of a comparison can be equal.
"""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from .arguments import Call

_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 0.25, 5.0, -0.5, 8.0, 20.0, -10.0)
_INTEGERS = (0, 1, 2, 3, 5, -1, 4, 7, 10)
_LENGTHS = (1, 2, 7)
Change = Callable[[Any], Any]


def constants(tree: ast.AST) -> tuple[list[float], list[str]]:
    """The numbers and short words that stand in a piece of code."""
    numbers: dict[float, None] = {}
    words: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
                if abs(node.value) < 1e4:
                    numbers[float(node.value)] = None
            elif isinstance(node.value, str) and len(node.value) < 30:
                words[node.value] = None
    return list(numbers), list(words)


class Variants:
    """Calls made from a call that is known to run."""

    def __init__(self, call: Call, numbers: Iterable[float], words: Iterable[str]) -> None:
        self.call = call
        given = [value for number in numbers for value in (number, -number, number + 1, number - 1)]
        self.floats = list(dict.fromkeys([*_FLOATS, *given]))
        self.integers = list(dict.fromkeys([*_INTEGERS, *(int(v) for v in given if v == int(v))]))
        self.words = list(words)
        self.random = random.Random(0)

    def __iter__(self) -> Iterator[Call]:
        """One change at a time, then other lengths, then changes of everything at once, without end."""
        yield self.call
        count = len(list(_walk(self.call)))
        for step in range(max((len(self._changes(leaf)) for leaf in _walk(self.call)), default=0)):
            for position, leaf in enumerate(_walk(self.call)):
                changes = self._changes(leaf)
                if step < len(changes):
                    yield self._changed({position: changes[step]})
        yield from self._resized()
        yield from self._misfits()
        while count:
            base = (
                self.random.choice([self.call, *self._resized()]) if self.random.random() < 0.3 else self.call
            )
            drawn: dict[int, Change] = {}
            for position, leaf in enumerate(_walk(base)):
                options = self._changes(leaf)
                if options and self.random.random() < 0.8:
                    drawn[position] = self.random.choice(options)
            yield _rebuilt(base, drawn)

    def shifted(self, call: Call, position: int, amount: float, by_factor: bool) -> Call | None:
        """The call with one of its float leaves moved or scaled; None if that leaf is no float."""
        leaf = list(_walk(call))[position]
        if isinstance(leaf, bool) or not (isinstance(leaf, float) or _kind(leaf) == "f"):
            return None
        return _rebuilt(call, {position: (lambda v: v * amount) if by_factor else (lambda v: v + amount)})

    def positions(self, call: Call) -> range:
        """The numbers of the leaves of a call."""
        return range(len(list(_walk(call))))

    def _changed(self, changes: dict[int, Change]) -> Call:
        return _rebuilt(self.call, changes)

    def _changes(self, leaf: Any) -> list[Change]:
        if isinstance(leaf, bool):
            return [lambda value: not value]
        if isinstance(leaf, int):
            return [_constant(value) for value in self.integers if abs(value) <= 64]
        if isinstance(leaf, float):
            return [_constant(value) for value in self.floats]
        if isinstance(leaf, str):
            return [_constant(word) for word in self.words]
        kind = _kind(leaf)
        if kind == "f":
            return [*(_filled(value) for value in self.floats), *self._patterns(leaf)]
        if kind in "iu" and kind:
            values = [value for value in self.integers if kind == "i" or value >= 0]
            fills = [_filled(value) for value in values]
            return [
                *fills,
                _patterned(numpy.arange),
                *(self._drawn(-3, 9) for _ in range(3 * bool(leaf.ndim))),
            ]
        if kind == "b":
            return [_filled(True), _filled(False), _patterned(lambda size: numpy.arange(size) % 3 == 0)]
        return []

    def _patterns(self, leaf: Any) -> list[Change]:
        if not leaf.ndim:
            return []
        ramps: list[Change] = [
            _patterned(lambda size: numpy.arange(size) / 2.0 - size // 4),
            _patterned(lambda size: -numpy.arange(size) / 4.0),
            _patterned(lambda size: (numpy.arange(size) % 3 - 1.0) * 4.0),
            lambda value: -value,
            lambda value: value * 8,
        ]
        return [*ramps, *(self._drawn(-40, 40, 16.0) for _ in range(6))]

    def _drawn(self, low: int, high: int, scale: float = 1) -> Change:
        seed = self.random.randrange(10**6)
        return _patterned(lambda size: numpy.random.default_rng(seed).integers(low, high, size) / scale)

    def _resized(self) -> list[Call]:
        """Calls whose arrays have another length, all those together that have the same one."""
        lengths = {leaf.shape[0] for leaf in _walk(self.call) if _kind(leaf) and leaf.ndim}
        calls = []
        for old in sorted(lengths):
            for new in (*_LENGTHS, 0):
                changes = {
                    position: _resize(old, new)
                    for position, leaf in enumerate(_walk(self.call))
                    if _kind(leaf) and old in leaf.shape and str(leaf.dtype) != "uint32"
                }
                calls.append(self._changed(changes))
        return calls

    def _misfits(self) -> Iterator[Call]:
        """Calls of which one array alone has another length, for code that checks shapes."""
        for position, leaf in enumerate(_walk(self.call)):
            if _kind(leaf) and leaf.ndim and str(leaf.dtype) != "uint32":
                length = leaf.shape[-1]
                yield self._changed({position: _resize(length, length + 1)})


def _kind(leaf: Any) -> str:
    """The kind of an array's dtype, as NumPy names it; empty for what is no array of numbers."""
    dtype = getattr(leaf, "dtype", None)
    return str(getattr(dtype, "kind", "")) if hasattr(leaf, "shape") and "key<" not in str(dtype) else ""


def _constant(value: Any) -> Change:
    return lambda _: value


def _filled(value: Any) -> Change:
    return lambda leaf: _like(leaf, numpy.full(leaf.shape, value))


def _patterned(make: Callable[[int], Any]) -> Change:
    return lambda leaf: _like(leaf, make(leaf.size).reshape(leaf.shape))


def _resize(old: int, new: int) -> Change:
    def change(leaf: Any) -> Any:
        shape = tuple(new if length == old else length for length in leaf.shape)
        return _like(leaf, numpy.resize(numpy.asarray(leaf), shape))

    return change


def _like(leaf: Any, values: Any) -> Any:
    converted = values.astype(numpy.asarray(leaf).dtype)
    return converted if isinstance(leaf, numpy.ndarray) else sys.modules["jax.numpy"].asarray(converted)


def _walk(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _walk(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _walk(item)
    else:
        yield value


def _rebuilt(call: Call, changes: dict[int, Change]) -> Call:
    """The call with its numbered leaves changed."""
    counter = iter(range(10**9))

    def build(value: Any) -> Any:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(build, value))
        if isinstance(value, (list, tuple)):
            return type(value)(build(item) for item in value)
        if isinstance(value, dict):
            return {key: build(item) for key, item in value.items()}
        change = changes.get(next(counter))
        return value if change is None else change(value)

    arguments, keywords = build(call)
    return arguments, keywords
