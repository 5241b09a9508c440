"""`tracetrap run SCRIPT`: runs a script and reports what its jitted functions did."""

from __future__ import annotations

import json
import os
import subprocess
from argparse import Namespace
from pathlib import Path
from typing import Any

from ..streams import warn
from .process import bootstrap

_MAX_REASONS = 8


def run(arguments: Namespace) -> int:
    """Run `arguments.script` with `arguments.script_args`, then print a table to stderr.

    Exit status: the script's own; 1 if it raised; 2 if the script or the runtime is not there.
    """
    if not Path(arguments.script).is_file():
        warn(f"{arguments.script}: no such file")
        return 2
    report_read, report_write = os.pipe()
    command = bootstrap("trial.profile", arguments.runtime, str(report_write), arguments.script)
    environment = {"JAX_PLATFORMS": "cpu", **os.environ}
    process = subprocess.Popen([*command, *arguments.script_args], pass_fds=(report_write,), env=environment)
    os.close(report_write)
    with os.fdopen(report_read, encoding="utf-8") as pipe:
        text = pipe.read()
    status = process.wait()
    if not text:
        warn(f"{arguments.script} ended with status {status} and left no report")
        return status or 1
    report: dict[str, Any] = json.loads(text)
    if report["problem"]:
        extra = "jax" if arguments.runtime == "jax" else "verify"
        warn(f"{report['problem']}; pip install 'tracetrap[{extra}]'")
        return 2
    _print_table(report["functions"])
    if arguments.save is not None:
        try:
            arguments.save.write_text(text, encoding="utf-8")
        except OSError as error:
            warn(f"--save {arguments.save}: cannot be written ({error.strerror})")
            return 2
    exit_code = report.get("exit")
    if isinstance(exit_code, int):
        return exit_code
    return 1 if report["error"] or exit_code else 0


def _print_table(functions: list[dict[str, Any]]) -> None:
    """One row a jitted function, and below it why it was traced again."""
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=True)
    if not functions:
        console.print("no function of this script was jitted")
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("function", overflow="fold")
    for heading in ("calls", "traces", "hits", "compile ms", "run ms"):
        table.add_column(heading, justify="right")
    for entry in functions:
        place = f"{entry['name']} ({Path(entry['filename']).name}:{entry['line']})"
        counts = [str(entry[name]) for name in ("calls", "traces", "hits")]
        times = [f"{1000 * entry[name]:.1f}" for name in ("compile_seconds", "run_seconds")]
        table.add_row(place, *counts, *times)
    console.print(table)
    for entry in functions:
        for number, reason in enumerate(entry["reasons"][:_MAX_REASONS], 2):
            console.print(
                f"{entry['name']}: trace {number}: {reason}", markup=False, highlight=False, soft_wrap=True
            )
        more = len(entry["reasons"]) - _MAX_REASONS
        if more > 0:
            console.print(f"{entry['name']}: and {more} more", markup=False, highlight=False)
