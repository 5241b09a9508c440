"""What the tests of the linter share: a folder to work in, a cache of its own, and the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pitfall_file import PITFALL
from tracetrap.linter.cli import main


@dataclass(frozen=True)
class Answer:
    """What a run of the command line gave."""

    code: int
    output: str
    errors: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one, with a cache of its own beside it."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", str(tmp_path / "cache"))
    return work


@pytest.fixture
def pitfall(folder: Path) -> Path:
    """A file with one pitfall: TRC101 on line 6, column 8."""
    path = folder / "model.py"
    path.write_text(PITFALL, encoding="utf-8")
    return path


@pytest.fixture
def tracetrap(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """The command line, run in this process."""

    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 2
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
