"""Statements that throw a functional update away: `x.at[i].set(v)`, `state.replace(step=1)`, `optax.apply_updates(...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from ..domain import (
    Array,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    MethodValue,
    TupleValue,
    Value,
    members,
)
from ..events import Discarded
from ..syntax.memo import NodeMemo
from .imports import dotted
from .lost_updates import updated_place

if TYPE_CHECKING:
    from .machine import Interpreter


class Update(NamedTuple):
    """A function that gives a changed copy, and does nothing else."""

    gives: str
    changed: int | None = 0  # the argument that the copy is of, None where the result does not take its place


RECEIVER = -1  # the copy is of what the method is called on

METHODS = {
    "instance.replace": Update("object", RECEIVER),
    "tuple._replace": Update("object", RECEIVER),
    **{
        f"Array.{name}": Update("array", RECEIVER)
        for name in ("astype", "clip", "reshape", "round", "sort", "squeeze", "swapaxes", "transpose")
    },
    **{f"Optax{kind}.update": Update("updates", None) for kind in ("Transformation", "Chain", "Stateless")},
}
FUNCTIONS = {
    "dataclasses.replace": Update("object"),
    "optax.apply_updates": Update("tree"),
    "optax.incremental_update": Update("tree", 1),
    "equinox.tree_at": Update("tree", 1),
    "equinox.apply_updates": Update("tree"),
    **{
        f"jax.lax.{name}": Update("array")
        for name in ("dynamic_update_slice", "dynamic_update_slice_in_dim", "dynamic_update_index_in_dim")
    },
    **{
        f"jax.numpy.{name}": Update("array")
        for name in (
            "append clip delete fill_diagonal flip insert nan_to_num place put put_along_axis reshape roll round sort"
        ).split()
    },
    "jax.random.permutation": Update("array", 1),
    "jax.random.split": Update("keys", None),
    "jax.random.fold_in": Update("key", None),
}
MAPS = frozenset(("jax.tree.map", "jax.tree_util.tree_map"))
"""Functions that do nothing else where the function that they are given computes a number."""
ARRAYS = frozenset(("array", "dynamic", "when"))  # words of the tables for functions that compute arrays
PURE = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.")
_NAMES = frozenset(name.rsplit(".", 1)[-1] for name in {*METHODS, *FUNCTIONS, *MAPS})


def note_discarded(interp: Interpreter, call: cst.Call, value: Value) -> None:
    """A call stands as a statement, and gives this value."""
    function = call.func
    place = function.value if type(function) is cst.Attribute else None
    if type(place) is cst.Subscript and type(place.value) is cst.Attribute and place.value.attr.value == "at":
        if all(isinstance(m, Array) for m in members(value)):
            interp.tell(Discarded, call, value=value, how="update", gives="array", changed=place.value.value)
        return
    name = function.attr if type(function) is cst.Attribute else function
    update = _update(interp, call) if type(name) is cst.Name and name.value in _NAMES else None
    if update is None and _is_copy(value) and is_plain(function):
        update = _own_update(interp, call)
    if update is not None:
        changed = place if update.changed == RECEIVER else _argument(call, update.changed)
        if not isinstance(changed, cst.Name | cst.Attribute | cst.Subscript):
            changed = None
        interp.tell(Discarded, call, value=value, how="update", gives=update.gives, changed=changed)


def _update(interp: Interpreter, call: cst.Call) -> Update | None:
    """What is known of a function that gives a changed copy, if that is what is called."""
    called = called_by(interp, call)
    if isinstance(called, ExternalValue):
        name = interp.catalogue.canonical(called.name)
        if name in MAPS:
            return Update("tree", 1) if _computes(interp, call) else None
        return FUNCTIONS.get(name)
    if isinstance(called, MethodValue) and isinstance(called.function, ExternalValue):
        return METHODS.get(called.function.name)
    return None


def is_plain(node: cst.BaseExpression) -> bool:
    """Whether an expression is a name or an attribute of one, so that it can be looked up twice."""
    text = dotted(node)
    return bool(text) and not text.startswith(".")


def _is_copy(value: Value) -> bool:
    """Whether a value is what a changed copy may be: an array, an object, a named tuple."""
    return isinstance(value, Array | InstanceValue) or (isinstance(value, TupleValue) and bool(value.fields))


def _own_update(interp: Interpreter, call: cst.Call) -> Update | None:
    """A function of the analysed code that gives a changed copy of its first argument and stores nothing."""
    called = called_by(interp, call)
    function = called.function if isinstance(called, MethodValue) else called
    if not isinstance(function, FunctionValue) or function.asynchronous:
        return None
    gives = _gives_copy(function.node)
    return Update(gives, RECEIVER if function is not called else 0) if gives else None


@NodeMemo
def _gives_copy(function: cst.FunctionDef | cst.Lambda) -> str:
    """What a function returns, if its last statement makes a changed copy of its first parameter, and all before it names of its own."""
    params = function.params.params
    body = function.body.body if isinstance(function, cst.FunctionDef) else ()
    statements = [one.body[0] for one in body if type(one) is cst.SimpleStatementLine and len(one.body) == 1]
    if not params or not statements or len(statements) != len(body):
        return ""
    *before, last = statements
    if not all(_binds_names(one) for one in before) or type(last) is not cst.Return or last.value is None:
        return ""
    copied = updated_place(last.value)
    gives = "array"
    if copied is None and type(last.value) is cst.Call:
        gives = "object"
        method = last.value.func
        if type(method) is cst.Attribute and method.attr.value in ("replace", "_replace"):
            copied = method.value
    return gives if type(copied) is cst.Name and copied.value == params[0].name.value else ""


def _binds_names(statement: cst.BaseSmallStatement) -> bool:
    """Whether a statement gives names a meaning, or is a docstring."""
    if type(statement) is cst.Expr:
        return isinstance(statement.value, cst.BaseString)
    targets = [one.target for one in statement.targets] if type(statement) is cst.Assign else []
    parts = [
        part.value if isinstance(part, cst.BaseElement) else part
        for target in targets
        for part in (target.elements if isinstance(target, cst.Tuple | cst.List) else (target,))
    ]
    return bool(parts) and all(type(part) is cst.Name for part in parts)


def called_by(interp: Interpreter, call: cst.Call) -> Value:
    """What a call calls, which is looked up once more."""
    mark = interp.state.mark()
    called = interp.evaluate(call.func)
    interp.state.rollback(mark)
    return called


def _argument(call: cst.Call, position: int | None) -> cst.BaseExpression | None:
    """The argument at a position, where it is passed by position."""
    if position is None or position >= len(call.args):
        return None
    plain = all(arg.keyword is None and not arg.star for arg in call.args[: position + 1])
    return call.args[position].value if plain else None


def _computes(interp: Interpreter, call: cst.Call) -> bool:
    """Whether a function given to a map computes an array or a number, and has no other purpose than its result."""
    function = call.args[0].value if call.args else None
    if type(function) is cst.Lambda:
        names = {param.name.value for param in function.params.params}
        return _is_computed(interp, function.body, names)
    return isinstance(function, cst.Name | cst.Attribute) and _gives_array(interp, function)


def _is_computed(interp: Interpreter, node: cst.BaseExpression, names: set[str]) -> bool:
    """Whether an expression is arithmetic, or a call that gives an array, of leaves by these names and whatever else."""
    match node:
        case cst.BinaryOperation() | cst.UnaryOperation():
            return True
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=method)) if name in names:
            found = interp.catalogue.method("Array", method.value)
            return found is not None and found.result.word in ARRAYS
        case cst.Call(func=cst.Name() | cst.Attribute() as function):
            return _gives_array(interp, function)
        case _:
            return False


def _gives_array(interp: Interpreter, function: cst.BaseExpression) -> bool:
    """Whether a function of JAX computes an array of its arguments."""
    mark = interp.state.mark()
    called = interp.evaluate(function)
    interp.state.rollback(mark)
    if not isinstance(called, ExternalValue):
        return False
    name = interp.catalogue.canonical(called.name)
    found = interp.catalogue.function(name) if name.startswith(PURE) else None
    return found is not None and found.result.word in ARRAYS
