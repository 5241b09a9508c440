"""Diagnostics of the language server, as an editor sees them."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import editor
from lsprotocol import types
from pitfall_file import PITFALL

pytestmark = pytest.mark.asyncio


async def test_a_finding_is_published_with_all_that_is_known_of_it(folder: Path) -> None:
    async with editor(folder) as session:
        uri = session.open("model.py", PITFALL)

        (found,) = await session.diagnostics(uri)

        assert (found.range.start.line, found.range.start.character) == (5, 7)
        assert (found.code, found.source, found.severity) == (
            "TRC101", "Tracetrap", types.DiagnosticSeverity.Error,
        )
        assert found.code_description is not None and found.code_description.href.endswith("TRC101/")
        assert found.message.startswith("if on a traced value: x > threshold depends on x")
        steps = found.related_information or []
        assert [step.location.uri for step in steps] == [uri] * len(steps)
        assert steps[0].location.range.start.line < found.range.start.line
