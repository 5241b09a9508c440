"""Two libraries measured side by side: each in a process of its own, asked in turns, so that both see the same machine.

A benchmark is a module with a function ``measure(library) -> dict[str, float]``, microseconds by name, where `library`
is ``jax`` or ``tracetrap``. `compare` runs it in turns and prints the medians and the ratio of each.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

ROUNDS = 5


def load(library: str) -> Any:
    """The library, as ``jax``."""
    return importlib.import_module("jax" if library == "jax" else "tracetrap.runtime")


def per_call(call: Callable[[], Any], count: int, repeats: int = 5) -> float:
    """CPU microseconds of one call: the best of several runs of `count` calls."""
    call()
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        for _ in range(count):
            call()
        best = min(best, (time.process_time() - begin) / count)
    return best * 1e6


def as_installed(folder: str) -> dict[str, str]:
    """The environment for processes that run from byte code, as installed packages do; it is kept in this folder.

    The first run of a command in it writes the byte code, and does not count.
    """
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def compare(measure: Callable[[str], dict[str, float]], description: str, groups: Sequence[str] = ()) -> None:
    """Parse the command line of a benchmark; run it, or one library's part of it.

    A first round is not counted. Of the figures whose names end with one of the `groups`, the geometric mean is printed.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--only", choices=("jax", "tracetrap"), help="print one library's figures as JSON")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(measure(arguments.only)))
        return
    figures: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**as_installed(folder), "NPROC": "1", "OPENBLAS_NUM_THREADS": "1"}
        for number in range(arguments.rounds + 1):
            for library in ("jax", "tracetrap"):
                command = [sys.executable, sys.argv[0], "--only", library]
                output = subprocess.run(
                    command, env=environment, capture_output=True, text=True, check=True
                ).stdout
                for name, value in json.loads(output.splitlines()[-1]).items() if number else ():
                    figures.setdefault(name, {}).setdefault(library, []).append(value)
    print(f"{'':34} {'jax':>10} {'tracetrap':>10} {'ratio':>7}   (median of {arguments.rounds}, us)")
    measured: dict[str, float] = {}
    for name, values in figures.items():
        theirs, ours = (statistics.median(values[library]) for library in ("jax", "tracetrap"))
        ratios = [mine / other for mine, other in zip(values["tracetrap"], values["jax"], strict=True)]
        measured[name] = statistics.median(ratios)
        print(f"{name:34} {theirs:10.1f} {ours:10.1f} {measured[name]:7.3f}")
    for group in groups:
        mean = statistics.geometric_mean(ratio for name, ratio in measured.items() if name.endswith(group))
        print(f"geometric mean, {group:40} {mean:7.3f}   ({1 / mean:.1f} times as fast)")
