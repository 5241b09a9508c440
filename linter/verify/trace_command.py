"""`tracetrap trace FILE::FUNCTION`: what a function becomes when it is traced."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from ..streams import warn
from .inputs import hints_for, read_hints
from .place import Module
from .process import RuntimeMissing, Worker, WorkerError

_SECONDS = 60.0


def run(arguments: Namespace) -> int:
    """Print the stage `emit` of `target` ("FILE::FUNCTION"), traced with the arguments noted in `args`.

    Exit status 0; 1 if the function does not trace; 2 if the target or the runtime is not there.
    """
    filename, separator, function = arguments.target.rpartition("::")
    if not separator or not function:
        return _fail("the target is written FILE::FUNCTION, as in model.py::loss")
    if not Path(filename).is_file():
        return _fail(f"{filename}: no such file")
    module = Module.of(filename)
    text = Path(filename).read_text(encoding="utf-8", errors="replace")
    given = [arguments.args] if arguments.args is not None else hints_for(read_hints(text), function, -1)
    try:
        with Worker(arguments.runtime) as worker:
            worker.fork()
            answer: dict[str, Any] = {}
            for names in ([function.partition(".")[0]], None):
                load = {
                    **module.to_wire(),
                    "op": "load",
                    "claims": [],
                    "names": names,
                    "mended": [],
                    "choice": True,
                }
                answer = worker.ask(load, _SECONDS)
                if "failed" in answer:
                    break
                request = {"op": "show", "name": function, "arguments": given, "emit": arguments.emit}
                request["final"] = names is None
                answer = worker.ask(request, _SECONDS)
                if not answer.get("missing"):
                    break
                worker.fork()
    except RuntimeMissing as error:
        return _fail(str(error))
    except WorkerError as error:
        return _fail(f"{filename}: {error}", status=1)
    if "failed" in answer and not _mentions(text, function.partition(".")[0]):
        return _fail(f"{filename}: there is no function {function} in this file, and {answer['failed']}")
    if "failed" in answer:
        return _fail(f"{filename}: {answer['failed']}", status=2 if answer["absent"] else 1)
    if arguments.args is None:
        print(f"# traced with {answer['inputs'] or 'no arguments'}", file=sys.stderr)
    print(answer["text"])
    return 0


def _mentions(text: str, name: str) -> bool:
    """Whether a module's text may bind a name: the name stands in it, or all of another module's may be meant."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)|import\s*\(?\s*\*", text) is not None


def _fail(message: str, status: int = 2) -> int:
    warn(message)
    return status
