"""`print` of tracers → `jax.debug.print`, which prints the values whenever the program runs."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .names import dotted
from .place import ancestors

if TYPE_CHECKING:
    from ..events import Event
    from ..findings import Fix


_PERCENT = re.compile(r"%([-+ 0#]*\d*(?:\.\d+)?)([a-zA-Z%])")


def debug_print(event: Event) -> Fix | None:
    """The `print` that the event's node is, or stands in."""
    call = next(
        (
            n
            for n in (event.node, *ancestors(event.source, event.node))
            if isinstance(n, cst.Call) and dotted(n.func) == "print"
        ),
        None,
    )
    if call is None or any(arg.keyword is not None or arg.star for arg in call.args):
        return None
    draft = Draft(event.source, call)
    texts: list[str] = []
    values: list[str] = []
    for arg in call.args:
        if not _add(arg.value, draft, texts, values):
            return None
        texts.append(" ")
    text = (
        "".join(texts[:-1])
        .replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\t", "\\t")
    )
    arguments = ", ".join([f'"{text}"', *values])
    draft.replace(call, f"{draft.module('jax')}.debug.print({arguments})")
    return draft.fix("Use jax.debug.print", cost="prints at each call, possibly out of order")


def _add(node: cst.BaseExpression, draft: Draft, texts: list[str], values: list[str]) -> bool:
    """Adds one argument of `print` to the format and its values."""
    match node:
        case cst.SimpleString():
            raw = node.evaluated_value
            if not isinstance(raw, str):
                return False
            texts.append(raw.replace("{", "{{").replace("}", "}}"))
        case cst.FormattedString():
            for part in node.parts:
                if isinstance(part, cst.FormattedStringText):
                    texts.append(part.value)
                elif isinstance(part, cst.FormattedStringExpression):
                    if part.conversion or any(
                        not isinstance(p, cst.FormattedStringText) for p in part.format_spec or ()
                    ):
                        return False
                    name = f"{draft.text(part.expression)}=" if part.equal else ""
                    spec = "".join(
                        p.value for p in part.format_spec or () if isinstance(p, cst.FormattedStringText)
                    )
                    texts.append(f"{name}{{{':' + spec if spec else ''}}}")
                    values.append(draft.text(part.expression))
        case cst.BinaryOperation(operator=cst.Modulo(), left=cst.SimpleString() as left):
            return _add_percent(left, node.right, draft, texts, values)
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as left, attr=cst.Name("format"))):
            return _add_format(left, node, draft, texts, values)
        case cst.ConcatenatedString() | cst.BinaryOperation(operator=cst.Modulo()):
            return False
        case _:
            texts.append("{}")
            values.append(draft.text(node))
    return True


def _add_percent(
    text: cst.SimpleString, right: cst.BaseExpression, draft: Draft, texts: list[str], values: list[str]
) -> bool:
    """`"%.2f of %d" % (a, b)`."""
    raw = text.evaluated_value
    given = [e.value for e in right.elements] if isinstance(right, cst.Tuple) else [right]
    if not isinstance(raw, str) or isinstance(right, cst.Dict):
        return False
    parts = _PERCENT.split(raw.replace("{", "{{").replace("}", "}}"))
    written, taken = parts[0], 0
    for spec, kind, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if kind == "%":
            written += "%" + rest
            continue
        if kind not in "sdifFeEgG":
            return False
        shown = spec + kind if kind in "fFeEgG" else ""
        written += "{" + (f":{shown}" if shown else "") + "}" + rest
        taken += 1
    if taken != len(given):
        return False
    texts.append(written)
    values.extend(draft.text(value) for value in given)
    return True


def _add_format(
    text: cst.SimpleString, call: cst.Call, draft: Draft, texts: list[str], values: list[str]
) -> bool:
    """`"{:.2f}".format(a)`, where the fields are taken in turn."""
    raw = text.evaluated_value
    if not isinstance(raw, str) or any(a.keyword or a.star for a in call.args):
        return False
    fields = [name for _, name, _, _ in string.Formatter().parse(raw) if name is not None]
    if any(fields) or len(fields) != len(call.args):
        return False
    texts.append(raw)
    values.extend(draft.text(arg.value) for arg in call.args)
    return True
