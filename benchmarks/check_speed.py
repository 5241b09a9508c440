"""`tracetrap check` beside `flake8 --select E,F,W -j1` and beside libcst's parse of the files that can matter.

    python benchmarks/check_speed.py FOLDER ...

CPU seconds of one process each, from one run, and their ratios.  All run from byte code, as installed packages do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from sidebyside import as_installed

_PARSE = """
import sys
from pathlib import Path
import libcst
from tracetrap.linter.gate import Gate, obstacle
from tracetrap.linter.files.source import SourceFile
gate, number = Gate.of({}), 0
import time
spent = 0.0
for path in sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("*.py")):
    try:
        source = SourceFile.read(path)
    except (OSError, ValueError):
        continue
    if gate.matters(source) and obstacle(source) is None:
        started = time.process_time()
        try:
            libcst.parse_module(source.text)
        except Exception:
            continue
        spent += time.process_time() - started
        number += 1
print(spent, number)
"""


_FLAKE8 = """
import importlib.metadata as metadata
installed = metadata.distributions
metadata.distributions = lambda **wanted: (one for one in installed(**wanted) if one.metadata["name"] != "tracetrap")
from flake8.main.cli import main
raise SystemExit(main())
"""
"""flake8 without the plugin of this project, which it would run whatever is selected."""


def cpu_seconds(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    """User and system time of a command and its children, and what it wrote."""
    before = os.times()
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, ran.stdout


def main(folders: list[str]) -> None:
    """Measure and print."""
    check = [sys.executable, "-m", "tracetrap.linter", "check", "--jobs", "1", "--statistics"]
    flake8 = [sys.executable, "-c", _FLAKE8, "--isolated", "--select", "E,F,W", "-j1"]
    with tempfile.TemporaryDirectory() as temporary:
        environment = {**as_installed(f"{temporary}/bytecode"), "TRACETRAP_CACHE_DIR": f"{temporary}/cache"}
        first = Path(temporary) / "first.py"
        first.write_text(
            "import jax\n\n\n@jax.jit\ndef f(x):\n    return x if x > 0 else -x\n", encoding="utf-8"
        )
        for command in (check, flake8):
            cpu_seconds([*command, str(first)], environment)
        cold, _ = cpu_seconds([*check, *folders], environment)
        warm, _ = cpu_seconds([*check, *folders], environment)
        rival, _ = cpu_seconds([*flake8, *folders], environment)
        _, output = cpu_seconds([sys.executable, "-c", _PARSE, *folders], environment)
    parse, number = output.split()
    print(f"tracetrap check, cold cache   {cold:8.2f} s")
    print(f"tracetrap check, warm cache   {warm:8.2f} s   cold / warm {cold / warm:6.1f}")
    print(f"flake8 --select E,F,W -j1     {rival:8.2f} s   tracetrap / flake8 {cold / rival:6.2f}")
    print(
        f"libcst parse of {number} files     {float(parse):8.2f} s   tracetrap / parse {cold / float(parse):6.2f}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
