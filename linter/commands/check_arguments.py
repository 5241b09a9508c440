"""The options of `tracetrap check`."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All options of the contract; those that were not given are None, so that the settings decide."""
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="files and folders; - reads standard input (default: .)",
    )
    choose = parser.add_argument_group("what is reported")
    choose.add_argument(
        "--select",
        metavar="CODES",
        help="only these rules: codes or beginnings of codes, with commas between",
    )
    choose.add_argument("--ignore", metavar="CODES", help="not these rules")
    choose.add_argument("--extend-select", metavar="CODES", help="these rules as well")
    choose.add_argument(
        "--strict", action="store_true", default=None, help="also what is only possible, not definite"
    )
    choose.add_argument(
        "--output-format",
        metavar="FORMAT",
        help="text (default), concise, statistics, json, sarif, github, gitlab or junit",
    )
    choose.add_argument(
        "--statistics",
        action="store_true",
        help="the number of findings of each rule instead of the findings",
    )
    known = parser.add_argument_group("what is known already")
    known.add_argument(
        "--baseline", metavar="FILE", type=Path, help="report only what this file does not hold already"
    )
    known.add_argument(
        "--write-baseline",
        metavar="FILE",
        type=Path,
        help="write all findings to this file, and report none",
    )
    known.add_argument(
        "--prune-baseline",
        action="store_true",
        help="with --baseline: remove from the file what is not found any more",
    )
    known.add_argument(
        "--add-noqa", action="store_true", help="add a noqa comment to each line with a finding"
    )
    mend = parser.add_argument_group("fixes")
    mend.add_argument("--fix", action="store_true", help="apply safe fixes")
    mend.add_argument(
        "--unsafe-fixes", action="store_true", default=None, help="with --fix or --diff: unsafe fixes as well"
    )
    mend.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    prove = parser.add_argument_group(
        "verification (runs the code that is checked, confined to a process of its own)"
    )
    prove.add_argument(
        "--verify", action="store_true", default=None, help="prove or refute each finding by tracing"
    )
    prove.add_argument(
        "--runtime", metavar="NAME", help="what traces: bundled (default), or jax, if it is installed"
    )
    prove.add_argument(
        "--note-inputs",
        action="store_true",
        help="with --verify: write the inputs that were traced with as a comment above each entry point",
    )
    run = parser.add_argument_group("how it runs")
    run.add_argument("--config", metavar="FILE", type=Path, help="read the settings from this file")
    run.add_argument("--stdin-filename", metavar="NAME", help="the name of what is read from standard input")
    run.add_argument("--jobs", "-j", metavar="N", help="number of processes (default: one a core)")
    run.add_argument(
        "--executor",
        metavar="dask://HOST:PORT",
        help="have the workers of this Dask cluster check, and verify, the files",
    )
    run.add_argument(
        "--no-cache",
        dest="cache",
        action="store_const",
        const=False,
        default=None,
        help="neither read nor write the cache",
    )
    run.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
