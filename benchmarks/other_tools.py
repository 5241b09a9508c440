"""What other tools say of the fixtures: how many of the places where tracing raises does each report?

    python benchmarks/other_tools.py

For every line of fixtures/ that is marked with the exception that JAX raises there, counts whether a tool reports anything
on that line, and how many lines it reports in fixtures/clean, where nothing is wrong.  Tools that are not installed are left
out.  For leaks, whether `jax.checking_leaks` finds them is counted too.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"
BIN = Path(sys.executable).parent
_MARK = re.compile(r"#\s*expect: .*?\b(TRC\d{3}) (\w+)")
_PLACE = re.compile(r"^(?P<file>[^:\n]+\.py):(?P<row>\d+)", re.MULTILINE)
_LEAKS = """
import contextlib, io, runpy, sys
import jax
with jax.checking_leaks():
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(sys.argv[1], run_name="__main__")
    except Exception as error:
        print("Leaked trace" in str(error))
"""

TOOLS: dict[str, list[str]] = {
    "tracetrap check": ["tracetrap", "check", "--output-format", "concise"],
    "ruff check (its defaults)": ["ruff", "check", "--isolated", "--output-format", "concise"],
    "ruff check --select ALL": [
        "ruff",
        "check",
        "--isolated",
        "--select",
        "ALL",
        "--output-format",
        "concise",
    ],
    "flake8 (without plugins)": ["flake8", "--isolated", "--select", "E9,F,C90", "--max-line-length", "200"],
    "mypy --strict": [
        "mypy",
        "--strict",
        "--no-error-summary",
        "--ignore-missing-imports",
        "--config-file=",
        "--namespace-packages",
        "--explicit-package-bases",
    ],
    "jaxlint, without docstrings": ["jaxlint", "check", "--no-doc"],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


def marked() -> dict[tuple[Path, int], str]:
    """The lines where tracing raises, with the rule that foresees it."""
    return {
        (path, row): match[1]
        for path in sorted(FIXTURES.rglob("*.py"))
        for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := _MARK.search(line))
    }


def reported(command: list[str], paths: Iterable[Path]) -> set[tuple[Path, int]]:
    """The lines of which a tool says anything."""
    program = BIN / command[0]
    answer = subprocess.run(
        [str(program) if program.exists() else command[0], *command[1:], *map(str, paths)],
        capture_output=True, text=True, check=False, cwd=FIXTURES.parent,
    )  # fmt: skip
    text = re.sub(r"^\s+", "", answer.stdout, flags=re.MULTILINE)
    return {
        ((FIXTURES.parent / match["file"]).resolve(), int(match["row"])) for match in _PLACE.finditer(text)
    }


def leaks_found(paths: list[Path]) -> int:
    """In how many programs `jax.checking_leaks` finds a leak."""
    runs = (
        subprocess.run([sys.executable, "-c", _LEAKS, str(p)], capture_output=True, text=True, check=False)
        for p in paths
    )
    return sum(run.stdout.strip() == "True" for run in runs)


def main() -> None:
    """Prints a row a tool."""
    places = marked()
    files = sorted({path for path, _ in places})
    clean = sorted((FIXTURES / "clean").rglob("*.py"))
    rows: dict[str, int] = {}
    alarms: dict[str, int] = {}
    for title, command in TOOLS.items():
        if not (BIN / command[0]).exists() and shutil.which(command[0]) is None:
            continue
        found = reported(command, files)
        rows[title] = sum(place in found for place in places)
        alarms[title] = len(reported(command, clean))
    leaks = sorted({path for (path, _), code in places.items() if code == "TRC401"})
    rows[f"jax.checking_leaks (of {len(leaks)} leaks)"] = leaks_found(leaks)
    print(json.dumps({"places": len(places), "reported": rows, "in clean files": alarms}, indent=2))


if __name__ == "__main__":
    main()
