"""Arguments made static: `static_argnames` added where a function is jitted, or extended there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from ..causes import STATIC_ARGUMENTS, configurable, is_declared
from ..domain import ClassValue, Const, ExternalValue, FunctionValue, InstanceValue, Static
from ..syntax.walk import children
from .draft import Draft
from .names import dotted, parameters
from .place import ancestors, parents

if TYPE_CHECKING:
    from ..domain import Root, Value
    from ..events import Event, TracedCall
    from ..files.source import SourceFile
    from ..findings import Applicability, Fix, Location

COST = "compiles again for each new value"


def declared(event: Event) -> Fix | None:
    """Where the parameters' declarations say that every cause is configuration."""
    can, cannot = configurable(value_of(event))
    if not can or cannot:
        return None
    if all(is_declared(root) for root in can):
        return _static(event, can, "safe")
    flag = [root.name for root in can] == [getattr(event.node, "value", None)]  # `if training:`
    return _static(event, can, "unsafe") if flag and all(root.configuration for root in can) else None


def plausible(event: Event) -> Fix | None:
    """Where only a call, or the place itself (a shape, a loop count), suggests that every cause is configuration."""
    value = value_of(event)
    if declared(event) is not None:
        return None
    can, cannot = configurable(
        value, plausible=type(event).__name__ in ("StaticParameter", "Iterated", "SliceBound", "ControlFlow")
    )
    return _static(event, can, "unsafe") if can and not cannot else None


def non_array(event: TracedCall) -> Fix | None:
    """A string, function or other hashable object that is passed to a traced parameter."""
    if event.problem != "non-array" or event.parameter in ("", "self") or not _hashable(event.value):
        return None
    transformed = event.transformed
    if transformed.source is not event.source or transformed.kind.rsplit(".", 1)[-1] not in STATIC_ARGUMENTS:
        return None
    draft = Draft(event.source, transformed.node)
    name = event.parameter.split("[")[0].split(".")[0]
    function = transformed.function
    if isinstance(function, FunctionValue) and _is_indexed(name, function):
        return None
    if event.parameter != name or not add_static(draft, transformed.node, function, [name]):
        return None
    return draft.fix(f"Make {name} static", cost=COST)


def static_self(event: TracedCall) -> Fix | None:
    """The receiver of a jitted method."""
    transformed = event.transformed
    node = transformed.node
    if transformed.source is not event.source or not isinstance(
        parents(event.source).get(node), cst.Decorator
    ):
        return None
    owner = next((n for n in ancestors(event.source, node) if isinstance(n, cst.ClassDef)), None)
    if owner is None or _loses_hash(owner):
        return None
    draft = Draft(event.source, node)
    if isinstance(node, cst.Call):
        method = parents(event.source)[parents(event.source)[node]]
        assert isinstance(method, cst.FunctionDef)
        if not _extend(draft, node, parameters(method)[:1], method):
            return None
    else:
        draft.replace(node, f"{draft.module('functools.partial')}({draft.text(node)}, static_argnums=0)")
    return draft.fix("Make self static", cost="compiles again for each object, and does not see it change")


def value_of(event: Event) -> Value:
    """The value that an event is about."""
    value: Value = getattr(event, "value", None) or event.mask  # type: ignore[attr-defined]
    return value


def _static(event: Event, roots: list[Root], applicability: Applicability) -> Fix | None:
    if _asks_array(value_of(event)):
        return None
    draft = Draft(event.source, event.node)
    by_entry: dict[int, list[Root]] = {}
    for root in roots:
        by_entry.setdefault(id(root.entry), []).append(root)
    for group in by_entry.values():
        entry = group[0].entry
        names = list(dict.fromkeys(root.name for root in group))
        if (
            entry is not None
            and entry.function is not None
            and any(_is_indexed(name, entry.function) for name in names)
        ):
            return None
        if (
            entry is None
            or entry.source is not event.source
            or not add_static(draft, entry.node, entry.function, names)
        ):
            return None
    shown = " and ".join(dict.fromkeys(root.name for root in roots))
    return draft.fix(f"Make {shown} static", applicability, COST)


def add_static(draft: Draft, node: cst.CSTNode, function: object, names: list[str]) -> bool:
    """Adds static arguments where `node` applies `jit` to a function; False where that cannot be written."""
    if not all(name.isidentifier() for name in names):
        return False
    definition = function.node if isinstance(function, FunctionValue) else None
    if isinstance(node, cst.Call):
        return _extend(draft, node, names, definition)
    if isinstance(node, cst.Name | cst.Attribute) and isinstance(
        parents(draft.source).get(node), cst.Decorator
    ):
        draft.replace(
            node, f"{draft.module('functools.partial')}({draft.text(node)}, {_names_option(names)})"
        )
        return True
    return False


def _extend(
    draft: Draft, call: cst.Call, names: list[str], definition: cst.FunctionDef | cst.Lambda | None
) -> bool:
    options = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    if any(arg.star for arg in call.args):
        return False
    if "static_argnames" in options:
        return _extend_tuple(draft, options["static_argnames"], names)
    if "static_argnums" in options and definition is not None:
        order = parameters(definition)
        if not all(name in order for name in names):
            return False
        return _extend_tuple(draft, options["static_argnums"], [order.index(name) for name in names])
    if not call.args:
        return False
    last = call.args[-1]
    draft.insert(
        draft.source.span_of(last.value).end if not last.value.lpar else _end(draft.source, last.value),
        f", {_names_option(names)}",
    )
    return True


def _end(source: SourceFile, node: cst.BaseExpression) -> Location:
    return source.span_of(node.rpar[-1]).end


def _extend_tuple(draft: Draft, option: cst.BaseExpression, added: list[str] | list[int]) -> bool:
    try:
        present = ast.literal_eval(draft.text(option))
    except (ValueError, SyntaxError):
        return False
    old = list(present) if isinstance(present, tuple | list) else [present]
    draft.replace(option, written_tuple([*old, *(item for item in added if item not in old)]))
    return True


def _names_option(names: list[str]) -> str:
    return f"static_argnames={written_tuple(names)}"


def written_tuple(items: list[str] | list[int] | list[object]) -> str:
    """A tuple of names or numbers as people write it: with double quotes."""
    parts = [f'"{item}"' if isinstance(item, str) else repr(item) for item in items]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _asks_array(value: Value) -> bool:
    """Whether on the way from the argument to the value something is asked that a Python number has not: `(n * r).astype(int)`."""
    trail = getattr(value, "trail", None)
    pending: list[cst.CSTNode] = [step.node for step in trail.steps()] if trail is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, cst.FunctionDef | cst.Lambda):
            continue
        if isinstance(node, cst.Attribute) and node.attr.value in ("astype", "at"):
            return True
        pending.extend(children(node))
    return False


def _is_indexed(name: str, function: FunctionValue) -> bool:
    """Whether a function looks something up in its parameter, which then may be a list or dict and have no hash."""
    pending: list[cst.CSTNode] = [function.node.body]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Subscript) and dotted(node.value) == name:
            return True
        pending.extend(children(node))
    return False


def _hashable(value: Value | None) -> bool:
    match value:
        case Const() | FunctionValue() | ClassValue() | ExternalValue():
            return True
        case Static(kind="str" | "bytes" | "dtype" | "type"):
            return True
        case InstanceValue(cls=ClassValue(node=node)):
            return not _loses_hash(node)
        case _:
            return False


def _loses_hash(node: cst.ClassDef) -> bool:
    """Whether instances of a class have no hash: `__eq__` without `__hash__`, also the one that dataclass makes."""
    methods = {m.name.value for m in node.body.body if isinstance(m, cst.FunctionDef)}
    if "__hash__" in methods:
        return False
    for decorator in node.decorators:
        call = decorator.decorator
        if dotted(call.func if isinstance(call, cst.Call) else call).endswith("dataclass"):
            options = {
                a.keyword.value: dotted(a.value) for a in getattr(call, "args", ()) if a.keyword is not None
            }
            return not (
                "True" in (options.get("frozen"), options.get("unsafe_hash")) or options.get("eq") == "False"
            )
    return "__eq__" in methods
