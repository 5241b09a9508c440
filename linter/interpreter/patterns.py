"""The match statement: which cases can be chosen, and what their patterns bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    DictValue,
    Level,
    TupleValue,
    Value,
    members,
)
from ..events import Matched
from ..syntax.walk import children
from .branches import Arm, branch
from .python.containers import index_mapping, mapping_of
from .stores import assign
from .truth import truth

if TYPE_CHECKING:
    from .machine import Interpreter


def run_match(interp: Interpreter, node: cst.Match) -> bool:
    """Runs the cases that can be chosen; tells whether the statement after them can be reached."""
    subject = interp.evaluate(node.subject)
    told = False
    arms: list[Arm] = []
    exhaustive = False
    for case in node.cases:
        fits, needs = _fits(interp, subject, case.pattern)
        if (
            needs
            and not told
            and any(isinstance(m, Arrays) and m.level is Level.ABSTRACT for m in members(subject))
        ):
            interp.emit(Matched, case.pattern, subject)
            told = True
        if fits is False:
            continue

        def run(case: cst.MatchCase = case) -> bool:
            _bind_pattern(interp, case.pattern, subject)
            if case.guard is not None:
                truth(interp, interp.evaluate(case.guard), case.guard, "guard")
            return interp.execute(case.body)

        arms.append((run, False))
        if fits and case.guard is None:
            exhaustive = True
            break
    if not exhaustive:
        arms.append((lambda: True, False))
    return branch(interp, arms)


def _fits(interp: Interpreter, subject: Value, pattern: cst.MatchPattern) -> tuple[bool | None, bool]:
    """Whether a pattern matches (None: not known here), and whether telling needs the subject's value."""
    if type(pattern) is cst.MatchAs:
        return (True, False) if pattern.pattern is None else _fits(interp, subject, pattern.pattern)
    if type(pattern) is cst.MatchOr:
        answers = [_fits(interp, subject, choice.pattern) for choice in pattern.patterns]
        known = [fits for fits, _ in answers]
        return (True if True in known else None if None in known else False), any(
            needs for _, needs in answers
        )
    if type(pattern) is cst.MatchValue:
        value = interp.evaluate(pattern.value)
        if isinstance(subject, Const) and isinstance(value, Const):
            return subject.value == value.value, False
        textual = isinstance(value, Const) and isinstance(value.value, str | bytes)
        return (False if textual and isinstance(subject, Array) else None), not textual
    if type(pattern) is cst.MatchMapping and isinstance(subject, DictValue):
        mapping = mapping_of(interp, subject)
        keys = [interp.evaluate(element.key) for element in pattern.elements]
        if mapping.rest is None and all(isinstance(key, Const) for key in keys):
            if any(mapping.get(key.value) is None for key in keys if isinstance(key, Const)):
                return False, False
            if all(type(e.pattern) is cst.MatchAs and e.pattern.pattern is None for e in pattern.elements):
                return True, False
        return None, False
    if isinstance(pattern, cst.MatchSequence) and isinstance(subject, TupleValue) and subject.rest is None:
        stars = any(type(p) is cst.MatchStar for p in pattern.patterns)
        if len(pattern.patterns) != len(subject.items) and not stars:
            return False, False
        if not stars:
            return _fit_each(interp, subject, pattern)
        plain = all(isinstance(getattr(p, "value", p), cst.MatchAs) for p in pattern.patterns)
        return (True if plain and not stars else None), False
    if type(pattern) is cst.MatchSingleton:
        word = {"None": None, "True": True, "False": False}.get(getattr(pattern.value, "value", ""))
        if isinstance(subject, Const):
            return subject.value is word, False
        return (False if isinstance(subject, Array) else None), False
    return None, False


def _fit_each(
    interp: Interpreter, subject: TupleValue, pattern: cst.MatchSequence
) -> tuple[bool | None, bool]:
    """Whether each item fits its pattern; a tracer among them that is compared is told of here."""
    fits: bool | None = True
    for item, one in zip(subject.items, pattern.patterns, strict=True):
        if type(one) is not cst.MatchSequenceElement:
            return None, False
        inner = one.value
        own, needs = _fits(interp, item, inner)
        if needs and any(isinstance(m, Arrays) and m.level is Level.ABSTRACT for m in members(item)):
            interp.emit(Matched, inner, item, fits is True)
        if own is False:
            return False, False
        fits = None if own is None else fits
    return fits, False


def _bind_pattern(interp: Interpreter, pattern: cst.MatchPattern, subject: Value) -> None:
    """Binds the names of a pattern: the whole subject to a capture, something to the parts."""
    if type(pattern) is cst.MatchAs:
        if pattern.name is not None:
            assign(interp, pattern.name, subject, pattern)
        if pattern.pattern is not None:
            _bind_pattern(interp, pattern.pattern, subject)
        return
    if type(pattern) is cst.MatchMapping and isinstance(subject, DictValue):
        for element in pattern.elements:
            item = index_mapping(interp, subject, interp.evaluate(element.key), element)
            _bind_pattern(interp, element.pattern, item)
        return
    if isinstance(pattern, cst.MatchSequence) and isinstance(subject, TupleValue) and subject.rest is None:
        if len(pattern.patterns) == len(subject.items):
            for one, item in zip(pattern.patterns, subject.items, strict=True):
                inner = getattr(one, "value", one)
                if type(inner) is cst.MatchPattern:
                    _bind_pattern(interp, inner, item)
            return
    part: Value = TAINTED if any(isinstance(m, Arrays) for m in members(subject)) else UNKNOWN
    for child in children(pattern):
        if type(child) is cst.MatchPattern:
            _bind_pattern(interp, child, part)
        elif isinstance(child, cst.MatchSequenceElement | cst.MatchMappingElement | cst.MatchKeywordElement):
            inner = getattr(child, "value", None) or getattr(child, "pattern", None)
            if type(inner) is cst.MatchPattern:
                _bind_pattern(interp, inner, part)
