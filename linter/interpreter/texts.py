"""Text made of values: f-strings, `str.format`, `format`."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import Array, Const, Level, Static, Value, members
from ..events import Formatted

if TYPE_CHECKING:
    from .machine import Interpreter


def note_text(interp: Interpreter, value: Value, node: cst.CSTNode, how: str, specified: bool) -> None:
    """Tells of a tracer that becomes text; with a format specification any tracer refuses."""
    for member in members(value):
        if not isinstance(member, Array):
            continue
        if specified and member.traced:
            sure = member.sure and len(members(value)) == 1
            interp.tell(Formatted, node, sure, value=member, how=how, error="TypeError")
        elif member.level is Level.ABSTRACT:
            interp.emit(Formatted, node, member, how=how)


def formatted_string(interp: Interpreter, node: cst.FormattedString) -> Value:
    """`f"{value:.2f}"`."""
    text = ""
    known = True
    for part in node.parts:
        if type(part) is cst.FormattedStringText:
            text += part.value
            continue
        if type(part) is not cst.FormattedStringExpression:
            continue
        value = interp.evaluate(part.expression)
        interp.lifetimes.donations.used(interp, (value,), part.expression)
        specified = bool(part.format_spec) and part.conversion is None
        note_text(interp, value, part.expression, "f-string", specified)
        if isinstance(value, Const) and not part.format_spec and part.conversion is None:
            text += format(value.value)
        else:
            known = False
    return Const(text) if known else Static("str")


def note_template(
    interp: Interpreter, template: Value, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> None:
    """`"{:.2f}".format(value)`: which fields have a format specification."""
    specified = _specified(template, len(args))
    for name, value in [*enumerate(args), *kwargs.items()]:
        note_text(interp, value, node, "format", name in specified)


def _specified(template: Value, count: int) -> set[int | str]:
    """The arguments of a template that are formatted by a specification, as far as the template is known."""
    if not (isinstance(template, Const) and isinstance(template.value, str)):
        return set()
    found: set[int | str] = set()
    automatic = iter(range(count))
    try:
        for _, field, specification, conversion in string.Formatter().parse(template.value):
            if field is None:
                continue
            name: int | str = (
                next(automatic, count) if field == "" else int(field) if field.isdigit() else field
            )
            if specification and conversion is None:
                found.add(name)
    except ValueError:
        return set()
    return found
