"""Text made of values: f-strings, `str.format`, `format`, `%`."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import Array, Const, DictValue, Level, Static, TupleValue, Value, members, surely_traced
from ...events import Formatted
from .containers import mapping_of

if TYPE_CHECKING:
    from ..machine import Interpreter


def note_text(interp: Interpreter, value: Value, node: cst.CSTNode, how: str, specified: bool) -> None:
    """Tells of a tracer that becomes text; with a format specification any tracer refuses."""
    for member in members(value):
        if not isinstance(member, Array):
            continue
        if specified and member.traced:
            sure = member.sure and len(members(value)) == 1
            interp.tell(Formatted, node, sure, value=member, how=how, error="TypeError")
        elif member.level is Level.ABSTRACT and not _thrown_away(interp, node):
            interp.emit(Formatted, node, member, surely_traced(value), how=how)


def _thrown_away(interp: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a statement makes a text for nobody, as one that tries whether a format fits: `_ = message.format(x)`."""
    match interp.frame.statement:
        case (
            cst.Expr(value=made)
            | cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value="_"))], value=made)
        ):
            return made is node or type(made) is cst.FormattedString
        case _:
            return False


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
        interp.lifetimes.asked(interp, (value,), part.expression)
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


_CONVERSION = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[-+ #0]*(?P<width>\*)?\d*(?:\.(?P<digits>\*)?\d*)?[hlL]?(?P<letter>[a-zA-Z%])"
)
_FLOATS = "eEfFgG"  # they ask for a float
_INTEGERS = "diuxXoc"  # they want a number of Python's own


def note_percent(interp: Interpreter, template: Value, operand: Value, node: cst.CSTNode) -> None:
    """`"%.2f of %d" % values`: which conversions a tracer refuses; `%s` and `%r` show the tracer."""
    for letter, value in _converted(interp, template, operand):
        for member in members(value):
            if not isinstance(member, Array) or not member.traced:
                continue
            error = None
            if letter in _FLOATS:
                error = "ConcretizationTypeError"
            elif letter in _INTEGERS:
                error = "TypeError"
            if member.level is Level.DUAL and (error is None or letter in "diu"):
                continue  # it has a value, which is shown
            sure = member.sure and len(members(value)) == 1
            interp.tell(Formatted, node, sure, value=member, how="%", error=error)
            if error is not None and sure:
                return


def _converted(interp: Interpreter, template: Value, operand: Value) -> list[tuple[str, Value]]:
    """The letter of each conversion and what it converts; where the template is not known, all are as `%s`."""
    positional = list(operand.items) if isinstance(operand, TupleValue) else [operand]
    named = dict(mapping_of(interp, operand).items) if isinstance(operand, DictValue) else {}
    if not (isinstance(template, Const) and isinstance(template.value, str)):
        return [("s", value) for value in (*(() if named else positional), *named.values())]
    waiting = iter(positional)
    found = []
    for match in _CONVERSION.finditer(template.value):
        for star in ("width", "digits"):
            if match[star] and (width := next(waiting, None)) is not None:
                found.append(("d", width))
        if match["letter"] != "%":
            value = named.get(match["key"]) if match["key"] is not None else next(waiting, None)
            if value is not None:
                found.append((match["letter"], value))
    return found
