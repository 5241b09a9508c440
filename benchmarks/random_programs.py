"""How often is the linter right about random programs, as JAX runs them?

    python benchmarks/random_programs.py --count 2000

Prints the counts, and each program that it is wrong about by its seed (`--show SEED` prints one).  Exit 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "linter"))

from random_programs import program
from random_verdicts import Verdict, judge


def kind(verdict: Verdict) -> str:
    """What became of a program."""
    if verdict.raised is None:
        return (
            "runs, and nothing definite is said" if verdict.right else "WRONG: runs, but a definite finding"
        )
    if verdict.raised in verdict.definite:
        return "raises, found as definite"
    return "raises, found as possible" if verdict.right else "WRONG: raises, not found there"


def main() -> int:
    """Run the sweep and print its counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=2000, help="number of programs")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--show", type=int, help="print the program of this seed and its verdict")
    options = parser.parse_args()
    if options.show is not None:
        print(program(options.show))
        print(judge(program(options.show)))
        return 0
    counts: Counter[str] = Counter()
    for seed in range(options.start, options.start + options.count):
        verdict = judge(program(seed))
        counts[kind(verdict)] += 1
        if not verdict.right:
            print(f"seed {seed}: {verdict}")
    for text, count in sorted(counts.items()):
        print(f"{count:6d}  {text}")
    return int(any(text.startswith("WRONG") for text in counts))


if __name__ == "__main__":
    raise SystemExit(main())
