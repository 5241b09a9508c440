"""Import statements: a module of the project, or the dotted name of a library's object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import UNKNOWN, Const, ExternalValue, ImportedValue, ListValue, ModuleValue, TupleValue, Value

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from .machine import Interpreter


def dotted(node: cst.BaseExpression | None) -> str:
    """The text of a dotted name."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is cst.Attribute:
        return f"{dotted(node.value)}.{node.attr.value}"
    return ""


def module_value(interp: Interpreter, name: str, source: SourceFile) -> Value:
    """The module of this absolute or relative (leading dots) name; a library that the tables know comes first."""
    if not interp.catalogue.knows(name.split(".", 1)[0]):
        found = interp.modules(name, source)
        if found is not None:
            return found
    return ExternalValue(interp.catalogue.canonical(name.lstrip(".")))


def resolve(interp: Interpreter, value: ImportedValue) -> Value:
    """The object that an import binds."""
    if value.busy:
        return UNKNOWN
    value.busy = True
    try:
        return _resolve(interp, value)
    finally:
        value.busy = False


def _resolve(interp: Interpreter, value: ImportedValue) -> Value:
    module = module_value(interp, value.module, value.source)
    if value.name is None:
        return module
    if isinstance(module, ModuleValue):
        raw = module.box.slots.get(value.name)
        if not (isinstance(raw, ImportedValue) and raw.busy):
            found = interp.state.read(module.box, value.name)
            if found is not None:
                return found
        separator = "" if value.module.endswith(".") else "."
        inner = interp.modules(f"{value.module}{separator}{value.name}", value.source)
        return inner if inner is not None else UNKNOWN
    assert isinstance(module, ExternalValue)
    return ExternalValue(
        interp.catalogue.canonical(f"{module.name}.{value.name}" if module.name else value.name)
    )


def module_attribute(interp: Interpreter, module: ModuleValue, name: str) -> Value | None:
    """What a module binds by a name; of a package, that may be a module in it."""
    found = interp.state.read(module.box, name)
    return interp.modules(f".{name}", module.source) if found is None and module.package else found


def bind(interp: Interpreter, bound: str, module: str, name: str | None) -> None:
    """Binds a name to what an import gives: at once for a library, on first use for a module of the project."""
    value: Value = ImportedValue(module, name, interp.source)
    if not module.startswith(".") and interp.catalogue.knows(module.split(".", 1)[0]):
        value = resolve(interp, ImportedValue(module, name, interp.source))
    interp.state.write(interp.home_of(bound), bound, value)


def run_import(interp: Interpreter, node: cst.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        name = dotted(alias.name)
        if alias.asname is not None and type(alias.asname.name) is cst.Name:
            bind(interp, alias.asname.name.value, name, None)
        else:
            top = name.split(".", 1)[0]
            bind(interp, top, top, None)


def run_import_from(interp: Interpreter, node: cst.ImportFrom) -> None:
    """`from .a import b as c`."""
    base = "." * len(node.relative) + dotted(node.module)
    names = node.names
    if isinstance(names, cst.ImportStar):
        _import_star(interp, module_value(interp, base, interp.source))
        return
    for alias in names:
        name = dotted(alias.name)
        bind(
            interp,
            alias.asname.name.value if alias.asname and type(alias.asname.name) is cst.Name else name,
            base,
            name,
        )


def _public(interp: Interpreter, module: ModuleValue) -> set[str]:
    """The names that a module's `__all__` lists, where all of them are known; else none."""
    listed = interp.state.read(module.box, "__all__")
    content = interp.state.read(listed.box, "items") if isinstance(listed, ListValue) else listed
    if not isinstance(content, TupleValue) or content.rest is not None:
        return set()
    return {str(item.value) for item in content.items if isinstance(item, Const)}


def _import_star(interp: Interpreter, module: Value) -> None:
    scope = interp.frame.scope
    if isinstance(module, ModuleValue):
        public = _public(interp, module)
        for key, value in list(module.box.slots.items()):
            if isinstance(key, str) and key != "*" and (key in public if public else not key.startswith("_")):
                interp.state.write(scope, key, value)
        return
    before = interp.state.read(scope, "*")
    items = before.items if isinstance(before, TupleValue) else ()
    interp.state.write(scope, "*", TupleValue((*items, module)))
