"""Assignments that nothing comes of: `w -= rate * g` on a loop's variable, a parameter or a part of an array, or `new = x.at[i].set(v)`, never read.

NumPy would change the array that the caller, or the list that the loop goes over, holds; a jax array is never changed, so the
name is bound to a new one, which is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Array, Value, members
from ..events import Discarded
from ..syntax.memo import NodeMemo
from ..syntax.walk import children, in_order

if TYPE_CHECKING:
    from .machine import Interpreter


def note_lost(interp: Interpreter, node: cst.AugAssign, before: Value) -> None:
    """Tells of an array whose changed copy a name gets, where nothing reads it by that name afterwards."""
    frame, target = interp.frame, node.target
    if type(target) is not cst.Name or frame.is_class or interp.home_of(target.value) is not frame.scope:
        return
    if not all(isinstance(member, Array) and member.sure for member in members(before)):
        return
    scope = interp.source.module if frame.function is None else frame.function.node
    if id(node) in _never_read(scope):
        interp.tell(Discarded, node, value=before, how="rebound")


def note_unread(interp: Interpreter, node: cst.Assign, value: Value) -> None:
    """Tells of a functional update whose result a function gives a name that nothing reads."""
    target, changed = node.targets[0].target, updated_place(node.value)
    if changed is None or type(target) is not cst.Name or len(node.targets) > 1 or target.value[0] == "_":
        return
    function = interp.frame.function
    if interp.frame.is_class or function is None or interp.home_of(target.value) is not interp.frame.scope:
        return
    if not all(isinstance(member, Array) for member in members(value)):
        return
    if isinstance(function.node, cst.FunctionDef) and id(node) in _unread(function.node):
        interp.tell(Discarded, node, value=value, how="unread", gives="array", changed=changed)


def updated_place(update: cst.BaseExpression) -> cst.BaseExpression | None:
    """What `x.at[i].set(v)`, or either of two such, gives a changed copy of."""
    if type(update) is cst.IfExp:
        return updated_place(update.body) and updated_place(update.orelse)
    place = update.func if type(update) is cst.Call else None
    index = place.value if type(place) is cst.Attribute else None
    owner = index.value if type(index) is cst.Subscript else None
    return owner.value if type(owner) is cst.Attribute and owner.attr.value == "at" else None


@NodeMemo
def _unread(function: cst.FunctionDef) -> frozenset[int]:
    """The assignments of functional updates to names that nothing reads afterwards."""
    nodes = list(in_order(function.body))
    last = {node.value: place for place, node in enumerate(nodes) if type(node) is cst.Name}
    return frozenset(
        id(node)
        for place, node in enumerate(nodes)
        if type(node) is cst.Assign and updated_place(node.value) is not None
        for target in [node.targets[0].target]
        if type(target) is cst.Name
        # Most are named again below, which one walk for them all has told
        and last[target.value] < place + sum(1 for _ in in_order(node))
        and not _is_read_after(function.body, node, target.value)
    )


@NodeMemo
def _never_read(scope: cst.CSTNode) -> frozenset[int]:
    """The augmented assignments of a function, or a module, to names of what others hold, too, that nothing reads afterwards."""
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    return frozenset(
        id(node)
        for node in in_order(body)
        if type(node) is cst.AugAssign and type(node.target) is cst.Name
        if _comes_to_nothing(scope, body, node, node.target.value)
    )


def _comes_to_nothing(scope: cst.CSTNode, body: cst.CSTNode, node: cst.AugAssign, name: str) -> bool:
    loop = _loop_of(body, node, name)
    if loop is not None:
        return not _is_read_after(loop.body, node, name) and not any(_reads(body, name, loop))
    if not isinstance(scope, cst.FunctionDef):
        return False
    if not _is_parameter(scope, name) and not _is_part(scope, name):
        return False
    return not _is_read_after(body, node, name)


def _loop_of(body: cst.CSTNode, statement: cst.CSTNode, name: str) -> cst.For | None:
    """The innermost `for` around a statement that binds the name."""
    found = None
    for node in in_order(body):
        if type(node) is cst.For and _stands_in(statement, node.body) and name in _names(node.target):
            found = node
    return found


def _is_parameter(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Whether the name holds what was passed for it: nothing else is assigned to it."""
    return _has_parameter(function, name) and not _assigns(function.body, name)


def _is_part(function: cst.FunctionDef, name: str) -> bool:
    """Whether the name holds an item, a slice or an attribute of something: nothing else is assigned to it."""
    sources: list[cst.BaseExpression] = []
    for node in in_order(function.body):
        if type(node) is cst.Assign and any(name in _names(target.target) for target in node.targets):
            sources += _sources(node.targets[-1].target, node.value, name)
        elif any(name in _names(target) for target in _targets(node)) and type(node) is not cst.AssignTarget:
            return False
    return len(sources) == 1 and isinstance(sources[0], cst.Subscript | cst.Attribute)


def _sources(target: cst.CSTNode, value: cst.BaseExpression, name: str) -> list[cst.BaseExpression]:
    """What an assignment gives the name: `a[0]` in `x, y = a[0], b`."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        pairs = zip(target.elements, value.elements, strict=False)
        return [part.value for place, part in pairs if name in _names(place.value)]
    return [value]


def _has_parameter(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    params = function.params
    return any(
        param.name.value == name for param in (*params.posonly_params, *params.params, *params.kwonly_params)
    )


def _assigns(body: cst.CSTNode, name: str) -> bool:
    return any(name in _names(target) for node in in_order(body) for target in _targets(node))


def _is_own(function: cst.CSTNode, name: str) -> bool:
    """Whether a function inside means a variable of its own by the name."""
    if not isinstance(function, cst.FunctionDef | cst.Lambda):
        return False
    declared = any(
        isinstance(part, cst.Global | cst.Nonlocal) and name in _names(part)
        for part in in_order(function.body)
    )
    return not declared and (_has_parameter(function, name) or _assigns(function.body, name))


def _is_read_after(body: cst.CSTNode, statement: cst.CSTNode, name: str) -> bool:
    """Whether something in a body reads the name later than a statement of it: after it, in the next turn of a loop, when called."""
    own = {id(part) for part in in_order(statement)}
    reached = False
    for node in in_order(body):
        reached = reached or node is statement
        later = isinstance(node, cst.FunctionDef | cst.Lambda) or (
            isinstance(node, cst.For | cst.While) and _stands_in(statement, node)
        )
        if later and any(_reads(node, name)):
            return True
        if reached and type(node) is cst.Name and node.value == name and id(node) not in own:
            return True
    return False


def _reads(node: cst.CSTNode, name: str, leaving: cst.CSTNode | None = None) -> Iterator[bool]:
    """True for each place in a node that reads the name, one part left out."""
    if node is leaving or _is_own(node, name):
        return
    if type(node) is cst.Name:
        if node.value == name:
            yield True
        return
    bound = {id(target) for target in _targets(node)}
    for child in children(node):
        if id(child) not in bound:
            yield from _reads(child, name, leaving)


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a statement binds by plain names."""
    if type(node) is cst.AssignTarget or type(node) is cst.For:
        if not any(isinstance(part, cst.Attribute | cst.Subscript) for part in in_order(node.target)):
            yield node.target


def _names(node: cst.CSTNode) -> set[str]:
    return {part.value for part in in_order(node) if type(part) is cst.Name}


def _stands_in(statement: cst.CSTNode, node: cst.CSTNode) -> bool:
    return any(part is statement for part in in_order(node))
