"""What the words of a function stand for in the module that has been run, as far as that can be told without running it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from .. import domain
from ..domain import (
    UNKNOWN,
    Box,
    ClassValue,
    DictValue,
    ExternalValue,
    FunctionValue,
    ImportedValue,
    InstanceValue,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    TransformedValue,
    TupleValue,
    Union,
    Value,
    members,
)
from ..interpreter.imports import dotted, module_attribute, resolve
from ..interpreter.python.builtins import BUILTINS
from ..interpreter.python.classes import ancestors
from ..python_tree import is_docstring
from ..records import record
from ..syntax.memo import NodeMemo
from ..syntax.statements import LaterBlock
from ..syntax.walk import in_order
from .flows import imports_in

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Used: TypeAlias = FunctionValue | ClassValue | InstanceValue | TransformedValue | ExternalValue
"""What of a value can matter."""

_ATTRIBUTE = re.compile(r"\b(?:self|cls)\.(\w+)\s*(?::[^=\n]*)?=(?!=)")
# Comments, and strings without their prefixes
_QUOTED = re.compile(
    r"""#.*|"{3}(?:[^"\\]|\\[\s\S]|"(?!""))*"{3}|'{3}(?:[^'\\]|\\[\s\S]|'(?!''))*'{3}"""
    r"""|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'"""
)
_FORMATTED = re.compile(r"""[fF][rR]?["']""")
_IN_BRACES = re.compile(r"\{([^{}]+)")
# What stands between the dotted names of a text becomes white space.
_APART = "".join(sign if sign.isalnum() or sign in "_." else " " for sign in map(chr, range(128)))


@record(frozen=True, slots=True)
class Words:
    """The body of a function as words.

    Args:
        names: the dotted names in it.
        attributes: what stands behind a dot.
        sets: the attributes that it sets of its object or class.
        imports: the names that it imports, each with its module and its name there, if it is not the module itself.
    """

    names: Sequence[str]
    attributes: frozenset[str]
    sets: frozenset[str] = frozenset()
    imports: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)


class Meanings:
    """What names stand for in functions."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._set: dict[ClassValue, dict[str, list[FunctionValue]]] = {}
        self._known: dict[tuple[Box, str], tuple[Value | None, list[str]]] = {}

    def beginning(self, function: FunctionValue, name: str) -> tuple[Value | None, list[str]]:
        """What the beginning of a dotted name stands for in a function, and the parts that are left; None for a builtin."""
        body = function.node.body
        imports = words_of(body).imports if isinstance(body, LaterBlock) else {}
        if imports and (imported := imports.get(name.partition(".")[0])):
            value = resolve(self._interpreter, ImportedValue(*imported, function.source))
            return self._attributes(value, name.split(".")[1:])
        key = (function.scope, name)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._in_scope(function.scope, *name.split("."))
        return known

    def _in_scope(self, scope: Box, name: str, *rest: str) -> tuple[Value | None, list[str]]:
        found, value = self._interpreter.find_from(scope, name)
        if found is None and name in BUILTINS:
            return None, [*rest]
        return self._attributes(value, [*rest])

    def _attributes(self, value: Value | None, rest: list[str]) -> tuple[Value | None, list[str]]:
        """The same for what a first name stands for: the attributes of modules and of libraries are followed."""
        while rest and isinstance(value, ModuleValue):
            value, rest = module_attribute(self._interpreter, value, rest[0]) or UNKNOWN, rest[1:]
        if rest and isinstance(value, ExternalValue):
            value, rest = ExternalValue(".".join((value.name, *rest))), []
        return value, rest

    def of(self, function: FunctionValue, name: str) -> Iterable[Value]:
        """The values that a dotted name leads to in a function, some of them by their attributes."""
        value, rest = self.beginning(function, name)
        if not isinstance(value, Union):
            return () if value is None else (value,)
        return [
            ExternalValue(".".join((one.name, *rest))) if isinstance(one, ExternalValue) else one
            for one in value.members
        ]

    def in_method(self, function: FunctionValue, name: str) -> Iterable[Value]:
        """The same for a name that may be that of an attribute of a method's own object."""
        return [*self.of(function, name)] or [*self.of_object(function, frozenset(name.split(".")[1:2]))]

    def of_object(self, method: FunctionValue, attributes: frozenset[str]) -> Iterator[Value]:
        """What attributes of a method's own object are: members of its class, or the methods that set them."""
        for owner in members(method.owner) if method.owner is not None else ():
            for cls in ancestors(owner) if isinstance(owner, ClassValue) else ():
                if isinstance(cls, ClassValue):
                    for name in sorted(attributes & cls.box.slots.keys()):
                        yield cls.box.slots[name]
                    setters = self.setters(cls)
                    for name in sorted(attributes & setters.keys()):
                        yield from setters[name]

    def setters(self, cls: ClassValue) -> Mapping[str, Sequence[FunctionValue]]:
        """The methods of a class that set each attribute."""
        found = self._set.get(cls)
        if found is None:
            found = self._set[cls] = {}
            for _, value in named(cls.box.slots):
                if isinstance(value, FunctionValue) and isinstance(value.node.body, LaterBlock):
                    for name in words_of(value.node.body).sets:
                        found.setdefault(name, []).append(value)
        return found


def named(slots: Mapping[object, Value]) -> list[tuple[str, Value]]:
    """The slots of an object or a class that are attributes."""
    return [(name, value) for name, value in slots.items() if isinstance(name, str)]


def parts(values: Iterable[tuple[str, Value]]) -> Iterator[tuple[str, Used]]:
    """What of some values, and of those inside them, can matter, by the same names."""
    waiting, seen = [*values], dict[int, Value]()
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, Used):
            yield name, value
        elif id(value) not in seen:
            seen[id(value)] = value
            waiting += ((name, inner) for inner in _inside(value))


def leaves(value: Value) -> Iterator[Value]:
    """A value that is no container, or those in one, however deep; one that holds itself is gone through once."""
    waiting, seen = [value], dict[int, Value]()
    while waiting:
        one = waiting.pop()
        held = _held(one)
        if held is None:
            yield one
        elif id(one) not in seen:
            seen[id(one)] = one
            waiting += held


def _inside(value: Value) -> Iterable[Value]:
    match value:
        case MethodValue():
            return (value.function,)
        case PartialValue():
            return (value.function, *value.args, *(argument for _, argument in value.kwargs))
        case _:
            return _held(value) or ()


def _held(value: Value) -> Iterable[Value] | None:
    """What a container holds; None for what is none."""
    match value:
        case TupleValue():
            return value.parts
        case ListValue() | DictValue():
            return value.box.slots.values()
        case domain.Mapping():
            return (*(item for _, item in value.items), *([] if value.rest is None else [value.rest]))
        case Union():
            return value.members
        case _:
            return None


@NodeMemo
def words_of(body: LaterBlock) -> Words:
    """The words of a body without its docstring."""
    text = code_of(body)
    names, attributes = _parted(text.translate(_APART).split())
    return Words(
        names,
        attributes,
        frozenset(_ATTRIBUTE.findall(text)) if "self." in text or "cls." in text else frozenset(),
        imports_in(body.statements) if "import " in text else {},
    )


@NodeMemo
def words_in(body: cst.CSTNode) -> Words:
    """The words of a lambda, or of a function on one row."""
    return Words(
        *_parted(
            name
            for node in in_order(body)
            if isinstance(node, cst.Name | cst.Attribute) and (name := dotted(node))
        )
    )


def _parted(words: Iterable[str]) -> tuple[list[str], frozenset[str]]:
    """Dotted names, each once, and all that stands behind a dot."""
    names: list[str] = []
    attributes: set[str] = set()
    for word in dict.fromkeys(words):
        if "." in word:
            attributes.update(word.split(".")[1:])
        if word[0] != ".":
            names.append(word)
    return names, frozenset(attributes)


@NodeMemo
def code_of(body: LaterBlock) -> str:
    """The text of a body without its docstring, comments, and the text of strings."""
    first, *others = body.statements
    end = first.end_lineno or 0
    alone = is_docstring(first) and others and others[0].lineno > end
    text = body.rows(end + 1, body.last_row) if alone else body.text
    return _QUOTED.sub(_evaluated if _FORMATTED.search(text) else "", text)


def _evaluated(quoted: re.Match[str]) -> str:
    """What is evaluated of a comment or string: what stands in the braces of a formatted one."""
    start = quoted.start()
    formatted = "f" in quoted.string[max(start - 2, 0) : start].lower()
    return " ".join(("", *_IN_BRACES.findall(quoted.group()))) if formatted else ""
