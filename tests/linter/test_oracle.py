"""The linter against measurements: operations in every context that JAX has, each known to raise or to run.

`fixtures/oracle/measured.tsv` is a sample of the measurements; where the whole of them lies beside the checkout, the
slow test takes a larger sample of that, and `benchmarks/oracle.py` any share, or all.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from oracle_programs import Row, program, read_rows
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "fixtures" / "oracle" / "measured.tsv"
WHOLE = ROOT.parent / "shared" / "semantics" / "oracle.tsv"
LEAST_AGREEMENT = 0.975
LEAST_COVERAGE = 0.95


def sample() -> list[Row]:
    """The rows of the sample: context, arguments, snippet (a `⏎` for each new line), the exception or nothing."""
    rows = []
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            context, arguments, snippet, raises = line.split("\t")
            rows.append(Row("", context, snippet.replace("⏎", "\n"), arguments, raises or "ok", "", ""))
    return rows


def measured(table: Path, chosen: random.Random, share: float) -> list[Row]:
    """A random share of the measurements, without what is wrong as plain Python, where nothing is traced."""
    rows = list(read_rows(table))
    plain = {row.operation for row in rows if row.context == "eager" and row.outcome != "ok"}
    return [
        row
        for row in rows
        if row.context != "eager" and row.operation not in plain and chosen.random() < share
    ]


def definite(text: str) -> bool:
    """Whether the linter is sure that a program raises."""
    findings = analyze(SourceFile(text, "measured.py"), Settings())
    return any(finding.confidence == "definite" and finding.error for finding in findings)


def compare(rows: Iterable[Row]) -> tuple[float, float, list[str]]:
    """The shares of rows covered and of those agreed on, and the rows that run and are called definite all the same."""
    total, covered, agreed, false_alarms = 0, 0, 0, []
    for row in rows:
        total += 1
        text = program(row)
        if text is None:
            continue
        covered += 1
        raises = row.outcome != "ok"
        said = definite(text)
        agreed += said == raises
        if said and not raises:
            false_alarms.append(f"{row.context}: {row.snippet}")
    return covered / total, agreed / covered, false_alarms


def check(rows: list[Row]) -> None:
    """No false alarm, and agreement and coverage as high as promised."""
    coverage, agreement, false_alarms = compare(rows)
    assert not false_alarms
    assert coverage >= LEAST_COVERAGE
    assert agreement >= LEAST_AGREEMENT


def test_agrees_with_the_sample() -> None:
    """What was measured to raise is definite, what was measured to run is not."""
    rows = sample()
    assert len(rows) > 300
    check(rows)


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE.exists(), reason="the whole of the measurements is not kept in the repository")
def test_agrees_with_the_whole() -> None:
    """The same of a tenth of all measurements."""
    check(measured(WHOLE, random.Random(7), 0.1))
