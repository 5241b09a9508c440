"""A run that takes long shows on a terminal how far it is, and leaves nothing of that behind; elsewhere it is quiet."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from pitfall_file import PITFALL

RUN = """
import sys
from tracetrap.linter.report import progress
progress._PATIENCE = 0.0
from tracetrap.linter.cli import main
sys.exit(main(sys.argv[1:]))
"""


def on_a_terminal(arguments: list[str]) -> tuple[str, str]:
    """What a run that shows its progress at once writes to standard output, and to a terminal on stderr."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with Path("written").open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, *arguments], stdout=file, stderr=theirs, env=environment
        )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    process.wait()
    return Path("written").read_text(encoding="utf-8"), shown.decode()


@pytest.fixture
def several(folder: Path) -> Path:
    for number in range(30):
        (folder / f"file{number:02}.py").write_text(PITFALL.replace("double", f"double{number}"))
    return folder


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_check_tells_how_far_it_is(several: Path, jobs: str) -> None:
    written, shown = on_a_terminal(["check", "--no-cache", "--jobs", jobs, "--output-format", "concise"])

    assert written.count("TRC101") == 30
    assert "checking" not in written
    assert "checking file" in shown
    assert "/30" in shown


def test_a_page_tells_how_far_it_is(several: Path) -> None:
    written, shown = on_a_terminal(["view", ".", "-o", "-"])

    assert written.startswith("<!doctype html>")
    assert "checking file" in shown


def test_where_nobody_looks_it_is_quiet(several: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, "check", "--no-cache"], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
