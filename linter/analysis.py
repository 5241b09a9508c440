"""From one source file to its findings: the interpreter runs it, the rules listen, what they report is gathered."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from .causes import steps
from .collector import held_back
from .domain import UNKNOWN, ClassValue, FunctionValue, MethodValue, TransformedValue, Value, trail_of
from .failures import cut_short
from .findings import EntryPoint, Finding, Fix, Span
from .gate import Gate
from .interpreter import Interpreter
from .interpreter.arrays.precision import default_widths, enables_wide
from .interpreter.functions import run_function
from .interpreter.machine import MAX_DEPTH, BudgetSpent, Frame, Observer
from .interpreter.python.construction import specimen
from .interpreter.tracing.entries import unknown_arguments
from .interpreter.uncalled import run_generic
from .knowledge import catalogue_for
from .modules import Modules, budget_for
from .relevance.search import Relevance
from .rules import Rule, all_rules
from .syntax.statements import LaterBlock

if TYPE_CHECKING:
    from .events import Event
    from .files.project import Project
    from .files.source import SourceFile
    from .rules.registry import Report
    from .settings.config import Settings

NAMED = 3  # functions that a message names; the others are counted
SHAPES = "TRC3"  # the codes of what needs shapes, lengths and axes to be known
RECURSION = 12_000  # nested Python frames that analysing nested code may need


def analyze(source: SourceFile, settings: Settings, project: Project | None = None) -> list[Finding]:
    """The findings of one file, `possible` ones included, ordered by place; one says so if it was analysed in part.

    Raises:
        SyntaxError: the file is no Python that can be parsed.
    """
    gathering = Gathering(settings.strict)
    reason = interpret(source, settings, project, gathering.hear)
    return ([] if reason is None else [cut_short(source.filename, reason)]) + gathering.findings()


def interpret(
    source: SourceFile,
    settings: Settings,
    project: Project | None,
    listener: Callable[[Event], None],
    observer: Observer | None = None,
) -> str | None:
    """Runs a file abstractly; tells why its end was not reached, if it needs more steps than it may take.

    `listener` hears of every event; `observer` of the value of every expression, target and parameter.

    Raises:
        SyntaxError: the file is no Python that can be parsed.
    """
    catalogue = catalogue_for(tuple(sorted(settings.transforms.items())))
    modules = None if project is None else Modules(project, catalogue)
    budget = budget_for(source)
    allowed = budget.steps
    if project is not None:
        project.budget = budget
    interpreter = Interpreter(catalogue, listener, modules.find if modules else None, budget)
    interpreter.observer = observer
    relevance: Relevance | None = None
    if observer is None and source.parses:
        gate, shared = Gate.of(settings.transforms), {} if project is None else project.shared
        relevance = Relevance(interpreter, gate, source, shared)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        with held_back(), default_widths(enables_wide(source, project)):
            run_module(interpreter, source, relevance)
    except BudgetSpent:
        return _what_is_missing(interpreter, allowed)
    finally:
        if project is not None:
            project.note_dependencies(source)
        interpreter.state.rollback(0)  # what it wrote into modules that other files share
        sys.setrecursionlimit(limit)
    return source.left_out or _what_is_too_deep(interpreter)


def _what_is_too_deep(interpreter: Interpreter) -> str | None:
    """Why calls were not followed to their end, if so."""
    if not interpreter.not_followed:
        return None
    return f"calls are followed {MAX_DEPTH} deep; from there, not into {interpreter.not_followed}"


def _what_is_missing(interpreter: Interpreter, allowed: int) -> str:
    """Why an analysis was cut short, and which functions it had not come to by then."""
    waiting = [
        kept.name for node, (kept, _) in interpreter.defined.items() if node not in interpreter.run_nodes
    ]
    reason = f"it needs more than the {allowed:,} steps that a file of its length may take"
    if not waiting:
        return f"{reason}; pitfalls may be missing"
    others = f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
    return f"{reason}; not looked at: {', '.join(waiting[:NAMED])}{others}"


class Gathering:
    """What the rules make of the events: at each place the surest report of each rule.

    Only in strict checks are those fixes worked out that are for what is only possible.
    """

    def __init__(self, strict: bool = True) -> None:
        self._strict = strict
        self._listeners: dict[type[Event], list[Rule]] = defaultdict(list)
        for rule in all_rules().values():
            for kind in rule.listens:
                self._listeners[kind].append(rule)
        self._kept: dict[tuple[str, int], tuple[Rule, Event, Report]] = {}

    def hear(self, event: Event) -> None:
        """Gives an event to the rules that listen to its kind."""
        for rule in self._listeners.get(type(event), ()):
            for report in rule.check(event):
                key = (rule.code, id(report.node))
                before = self._kept.get(key)
                if before is None or _stronger(report, before[2]):
                    self._kept[key] = (rule, event, report)

    def findings(self) -> list[Finding]:
        """The findings, ordered by file and place."""
        return sorted(
            (self._finding(*kept) for kept in self._kept.values()), key=lambda finding: finding.sort_key
        )

    def _finding(self, rule: Rule, event: Event, report: Report) -> Finding:
        entry = event.entry
        value: Value | None = getattr(event, "value", None) or getattr(event, "mask", None)
        return Finding(
            code=rule.code,
            name=rule.name,
            message=report.message,
            filename=event.source.filename,
            span=event.source.span_of(report.node),
            severity="error" if report.error else rule.severity,
            confidence="definite" if report.sure else "possible",
            error=report.error,
            entry_point=None
            if entry is None
            else EntryPoint(entry.name, entry.transform, entry.source.span_of(entry.node).start),
            provenance=steps(value) if value is not None else (),
            fixes=self._fixes(event, report) if report.sure or self._strict else (),
        )

    def _fixes(self, event: Event, report: Report) -> tuple[Fix, ...]:
        """What can be done about it, where no shape in what it rewrites needs to be known still."""
        return tuple(fix for fix in _fixes(event, report) if not self._keeps_shape(event, report, fix))

    def _keeps_shape(self, event: Event, report: Report, fix: Fix) -> bool:
        source = event.source
        for rule, other, inner in self._kept.values():
            if not rule.code.startswith(SHAPES) or other.source is not source or inner.node is report.node:
                continue
            if _is_reached(event, report, other, fix):
                return True
            span = source.span_of(inner.node)
            for edit in fix.edits:
                if not _is_inside(span, edit.span) or source.segment(span) not in edit.content:
                    continue
                if not any(
                    all(_is_inside(part.span, edit.span) for part in own.edits)
                    for own in _fixes(other, inner)
                ):
                    return True
        return False


def _is_reached(event: Event, report: Report, other: Event, fix: Fix) -> bool:
    """Whether what another event tells of is assigned from what a fix rewrites, and nothing else is rewritten."""
    source, trail = event.source, trail_of([getattr(other, "value", UNKNOWN)])
    here = source.span_of(report.node)
    for step in trail.steps() if trail is not None else ():
        if type(step.node) is cst.Assign and step.source is source:
            assigned = source.span_of(step.node)
            if all(
                (_is_inside(edit.span, assigned) and _is_inside(here, assigned))
                or (_is_inside(assigned, edit.span) and _is_inside(here, edit.span))
                for edit in fix.edits
            ):
                return True
    return False


def _is_inside(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end


def _stronger(report: Report, before: Report) -> bool:
    """Whether a report says more than another of the same place: surer, or it knows what will be raised."""
    return (report.sure, report.error is not None) > (before.sure, before.error is not None)


def _fixes(event: Event, report: Report) -> tuple[Fix, ...]:
    """What can be done about it; a rewrite needs to know how the code is written."""
    if not report.rewrites:
        return ()
    sources = {event.source}
    if event.entry is not None:
        sources.add(event.entry.source)
    if not all(source.lay_out() for source in sources):
        return ()
    return tuple(fix for rewrite in report.rewrites if (fix := rewrite(event)) is not None)


def run_module(interpreter: Interpreter, source: SourceFile, relevance: Relevance | None) -> None:
    """Runs a module, then what in it was not run: entry points that nobody is seen to call, functions that matter."""
    scope = interpreter.new_box("module")
    interpreter.enter_frame(Frame(scope, source))
    interpreter.execute(source.module)
    interpreter.seen_from_module = False
    interpreter.repetition.tell(interpreter)
    interpreter.counters.tell(interpreter)
    for _ in range(6):
        waiting = [t for serial, t in interpreter.pending.items() if serial not in interpreter.called]
        for transformed in waiting:
            interpreter.called.add(transformed.serial)
            run_generic(interpreter, transformed)
        idle = [kept for node, kept in interpreter.defined.items() if node not in interpreter.run_nodes]
        if not waiting and not idle:
            break
        for function, owner in idle:
            if id(function.node) in interpreter.making and function.name.startswith("_"):
                continue  # a part of `__init__`, before which its object is not what it is after
            interpreter.run_nodes.add(id(function.node))
            body = function.node.body
            if relevance is not None and isinstance(body, LaterBlock) and not relevance.of(function):
                continue
            _run_idle(interpreter, function, owner)


def _run_idle(interpreter: Interpreter, function: FunctionValue, owner: Value | None) -> None:
    """Runs a function that nobody is seen to call, outside any trace, for the transforms inside it."""
    interpreter.lifetimes.memory.handed.clear()  # who calls it may have waited for what another gave to JAX
    receiver: Value | None = None
    if isinstance(owner, ClassValue):
        member = owner.box.slots.get(function.name)
        if not isinstance(member, MethodValue):
            receiver = specimen(interpreter, owner)
        if isinstance(member, TransformedValue):
            return
    args, kwargs, spread = unknown_arguments(interpreter, function, receiver)
    run_function(interpreter, function, args, kwargs, spread, receiver)
