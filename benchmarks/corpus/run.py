"""Checks a corpus of released packages, and compares every definite finding with its judgement in `findings.tsv`.

    python benchmarks/corpus/run.py FOLDER            every package unpacked below FOLDER as NAME-VERSION
    python benchmarks/corpus/run.py FOLDER optax flax  only these

Prints a line a package, as in `README.md`; then the findings that nobody has judged yet, as lines for the table, and those
judged ones that are gone.  Ends with 1 if a package crashes, takes too long, or has findings that are not judged.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

TABLE = Path(__file__).parent / "findings.tsv"
HEAD = "| package | files | lines | definite | true | false | not judged | in part | not analysed | CPU s | peak MB |"


class Place(NamedTuple):
    """What a judgement is of."""

    package: str
    version: str
    where: str
    code: str


@dataclass
class Outcome:
    """What checking one package gave."""

    package: str
    version: str
    files: int
    lines: int
    seconds: float = 0.0
    megabytes: int = 0
    trouble: str = ""
    definite: dict[Place, str] = field(default_factory=dict)
    in_part: int = 0
    not_analysed: int = 0


def judgements() -> dict[Place, str]:
    """The verdict, `true` or `false`, on each finding of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            Place(row["package"], row["version"], row["place"], row["code"]): row["verdict"] for row in rows
        }


def check(folder: Path, limit: float) -> Outcome:
    """Checks one package as a whole program, with one process and without cache."""
    package, _, version = folder.name.rpartition("-")
    sources = list(folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in sources)
    outcome = Outcome(package, version, len(sources), lines)
    command = [sys.executable, "-m", "tracetrap.linter", "check", folder.name, "--no-cache", "--jobs", "1"]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [*command, "--strict", "--output-format", "json"], cwd=folder.parent, stdout=output, stderr=errors
        )
        status = _wait(child.pid, outcome, limit)
        child.returncode = status
        output.seek(0)
        errors.seek(0)
        if outcome.trouble or status not in (0, 1):
            said = errors.read().decode(errors="replace").splitlines()
            outcome.trouble = outcome.trouble or (said[-1] if said else f"exit status {status}")
            return outcome
        _note(outcome, json.load(output))
    return outcome


def _wait(process: int, outcome: Outcome, limit: float) -> int:
    """Waits for a child process, for so many seconds of CPU time; notes what it took."""
    end = time.monotonic() + 10 * limit  # other programs may run besides
    while True:
        done, status, usage = os.wait4(process, os.WNOHANG)
        if done:
            outcome.seconds = usage.ru_utime + usage.ru_stime
            outcome.megabytes = usage.ru_maxrss // 1024
            if outcome.seconds > limit:
                outcome.trouble = f"more than {limit:g} seconds"
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            os.kill(process, signal.SIGKILL)
            outcome.trouble = f"more than {limit:g} seconds"
            end = float("inf")
        time.sleep(0.05)


def _note(outcome: Outcome, findings: list[dict[str, Any]]) -> None:
    for finding in findings:
        if finding["code"] == "TRC900":
            outcome.in_part += "in part" in finding["message"]
            outcome.not_analysed += "not analysed" in finding["message"]
            outcome.trouble = finding["message"] if "please report" in finding["message"] else outcome.trouble
        elif finding["confidence"] == "definite":
            inside = finding["filename"].split("/", 1)[1]
            place = f"{inside}:{finding['location']['row']}"
            key = Place(outcome.package, outcome.version, place, finding["code"])
            outcome.definite[key] = finding["message"]


def row(outcome: Outcome, known: dict[Place, str]) -> str:
    """The line of a package in the table of the README."""
    verdicts = Counter(known.get(place, "not judged") for place in outcome.definite)
    cells = [
        f"{outcome.package} {outcome.version}",
        *(
            f"{number:,}"
            for number in (
                outcome.files,
                outcome.lines,
                len(outcome.definite),
                verdicts["true"],
                verdicts["false"],
                verdicts["not judged"],
                outcome.in_part,
                outcome.not_analysed,
            )
        ),
        f"{outcome.seconds:.1f}",
        str(outcome.megabytes),
    ]
    return f"| {' | '.join(cells)} |" + (f" {outcome.trouble}" if outcome.trouble else "")


def report(outcomes: list[Outcome], known: dict[Place, str]) -> bool:
    """Prints the sums, what is not judged and what is gone; whether all is well."""
    found = {place: message for outcome in outcomes for place, message in outcome.definite.items()}
    checked = {(outcome.package, outcome.version) for outcome in outcomes if not outcome.trouble}
    lines = sum(outcome.lines for outcome in outcomes)
    wrong = sum(known.get(place) == "false" for place in found)
    print(f"\n{lines:,} lines, {len(found)} definite findings, {wrong} of them judged false:", end=" ")
    print(f"{wrong * 100_000 / max(lines, 1):.2f} in 100,000 lines")
    unjudged = {place: message for place, message in found.items() if place not in known}
    for place, message in sorted(unjudged.items()):
        print("not judged:", *place, "?", message, sep="\t")
    for place in sorted(known):
        if place not in found and place[:2] in checked:
            print("gone:", *place, known[place], sep="\t")
    return not unjudged and not any(outcome.trouble for outcome in outcomes)


def main() -> int:
    """Checks the packages one after another; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="*", help="names without version (default: all)")
    parser.add_argument("--limit", type=float, default=400.0, help="CPU seconds that a package may take")
    options = parser.parse_args()
    known = judgements()
    outcomes = []
    print(HEAD, "|---" + "|--:" * 10 + "|", sep="\n", flush=True)
    for folder in sorted(options.folder.iterdir()):
        if folder.is_dir() and (not options.packages or folder.name.rpartition("-")[0] in options.packages):
            outcomes.append(check(folder, options.limit))
            print(row(outcomes[-1], known), flush=True)
    return 0 if report(outcomes, known) else 1


if __name__ == "__main__":
    sys.exit(main())
