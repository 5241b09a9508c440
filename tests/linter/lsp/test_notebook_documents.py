"""Notebooks in the editor: each cell has the findings of the whole program that stand in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pitfall_file import PITFALL
from raw_server import RawServer

IMPORTS, _, REST = PITFALL.partition("\n\n\n")


class Notebook:
    """A notebook as an editor tells of it."""

    def __init__(self, server: RawServer, *texts: str) -> None:
        self.server = server
        self.uri = (server.folder / "model.ipynb").as_uri()
        self.version = 1
        items = [self.item(number, text) for number, text in enumerate(texts)]
        notebook = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1}
        notebook["cells"] = [
            {"kind": 1, "document": "cell:markdown"},
            *({"kind": 2, "document": i["uri"]} for i in items),
        ]
        server.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": items})

    @staticmethod
    def item(number: int, text: str) -> dict[str, Any]:
        return {"uri": f"cell:{number}", "languageId": "python", "version": 1, "text": text}

    def change(self, cells: dict[str, Any]) -> None:
        self.version += 1
        told = {"uri": self.uri, "version": self.version}
        self.server.notify(
            "notebookDocument/didChange", {"notebookDocument": told, "change": {"cells": cells}}
        )

    def type(self, number: int, version: int, line: int, text: str) -> None:
        place = {"line": line, "character": 0}
        edit = {"range": {"start": place, "end": place}, "text": text}
        self.change(
            {"textContent": [{"document": {"uri": f"cell:{number}", "version": version}, "changes": [edit]}]}
        )

    def found(self, number: int) -> list[dict[str, Any]]:
        """What is published next for a cell."""
        message = self.server.wait(
            lambda m: (
                m.get("method") == "textDocument/publishDiagnostics"
                and m["params"]["uri"] == f"cell:{number}"
            )
        )
        return list(message["params"]["diagnostics"])


def test_a_cell_has_its_findings_and_they_follow_edits(folder: Path) -> None:
    with RawServer(folder, {"notebookDocument": {"synchronization": {}}}) as server:
        notebook = Notebook(server, f"%matplotlib inline\n{IMPORTS}", f"# é\n{REST}", "x = 1")
        assert notebook.found(0) == []
        (found,) = notebook.found(1)
        assert (found["code"], found["range"]["start"]) == ("TRC101", {"line": 3, "character": 7})
        assert "traced by jit (line 2 of cell 3)" in found["message"]
        assert {step["location"]["uri"] for step in found["relatedInformation"]} == {"cell:1"}
        assert found["relatedInformation"][0]["location"]["range"]["start"]["line"] == 2
        assert notebook.found(2) == []

        notebook.type(1, 2, 0, "\n\n")
        assert notebook.found(1)[0]["range"]["start"]["line"] == 5

        removed = {"array": {"start": 1, "deleteCount": 1, "cells": []}, "didClose": [{"uri": "cell:0"}]}
        notebook.change({"structure": removed})
        assert notebook.found(0) == []
        assert [one["code"] for one in notebook.found(1)] == []  # jax is not imported any more

        server.notify(
            "notebookDocument/didClose",
            {
                "notebookDocument": {"uri": notebook.uri},
                "cellTextDocuments": [{"uri": "cell:1"}, {"uri": "cell:2"}],
            },
        )
        assert server.codes(server.open("alive.py", PITFALL), 1) == ["TRC101"]


def test_a_client_may_ask_for_the_findings_of_a_cell(folder: Path) -> None:
    with RawServer(
        folder, {"notebookDocument": {"synchronization": {}}, "textDocument": {"diagnostic": {}}}
    ) as server:
        Notebook(server, IMPORTS, REST)

        answers = [
            server.ask("textDocument/diagnostic", {"textDocument": {"uri": f"cell:{number}"}})["result"][
                "items"
            ]
            for number in range(2)
        ]

        assert [[one["code"] for one in items] for items in answers] == [[], ["TRC101"]]
