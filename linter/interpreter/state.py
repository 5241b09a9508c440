"""The abstract heap with a journal, so that the arms of a branch can each be run from the same state and joined.

Every write to a `Box` goes through `State.write`, which notes what it replaced.  To run two arms: mark, run the first,
take its delta, roll back to the mark, run the second, and merge the deltas.  The cost is that of the writes made,
not of the size of the heap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, TypeAlias

from ..domain import Box, ImportedValue, Value
from ..joins import join

Place: TypeAlias = "tuple[Box, Any]"
Delta: TypeAlias = "dict[Place, Value]"


class State:
    """Reads and writes of all boxes, and which boxes a call has read or changed."""

    def __init__(self, resolve: Callable[[ImportedValue], Value]) -> None:
        self.resolve = resolve
        self._journal: list[tuple[Box, Any, Value | None, int]] = []
        self._versions = count(1)
        self._watches: list[Watch] = []
        self._watch: Watch | None = None  # the innermost

    def read(self, box: Box, key: Any) -> Value | None:
        """What the slot holds, or None where it was never written."""
        watch = self._watch
        if watch is not None and box.serial < watch.born:
            watch.reads.setdefault(box, box.version)
        value = box.slots.get(key)
        if type(value) is ImportedValue:
            value = box.slots[key] = self.resolve(value)
        return value

    def write(self, box: Box, key: Any, value: Value) -> None:
        """Puts a value into a slot."""
        watch = self._watch
        if watch is not None and box.serial < watch.born:
            watch.pure = False
        self._journal.append((box, key, box.slots.get(key), box.version))
        box.slots[key] = value
        box.version = next(self._versions)

    def mark(self) -> int:
        """A point to which `rollback` can return."""
        return len(self._journal)

    def delta(self, mark: int) -> Delta:
        """What has changed since the mark: each slot with the value that it holds now."""
        return {(box, key): box.slots[key] for box, key, _, _ in self._journal[mark:] if key in box.slots}

    def rollback(self, mark: int) -> None:
        """Undoes every write since the mark."""
        journal = self._journal
        while len(journal) > mark:
            box, key, old, version = journal.pop()
            if old is None:
                box.slots.pop(key, None)
            else:
                box.slots[key] = old
            box.version = version

    def apply(self, delta: Delta) -> None:
        """Makes the changes of one delta."""
        for (box, key), value in delta.items():
            self.write(box, key, value)

    def merge(self, deltas: Iterable[Delta]) -> None:
        """Makes the state that is true after any one of the deltas; a slot that only some of them bind is bound."""
        arms = list(deltas)
        if len(arms) == 1:
            self.apply(arms[0])
            return
        places: dict[Place, None] = {}
        for arm in arms:
            places.update(dict.fromkeys(arm))
        for place in places:
            box, key = place
            before = box.slots.get(key)
            joined: Value | None = None
            for arm in arms:
                value = arm.get(place, before)
                if value is not None:
                    joined = value if joined is None else join(joined, value)
            if joined is not None:
                self.write(box, key, joined)

    def watch(self, born: int, buffers: int) -> Watch:
        """Begins to note which boxes older than `born` are read or changed, and which of the first `buffers` buffers changed."""
        watch = Watch(born, buffers)
        self._watches.append(watch)
        self._watch = watch
        return watch

    def watching(self) -> int:
        """How many watches there are."""
        return len(self._watches)

    def note_effect(self) -> None:
        """Something happened that each call of the functions under way must do anew, though no box was changed."""
        if self._watch is not None:
            self._watch.pure = False

    def note_buffer(self, buffer: int) -> None:
        """A NumPy buffer was changed, which calls that have not made it must do anew."""
        if self._watch is not None and 0 < buffer <= self._watch.buffers:
            self._watch.pure = False

    def stop_watching(self, count: int) -> None:
        """Drops all watches but the first `count`: what was under way in them was given up."""
        del self._watches[count:]
        self._watch = self._watches[-1] if self._watches else None
        self.note_effect()

    def unwatch(self, watch: Watch) -> None:
        """Ends a watch; an enclosing one learns of what was seen."""
        self._watches.pop()
        outer = self._watch = self._watches[-1] if self._watches else None
        if outer is not None:
            for box, version in watch.reads.items():
                if box.serial < outer.born:
                    outer.reads.setdefault(box, version)
            outer.pure = outer.pure and watch.pure


class Watch:
    """Which boxes older than `born` were read, at which version, and whether none was changed."""

    __slots__ = ("born", "buffers", "pure", "reads")

    def __init__(self, born: int, buffers: int) -> None:
        self.born = born
        self.buffers = buffers
        self.reads: dict[Box, int] = {}
        self.pure = True

    def still_true(self) -> bool:
        """Whether nothing that was read has changed since."""
        return self.pure and all(box.version == version for box, version in self.reads.items())
