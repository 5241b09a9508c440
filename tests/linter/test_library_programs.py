"""Programs that use flax, haiku, equinox, numpyro, diffrax and others, or JAX alone: what raises is found, nothing else.

The programs stand in `library_programs/`, each below its name; `# expect: CODE Error` marks the line that raises (or, without
an error, a silent pitfall), as in the fixtures.  In those of `accepted_strictly.txt` nothing is even possible.  Where the
libraries are installed, a slow test runs them.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import traceback
from dataclasses import dataclass
from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

FOLDER = Path(__file__).parent / "library_programs"
_EXPECT = re.compile(r"\s*# expect: (?P<code>TRC\d+)(?: (?P<error>\w+))?$", re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A program with the places that are to be reported: row, code, exception."""

    name: str
    text: str
    expected: tuple[tuple[int, str, str | None], ...]
    strict: bool = False


def programs() -> list[Program]:
    """All programs of the folder."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for block in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, _, text = block.partition("\n")
            expected = tuple(
                (row, match["code"], match["error"])
                for row, line in enumerate(text.splitlines(), start=1)
                if (match := _EXPECT.search(line))
            )
            found.append(Program(name, _EXPECT.sub("", text), expected, path.stem.endswith("strictly")))
    return found


PROGRAMS = programs()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_raises_is_found(program: Program) -> None:
    found = analyze(SourceFile(program.text, f"{program.name}.py"), Settings())
    told = [
        (f.span.start.row, f.code, f.error) for f in found if program.strict or f.confidence == "definite"
    ]
    assert sorted(told) == sorted(program.expected)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_libraries_raise_there(program: Program) -> None:
    for library in _IMPORT.findall(program.text):
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    raising = [
        (row, "RuntimeError" if code == "TRC405" else error) for row, code, error in program.expected if error
    ]
    outcome: list[tuple[int, str]] = []
    code = compile(program.text, program.name, "exec", dont_inherit=True)
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(code, {"__name__": "__main__"})
        except Exception as error:  # whatever a library raises
            rows = [
                frame.lineno or 0
                for frame in traceback.extract_tb(error.__traceback__)
                if frame.filename == program.name
            ]
            kind = type(error).__name__
            # ValueError where the operation was compiled before
            deleted = "deleted or donated" in str(error) or "donate the same buffer twice" in str(error)
            outcome = [(rows[-1], "RuntimeError" if deleted else kind)]
        finally:
            if "x64" in program.text:
                importlib.import_module("jax").config.update("jax_enable_x64", False)
    assert outcome == raising
