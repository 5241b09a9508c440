"""`tracetrap server`: the language server, on standard input and output."""

from __future__ import annotations

import argparse
import os

from ..streams import warn

EXAMPLES = """\
Editors start this by themselves; editors/README.md shows how to set them up.
It needs the extra 'lsp': pip install 'tracetrap[lsp]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None but what editors pass by habit."""
    parser.add_argument("--stdio", action="store_true", help="the only way to speak, and the default")


def run(options: argparse.Namespace) -> int:
    """Serve until the client is done; returns the exit code."""
    try:
        from ..lsp.server import Server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in (
            "pygls",
            "lsprotocol",
            "cattrs",
            "attrs",
        ):
            raise
        warn(f"the language server needs {error.name}: pip install 'tracetrap[lsp]'")
        return 2
    spoken = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not get between the messages
    Server().start_io(stdout=spoken)
    return 0
