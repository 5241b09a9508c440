"""What a function changes or fails to change in place, read off Python's own tree: a closer look where its words leave that open.

It errs towards yes: the interpreter has the last word.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .flows import place_of, statements_in

_ASSIGNING = (ast.Assign, ast.AnnAssign, ast.With)
_DISPLAYS = (
    ast.List,
    ast.Dict,
    ast.Set,
    ast.Tuple,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
    ast.JoinedStr,
)
_CONTAINERS = frozenset(
    {"dict", "list", "set", "bytearray", "defaultdict", "OrderedDict", "Counter", "deque"}
)


def loses_update(block: Sequence[ast.AST]) -> bool:
    """Whether what `x.at[i].set(v)` gives may be lost: it stands alone, or gets a name that is not read further down."""
    rows: dict[str, int] | None = None
    for statement in statements_in(block):
        if isinstance(statement, ast.Expr):
            if _names_place(statement.value):
                return True
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            if _names_place(statement.value):
                rows = _last_rows(block) if rows is None else rows
                if rows.get(statement.targets[0].id, 0) <= (statement.end_lineno or 0):
                    return True
    return False


def holders(block: Sequence[ast.AST]) -> frozenset[str]:
    """The names of what something is stored into by an index, or deleted from; an empty one where it has none.

    Also the variables of loops, and parameters, that an augmented assignment binds anew.  Left out are those that are given
    nothing but containers of Python, and keys that are text.
    """
    found: set[str] = set()
    augmented: set[str] = set()
    given: dict[str, bool] | None = None
    for statement in statements_in(block):
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            augmented.add(statement.target.id)
        for target in _targets(statement):
            for node in ast.walk(target):
                if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
                    continue
                if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                    continue
                given = _containers(block) if given is None else given
                holder = node.value
                if not (isinstance(holder, ast.Name) and given.get(holder.id)):
                    found.add(place_of(holder))
    if augmented:
        found |= augmented - {
            name for statement, name, _ in _bindings(block) if isinstance(statement, _ASSIGNING)
        }
    return frozenset(found)


def _names_place(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == "at" for part in ast.walk(node))


def _last_rows(block: Iterable[ast.AST]) -> dict[str, int]:
    """The last row on which each name is read."""
    rows: dict[str, int] = {}
    for statement in block:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                rows[node.id] = max(rows.get(node.id, 0), node.lineno)
    return rows


def _bindings(block: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str, bool]]:
    """Each name that a statement binds, and whether it is all of a target."""
    for statement in statements_in(block):
        for target in _targets(statement):
            for part in ast.walk(target):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    yield statement, part.id, part is target


def _targets(statement: ast.AST) -> Iterator[ast.expr]:
    targets = [*getattr(statement, "targets", ()), getattr(statement, "target", None)]
    targets += [item.optional_vars for item in getattr(statement, "items", ())]
    return filter(None, targets)


def _containers(block: Iterable[ast.AST]) -> dict[str, bool]:
    """Each name that is bound, and whether to containers alone."""
    bound: dict[str, bool] = defaultdict(lambda: True)
    for statement, name, whole in _bindings(block):
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        bound[name] = bound[name] and whole and _is_container(value)
    return dict(bound)


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        made = value.func
        return (made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", None)) in _CONTAINERS
    if isinstance(value, ast.BinOp):  # `[None] * n`
        return _is_container(value.left) or _is_container(value.right)
    return isinstance(value, _DISPLAYS)
