"""python-lsp-server, set up as the documentation says, shows the findings through flake8."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from editor_setups import setup_of
from pitfall_file import PITFALL
from raw_server import RawServer

pytest.importorskip("pylsp")


def test_pylsp_shows_what_flake8_finds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    settings = json.loads(setup_of("python-lsp-server", "json"))
    (folder / "model.py").write_text(PITFALL)
    with RawServer(folder, command=[sys.executable, "-m", "pylsp"]) as server:
        server.notify("workspace/didChangeConfiguration", {"settings": settings})
        server.open("model.py", PITFALL)

        def told(message: dict[str, object]) -> bool:
            return message.get("method") == "textDocument/publishDiagnostics"

        (found,) = server.wait(told)["params"]["diagnostics"]

    assert (found["code"], found["range"]["start"]) == ("TRC101", {"line": 5, "character": 7})
