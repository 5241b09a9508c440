"""What the analysis knows of every expression of a file: its binding time, its abstract value, and why.

    observations = observe(source, settings, project)
    for observation in observations:          # ordered by place, the outer before the inner
        print(observation.span, observation.binding, observation.text)
    observations.at(Location(12, 8))          # the innermost one there

A function is run once for each combination of arguments that it is called with; an observation joins all these runs.
The order of binding times is that of binding-time analysis, static before traced: what is traced in one context is
traced, even if it is static or unknown in another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from . import deep_stack
from .causes import steps
from .domain import (
    UNKNOWN,
    Array,
    DictValue,
    ListValue,
    Mapping,
    Tree,
    TupleValue,
    Unknown,
    Value,
    members,
    traced_parts,
)
from .findings import Location, Span, Step
from .gate import Gate, obstacle
from .interpreter.machine import Role
from .interpreter.python.containers import contents
from .joins import join
from .value_text import Contents, describe

if TYPE_CHECKING:
    import libcst as cst

    from .events import Event
    from .files.project import Project
    from .files.source import SourceFile
    from .settings.config import Settings

Binding = Literal["static", "traced", "unknown"]

MAX_DEPTH = 4  # containers inside containers that are searched for tracers


@dataclass(frozen=True, slots=True)
class Observation:
    """One expression, assignment target or parameter.

    `text` is the abstract value in a few words (`traced f32[3]`, `static int`, `list of 3`); `value` is the abstract
    value itself, joined over all runs; `sometimes_unknown` tells that in some of them nothing was known.
    """

    span: Span
    role: Role
    binding: Binding
    text: str
    value: Value = field(repr=False)
    provenance: tuple[Step, ...] = field(default=(), repr=False)
    sometimes_unknown: bool = False


class Observations:
    """The observations of one file, ordered by place, the outer before the inner.

    `complete` is false where the file could not be analysed, or not to its end; `reason` then says why.
    """

    def __init__(self, found: list[Observation], reason: str | None = None) -> None:
        self._found = sorted(found, key=lambda one: (one.span.start, _descending(one.span.end)))
        self._starts = [one.span.start for one in self._found]
        self.reason = reason

    @property
    def complete(self) -> bool:
        """Whether the whole file was analysed."""
        return self.reason is None

    def __iter__(self) -> Iterator[Observation]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def at(self, place: Location) -> Observation | None:
        """The innermost observation whose text holds a place; its end, where a cursor may stand, counts too."""
        best: Observation | None = None
        for one in reversed(self._found[: bisect_right(self._starts, place)]):
            if place <= one.span.end and (best is None or _inside(one.span, best.span)):
                best = one
        return best


def observe(
    source: SourceFile,
    settings: Settings,
    project: Project | None = None,
    listener: Callable[[Event], None] = lambda event: None,
) -> Observations:
    """What is known of the expressions of a file; `listener` hears of the events of the same run.

    Never raises for what the file holds: a file that cannot be analysed, or names no library that traces, has no
    observations; where the analysis stops early, what it saw until then is given.
    """
    hindrance = obstacle(source)
    if hindrance is not None:
        return Observations([], hindrance.reason)
    if not Gate.of(settings.transforms).names_library(source.text):
        return Observations([])
    recorder = _Recorder()
    reason: str | None = None
    limit = deep_stack.seconds_for(len(source.lines), settings.seconds_per_file)
    try:
        reason = deep_stack.call(lambda: _run(source, settings, project, recorder, listener), limit)
    except deep_stack.TimeLimitExceeded:
        reason = f"the analysis took longer than {limit:g} seconds"
    except Exception as error:  # noqa: BLE001 (what was seen so far is still true)
        reason = f"the analysis failed ({type(error).__name__}: {error})"
    return Observations(recorder.observations(source), reason)


def _run(
    source: SourceFile,
    settings: Settings,
    project: Project | None,
    recorder: _Recorder,
    listener: Callable[[Event], None],
) -> str | None:
    from .analysis import interpret

    return interpret(source, settings, project, listener, recorder.hear)


@dataclass(slots=True)
class _Seen:
    """What the runs so far have shown of one node; `value` leaves out the runs in which nothing was known."""

    role: Role
    latest: Value | None = None
    value: Value | None = None
    traced: Value | None = None
    doubtful: bool = False
    unknown: Unknown | None = None

    def add(self, value: Value) -> None:
        """One more run."""
        if value is self.latest and not isinstance(value, ListValue | DictValue):
            return
        self.latest = value
        if isinstance(value, Unknown):
            if self.unknown is None or value.may_trace:
                self.unknown = value
            return
        if self.traced is None and (tracers := list(_tracers(value))):
            self.doubtful = True
            self.traced = value if any(tracer.sure for tracer in tracers) else None
        shown = _as_it_stands(value)
        self.value = shown if self.value is None else _joined(self.value, shown)

    def observation(self, span: Span) -> Observation:
        """All runs in one."""
        binding: Binding = "static"
        if self.traced is not None:
            binding = "traced"
        elif self.doubtful or self.unknown is not None:
            binding = "unknown"
        value = next(v for v in (self.value, self.unknown, UNKNOWN) if v is not None)
        if isinstance(value, Unknown) and self.traced is not None:
            value = self.traced  # too many alternatives to tell apart: one that matters
        why = next((found for one in (value, self.traced) if one is not None and (found := steps(one))), ())
        return Observation(span, self.role, binding, describe(value), value, why, self.unknown is not None)


class _Recorder:
    """Joins what the interpreter tells of each node."""

    def __init__(self) -> None:
        self._seen: dict[cst.CSTNode, _Seen] = {}

    def hear(self, node: cst.CSTNode, value: Value, role: Role) -> None:
        """One node was run with this result."""
        seen = self._seen.get(node)
        if seen is None:
            seen = self._seen[node] = _Seen(role)
        seen.add(value)

    def observations(self, source: SourceFile) -> list[Observation]:
        """The observations of those nodes that stand in this file."""
        return [
            seen.observation(source.span_of(node))
            for node, seen in list(self._seen.items())
            if source.holds(node)
        ]


def _tracers(value: Value, depth: int = 0) -> Iterator[Array | Tree]:
    """The tracers in a value, those in mutable containers and instances too."""
    yield from traced_parts(value)
    if depth < MAX_DEPTH:
        for member in members(value):
            for item in contents(member):
                yield from _tracers(item, depth + 1)


def _as_it_stands(value: Value) -> Value:
    """The value, a mutable container by what it holds now."""
    if isinstance(value, ListValue | DictValue):
        items = value.box.slots.get("items")
        if isinstance(items, TupleValue | Mapping):
            return Contents(value.kind if isinstance(value, ListValue) else "dict", items)
    return value


def _joined(left: Value, right: Value) -> Value:
    if isinstance(left, Contents) and isinstance(right, Contents) and left.kind == right.kind:
        items = join(left.items, right.items)
        if isinstance(items, TupleValue | Mapping):
            return Contents(left.kind, items)
    return join(left, right)


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _descending(place: Location) -> tuple[int, int]:
    return (-place.row, -place.column)
