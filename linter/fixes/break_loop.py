"""A Python loop that `if traced: break` (or `return`) may end early → `lax.while_loop` with the test in its condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from .blocks import carried, define, is_pure, later_reads, lines_of, packed
from .booleans import condition, gives_booleans
from .draft import Draft
from .fori_loop import range_bounds
from .names import bound, defined_before, dotted, fresh, read
from .outcomes import Outcome, outcome
from .place import block_of, comments, following, parents, small, statement_of, suite
from .while_loop import COST

if TYPE_CHECKING:
    from ..events import Truth
    from ..findings import Fix


@dataclass
class _Turn:
    """A loop, told apart: what a turn does before the test that may end the loop, at the end, and after it."""

    draft: Draft
    loop: cst.For | cst.While
    before: Sequence[cst.CSTNode]
    stop: str
    stops_at: cst.BaseExpression
    ending: Outcome
    after: Sequence[cst.CSTNode]
    result: Outcome | None = None
    default: Outcome | None = None
    last: cst.CSTNode | None = None
    results: list[cst.CSTNode] = field(default_factory=list)

    @property
    def body(self) -> list[cst.CSTNode]:
        """What a turn does, without the test."""
        return [*self.before, *self.after]


def break_loop(event: Truth) -> Fix | None:
    """The `if` stands in the loop's own block, and its branch only assigns values and leaves the loop."""
    source, branch = event.source, statement_of(event.source, event.node)
    if not isinstance(branch, cst.If) or branch.test is not event.node or branch.orelse is not None:
        return None
    block = block_of(source, branch)
    holder = parents(source).get(branch)
    loop = parents(source).get(holder) if holder is not None else None
    if not isinstance(loop, cst.For | cst.While) or loop.orelse is not None or len(block) < 2:
        return None
    draft = Draft(source, loop)
    stop = condition(branch.test, draft)
    if stop is None:
        return None
    if not gives_booleans(branch.test) and getattr(event.value, "dtype", None) != "bool":
        stop = f"({stop}) != 0"
    position = [id(statement) for statement in block].index(id(branch))
    branch_body = suite(branch.body)
    ending = outcome(branch_body[:-1], draft)
    if ending is None or ending.returns is not None:
        return None
    turn = _Turn(draft, loop, block[:position], stop, branch.test, ending, block[position + 1 :])
    if not is_pure(turn.body) or not _leave(turn, branch_body[-1]):
        return None
    written = (
        _counted(turn, comments(branch)) if isinstance(loop, cst.For) else _tested(turn, comments(branch))
    )
    if written is None:
        return None
    draft.replace_statements(loop, turn.last or loop, written)
    return draft.fix("Loop with lax.while_loop", cost=COST)


def _leave(turn: _Turn, statement: cst.CSTNode) -> bool:
    """Reads off how the loop is left: by `break`, or by `return` before a `return` that follows the loop."""
    leaving = small(statement)
    if isinstance(leaving, cst.Break):
        return True
    if not isinstance(leaving, cst.Return) or leaving.value is None or turn.ending.assigns:
        return False
    turn.result = outcome([statement], turn.draft)
    turn.results.append(leaving.value)
    rest = following(turn.draft.source, turn.loop)
    endless = isinstance(turn.loop, cst.While) and dotted(turn.loop.test) == "True"
    if endless and not rest:
        return turn.result is not None
    if not rest or not isinstance(small(rest[0]), cst.Return) or turn.result is None:
        return False
    turn.default, turn.last = outcome(rest[:1], turn.draft), rest[0]
    shape = (turn.result.is_tuple, len(turn.result.returns or ()))
    return turn.default is not None and shape == (turn.default.is_tuple, len(turn.default.returns or ()))


def _counted(turn: _Turn, notes: list[str]) -> list[str] | None:
    draft, loop = turn.draft, turn.loop
    assert isinstance(loop, cst.For)
    counter = _counter(loop, draft)
    if counter is None:
        return None
    index, lower, upper, first = counter
    own = {index, *bound(loop.target)} | {name for line in first for name in [line.split(" = ")[0]]}
    if (
        own & later_reads(draft.source, loop)
        or own & set(bound(*turn.body))
        or own & set(turn.ending.assigns)
    ):
        return None
    carry = _carry(turn)
    if carry is None or (not carry and turn.result is None) or not set(turn.ending.assigns) <= set(carry):
        return None
    needs_index = any(index in read(node) for node in turn.results)
    if (own - {index}) & {name for node in turn.results for name in read(node)}:
        return None
    if not turn.before and not turn.ending.assigns and not first:
        lines = lines_of(draft.source, turn.after)
        if lines is None or (set(bound(*turn.after)) - set(carry)) & read(turn.stops_at):
            return None
        test = f"({index} < {upper}) & {draft.jnp('logical_not')}({turn.stop})"
        step = [*notes, *lines, f"return {packed([f'{index} + 1', *carry])}"]
        keep = {*carry, *([index] if turn.result else ())}
        loop_lines = _loop([index, *carry], [lower, *carry], test, step, keep, draft)
        return [*loop_lines, *_returned(turn, f"{index} < {upper}")]
    (done,) = fresh(draft.source, "done")
    following_index = f"{draft.jnp('where')}({done}, {index}, {index} + 1)" if needs_index else f"{index} + 1"
    body = _step(turn, notes, carry, done, first, following_index)
    if body is None:
        return None
    test = f"({index} < {upper}) & {draft.jnp('logical_not')}({done})"
    keep = {*carry, *([done] if turn.result else ()), *([index] if needs_index else ())}
    lines = _loop([index, done, *carry], [lower, "False", *carry], test, body, keep, draft)
    if first:  # nothing can be taken from an empty array, not even by a body that never runs
        lines = _unless_empty(turn, upper, lines)
    return [*lines, *_returned(turn, done)]


def _unless_empty(turn: _Turn, length: str, lines: list[str]) -> list[str]:
    if turn.default is None:
        return [*lines[:-1], f"if {length}:", f"{turn.draft.unit}{lines[-1]}"]
    default = packed(list(turn.default.returns or ()))
    return [f"if not {length}:", f"{turn.draft.unit}return {default}", *lines]


def _counter(loop: cst.For, draft: Draft) -> tuple[str, str, str, list[str]] | None:
    """The index that counts the turns, its first value, its end, and the lines that begin a turn."""
    target, iterable = loop.target, loop.iter
    bounds = range_bounds(iterable)
    if bounds is not None and isinstance(target, cst.Name):
        index = fresh(draft.source, "turn")[0] if target.value == "_" else target.value
        return index, "0" if bounds[0] is None else draft.text(bounds[0]), draft.text(bounds[1]), []
    if isinstance(iterable, cst.Name) and isinstance(target, cst.Name):
        (index,) = fresh(draft.source, "turn")
        return index, "0", f"len({iterable.value})", [f"{target.value} = {iterable.value}[{index}]"]
    return None


def _tested(turn: _Turn, notes: list[str]) -> list[str] | None:
    draft, loop = turn.draft, turn.loop
    assert isinstance(loop, cst.While)
    carry = _carry(turn, loop.test)
    own = condition(loop.test, draft)
    if not carry or own is None or not set(turn.ending.assigns) <= set(carry):
        return None
    (done,) = fresh(draft.source, "done")
    test = f"{draft.jnp('logical_not')}({done})"
    if dotted(loop.test) != "True":
        test = f"{draft.jnp('logical_and')}({own}, {test})"
    body = _step(turn, notes, carry, done, [], "")
    if body is None:
        return None
    keep = {*carry, *([done] if turn.default else ())}
    lines = _loop([done, *carry], ["False", *carry], test, body, keep, draft)
    return [*lines, *_returned(turn, done)]


def _carry(turn: _Turn, *tests: cst.CSTNode) -> list[str] | None:
    """The names that the loop hands from turn to turn, those that the test at its end reads included."""
    source = turn.draft.source
    carry = carried(source, turn.loop, turn.body, *tests, *turn.results)
    if carry is None:
        return None
    asked = read(turn.stops_at) & defined_before(source, turn.loop)
    return [name for name in bound(*turn.body) if name in carry or name in asked]


def _step(
    turn: _Turn, notes: list[str], carry: list[str], done: str, first: list[str], index: str
) -> list[str] | None:
    """One turn: what comes after the test keeps the values that it had where the loop ends."""
    draft = turn.draft
    before = lines_of(draft.source, turn.before) if turn.before else []
    after = lines_of(draft.source, turn.after) if turn.after else []
    if before is None or after is None:
        return None
    changed = [name for name in bound(*turn.after) if name in carry]
    counted = [index] if index else []
    if not turn.after and not turn.ending.assigns and done not in index:
        return [*first, *before, *notes, f"return {packed([*counted, turn.stop, *carry])}"]
    where = draft.jnp("where")
    kept = fresh(draft.source, *(f"{name}_before" for name in changed))
    return [
        *first,
        *before,
        *notes,
        f"{done} = {turn.stop}",
        *(f"{name} = {where}({done}, {value}, {name})" for name, value in turn.ending.assigns.items()),
        *(f"{old} = {name}" for old, name in zip(kept, changed, strict=True)),
        *after,
        *(f"{name} = {where}({done}, {old}, {name})" for old, name in zip(kept, changed, strict=True)),
        f"return {packed([*counted, done, *carry])}",
    ]


def _returned(turn: _Turn, ended: str) -> list[str]:
    """The `return` that stands behind the loop now."""
    if turn.result is None:
        return []
    parts = list(turn.result.returns or ())
    if turn.default is not None:
        where = turn.draft.jnp("where")
        others = turn.default.returns or ()
        parts = [f"{where}({ended}, {one}, {other})" for one, other in zip(parts, others, strict=True)]
    return [f"return {packed(parts)}{',' if turn.result.is_tuple and len(parts) == 1 else ''}"]


def _loop(
    names: list[str], initial: list[str], test: str, lines: list[str], keep: set[str], draft: Draft
) -> list[str]:
    running, step, state = fresh(draft.source, "unfinished", "advance", "carry")
    unpack = f"{packed(names)} = {state}" if len(names) > 1 else f"{names[0]} = {state}"
    left = packed([name if name in keep else "_" for name in names])
    start = f"({packed(initial)})" if len(initial) > 1 else initial[0]
    return [
        *define(running, [state], [unpack, f"return {test}"], draft.unit),
        *define(step, [state], [unpack, *lines], draft.unit),
        f"{left} = {draft.lax('while_loop')}({running}, {step}, {start})",
    ]
