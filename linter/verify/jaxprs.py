"""The jaxpr of each entry point of a file, as a runtime traces it; runs the file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .inputs import hints_for, read_hints
from .place import Module
from .process import Worker, WorkerError

_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Jaxpr:
    """What the function `name`, which begins on line `row`, becomes with the arguments `inputs`.

    `text` is its jaxpr; or, where `traced` is false, the reason why there is none.
    """

    name: str
    row: int
    inputs: str
    text: str
    traced: bool = True


def jaxprs_of(worker: Worker, filename: str, inputs: Mapping[str, str] | None = None) -> list[Jaxpr]:
    """The jaxprs of those functions and methods of a file that are entry points, ordered by line.

    A file that cannot be executed has none.  Raises RuntimeMissing when the worker's runtime cannot be imported.
    """
    text = Path(filename).read_text(encoding="utf-8", errors="replace")
    rows = dict(_definitions(ast.parse(text)))
    hints = read_hints(text, inputs)
    load = {
        **Module.of(filename).to_wire(),
        "op": "load",
        "claims": [],
        "mended": [],
        "choice": True,
        "names": None,
    }
    found: list[Jaxpr] = []
    try:
        worker.fork()
        answer = worker.ask(load, _SECONDS)
        names = {entry["name"] for entry in answer.get("entries", ())} | set(answer.get("traced", ()))
        for name in sorted(names & rows.keys(), key=lambda name: rows[name]):
            found.append(_jaxpr(worker, load, name, rows[name], hints_for(hints, name, rows[name])))
    except WorkerError:
        pass  # what was traced until then is true
    return found


def _jaxpr(worker: Worker, load: dict[str, Any], name: str, row: int, arguments: list[str]) -> Jaxpr:
    request = {"op": "show", "name": name, "arguments": arguments, "emit": "jaxpr", "final": True}
    try:
        answer = worker.ask(request, _SECONDS)
    except WorkerError as error:
        worker.fork()
        worker.ask(load, _SECONDS)
        return Jaxpr(name, row, "", str(error), traced=False)
    if "failed" in answer:
        return Jaxpr(name, row, "", answer["failed"], traced=False)
    return Jaxpr(name, row, answer["inputs"], answer["text"])


def _definitions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """The functions of a module and the methods of its classes, with the line of their `def`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child.lineno
        elif isinstance(child, ast.ClassDef):
            yield from _definitions(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.If, ast.Try, ast.With)):
            yield from _definitions(child, prefix)
