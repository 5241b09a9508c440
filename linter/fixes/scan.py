"""A Python loop over a traced array, or one that collects results in a list → `lax.scan`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Array, members
from ..syntax.walk import children
from .blocks import carried, define, is_pure, later_reads, lines_of, packed
from .draft import Draft
from .fori_loop import range_bounds
from .names import bound, dotted, fresh, mentions, read, targets
from .place import block_of, comments, following, function_of, parents, small, statement_of, suite

if TYPE_CHECKING:
    from ..events import Unrolled
    from ..files.source import SourceFile
    from ..findings import Fix

COST = "values that are carried keep their shape and dtype from turn to turn"
_LENGTH = re.compile(r"(\w+)\.shape\[0\]|len\((\w+)\)")
_STACKS = ("stack", "array", "asarray")  # what makes an array of the list that was filled


@dataclass(frozen=True, slots=True)
class _Collected:
    """A list that the loop fills: where it begins, and the calls that make an array of it afterwards."""

    name: str
    begins: cst.CSTNode
    stacked: Sequence[cst.Call]


@dataclass(frozen=True, slots=True)
class _Turn:
    """The lines of one turn, and the value that it gives to each list."""

    lines: list[str]
    results: list[str]


@dataclass(frozen=True, slots=True)
class _Items:
    """What `scan` goes over, the parameter that takes an item, and the lines that take it apart.

    Where the loop counts the rows of an array, `row` is how it reads the present one: `xs[i]`.
    """

    over: str
    name: str
    begin: tuple[str, ...] = ()
    row: str = ""
    stands_for: str = ""

    def within(self, lines: list[str]) -> list[str]:
        """Lines that read the item instead of the row."""
        if not self.row:
            return lines
        return [re.sub(rf"(?<![\w.]){re.escape(self.row)}", self.stands_for, line) for line in lines]


def scan(event: Unrolled) -> Fix | None:
    """A loop whose body computes, binds names, and appends to lists that become arrays after it."""
    source, loop = event.source, parents(event.source).get(event.node)
    if not isinstance(loop, cst.For) or loop.iter is not event.node or loop.orelse is not None:
        return None
    body = suite(loop.body)
    appends = {id(statement): call for statement in body if (call := _appended(statement)) is not None}
    plain = [statement for statement in body if id(statement) not in appends]
    draft = Draft(source, loop)
    lists = _lists(loop, list(appends.values()), draft)
    own = set(targets(loop.target))
    if lists is None or not is_pure(plain) or not own or own & later_reads(source, loop):
        return None
    carry = carried(source, loop, body)
    turn = _turn(source, body, appends, [found.name for found in lists])
    if carry is None or turn is None or own & set(carry) or not (carry or lists):
        return None
    items = _items(event, loop, draft, turn, collects=bool(lists))
    if items is None:
        return None
    step, state = fresh(source, "advance", "carry")
    lines = [] if len(carry) < 2 else [f"{packed(carry)} = {state}"]
    lines += items.begin
    handed = f"({packed(carry)})" if len(carry) > 1 else packed(carry) or "None"
    parameters = [state if len(carry) != 1 else carry[0], items.name]
    if not carry and items.name != "_":
        parameters[0] = "_"
    results = items.within(turn.results)
    gives = f"({packed(results)})" if len(results) > 1 else packed(results) or "None"
    header = comments(loop.body.header) if isinstance(loop.body, cst.IndentedBlock) else []
    body_lines = [*lines, *items.within(turn.lines), f"return {handed}, {gives}"]
    scanned = f"{draft.lax('scan')}({step}, {handed}, {items.over})"
    draft.replace_statements(
        loop,
        loop,
        [*header, *define(step, parameters, body_lines, draft.unit), _bind(carry, handed, lists, scanned)],
    )
    for found in lists:
        draft.delete_statement(found.begins)
        for stack in found.stacked:
            _use(draft, stack, found.name)
    return draft.fix("Loop with lax.scan", cost=COST)


def _bind(carry: Sequence[str], handed: str, lists: Sequence[_Collected], call: str) -> str:
    names = packed([found.name for found in lists])
    if not lists:
        return f"{packed(carry)} = {call}[0]"
    if not carry:
        return f"{names} = {call}[1]"
    return f"{handed}, {names if len(lists) == 1 else f'({names})'} = {call}"


def _appended(statement: cst.CSTNode) -> cst.Call | None:
    """The call of a statement `name.append(value)`."""
    inner = small(statement)
    call = inner.value if isinstance(inner, cst.Expr) else None
    if (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and isinstance(call.func.value, cst.Name)
        and call.func.attr.value == "append"
        and len(call.args) == 1
        and not call.args[0].star
        and not isinstance(call.args[0].value, cst.Tuple | cst.List | cst.Dict | cst.NamedExpr)
    ):
        return call
    return None


def _filled(call: cst.Call) -> str:
    assert isinstance(call.func, cst.Attribute)
    return dotted(call.func.value)


def _lists(loop: cst.For, appends: Sequence[cst.Call], draft: Draft) -> list[_Collected] | None:
    """The lists that are appended to, each once a turn; None where one serves for more than to be stacked."""
    source, function = draft.source, function_of(draft.source, loop)
    names = [_filled(call) for call in appends]
    if len(set(names)) != len(names) or (names and not isinstance(function, cst.FunctionDef)):
        return None
    namesake = Draft(source, loop)
    stacks = {namesake.jnp(stack) for stack in _STACKS} if names else set()
    later = following(source, loop)
    found: list[_Collected] = []
    for name in names:
        begins = [s for s in block_of(source, loop) if s not in later and _begins(s, name)]
        rebound = next((k for k, s in enumerate(later) if bound(s) == [name] and small(s) is not None), None)
        until = len(later) if rebound is None else rebound + 1
        calls = [call for statement in later[:until] for call in _stacked(statement, name, stacks)]
        afterwards = sum(mentions(s, name) for s in later[until:]) + (rebound is not None)
        # the list is named where it begins, where it is filled, and where it is stacked: nowhere else
        if function is None or len(begins) != 1 or mentions(function, name) != 2 + len(calls) + afterwards:
            return None
        found.append(_Collected(name, begins[0], calls))
    return found


def _begins(statement: cst.CSTNode, name: str) -> bool:
    match small(statement):
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=bound_name))], value=value):
            return bound_name == name and isinstance(value, cst.List) and not value.elements
        case cst.AnnAssign(target=cst.Name(value=bound_name), value=cst.List(elements=[])):
            return bound_name == name
        case _:
            return False


def _stacked(node: cst.CSTNode, name: str, stacks: set[str]) -> list[cst.Call]:
    """The calls inside a node that make an array of a list, its first axis the turns."""
    found: list[cst.Call] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Call) and dotted(current.func) in stacks:
            if len(current.args) == 1 and dotted(current.args[0].value) == name and not current.args[0].star:
                found.append(current)
        pending.extend(children(current))
    return found


def _use(draft: Draft, stack: cst.Call, name: str) -> None:
    """The array stands for the call that made it of the list; `outs = jnp.stack(outs)` goes."""
    statement = statement_of(draft.source, stack)
    inner = small(statement) if statement is not None else None
    if (
        statement is not None
        and isinstance(inner, cst.Assign)
        and inner.value is stack
        and bound(inner) == [name]
    ):
        draft.delete_statement(statement)
    else:
        draft.replace(stack, name)


def _items(event: Unrolled, loop: cst.For, draft: Draft, turn: _Turn, *, collects: bool) -> _Items | None:
    """The array itself, or the rows of one whose length is counted, or the numbers of a range.

    A range alone is right where results are collected; otherwise `fori_loop` says the same more simply.
    """
    target = loop.target
    bounds = range_bounds(loop.iter)
    if bounds is None:
        if not all(isinstance(member, Array) for member in members(event.value)):
            return None
        if isinstance(target, cst.Name):
            return _Items(draft.text(loop.iter), target.value)
        (item,) = fresh(draft.source, "item")
        return _Items(draft.text(loop.iter), item, (f"{draft.text(target)} = {item}",))
    if not isinstance(target, cst.Name):
        return None
    rows = _rows(loop, bounds, draft, turn)
    if rows is not None or not collects:
        return rows
    lower, upper = bounds
    if target.value == "_" and lower is None:
        return _Items(f"None, {draft.text(upper)}", "_")
    numbers = draft.text(upper) if lower is None else f"{draft.text(lower)}, {draft.text(upper)}"
    return _Items(f"{draft.jnp('arange')}({numbers})", target.value)


def _rows(
    loop: cst.For, bounds: tuple[cst.BaseExpression | None, cst.BaseExpression], draft: Draft, turn: _Turn
) -> _Items | None:
    """The rows of an array, for a loop that counts them: `for i in range(xs.shape[0])`, and `xs[i]` inside."""
    lower, upper = bounds
    counted = _LENGTH.fullmatch(draft.text(upper))
    if lower is not None or counted is None or not isinstance(loop.target, cst.Name):
        return None
    array, index = counted[1] or counted[2], loop.target.value
    row = f"{array}[{index}]"
    body = suite(loop.body)
    if array in bound(*body) or not any(row in line for line in [*turn.lines, *turn.results]):
        return None
    (name,) = fresh(draft.source, "row")
    rows = _Items(array, name, (), row, name)
    if not any(re.search(rf"\b{index}\b", line) for line in rows.within([*turn.lines, *turn.results])):
        return rows
    (item,) = fresh(draft.source, "item")
    over = f"({draft.jnp('arange')}({draft.text(upper)}), {array})"
    return _Items(over, item, (f"{index}, {name} = {item}",), row, name)


def _turn(
    source: SourceFile, body: Sequence[cst.CSTNode], appends: dict[int, cst.Call], lists: Sequence[str]
) -> _Turn | None:
    """One turn, each append a value that it gives; None for lines that cannot be moved."""
    written: list[str] = []
    values: dict[str, str] = {}
    run: list[cst.CSTNode] = []
    for position, statement in enumerate(body):
        call = appends.get(id(statement))
        if call is None:
            run.append(statement)
            continue
        if not _add(written, source, run):
            return None
        run = []
        value, name = call.args[0].value, _filled(call)
        text = source.module.code_for_node(value).strip()
        if "\n" in text and not getattr(value, "lpar", ()):
            text = f"({text})"
        written += comments(statement)
        if read(value) & set(bound(*body[position + 1 :])):
            (kept,) = fresh(source, f"{name}_item")
            written.append(f"{kept} = {text}")
            text = kept
        values[name] = text
    if not _add(written, source, run):
        return None
    return _Turn(written, [values[name] for name in lists])


def _add(written: list[str], source: SourceFile, run: Sequence[cst.CSTNode]) -> bool:
    """Adds statements that stand together, with the comments above them."""
    if not run:
        return True
    lines = lines_of(source, run)
    if lines is None:
        return False
    above = getattr(run[0], "leading_lines", ())
    written += [line.comment.value for line in above if line.comment is not None]
    written += lines
    return True
