"""Every raising fixture with a fix: mended, it runs under JAX and prints the numbers that plain Python prints."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.edits.apply import applicable, fix_text
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.settings.config import Settings

sys.path.insert(0, str(Path(__file__).parent.parent))

from fixture_files import Fixture, all_fixtures
from fixture_runner import run, same_numbers

RAISING = [fixture for fixture in all_fixtures() if fixture.raised]


@cache
def findings(path: Path) -> tuple[Finding, ...]:
    return tuple(analyze(SourceFile.read(path), Settings()))


def name(fixture: Fixture) -> str:
    return fixture.name


@pytest.mark.parametrize("fixture", RAISING, ids=name)
def test_a_mended_fixture_computes_what_plain_python_computes(fixture: Fixture, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    if not any(finding.error and applicable(finding, unsafe=True) for finding in findings(fixture.path)):
        return  # nothing is offered; how much must be is the next test
    source = SourceFile.read(fixture.path)
    fixed = fix_text(source, findings(fixture.path), lambda text: analyze(text, Settings()), unsafe=True)
    after = tmp_path / fixture.path.name
    after.write_text(fixed.text, encoding="utf-8")

    mended, plain = run(after), run(fixture.path, jit=False)

    assert mended.error is None, mended.message
    if plain.error is None:  # else the mistake is not one of tracing
        assert same_numbers(plain.output, mended.output), (plain.output, mended.output)


def test_most_raising_fixtures_have_a_fix() -> None:
    offered = [f for f in RAISING if any(applicable(finding, unsafe=True) for finding in findings(f.path))]

    assert len(offered) > len(RAISING) / 2
