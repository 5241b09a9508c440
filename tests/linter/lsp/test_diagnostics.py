"""Diagnostics of the language server, as an editor sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from editor import Editor, editor
from lsprotocol import types
from pitfall_file import PITFALL

pytestmark = pytest.mark.asyncio


def places(found: Sequence[types.Diagnostic]) -> list[tuple[int, int, object]]:
    return [(one.range.start.line, one.range.start.character, one.code) for one in found]


def insertion(line: int, column: int, text: str) -> types.TextDocumentContentChangePartial:
    place = types.Position(line, column)
    return types.TextDocumentContentChangePartial(types.Range(place, place), text)


async def test_a_finding_is_published_with_all_that_is_known_of_it(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL)

        (found,) = await session.diagnostics(uri)

        assert (found.range.start.line, found.range.start.character) == (5, 7)
        assert (found.code, found.source) == ("TRC101", "Tracetrap")
        assert found.severity == types.DiagnosticSeverity.Error
        assert found.code_description is not None
        assert "TRC101" in found.code_description.href
        assert found.message.startswith("if on a traced value: x > threshold depends on x")
        steps = found.related_information or []
        assert {step.location.uri for step in steps} == {uri}
        assert steps[0].location.range.start.line < found.range.start.line


async def test_a_client_that_asks_for_diagnostics_is_sent_none(folder: Path) -> None:
    async with editor(folder, client_name="visual-studio-code", pulls=True) as session:
        uri = session.open("model.py", PITFALL)
        document = types.TextDocumentIdentifier(uri)

        report = await session.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))

        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        assert places(report.items) == [(5, 7, "TRC101")]
        assert session.published == []


async def test_every_keystroke_counts_and_the_last_one_wins(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL)
        await session.diagnostics(uri)
        for _ in range(30):
            session.change(uri, insertion(0, 0, "\n"))

        assert places(await session.diagnostics(uri)) == [(35, 7, "TRC101")]
        versions = [params.version for params in session.published]
        assert versions == sorted(versions)


async def test_edits_of_one_message_build_on_each_other(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL)
        session.change(uri, insertion(0, 0, "\n\n"), insertion(2, 0, "# "), insertion(2, 2, "\nimport "))
        session.change(
            uri,
            types.TextDocumentContentChangePartial(
                types.Range(types.Position(3, 0), types.Position(3, 7)),
                "",
            ),
        )

        assert places(await session.diagnostics(uri)) == [(8, 7, "TRC101")]


@pytest.mark.parametrize(
    ("encoding", "column"),
    [
        (types.PositionEncodingKind.Utf8, 23),
        (types.PositionEncodingKind.Utf16, 20),
        (types.PositionEncodingKind.Utf32, 19),
    ],
)
async def test_columns_are_counted_as_was_agreed(
    folder: Path, encoding: types.PositionEncodingKind, column: int
) -> None:
    text = PITFALL.replace("    if x >", "    '𝄞é'; y = 1 if x else 2\n    if x >")
    async with editor(folder, encodings=[encoding]) as session:
        uri = session.open("model.py", text)
        assert (5, column, "TRC103") in places(await session.diagnostics(uri))

        session.change(uri, insertion(5, column, "  "))

        assert (5, column + 2, "TRC103") in places(await session.diagnostics(uri))


async def test_form_feeds_end_no_lines(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", "\x0c\n" + PITFALL)
        session.change(uri, insertion(1, 0, "# \u2028 \x0b comment\n"))

        assert places(await session.diagnostics(uri)) == [(7, 7, "TRC101")]


async def test_possible_findings_are_shown_only_where_strict_is_on(folder: Path) -> None:
    text = "import jax\n\n\n@jax.jit\ndef f(x, y=None):\n    y = x if y is None else y\n    z = [y, 1][int(input())]\n    if z:\n        return x\n    return y\n"
    async with editor(folder) as session:
        plain = places(await session.diagnostics(session.open("model.py", text)))
    async with editor(folder, {"settings": {"strict": True}}) as session:
        found = await session.diagnostics(session.open("model.py", text))

    assert len(found) > len(plain)
    possible = [one for one in found if one.message.endswith("(possible)")]
    assert {one.severity for one in possible} == {types.DiagnosticSeverity.Information}


async def test_settings_of_the_editor_hold_at_once(folder: Path) -> None:
    async with editor(folder, {"lint": {"ignore": ["TRC101"]}}) as session:
        uri = session.open("model.py", PITFALL)
        assert places(await session.diagnostics(uri)) == []

        session.published.clear()
        settings = {"tracetrap": {"lint": {"ignore": []}}}
        session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))

        assert places(await session.diagnostics(uri)) == [(5, 7, "TRC101")]


async def test_a_bad_setting_is_named_and_the_others_hold(folder: Path) -> None:
    async with editor(
        folder, {"lint": {"selct": ["TRC2"], "ignore": ["TRC101"]}, "strict": "perhaps"}
    ) as session:
        uri = session.open("model.py", PITFALL)

        assert places(await session.diagnostics(uri)) == []
        messages = [shown.message for shown in session.client.messages]
        assert any("'lint.selct'; did you mean 'lint.select'?" in message for message in messages)
        assert any("strict must be true or false" in message for message in messages)


async def test_each_root_has_its_own_settings(folder: Path) -> None:
    for name, ignored in (("one", "TRC1"), ("two", "TRC2")):
        (folder / name).mkdir()
        (folder / name / "setup.cfg").write_text(f"[tracetrap]\nignore = {ignored}\n")
    async with editor(folder, roots=[folder / "one", folder / "two"]) as session:
        assert places(await session.diagnostics(session.open("one/model.py", PITFALL))) == []
        assert places(await session.diagnostics(session.open("two/model.py", PITFALL))) == [(5, 7, "TRC101")]


async def test_broken_settings_of_the_project_are_shown_and_the_defaults_hold(folder: Path) -> None:
    (folder / "setup.cfg").write_text("[tracetrap]\nselct = TRC1\n")
    async with editor(folder) as session:
        assert places(await session.diagnostics(session.open("model.py", PITFALL))) == [(5, 7, "TRC101")]
        assert any("'selct'" in shown.message for shown in session.client.messages)


async def test_an_imported_document_counts_as_it_stands_in_the_editor(folder: Path) -> None:
    (folder / "inner.py").write_text("def twice(x):\n    return 2\n")
    (folder / "outer.py").write_text("")
    text = "import jax\nfrom inner import twice\n\n@jax.jit\ndef f(x):\n    if twice(x):\n        return x\n    return -x\n"
    async with editor(folder) as session:
        inner = session.open("inner.py", "def twice(x):\n    return 2\n")
        outer = session.open("outer.py", text)
        assert places(await session.diagnostics(outer)) == []

        session.replace(inner, "def twice(x):\n    return x * 2\n")
        session.published.clear()
        session.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(inner))
        )

        (found,) = await session.diagnostics(outer)
        assert found.code == "TRC101"


async def test_many_and_large_documents_all_count_as_they_stand_in_the_editor(folder: Path) -> None:
    (folder / "inner.py").write_text("def twice(x):\n    return 2\n")
    (folder / "outer.py").write_text("")
    text = "import jax\nfrom inner import twice\n\n@jax.jit\ndef f(x):\n    if twice(x):\n        return x\n    return -x\n"
    async with editor(folder) as session:
        session.open("inner.py", "def twice(x):\n    return x * 2\n")
        for number in range(5):
            session.open(f"large{number}.py", f"TEXT = '{'x' * 1_000_000}'\n")

        outer = session.open("outer.py", text)

        assert places(await session.diagnostics(outer)) == [(5, 7, "TRC101")]
        session.change(outer, insertion(0, 0, "\n"))
        assert places(await session.diagnostics(outer)) == [(6, 7, "TRC101")]


async def test_findings_stay_while_a_statement_is_being_typed(folder: Path) -> None:
    text = PITFALL + "\n\n" + PITFALL.partition("\n\n\n")[2].replace("x > threshold", "threshold > x")
    async with editor(folder) as session:
        uri = session.open("model.py", text)
        assert places(await session.diagnostics(uri)) == [(5, 7, "TRC101"), (12, 7, "TRC101")]

        session.change(uri, insertion(8, 0, "y = (\n"))
        found = await session.diagnostics(uri)
        assert [(one.range.start.line, one.code) for one in found] == [
            (5, "TRC101"),
            (8, "TRC900"),
            (13, "TRC101"),
        ]
        assert [step.location.range.start.line for step in found[2].related_information or []] == [12]

        session.change(uri, insertion(5, 7, "("))  # where a finding stood
        found = await session.diagnostics(uri)
        assert [one.code for one in found] == ["TRC900", "TRC101"]

        session.replace(uri, text)
        assert places(await session.diagnostics(uri)) == [(5, 7, "TRC101"), (12, 7, "TRC101")]
        session.replace(uri, "x = (")
        assert [one.code for one in await session.diagnostics(uri)] == ["TRC900"]


async def test_a_closed_document_has_no_findings(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL)
        await session.diagnostics(uri)
        session.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
        while session.published[-1].diagnostics:
            await asyncio.sleep(0.01)

        assert session.published[-1].uri == uri


async def test_every_door_gives_the_same_answer(folder: Path, tracetrap: Callable) -> None:
    texts = {
        "plain.py": PITFALL,
        "windows.py": PITFALL.replace("\n", "\r\n"),
        "wide.py": PITFALL.replace(
            "    if x > threshold", "    s = '\u6f22\u5b57'; y = x\n    if 'ä' == s or x > threshold"
        ),
        "suppressed.py": PITFALL.replace("threshold:\n", "threshold:  # noqa: TRC101\n"),
        "broken.py": "import jax\n@jax.jit\ndef f(:\n",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    lines = tracetrap("check", "--output-format", "concise").output.splitlines()
    expected = sorted(tuple(line.split(" ")[:2]) for line in lines if ": TRC" in line)

    async with editor(folder, encodings=[types.PositionEncodingKind.Utf32]) as session:
        seen = await _all(session, texts)

    assert len(expected) >= 4
    assert seen == expected


async def _all(session: Editor, texts: dict[str, str]) -> list[tuple[str, ...]]:
    found = []
    for name, text in texts.items():
        for line, column, code in places(await session.diagnostics(session.open(name, text))):
            found.append((f"{name}:{line + 1}:{column + 1}:", str(code)))
    return sorted(found)
