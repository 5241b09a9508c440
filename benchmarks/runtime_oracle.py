"""How often does the runtime do what JAX does, over every row of the oracle?

    python benchmarks/runtime_oracle.py ORACLE.tsv --write benchmarks/runtime_oracle.md

Each row is a snippet in a context (``jit``, ``grad``, inside of ``scan``, ...) with the outcome measured under JAX 0.10.2:
``ok``, or the class of the error. It is run with the runtime in the place of JAX. Prints the agreement and, with their
reasons, the differences; ``--write`` makes a page of them. ``--library jax`` measures the installed JAX instead.
"""

from __future__ import annotations

import argparse
import os
import re
import selectors
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS / "runtime"), str(TESTS / "linter")]

from oracle_programs import Row, read_rows
from oracle_reasons import OTHER, reason_of

CHUNK = 500
PATIENCE = 120.0  # Seconds for one row.


@dataclass
class Child:
    """A process that runs rows, from `next_row` up to `last`."""

    process: subprocess.Popen[str]
    next_row: int
    last: int
    heard: float


def start(library: str, oracle: Path, first: int, last: int) -> Child:
    command = [
        sys.executable,
        str(TESTS / "runtime" / "oracle_rows.py"),
        library,
        str(oracle),
        str(first),
        str(last),
    ]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONHASHSEED": "0"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    return Child(process, first, last, time.monotonic())


def outcomes(library: str, oracle: Path, count: int, jobs: int) -> dict[int, str]:
    """What came of each row, by its number. A row that ends its process is CRASH, one that takes too long HANG."""
    waiting = [(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]
    found: dict[int, str] = {}
    running = 0
    with selectors.DefaultSelector() as selector:

        def launch() -> None:
            child = start(library, oracle, *waiting.pop(0))
            selector.register(child.process.stdout, selectors.EVENT_READ, child)  # type: ignore[arg-type]

        while waiting or running:
            while waiting and running < jobs:
                launch()
                running += 1
            for key, _ in selector.select(1.0):
                child: Child = key.data
                line = child.process.stdout.readline()  # type: ignore[union-attr]
                if line:
                    number, text = line.split()
                    found[int(number)], child.next_row, child.heard = text, int(number) + 1, time.monotonic()
                    continue
                selector.unregister(key.fileobj)
                running -= 1
                child.process.wait()
                if child.next_row < child.last:
                    found.setdefault(child.next_row, "CRASH")
                    waiting.insert(0, (child.next_row + 1, child.last))
            for key in list(selector.get_map().values()):
                if time.monotonic() - key.data.heard > PATIENCE:
                    found[key.data.next_row] = "HANG"
                    key.data.process.kill()
    return found


def page(rows: list[Row], found: dict[int, str]) -> str:
    """The agreement and the differences, as Markdown."""
    measured = {n: text for n, text in found.items() if text != "None"}
    different = [(rows[n], text) for n, text in sorted(measured.items()) if text != rows[n].outcome]
    agreement = 100 * (1 - len(different) / len(measured))
    contexts = Counter(rows[n].context for n in measured)
    wrong = Counter(row.context for row, _ in different)
    lines = [
        "# Agreement of the runtime with JAX", "",
        "Made by `python benchmarks/runtime_oracle.py ORACLE.tsv --write benchmarks/runtime_oracle.md`.", "",
        f"{len(measured)} rows, {len(measured) - len(different)} with JAX's outcome: **{agreement:.2f} %**.", "",
        "## Differences", "", "| rows | operations | reason |", "| --- | --- | --- |",
    ]  # fmt: skip
    grouped: dict[str, list[tuple[Row, str]]] = defaultdict(list)
    for row, text in different:
        grouped[reason_of(row)].append((row, text))
    ordered = sorted(grouped.items(), key=lambda item: (item[0] == OTHER, -len(item[1])))
    lines += [
        f"| {len(group)} | {len({row.operation for row, _ in group})} | {reason} |"
        for reason, group in ordered
    ]
    for reason, group in ordered:
        lines += ["", f"### {reason}", "", "| rows | snippet | JAX | here |", "| --- | --- | --- | --- |"]
        kinds: Counter[tuple[str, str, str]] = Counter()
        for row, text in group:
            kinds[_cell(row.snippet), row.outcome, text] += 1
        lines += [
            f"| {n} | `{snippet}` | {theirs} | {mine} |" for (snippet, theirs, mine), n in kinds.most_common()
        ]
    lines += ["", "## By context", "", "| context | rows | differ |", "| --- | --- | --- |"]
    lines += [f"| {context} | {contexts[context]} | {count} |" for context, count in wrong.most_common()]
    return "\n".join(lines) + "\n"


def _cell(snippet: str) -> str:
    text = re.sub(r"\s*\n\s*", "; ", snippet).replace("|", "\\|").replace("`", "'")
    return text if len(text) <= 90 else f"{text[:87]}..."


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("oracle", type=Path, help="the table of measured rows")
    parser.add_argument("--library", choices=("tracetrap", "jax"), default="tracetrap")
    parser.add_argument("--jobs", type=int, default=2, help="processes at the same time")
    parser.add_argument("--write", type=Path, help="write the differences as Markdown")
    options = parser.parse_args()
    rows = list(read_rows(options.oracle))
    text = page(rows, outcomes(options.library, options.oracle, len(rows), options.jobs))
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
