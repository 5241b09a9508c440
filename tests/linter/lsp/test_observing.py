"""Hover, hints and tokens of one text rest on one run, and give way to the check of the next text."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from lsprotocol import types
from pitfall_file import PITFALL
from raw_server import RawServer
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.lsp import checking
from tracetrap.linter.lsp.checking import Checker
from tracetrap.linter.lsp.documents import Document, Documents
from tracetrap.linter.observation import Observations
from tracetrap.linter.settings.config import Settings


@pytest.fixture
def document(folder: Path) -> Document:
    uri = (folder / "model.py").as_uri()
    return Documents().open(types.TextDocumentItem(uri, types.LanguageKind.Python, 1, PITFALL))


@pytest.mark.asyncio
async def test_all_who_ask_share_one_run(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, real = [], checking.observe

    def counted(source: SourceFile, settings: Settings, project: Project) -> Observations:
        looks.append(source)
        return real(source, settings, project)

    monkeypatch.setattr(checking, "observe", counted)
    checker = Checker(Documents(), lambda _: Settings(cache=False))

    answers = await asyncio.gather(*(checker.observations(document) for _ in range(3)))

    assert looks == [document.source]
    assert all(known.source is document.source and len(known.observations) > 5 for known in answers)


@pytest.mark.asyncio
async def test_a_run_gives_way_when_its_text_is_gone(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended, real = threading.Event(), threading.Event(), checking.observe

    def slow(source: SourceFile, settings: Settings, project: Project) -> Observations:
        if not begun.is_set():
            found = real(source, settings, project)  # leaves a budget behind
            begun.set()
            assert project.budget is not None
            while project.budget.steps > 0:
                ended.wait(0.01)
            return found
        return real(source, settings, project)

    monkeypatch.setattr(checking, "observe", slow)
    checker = Checker(Documents(), lambda _: Settings(cache=False))
    asked = asyncio.ensure_future(checker.observations(document))
    while not begun.is_set():
        await asyncio.sleep(0.01)

    document.replace("\n" + PITFALL, 2)
    checked = await checker.findings(document)

    assert [finding.span.start.row for finding in checked.findings] == [7]
    known = await asked
    assert known.source is document.source
    assert known.observations.at(checked.findings[0].span.start) is not None


def test_what_was_asked_of_a_text_that_is_gone_is_answered_of_the_new_one(folder: Path) -> None:
    with RawServer(folder) as server:
        uri = server.open("model.py", PITFALL)
        document = {"textDocument": {"uri": uri}}
        window = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
        hints = server.request("textDocument/inlayHint", document | window)
        tokens = server.request("textDocument/semanticTokens/full", document)
        start = {"line": 0, "character": 0}
        server.change(uri, 2, {"range": {"start": start, "end": start}, "text": "\n\n"})

        answers = [
            server.wait(lambda m: m.get("id") in (hints, tokens) and "method" not in m) for _ in range(2)
        ]
        assert all(answer["result"] for answer in answers)
        found = server.ask("textDocument/inlayHint", document | window)["result"]
        assert {hint["position"]["line"] for hint in found} == {6}


@pytest.mark.asyncio
async def test_a_check_of_a_new_text_need_not_wait_until_all_fixes_are_made(document: Document) -> None:
    checker = Checker(Documents(), lambda _: Settings(cache=False))
    checked = await checker.findings(document)
    assert checked.drafts is not None
    done = []
    steps = [lambda: done.append(1)] * 3

    def change() -> None:
        document.replace("\n" + PITFALL, 2)

    checked.drafts.steps = lambda: iter([*steps, change, *steps])  # type: ignore[method-assign]
    complete = await checker.with_fixes(document)

    assert len(done) == 3
    assert [finding.span.start.row for finding in complete.findings] == [7]
    assert all(finding.fixes for finding in complete.findings)
