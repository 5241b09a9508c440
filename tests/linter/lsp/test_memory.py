"""What is kept of a document from one keystroke to the next: nothing of texts that are gone."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from pitfall_file import PITFALL
from tracetrap.linter.check_file import raw_findings
from tracetrap.linter.config import Settings
from tracetrap.linter.lsp.memory import Memory
from tracetrap.linter.source import SourceFile


def test_texts_that_are_gone_are_let_go_of(tmp_path: Path) -> None:
    memory, texts = Memory(), []
    for number in range(4):
        source = SourceFile(f"{PITFALL}# {number}\n", "model.py", tmp_path / "model.py")
        project = memory.project_for(source, [])
        assert [one.code for one in raw_findings(source, Settings(cache=False), project)] == ["TRC101"]
        memory.keep(project, source, [])
        texts.append(weakref.ref(source))
    del source, project
    gc.collect()

    assert [text() is not None for text in texts] == [False, False, False, True]
