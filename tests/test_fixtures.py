"""Every file of fixtures/ against four judges: the linter, JAX, the bundled runtime, and plain Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fixture_files import Expectation, Fixture, all_fixtures
from fixture_runner import Outcome, run, same_numbers
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.rules import all_rules
from tracetrap.linter.settings.config import Settings

FILES = all_fixtures()
# Whole programs are run, under both, by tests/runtime/test_programs.py and test_libraries.py
RUN = [fixture for fixture in FILES if fixture.path.parent.name not in ("programs", "libraries")]
MENDED = [fixture for fixture in FILES if fixture.fixed]
SILENT_OR_RAISING = [code for code in all_rules() if code < "TRC800"]


def name(fixture: Fixture) -> str:
    return fixture.name


@cache
def findings(path: Path) -> tuple[Finding, ...]:
    return tuple(analyze(SourceFile.read(path), Settings()))


@cache
def under_jax(path: Path, jit: bool = True) -> Outcome:
    return run(path, jit)


class Bundled:
    """The child process that runs programs on the bundled runtime."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("fixture_runner.py")
        self._child = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, path: Path) -> Outcome:
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.write(json.dumps({"path": str(path)}) + "\n")
        self._child.stdin.flush()
        answer: dict[str, Any] = json.loads(self._child.stdout.readline())
        return Outcome(**answer)

    def close(self) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.wait(timeout=30)


@pytest.fixture(scope="module")
def bundled() -> Iterator[Bundled]:
    child = Bundled()
    yield child
    child.close()


# --- the linter ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixture", FILES, ids=name)
def test_the_linter_reports_what_the_file_expects(fixture: Fixture) -> None:
    reported = {
        Expectation(f.span.start.row, f.code, f.error, f.confidence == "possible")
        for f in findings(fixture.path)
    }
    wanted = set(fixture.expectations)
    assert {e for e in reported if not e.possible or e in wanted} == wanted


@pytest.mark.parametrize("fixture", [f for f in FILES if f.expectations], ids=name)
def test_messages_are_one_line_with_cause_and_advice(fixture: Fixture) -> None:
    for finding in findings(fixture.path):
        assert "\n" not in finding.message
        what, _, rest = finding.message.partition(": ")
        cause, _, advice = rest.partition("; ")
        assert what and cause and advice, finding.message


@pytest.mark.parametrize("code", SILENT_OR_RAISING)
def test_every_rule_has_cases_and_traps(code: str) -> None:
    of_rule = [f for f in FILES if f.path.parent.name == code]
    cases = [f for f in of_rule if any(e.code == code for e in f.expectations)]
    assert len(cases) >= 2, f"fixtures/{code} needs a plain case and one through a helper or a container"
    assert any(not f.expectations for f in of_rule), f"fixtures/{code} needs a clean look-alike"


# --- JAX, and plain Python -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixture", RUN, ids=name)
def test_jax_raises_where_the_file_says(fixture: Fixture) -> None:
    pytest.importorskip("jax")
    outcome = under_jax(fixture.path)
    assert (outcome.error and (outcome.error, outcome.row)) == fixture.raised, outcome.message


@pytest.mark.parametrize("fixture", MENDED, ids=name)
def test_the_mended_file_computes_what_plain_python_computes(fixture: Fixture) -> None:
    pytest.importorskip("jax")
    assert fixture.fixed is not None
    plain, mended = under_jax(fixture.path, jit=False), under_jax(fixture.fixed)
    assert mended.error is None, mended.message
    if plain.error is None:  # else the mistake is not one of tracing
        assert same_numbers(plain.output, mended.output), (plain.output, mended.output)


# --- the bundled runtime ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixture", RUN, ids=name)
def test_the_bundled_runtime_raises_where_the_file_says(fixture: Fixture, bundled: Bundled) -> None:
    outcome = bundled.run(fixture.path)
    assert (outcome.error and (outcome.error, outcome.row)) == fixture.raised, outcome.message


@pytest.mark.parametrize("fixture", MENDED, ids=name)
def test_the_bundled_runtime_computes_what_jax_computes(fixture: Fixture, bundled: Bundled) -> None:
    pytest.importorskip("jax")
    assert fixture.fixed is not None
    ours, theirs = bundled.run(fixture.fixed), under_jax(fixture.fixed)
    assert ours.error is None, ours.message
    assert same_numbers(ours.output, theirs.output), (ours.output, theirs.output)
