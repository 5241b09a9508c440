"""A sample of the oracle, every 110th of its measured rows: the runtime does what JAX did, or there is a reason.

`benchmarks/runtime_oracle.py` runs all rows; `benchmarks/runtime_oracle.md` lists the differences.
"""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parents[1] / "fixtures" / "oracle" / "runtime.tsv"
sys.path[:0] = [str(HERE), str(HERE.parent / "linter")]

from oracle_programs import read_rows
from oracle_reasons import OTHER, reason_of

ROWS = list(read_rows(SAMPLE))


@lru_cache(maxsize=1)
def outcomes() -> dict[int, str]:
    command = [sys.executable, str(HERE / "oracle_rows.py"), "tracetrap", str(SAMPLE), "0", str(len(ROWS))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return {int(number): text for number, text in map(str.split, done.stdout.splitlines())}


def test_nearly_all_rows_agree() -> None:
    agreeing = sum(outcomes()[number] == row.outcome for number, row in enumerate(ROWS))

    assert agreeing >= 0.98 * len(ROWS)


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row.identity for row in ROWS])
def test_a_difference_has_a_reason(number: int) -> None:
    pytest.importorskip("scipy")
    row = ROWS[number]

    if reason_of(row) == OTHER:
        assert outcomes()[number] == row.outcome
    else:
        assert outcomes()[number]
