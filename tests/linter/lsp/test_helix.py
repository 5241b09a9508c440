"""The set-up for Helix: what it makes Helix start is a server that finds what there is to find."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from editor_setups import setup_of
from pitfall_file import PITFALL
from raw_server import RawServer

tomllib = pytest.importorskip("tomllib")  # Python 3.11


def test_what_helix_starts_is_a_server(folder: Path) -> None:
    setup = tomllib.loads(setup_of("Helix", "toml"))
    (python,) = setup["language"]
    server = setup["language-server"]["tracetrap"]
    assert python["name"] == "python" and "tracetrap" in python["language-servers"]

    command = [str(Path(sys.executable).parent / server["command"]), *server["args"]]
    with RawServer(folder, command=command) as started:
        assert started.codes(started.open("model.py", PITFALL), 1) == ["TRC101"]
