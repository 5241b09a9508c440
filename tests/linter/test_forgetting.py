"""What a project lets go of, when it has kept too much, is gone."""

from __future__ import annotations

import weakref
from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files import project as project_module
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

FILE = """\
import jax

from shared import halved

@jax.jit
def step{n}(x, count):
    def inner(y):
        return y + x if y > {n} else halved(y)
    return jax.lax.map(inner, x) if count else x

def steps{n}():
    yield jax.jit(lambda x: x if x > 0 else -x)(1.0)
"""


def test_files_that_are_not_kept_are_freed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_module, "MAX_KEPT", 1)
    (tmp_path / "shared.py").write_text("def halved(y):\n    return y / 2 if y > 1 else y\n")
    project = Project()
    alive = []
    for n in range(4):
        path = tmp_path / f"file{n}.py"
        path.write_text(FILE.format(n=n))
        source = project.add(SourceFile.read(path))
        found = analyze(source, Settings(), project)
        assert "TRC103" in {finding.code for finding in found}
        alive.append(weakref.ref(source))
        del source, found

    assert [source() is None for source in alive] == [True, True, True, False]
