"""How many of the predicted errors of a folder of cases does verification confirm?

The findings are those of the analysis, or (with `--predicted`) made from `index.json` (error class and line),
which measures verification alone.

    python benchmarks/cases_verify.py ../shared/cases --runtime jax
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from tracetrap.linter.findings import Finding, Location, Span
from tracetrap.linter.run import Sources, check_paths, reported
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.verify import Workers, verify


def predicted(folder: Path, case: dict[str, object]) -> Finding:
    """The finding that a perfect analysis would make: the whole line, without an entry point."""
    path = folder / str(case["file"])
    row = int(str(case["line"]))
    line = path.read_text(encoding="utf-8").splitlines()[row - 1]
    span = Span(Location(row, len(line) - len(line.lstrip()) + 1), Location(row, len(line.rstrip()) + 1))
    return Finding("TRC000", str(case["kind"]), "", str(path), span, error=str(case["raises"]))


def analysed(path: str) -> list[Finding]:
    """What the analysis says of the file itself, findings of silent pitfalls left out."""
    finder = SettingsFinder(options={"cache": False})
    found = reported(check_paths([Path(path)], finder, 1), finder, Sources())
    return [finding for finding in found if finding.error is not None]


def main() -> None:
    """Print what was not confirmed, and the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runtime", choices=("bundled", "jax"), default="bundled")
    parser.add_argument("--predicted", action="store_true", help="findings from index.json")
    arguments = parser.parse_args()
    cases = json.loads((arguments.folder / "index.json").read_text(encoding="utf-8"))
    statuses: Counter[str] = Counter()
    troubled = clean = 0
    began = time.perf_counter()
    with Workers(arguments.runtime) as workers:
        for case in cases:
            path = str(arguments.folder / case["file"])
            if arguments.predicted:
                findings = [predicted(arguments.folder, case)] if case["raises"] else []
            else:
                findings = analysed(path)
            for finding in verify(findings, [path], workers=workers):
                verdict = finding.verdict
                assert verdict is not None
                if finding.code == "TRC901":
                    troubled += case["clean"]
                    print(f"{case['file']}: unforeseen: {finding.message}")
                    continue
                statuses[verdict.status] += 1
                if verdict.status != "confirmed":
                    row = finding.span.start.row
                    print(f"{case['file']}:{row}: {finding.code} {verdict.status}: {verdict.reason}")
            clean += case["clean"]
    total = sum(statuses.values())
    share = f"{statuses['confirmed']}/{total} confirmed ({statuses['confirmed'] / total:.0%})"
    print(
        f"{arguments.runtime}: {share}, {statuses['refuted']} refuted; {clean - troubled}/{clean} clean cases"
    )
    print(f"{time.perf_counter() - began:.1f} s for {len(cases)} files")


if __name__ == "__main__":
    main()
