"""A pretty printer of documents: text with places where a line may be broken.

Wadler, "A prettier printer" (2003), in the strict form of Lindig, "Strictly pretty" (2000). A group is printed on one
line when everything up to the next possible break after it fits; otherwise each of its own breaks is a new line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class Break(NamedTuple):
    """Printed as `text`, or as a new line."""

    text: str = " "


class Nest(NamedTuple):
    """New lines inside of `body` are indented by `by` more."""

    by: int
    body: Document


class Group(NamedTuple):
    """Breaks in `body` are all text or all new lines."""

    body: Document


Document: TypeAlias = "str | Break | Nest | Group | list[Document]"


def joined(separator: Document, parts: Iterable[Document]) -> Document:
    """The parts with `separator` between them."""
    result: list[Document] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return result


_Item: TypeAlias = "tuple[int, bool, Document]"  # Indentation, whether flat, what to print.


def _fits(pending: Sequence[_Item], first: _Item, room: int) -> bool:
    """Whether `first`, and what follows it up to a possible new line, fits into `room` columns."""
    stack = [first]
    rest = len(pending)
    while room >= 0:
        if not stack:
            if rest == 0:
                return True
            rest -= 1
            stack.append(pending[rest])
        indent, flat, document = stack.pop()
        if isinstance(document, str):
            room -= len(document)
        elif isinstance(document, list):
            stack.extend((indent, flat, part) for part in reversed(document))
        elif isinstance(document, Break):
            if not flat:
                return True
            room -= len(document.text)
        else:
            stack.append((indent, flat, document.body))
    return False


def render(document: Document, width: int = 80) -> str:
    """The document as lines of at most `width` columns, where that is possible."""
    pieces: list[str] = []
    column = 0
    pending: list[_Item] = [(0, False, document)]
    while pending:
        indent, flat, item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
            column += len(item)
        elif isinstance(item, list):
            pending.extend((indent, flat, part) for part in reversed(item))
        elif isinstance(item, Break):
            if flat:
                pieces.append(item.text)
                column += len(item.text)
            else:
                # Blanks before a new line are kept: an equation without operands ends in one.
                pieces.append("\n" + " " * indent)
                column = indent
        elif isinstance(item, Nest):
            pending.append((indent + item.by, flat, item.body))
        else:
            flat = flat or _fits(pending, (indent, True, item.body), width - column)
            pending.append((indent, flat, item.body))
    return "".join(pieces)
