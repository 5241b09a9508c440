"""While the text is no Python, what was known of it stays where it still stands; as soon as it is, all is new."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from editor import Editor, editor
from lsprotocol import types
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Location, Span
from tracetrap.linter.lsp.moved import Move

TEXT = """\
import jax


@jax.jit
def first(x, y):
    scaled = x * 2
    if scaled > y:
        return scaled
    return y


@jax.jit
def second(z):
    doubled = z + z
    return float(doubled)
"""

EVERYTHING = types.Range(types.Position(0, 0), types.Position(100, 0))


def insertion(line: int, column: int, text: str) -> types.TextDocumentContentChangePartial:
    place = types.Position(line, column)
    return types.TextDocumentContentChangePartial(types.Range(place, place), text)


async def hints(session: Editor, uri: str) -> dict[tuple[int, int], object]:
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), EVERYTHING)
    found = await session.client.text_document_inlay_hint_async(params)
    return {(one.position.line, one.position.character): one.label for one in found or ()}


async def tokens(session: Editor, uri: str) -> list[int]:
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    found = await session.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    return list(found.data)


def codes(found: list[types.Diagnostic]) -> list[tuple[int, int, object]]:
    return [(one.range.start.line, one.range.start.character, one.code) for one in found]


@pytest.mark.asyncio
async def test_hints_and_tokens_stay_while_a_line_is_being_typed(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", TEXT)
        before, packed = await hints(session, uri), await tokens(session, uri)
        assert (5, 10) in before and (13, 11) in before

        session.change(uri, insertion(5, 18, " + ("))  # scaled = x * 2 + (
        assert await hints(session, uri) == before
        assert await tokens(session, uri) == packed

        session.change(uri, insertion(5, 0, "    other = (\n"))
        assert await hints(session, uri) == {
            (row + (row >= 5), column): label for (row, column), label in before.items()
        }

        session.change(uri, insertion(5, 13, ")"), insertion(6, 22, "x)"))
        after = await hints(session, uri)
        assert set(after) == {(row + (row >= 5), column) for row, column in before} | {(5, 9)}


@pytest.mark.asyncio
async def test_findings_stay_while_a_line_is_being_typed(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", TEXT)
        assert codes(await session.diagnostics(uri)) == [(6, 7, "TRC101"), (14, 11, "TRC201")]

        session.change(uri, insertion(6, 17, " and ("))  # behind the condition that is marked
        broken = codes(await session.diagnostics(uri))
        assert [one for one in broken if one[2] != "TRC900"] == [(6, 7, "TRC101"), (14, 11, "TRC201")]
        assert [one[2] for one in broken].count("TRC900") == 1

        session.change(uri, insertion(6, 12, "1"))  # inside of it
        assert [one for one in codes(await session.diagnostics(uri)) if one[2] != "TRC900"] == [
            (14, 11, "TRC201")
        ]


@pytest.mark.asyncio
async def test_hover_works_while_another_line_is_being_typed(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", TEXT)
        await hints(session, uri)
        session.change(uri, insertion(2, 0, "def unfinished(\n"))

        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(14, 6))
        found = await session.client.text_document_hover_async(params)

        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert "`doubled`: **traced**" in found.contents.value


@pytest.mark.asyncio
async def test_a_text_that_never_was_python_has_no_hints(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", TEXT + "def (\n")
        assert await hints(session, uri) == {}
        assert codes(await session.diagnostics(uri)) == [(15, 4, "TRC900")]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_kept_is_the_same_word_in_both_texts(seed: int) -> None:
    random_ = random.Random(seed)
    start = random_.randrange(len(TEXT))
    end = min(len(TEXT), start + random_.choice([0, 0, 1, 5, 40]))
    typed = random_.choice(["", "x", "(", "\n", "  y = [\n", "scaled", "\r\n\n", "if x:\n    "])
    before, after = SourceFile(TEXT), SourceFile(TEXT[:start] + typed + TEXT[end:])
    move = Move.between(before, after)

    for word in re.finditer(r"\w+", TEXT):
        span = Span(before.location(word.start()), before.location(word.end()))
        moved = move.span(span)
        if moved is not None:
            assert after.segment(moved) == word[0]
            around = after.text[max(after.offset(moved.start) - 1, 0) : after.offset(moved.end) + 1]
            assert re.search(rf"\b{word[0]}\b", around)
        else:
            assert start <= word.end() and word.start() <= end + len(typed)


def test_lines_that_are_gone_take_what_stood_in_them() -> None:
    before = SourceFile("one\ntwo\nthree\n")
    move = Move.between(before, SourceFile("one\nthree\n"))

    def rows(row: int, width: int) -> int | None:
        moved = move.span(Span(Location(row, 1), Location(row, 1 + width)))
        return None if moved is None else moved.start.row

    assert [rows(1, 3), rows(2, 3), rows(3, 5)] == [1, None, 2]
