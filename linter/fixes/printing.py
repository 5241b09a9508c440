"""`print` of tracers → `jax.debug.print`, which prints the values whenever the program runs."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import binders, bound, dotted, mentions, read
from .place import ancestors, block_of, function_of, small, statement_of

if TYPE_CHECKING:
    from ..events import Event
    from ..findings import Fix


_PERCENT = re.compile(r"%([-+ 0#]*\d*(?:\.\d+)?)([a-zA-Z%])")


def debug_print(event: Event) -> Fix | None:
    """The `print` that the event's node is, or stands in, or that prints the text which is made here."""
    source = event.source
    around = (event.node, *ancestors(source, event.node))
    call = next((n for n in around if isinstance(n, cst.Call) and dotted(n.func) == "print"), None)
    if call is None:
        call = _printed_later(event)
    if call is None or any(arg.keyword is not None or arg.star for arg in call.args):
        return None
    if any(isinstance(holder, cst.ExceptHandler) for holder in ancestors(source, call)):
        return None  # the exception happened while tracing, and so does its message
    draft = Draft(source, call)
    written = Format(draft)
    for number, arg in enumerate(call.args):
        if number:
            written.literal(" ")
        made = _made_before(arg.value, call, draft)
        if made is None:
            if not written.add(arg.value):
                return None
            continue
        statement, text = made
        if text is None or not written.add(text):
            return None
        function = function_of(source, call)
        if function is not None and mentions(function, dotted(arg.value)) == 2:
            draft.delete_statement(statement)
    arguments = ", ".join([written.text, *written.values])
    draft.replace(call, f"{draft.module('jax')}.debug.print({arguments})")
    return draft.fix("Use jax.debug.print", cost="prints at each call, possibly out of order")


def _printed_later(event: Event) -> cst.Call | None:
    """The `print` of a name that is bound to the text which an event's node makes."""
    source = event.source
    statement = statement_of(source, event.node)
    inner = small(statement) if statement is not None else None
    if statement is None or not isinstance(inner, cst.Assign) or not _is_text(inner.value):
        return None
    block = block_of(source, statement)
    names = set(bound(inner))
    for other in block[[id(s) for s in block].index(id(statement)) + 1 :]:
        printing = small(other)
        call = printing.value if isinstance(printing, cst.Expr) else None
        if isinstance(call, cst.Call) and dotted(call.func) == "print" and names & read(*call.args):
            return call
    return None


def _made_before(
    node: cst.BaseExpression, call: cst.Call, draft: Draft
) -> tuple[cst.CSTNode, cst.BaseExpression | None] | None:
    """For a name that is bound to a text: the statement that binds it, and the text, None where it may be another by now."""
    function = function_of(draft.source, call)
    if not isinstance(node, cst.Name) or function is None:
        return None
    found = [b for b in binders(function, node.value) if isinstance(b, cst.Assign) and _is_text(b.value)]
    if not found:
        return None
    first = found[0]
    assert isinstance(first, cst.Assign)
    statement, printing = statement_of(draft.source, first), statement_of(draft.source, call)
    assert statement is not None and printing is not None
    block = block_of(draft.source, statement)
    places = [id(s) for s in block]
    if len(binders(function, node.value)) > 1 or small(statement) is not first or len(first.targets) > 1:
        return statement, None
    if id(printing) not in places or places.index(id(printing)) < places.index(id(statement)):
        return statement, None
    between = block[places.index(id(statement)) + 1 : places.index(id(printing))]
    changed = read(first.value) & set(bound(*between))
    return statement, None if changed else first.value


def _is_text(node: cst.BaseExpression) -> bool:
    """Whether an expression makes a text of values."""
    match node:
        case cst.FormattedString() | cst.ConcatenatedString():
            return True
        case cst.BinaryOperation(operator=cst.Modulo() | cst.Add(), left=left):
            return isinstance(left, cst.SimpleString) or _is_text(left)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("format"))):
            return isinstance(value, cst.SimpleString)
        case cst.Call():
            return dotted(node.func) in ("str", "repr", "format")
        case _:
            return False


class Format:
    """A text with fields as `str.format` has them, and the values for these."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.values: list[str] = []
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """The text as a literal."""
        escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
        return '"' + "".join(escapes.get(character, character) for character in "".join(self._parts)) + '"'

    def literal(self, text: str) -> None:
        """Adds characters that stand for themselves."""
        self._parts.append(_escaped(text))

    def add(self, node: cst.BaseExpression) -> bool:
        """Adds an expression: the text that it makes, or a field for its value; False where that cannot be said."""
        match node:
            case cst.SimpleString():
                raw = node.evaluated_value
                if not isinstance(raw, str):
                    return False
                self.literal(raw)
            case cst.FormattedString():
                return all(self._part(part) for part in node.parts)
            case cst.BinaryOperation(operator=cst.Modulo(), left=cst.SimpleString() as left):
                return self._percent(left, node.right)
            case cst.Call(func=cst.Attribute(value=cst.SimpleString() as left, attr=cst.Name("format"))):
                return self._format(left, node)
            case cst.Call(func=cst.Name("str"), args=[cst.Arg(keyword=None, star="", value=value)]):
                self._field(value)
            case _ if _is_text(node):
                return False
            case cst.BinaryOperation(operator=cst.Modulo()):
                return False
            case _:
                self._field(node)
        return True

    def _field(self, node: cst.BaseExpression, shown: str = "") -> None:
        self._parts.append("{" + (f":{shown}" if shown else "") + "}")
        self.values.append(self.draft.text(node))

    def _part(self, part: cst.BaseFormattedStringContent) -> bool:
        """A part of an f-string."""
        if isinstance(part, cst.FormattedStringText):
            self._parts.append(part.value)
        elif isinstance(part, cst.FormattedStringExpression):
            spec = part.format_spec or ()
            if part.conversion or any(not isinstance(p, cst.FormattedStringText) for p in spec):
                return False
            if part.equal:
                self._parts.append(f"{self.draft.text(part.expression)}=")
            self._field(
                part.expression, "".join(p.value for p in spec if isinstance(p, cst.FormattedStringText))
            )
        return True

    def _percent(self, text: cst.SimpleString, right: cst.BaseExpression) -> bool:
        """`"%.2f of %d" % (a, b)`."""
        raw = text.evaluated_value
        given = [e.value for e in right.elements] if isinstance(right, cst.Tuple) else [right]
        if not isinstance(raw, str) or isinstance(right, cst.Dict):
            return False
        first, *pieces = _PERCENT.split(raw)
        self.literal(first)
        for spec, kind, rest in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
            if kind == "%":
                self.literal("%")
            elif kind not in "sdifFeEgG" or not given:
                return False
            else:
                self._field(given.pop(0), spec + kind if kind in "fFeEgG" else "")
            self.literal(rest)
        return not given

    def _format(self, text: cst.SimpleString, call: cst.Call) -> bool:
        """`"{:.2f}".format(a)`, where the fields are taken in turn."""
        raw = text.evaluated_value
        if not isinstance(raw, str) or any(a.keyword or a.star for a in call.args):
            return False
        fields = [name for _, name, _, _ in string.Formatter().parse(raw) if name is not None]
        if any(fields) or len(fields) != len(call.args):
            return False
        self._parts.append(raw)
        self.values.extend(self.draft.text(arg.value) for arg in call.args)
        return True


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
