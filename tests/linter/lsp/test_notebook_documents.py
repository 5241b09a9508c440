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


MAGIC = "%matplotlib inline"


def span(line: int, column: int) -> dict[str, Any]:
    place = {"line": line, "character": column}
    return {"start": place, "end": place}


def actions(server: RawServer, cell: int, line: int, column: int) -> list[dict[str, Any]]:
    asked = {
        "textDocument": {"uri": f"cell:{cell}"},
        "range": span(line, column),
        "context": {"diagnostics": []},
    }
    return list(server.ask("textDocument/codeAction", asked)["result"] or [])


def applied(texts: dict[str, str], changes: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """The cells after an edit of the workspace."""
    after = dict(texts)
    for uri, edits in changes.items():
        for edit in sorted(edits, key=lambda edit: str(edit["range"]["start"]), reverse=True):
            lines = after[uri].splitlines(keepends=True)

            def offset(place: dict[str, int], lines: list[str] = lines) -> int:
                return len("".join(lines[: place["line"]])) + place["character"]

            start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
            after[uri] = after[uri][:start] + edit["newText"] + after[uri][end:]
    return after


def test_quick_fixes_are_edits_of_cells(folder: Path) -> None:
    with RawServer(folder, {"notebookDocument": {"synchronization": {}}}) as server:
        texts = {"cell:0": f"{MAGIC}\nimport jax", "cell:1": f"# é\n{REST.rstrip()}"}
        notebook = Notebook(server, *texts.values())
        row = notebook.found(1)[0]["range"]["start"]["line"]

        offered = actions(server, 1, row, 7)

        titles = [action["title"] for action in offered]
        assert titles[-1] == "Tracetrap (TRC101): disable for this line"
        assert not any("verify" in title for title in titles)
        disabled = applied(texts, offered[-1]["edit"]["changes"])
        assert disabled["cell:0"] == texts["cell:0"]
        assert disabled["cell:1"].splitlines()[row].endswith(":  # noqa: TRC101")

        mended = applied(texts, offered[0]["edit"]["changes"])
        assert "import jax.numpy as jnp" in mended["cell:0"] and MAGIC in mended["cell:0"]
        assert "jnp.where(" in mended["cell:1"] and not mended["cell:1"].endswith("\n")
        assert actions(server, 0, 0, 0) == []


def test_hover_and_hints_know_their_cell(folder: Path) -> None:
    with RawServer(folder, {"notebookDocument": {"synchronization": {}}}) as server:
        notebook = Notebook(server, f"{MAGIC}\n{IMPORTS}", REST)
        row = notebook.found(1)[0]["range"]["start"]["line"]
        document = {"textDocument": {"uri": "cell:1"}}

        told = server.ask("textDocument/hover", document | {"position": span(row, 7)["start"]})["result"]

        assert told["range"] == {"start": {"line": row, "character": 7}, "end": {"line": row, "character": 8}}
        assert "**traced**" in told["contents"]["value"]
        assert "[line 2 of cell 3](cell:1)" in told["contents"]["value"]
        assert "# TRC101: traced-if" in told["contents"]["value"]

        window = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
        hints = server.ask("textDocument/inlayHint", document | window)["result"]
        assert {hint["position"]["line"] for hint in hints} == {row - 1}
        elsewhere = {"textDocument": {"uri": "cell:0"}}
        assert server.ask("textDocument/inlayHint", elsewhere | window)["result"] in ([], None)
        tokens = server.ask("textDocument/semanticTokens/full", document)["result"]["data"]
        assert tokens[0] == row - 1
        assert server.ask("textDocument/semanticTokens/full", elsewhere)["result"]["data"] == []
