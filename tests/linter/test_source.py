"""Files of all kinds are read as Python reads them, and places in them are where an editor shows them."""

from __future__ import annotations

import ast

import libcst as cst
import pytest
from tracetrap.linter.files.decoding import DecodingError, decode
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Location, Span
from tracetrap.linter.syntax.walk import in_order

TEXTS = {
    "plain": "if x > 1:\n    y = (x +\n         2)\n",
    "no newline at the end": "y = x",
    "windows": "def f():\r\n    '''a\r\n    b'''\r\n    return 1\r\n",
    "tabs": "if x:\n\tif y:\n\t\tz = f(\ta )\n",
    "form feed": "a = 1\n\x0c\ndef f(): pass\n",
    "wide characters": "s = 'äöü 漢字 😀'; t = s\n",
    "continued": "total = 1 + \\\n    2\n",
    "comments": "# top\n\nclass A:  # here\n    # inside\n    pass\n    # after\n",
    "separators inside": "s = 'a\x1cb\u2028c\x85d'\nt = s\n",
    "decorated": "@a.b(1)\n# why\n@c\nasync def f(x: int = 3, *args, y, **kw) -> int:\n    return await x\n",
    "empty": "",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_spans_hold_the_text_of_their_nodes(text: str) -> None:
    source = SourceFile(text)
    marked = [
        node
        for statement in source.module.body
        for node in in_order(statement)
        if isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement))
    ]
    before = [source.span_of(node) for node in marked]
    assert source.lay_out()
    for node, span in zip(marked, before, strict=True):
        assert source.span_of(node) == span
        bare = node.with_changes(lpar=(), rpar=()) if getattr(node, "lpar", ()) else node
        code = source.module.code_for_node(bare).rstrip("; ")  # without the indentation of the block
        assert source.segment(span).split() == code.split()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_spans_agree_with_the_interpreter_about_names(text: str) -> None:
    source = SourceFile(text)
    found = {
        source.span_of(node).start: node.value
        for statement in source.module.body
        for node in in_order(statement)
        if isinstance(node, cst.Name)
    }
    lines = text.replace("\r\n", "\n").split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode()) + 1
            assert found[Location(node.lineno, column)] == node.id


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_places_and_offsets_are_inverse(text: str) -> None:
    source = SourceFile(text)

    assert [source.offset(source.location(offset)) for offset in range(len(text) + 1)] == list(
        range(len(text) + 1)
    )


def test_a_decorated_function_begins_at_def() -> None:
    source = SourceFile("@wraps\ndef f():\n    pass\n")

    assert source.span_of(source.module.body[0]) == Span(Location(2, 1), Location(3, 9))


def test_only_line_ends_of_python_end_a_line() -> None:
    assert SourceFile("a\x0cb\u2028c\nd\re\r\nf").lines == ["a\x0cb\u2028c\n", "d\r", "e\r\n", "f"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = '\xc3\xa4'\n", "x = 'ä'\n"),
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe4'\n", "# -*- coding: latin-1 -*-\nx = 'ä'\n"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", None),
        (b"", ""),
    ],
)
def test_bytes_survive_the_way_there_and_back(data: bytes, text: str | None) -> None:
    decoded, encoding = decode(data)

    assert encoding.encode(decoded) == data
    assert text is None or decoded == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = 1\ny = '\xff'\n", "byte 0xff on line 2 is no utf-8"),
        (b"# coding: nonsense\n", "unknown encoding: nonsense"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem: utf-8"),
    ],
)
def test_undecodable_bytes_are_named(data: bytes, reason: str) -> None:
    with pytest.raises(DecodingError) as caught:
        decode(data)

    assert str(caught.value) == reason
