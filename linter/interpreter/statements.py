"""Statements: each runs and tells whether the statement after it can be reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import NONE, UNKNOWN, Array, Const, ExternalValue, Value, members
from ..joins import join
from .arrays.operators import binary
from .arrays.precision import default_widths, is_wide
from .branches import Arm, branch, doubts
from .counters import counter_of
from .deletions import delete
from .discarding import note_discarded
from .functions import define_function
from .imports import run_import, run_import_from
from .loops import run_for, run_while
from .lost_updates import note_lost, note_unread
from .managers import entered, has_effects, left
from .narrowing import asks_of_unset, filled_when, narrow, none_when
from .patterns import run_match
from .python.class_definitions import define_class, note_field
from .python.containers import elements
from .stores import assign, is_update, mutate_array
from .tracing.buffers import augmented
from .tracing.traces import Trace
from .truth import truth

if TYPE_CHECKING:
    from .machine import Interpreter


# Sets of types: asking libcst's nodes with `isinstance` takes several times as long.
_UNPACKING = frozenset({cst.Tuple, cst.List})
_UPDATING = frozenset({cst.Call, cst.IfExp})  # what `updated_place` finds an update in


def run_block(interp: Interpreter, body: Sequence[cst.CSTNode]) -> bool:
    """Runs statements in order; False where one of them never ends normally."""
    for statement in body:
        if type(statement) is cst.SimpleStatementLine or type(statement) is cst.SimpleStatementSuite:
            for small in statement.body:
                interp.frame.statement = small
                if not _run(interp, small):
                    return False
        else:
            interp.frame.statement = statement
            if not _run(interp, statement):
                return False
    return True


def _run(interp: Interpreter, node: cst.CSTNode) -> bool:
    interp.budget.spend()
    handler = STATEMENTS.get(type(node))
    if handler is None:
        return True
    reached = handler(interp, node)
    return reached is not False


def _if(interp: Interpreter, node: cst.If, place: str = "if") -> bool:
    value = interp.evaluate(node.test)
    known = truth(interp, value, node.test, place)
    on_true, on_false = doubts(value)
    absent = none_when(interp, node.test)
    if absent is not None:  # the caller may always give it
        on_true, on_false = on_true or absent, on_false or not absent
    elif (filled := filled_when(interp, node.test)) is not None:
        on_true, on_false = on_true or not filled, on_false or filled
    elif asks_of_unset(interp, node.test):
        on_true = on_false = True

    def then() -> bool:
        narrow(interp, node.test, True)
        return interp.execute(node.body)

    def otherwise() -> bool:
        narrow(interp, node.test, False)
        if node.orelse is None:
            return True
        if type(node.orelse) is cst.If:
            interp.frame.statement = node.orelse
            return _if(interp, node.orelse, "elif")
        return interp.execute(node.orelse.body)

    if known is not None:
        return branch(interp, [(then if known else otherwise, False)])
    return branch(interp, [(then, on_true), (otherwise, on_false)])


def _expression(interp: Interpreter, node: cst.Expr) -> None:
    called = node.value
    if type(called) is cst.SimpleString and interp.observer is None:
        return  # a docstring
    value = interp.evaluate(called)
    if type(called) is cst.Call:
        note_discarded(interp, called, value)
    elif isinstance(called, cst.ListComp | cst.SetComp) and type(called.elt) is cst.Call:
        note_discarded(interp, called.elt, elements(interp, value))


def _assign(interp: Interpreter, node: cst.Assign) -> None:
    if type(node.targets[0].target) in _UNPACKING:
        interp.consumed = node.value  # it is taken apart
    value = interp.evaluate(node.value)
    if type(node.value) in _UPDATING:
        note_unread(interp, node, value)
    if interp.trace is not None and (counter := counter_of(node)) is not None:
        interp.counters.counted(interp, node, counter, value)
    for target in node.targets:
        assign(interp, target.target, value, node)


def _annotated(interp: Interpreter, node: cst.AnnAssign) -> None:
    if node.value is not None:
        assign(interp, node.target, interp.evaluate(node.value), node)
    if interp.frame.is_class and type(node.target) is cst.Name:
        note_field(interp, node)


def _augmented(interp: Interpreter, node: cst.AugAssign) -> None:
    target = node.target
    operator = type(node.operator).__name__.removesuffix("Assign")
    if type(target) is cst.Subscript:
        container = interp.evaluate(target.value)
        if is_update(container) or any(isinstance(m, Array) for m in members(container)):
            interp.evaluate(node.value)
            mutate_array(interp, container, target, "augment", node)
            return
    before, operand = interp.evaluate(target), interp.evaluate(node.value)
    value = augmented(interp, before, operand, target) or binary(interp, operator, before, operand, node)
    if interp.trace is not None:
        interp.counters.counted(interp, node, target, value)
    note_lost(interp, node, before)
    assign(interp, target, value, node, augmented=True)


def _return(interp: Interpreter, node: cst.Return) -> bool:
    value = interp.evaluate(node.value) if node.value is not None else NONE
    frame = interp.frame
    frame.returns.append((value, interp.state.delta(frame.mark)))
    return False


def _raise(interp: Interpreter, node: cst.Raise) -> bool:
    if node.exc is not None:
        with interp.doubting(True):  # what the message shows does not matter: the path has failed
            interp.evaluate(node.exc)
    return False


def _break(interp: Interpreter, node: cst.Break) -> bool:
    if interp.frame.loops:
        loop = interp.frame.loops[-1]
        loop.breaks.append(interp.state.delta(loop.mark))
    return False


def _continue(interp: Interpreter, node: cst.Continue) -> bool:
    if interp.frame.loops:
        loop = interp.frame.loops[-1]
        loop.continues.append(interp.state.delta(loop.mark))
    return False


def _assert(interp: Interpreter, node: cst.Assert) -> bool:
    known = truth(interp, interp.evaluate(node.test), node.test, "assert")
    if node.msg is not None and known is not True:
        mark = interp.state.mark()
        with interp.doubting(True):
            interp.evaluate(node.msg)
        interp.state.rollback(mark)
    narrow(interp, node.test, True)
    return known is not False


def _delete(interp: Interpreter, node: cst.Del) -> None:
    delete(interp, node.target, node)


def _global(interp: Interpreter, node: cst.Global) -> None:
    interp.frame.globals.update(item.name.value for item in node.names)


def _nonlocal(interp: Interpreter, node: cst.Nonlocal) -> None:
    interp.frame.nonlocals.update(item.name.value for item in node.names)


def _with(interp: Interpreter, node: cst.With) -> bool:
    trace, doubt, disabled, wide = interp.trace, False, interp.jit_disabled, is_wide()
    managers: list[tuple[Value, cst.CSTNode]] = []
    for item in node.items:
        manager = interp.evaluate(item.item)
        kind = _context_kind(interp, item.item)
        if kind == "compile_time" and trace is not None:
            trace = Trace(trace.entry, False, None, trace.reverse)
        if kind == "disable_jit" and type(item.item) is cst.Call:
            disabled, doubt = True, doubt or bool(item.item.args)
        if kind == "widths" and type(item.item) is cst.Call and len(item.item.args) == 1:
            chosen = interp.evaluate(item.item.args[0].value)
            wide = chosen.value if isinstance(chosen, Const) and type(chosen.value) is bool else wide
        doubt = doubt or kind in ("raises", "suppress")
        managers.append((manager, item.item))
        if item.asname is not None or has_effects(interp, manager):
            given = entered(interp, manager, item.item)
            if item.asname is not None:
                assign(interp, item.asname.name, given, node)
    outer, interp.jit_disabled = interp.jit_disabled, disabled
    returned = len(interp.frame.returns)
    with interp.tracing(trace), interp.doubting(doubt), default_widths(wide):
        reached = interp.execute(node.body)
    interp.jit_disabled = outer

    entered_here = [pair for pair in reversed(managers) if has_effects(interp, pair[0])]
    if entered_here:

        def leave() -> None:
            for manager, place in entered_here:
                left(interp, manager, place)

        _on_returning(interp, returned, leave)
        if reached:
            leave()
    return reached or doubt


def _on_returning(interp: Interpreter, since: int, run: Callable[[], object]) -> None:
    """Runs what is run on every way out on those, too, on which the statement under way has returned."""
    returns, state = interp.frame.returns, interp.state
    for position in range(since, len(returns)):
        value, changes = returns[position]
        mark = state.mark()
        state.apply(changes)
        run()
        returns[position] = (value, changes | state.delta(mark))
        state.rollback(mark)


EXPECTED = frozenset(f"assertRaises{how}" for how in ("", "Regex", "WithLiteralMatch", "WithPredicateMatch"))
"""Methods of test cases that expect the body to raise, whatever class has them."""


def _context_kind(interp: Interpreter, node: cst.BaseExpression) -> str:
    if type(node) is cst.Call:
        if type(node.func) is cst.Attribute and node.func.attr.value in EXPECTED:
            return "raises"
        mark = interp.state.mark()
        manager = interp.evaluate(node.func)
        interp.state.rollback(mark)
        if isinstance(manager, ExternalValue):
            word = interp.catalogue.object(manager.name) or ""
            if word.startswith("context:"):
                return word.removeprefix("context:")
    return ""


HARMLESS = frozenset(
    "KeyError AttributeError ImportError ModuleNotFoundError OSError IOError FileNotFoundError StopIteration "
    "ZeroDivisionError NameError UnboundLocalError KeyboardInterrupt SystemExit MemoryError RecursionError "
    "NotImplementedError EOFError AssertionError TimeoutError UnicodeDecodeError UnicodeEncodeError OverflowError".split()
)


SELDOM = frozenset(
    "ValueError RuntimeError IndexError LookupError ArithmeticError FloatingPointError".split()
)
"""What only some mistakes raise under tracing: most raise a TypeError."""


def swallows(handler: cst.ExceptHandler) -> bool:
    """Whether an `except` clause may catch whatever tracing raises and go on."""
    names = caught_names(handler)
    return not (names and names <= HARMLESS | SELDOM) and _goes_on(handler)


def caught_names(handler: cst.ExceptHandler) -> frozenset[str]:
    """The names of the exceptions that a clause catches; none where it catches all, or what is no plain name."""
    if handler.type is None:
        return frozenset()
    kinds = [e.value for e in handler.type.elements] if type(handler.type) is cst.Tuple else [handler.type]
    names = frozenset(kind.value for kind in kinds if type(kind) is cst.Name)
    return names if len(names) == len(kinds) else frozenset()


def _goes_on(handler: cst.ExceptHandler) -> bool:
    body = handler.body.body
    last = body[-1] if body else None
    if isinstance(last, cst.SimpleStatementLine | cst.SimpleStatementSuite) and last.body:
        return not isinstance(last.body[-1], cst.Raise)
    return type(last) is not cst.Raise


def _try(interp: Interpreter, node: cst.Try) -> bool:
    mark, returned = interp.state.mark(), len(interp.frame.returns)
    outer, interp.swallowed = interp.swallowed, interp.swallowed or any(swallows(h) for h in node.handlers)
    seldom, interp.caught = (
        interp.caught,
        interp.caught.union(*(caught_names(h) & SELDOM for h in node.handlers if _goes_on(h))),
    )
    broken_off = interp.broken_off
    reached = interp.execute(node.body) and interp.broken_off == broken_off
    interp.swallowed, interp.caught, interp.broken_off = outer, seldom, broken_off
    if reached and node.orelse is not None:
        reached = interp.execute(node.orelse.body)
    after = interp.state.delta(mark)

    def normally() -> bool:
        interp.state.apply(after)
        return reached

    def handled(handler: cst.ExceptHandler) -> Callable[[], bool]:
        def run() -> bool:
            interp.state.apply(
                {place: join(place[0].slots.get(place[1], v), v) for place, v in after.items()}
            )
            if handler.name is not None:
                assign(interp, handler.name.name, UNKNOWN, handler)
            return interp.execute(handler.body)

        return run

    interp.state.rollback(mark)
    arms: list[Arm] = [(normally, False)]
    arms += [(handled(handler), True) for handler in node.handlers]
    reached = branch(interp, arms)
    if node.finalbody is not None:
        last = node.finalbody.body
        _on_returning(interp, returned, lambda: interp.execute(last))
        reached = interp.execute(last) and reached
    return reached


def _function(interp: Interpreter, node: cst.FunctionDef) -> None:
    home, name, value = interp.home_of(node.name.value), node.name.value, define_function(interp, node)
    interp.lifetimes.frozen.written(interp, home, name, value, node.name)
    interp.state.write(home, name, value)


def _class(interp: Interpreter, node: cst.ClassDef) -> None:
    interp.state.write(interp.home_of(node.name.value), node.name.value, define_class(interp, node))


STATEMENTS: dict[type[cst.CSTNode], Callable[..., bool | None]] = {
    cst.If: _if,
    cst.For: run_for,
    cst.While: run_while,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.With: _with,
    cst.Match: run_match,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.Import: run_import,
    cst.ImportFrom: run_import_from,
}
