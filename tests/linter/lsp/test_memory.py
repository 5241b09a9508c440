"""What is kept of a document from one keystroke to the next: nothing of texts that are gone."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from pitfall_file import PITFALL
from raw_server import RawServer
from tracetrap.linter.check_file import raw_findings
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.lsp.memory import Memory
from tracetrap.linter.settings.config import Settings


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


FUNCTION = """

@jax.jit
def update_{n}(params, batch):
    hidden = jax.numpy.tanh(batch @ params["w"] + params["b"])
    for step in range(3):
        hidden = hidden * (1.0 + step)
    if hidden.sum() > {n}:
        hidden = -hidden
    return dict(params, w=params["w"] - 0.1 * hidden)
"""


def test_a_hundred_edits_of_a_thousand_lines_stay_below_200_mb(folder: Path) -> None:
    psutil = pytest.importorskip("psutil")
    text = "import jax\n" + "".join(FUNCTION.format(n=n) for n in range(100))
    assert text.count("\n") > 1000
    with RawServer(folder) as server:
        uri = server.open("model.py", text)
        assert server.codes(uri, 1) == ["TRC101"] * 100
        place = {"line": 505, "character": 0}
        for version in range(2, 102):
            server.change(uri, version, {"range": {"start": place, "end": place}, "text": "# typed\n"})
            if version % 20 == 1:
                assert server.codes(uri, version) == ["TRC101"] * 100
                server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})

        assert psutil.Process(server.process.pid).memory_info().rss < 200 * 2**20
