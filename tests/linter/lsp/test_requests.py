"""What an editor asks the language server for: actions, hover, hints, tokens; and messages that make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import editor
from lsprotocol import types
from pitfall_file import PITFALL
from tracetrap.linter.files.source import SourceFile

pytestmark = pytest.mark.asyncio

CONDITION = types.Range(types.Position(5, 7), types.Position(5, 7))
EVERYTHING = types.Range(types.Position(0, 0), types.Position(100, 0))


def edited(text: str, action: types.CodeAction) -> str:
    """The text after an action, its edits applied from the end."""
    assert action.edit is not None
    edits = [edit for changed in (action.edit.changes or {}).values() for edit in changed]
    source = SourceFile(text)

    def offset(place: types.Position) -> int:
        return sum(len(line) for line in source.lines[: place.line]) + place.character

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def test_actions_mend_or_disable_a_finding(folder: Path) -> None:
    async with editor(folder, {"unsafeFixes": True}) as session:
        uri = session.open("model.py", PITFALL)
        actions = await session.actions(uri, CONDITION, [types.CodeActionKind.QuickFix])
        titles = [action.title for action in actions]

        assert titles[-1] == "Tracetrap (TRC101): disable for this line"
        assert not any("verify" in title for title in titles)
        assert "    if x > threshold:  # noqa: TRC101\n" in edited(PITFALL, actions[-1])
        assert len(actions) >= 2
        session.replace(uri, edited(PITFALL, actions[0]))
        assert not await session.diagnostics(uri)

        session.replace(uri, PITFALL)
        (everything,) = await session.actions(uri, CONDITION, [types.CodeActionKind.SourceFixAll])
        assert everything.kind == "source.fixAll.tracetrap"
        session.replace(uri, edited(PITFALL, everything))
        assert not await session.diagnostics(uri)


async def test_a_noqa_comment_gets_one_more_code(folder: Path) -> None:
    text = PITFALL.replace("threshold:\n", "threshold:  # noqa: E501  because\n")
    async with editor(folder) as session:
        uri = session.open("model.py", text)
        actions = await session.actions(uri, CONDITION)

        (disable,) = [action for action in actions if action.title.endswith("disable for this line")]
        assert "# noqa: E501, TRC101  because\n" in edited(text, disable)


async def test_verification_is_offered_only_where_the_workspace_is_trusted(folder: Path) -> None:
    (folder / "model.py").write_text(PITFALL)
    async with editor(folder, {"trusted": True}) as session:
        actions = await session.actions(session.open("model.py", PITFALL), CONDITION)

        assert any("verify this finding" in action.title for action in actions)


async def test_binding_times_are_shown(folder: Path) -> None:
    text = PITFALL + "\n\nconditional_double(jax.numpy.ones(3), 2)\n"
    async with editor(folder) as session:
        document = types.TextDocumentIdentifier(session.open("model.py", text))
        place = types.Position(5, 7)
        hover = await session.client.text_document_hover_async(types.HoverParams(document, place))
        hints = await session.client.text_document_inlay_hint_async(
            types.InlayHintParams(document, EVERYTHING)
        )
        tokens = await session.client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document)
        )

    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "`x`: **traced**" in hover.contents.value
    assert "traced f32[3]" in hover.contents.value
    assert "What it does" in hover.contents.value  # the page of TRC101
    assert next((hint.position.line, hint.position.character, hint.label) for hint in hints or []) == (
        4,
        24,
        "traced f32[3]",
    )
    assert tokens is not None
    assert list(tokens.data[:5]) == [4, 23, 1, 1, 1]


async def test_messages_that_make_no_sense_do_not_end_the_server(folder: Path) -> None:
    async with editor(folder) as session:
        session.change(session.uri("never_opened.py"), types.TextDocumentContentChangeWholeDocument("x"))
        nonsense = types.TextDocumentIdentifier(session.uri("never_opened.py"))
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(nonsense))
        hover = types.HoverParams(nonsense, types.Position(9, 9))
        assert await session.client.text_document_hover_async(hover) is None
        uri = session.open("model.py", PITFALL)
        far = types.Range(types.Position(900, 4), types.Position(7000, 9))
        session.change(uri, types.TextDocumentContentChangePartial(far, "\n# the end"))

        (found,) = await session.diagnostics(uri)
        assert found.code == "TRC101"


async def test_a_document_that_is_too_large_is_told_in_one_line(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL + "# x\n" * (5 * 2**20))

        (found,) = await session.diagnostics(uri)
        assert found.code == "TRC900"
        session.replace(uri, PITFALL)
        assert [one.code for one in await session.diagnostics(uri)] == ["TRC101"]
