"""What an editor asks for itself, it is told to ask for again when something else than its text has changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pitfall_file import PITFALL
from raw_server import RawServer

CAPABILITIES = {
    "workspace": {
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {"diagnostic": {}},
}
ASKED = {"workspace/inlayHint/refresh", "workspace/semanticTokens/refresh", "workspace/diagnostic/refresh"}

WARM = """
import gc, sys
from tracetrap.linter.lsp.warm_up import warm_up
warm_up()
before = set(sys.modules)
from tracetrap.linter.check_file import raw_findings
from tracetrap.linter.settings.config import Settings
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
source = SourceFile(sys.argv[1], "model.py")
print([one.code for one in raw_findings(source, Settings(cache=False), Project())])
print(sorted(name for name in set(sys.modules) - before if name.startswith("libcst")))
print(gc.get_freeze_count() > 10_000, len(gc.get_objects()) < 10_000)
"""


def asked(server: RawServer) -> set[str]:
    """What the server asks for until it has asked for everything."""
    found: set[str] = set()
    while not found >= ASKED:
        message = server.wait(lambda message: message.get("method") in ASKED)
        server.respond(message["id"], None)
        found.add(message["method"])
    return found


def test_new_settings_refresh_everything(folder: Path) -> None:
    with RawServer(folder, CAPABILITIES) as server:
        uri = server.open("model.py", PITFALL)
        server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})

        server.notify("workspace/didChangeConfiguration", {"settings": {"lint": {"ignore": ["TRC101"]}}})

        assert asked(server) == ASKED
        report = server.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert report["result"]["items"] == []


def test_a_file_that_is_saved_refreshes_what_imports_it(folder: Path) -> None:
    (folder / "inner.py").write_text("def half(x):\n    return x\n")
    outer = "import jax\nfrom inner import half\n\n\n@jax.jit\ndef f(x):\n    y = half(x)\n    return y\n"
    with RawServer(folder, CAPABILITIES) as server:
        opened = server.open("inner.py", (folder / "inner.py").read_text())
        document = {"textDocument": {"uri": server.open("outer.py", outer)}}
        assert server.ask("textDocument/diagnostic", document)["result"]["items"] == []

        server.notify("textDocument/didSave", {"textDocument": {"uri": opened}})

        assert asked(server) == ASKED


def test_what_the_analysis_needs_is_loaded_beforehand() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WARM, PITFALL], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines() == ["['TRC101']", "[]", "True True"]
