"""How often does the linter agree with measurements of what raises under tracing?

    python benchmarks/oracle.py ../shared/semantics/oracle.tsv --share 0.1

Turns each row into a program, as `tests/linter/test_oracle.py` does with its sample, and prints agreement and coverage by
context.  Exit 1 if a row that runs is called definite, or if agreement or coverage are below what the test promises.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "linter"))

from oracle_programs import Row, program
from test_oracle import LEAST_AGREEMENT, LEAST_COVERAGE, definite, measured

RIGHT, MISSED, FALSE, UNCOVERED = "right", "missed", "false", "uncovered"


def judge(row: Row) -> str:
    """What the linter says of a row, against what was measured."""
    text = program(row)
    if text is None:
        return UNCOVERED
    said, raises = definite(text), row.outcome != "ok"
    return RIGHT if said == raises else FALSE if said else MISSED


def main() -> int:
    """Judges a random share of the rows and prints the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path, help="the measurements: an oracle.tsv")
    parser.add_argument(
        "--share", type=float, default=1.0, help="the share of the rows to judge, chosen at random"
    )
    parser.add_argument("--seed", type=int, default=7, help="of the choice")
    parser.add_argument("--missed", action="store_true", help="print what raises and is not found")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in measured(options.table, random.Random(options.seed), options.share):
        verdict = judge(row)
        counts[row.context][verdict] += 1
        if verdict == FALSE or (verdict == MISSED and options.missed):
            print(f"{verdict}: {row.context}: {row.snippet!r} ({row.outcome})")
    total = sum(counts.values(), Counter())
    for context, count in [*sorted(counts.items()), ("all", total)]:
        known = count[RIGHT] + count[MISSED] + count[FALSE]
        print(f"{context:20} {known:6} rows, {count[RIGHT] / max(known, 1):7.2%} agree, {count[FALSE]} false")
    known = total[RIGHT] + total[MISSED] + total[FALSE]
    coverage = known / max(known + total[UNCOVERED], 1)
    print(f"coverage {coverage:.2%}")
    return int(bool(total[FALSE]) or total[RIGHT] < LEAST_AGREEMENT * known or coverage < LEAST_COVERAGE)


if __name__ == "__main__":
    raise SystemExit(main())
