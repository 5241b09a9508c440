"""Import statements: a module of the project, or the dotted name of a library's object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import ExternalValue, ModuleValue, TupleValue, Value

if TYPE_CHECKING:
    from .machine import Interpreter


def dotted(node: cst.BaseExpression | None) -> str:
    """The text of a dotted name."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return ""


def module_value(interp: Interpreter, name: str) -> Value:
    """The module of this absolute or relative (leading dots) name."""
    found = interp.modules(name, interp.source)
    return found if found is not None else ExternalValue(interp.catalogue.canonical(name.lstrip(".")))


def run_import(interp: Interpreter, node: cst.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        name = dotted(alias.name)
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            interp.state.write(interp.home_of(alias.asname.name.value), alias.asname.name.value, module_value(interp, name))
        else:
            top = name.split(".", 1)[0]
            interp.modules(name, interp.source)
            interp.state.write(interp.home_of(top), top, module_value(interp, top))


def run_import_from(interp: Interpreter, node: cst.ImportFrom) -> None:
    """`from .a import b as c`."""
    base = "." * len(node.relative) + dotted(node.module)
    if isinstance(node.names, cst.ImportStar):
        _import_star(interp, module_value(interp, base))
        return
    for alias in node.names:
        name = dotted(alias.name)
        bound = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else name
        interp.state.write(interp.home_of(bound), bound, member_of(interp, base, name))


def member_of(interp: Interpreter, base: str, name: str) -> Value:
    """What `from base import name` binds."""
    module = module_value(interp, base)
    if isinstance(module, ModuleValue):
        value = interp.state.read(module.box, name)
        if value is not None:
            return value
        inner = interp.modules(f"{base}{'' if base.endswith('.') else '.'}{name}", interp.source)
        return inner if inner is not None else ExternalValue(f"{module.name}.{name}")
    assert isinstance(module, ExternalValue)
    return ExternalValue(interp.catalogue.canonical(f"{module.name}.{name}" if module.name else name))


def _import_star(interp: Interpreter, module: Value) -> None:
    scope = interp.frame.scope
    if isinstance(module, ModuleValue):
        for key, value in list(module.box.slots.items()):
            if isinstance(key, str) and not key.startswith("_") and key != "*":
                interp.state.write(scope, key, value)
        return
    before = interp.state.read(scope, "*")
    items = before.items if isinstance(before, TupleValue) else ()
    interp.state.write(scope, "*", TupleValue((*items, module)))
