"""`tracetrap run`: runs a script and reports what its jitted functions did."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = """\
examples:
  tracetrap run train.py --steps 10         how often each jitted function was traced, and why again
  tracetrap run --runtime jax train.py      the same on an installed JAX
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The script and its own arguments."""
    parser.add_argument(
        "--runtime", choices=("bundled", "jax"), default="bundled", help="what traces (default: bundled)"
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        type=Path,
        help="write the report to this file too, for 'tracetrap view --run FILE'",
    )
    parser.add_argument("script", metavar="SCRIPT", help="the script to run")
    rest = parser.add_argument("script_args", metavar="ARGS", nargs=argparse.REMAINDER, help="its arguments")
    rest.required = False  # there may be none, and without a script they are not what is missing


def run(options: argparse.Namespace) -> int:
    """Run the script; returns its exit code."""
    from ..verify import run_command

    return run_command.run(options)
