"""One door's answer is every door's answer: the command line and flake8, in one process or several."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pitfall_file import PITFALL

FILES = {
    "plain.py": PITFALL,
    "windows.py": PITFALL.replace("\n", "\r\n"),
    "marked.py": "\ufeff" + PITFALL,
    "tabs.py": PITFALL.replace("    ", "\t"),
    "wide.py": PITFALL.replace(
        "    if x > threshold", "    s = '\u6f22\u5b57'; y = x\n    if 'ä' == s or x > threshold"
    ),
    "suppressed.py": PITFALL.replace("threshold:\n", "threshold:  # noqa: TRC101\n"),
    "clean.py": "x = 1\n",
    "package/__init__.py": "",
    "package/inner.py": PITFALL.replace("import jax\n", "from jax import jit as compile_\n").replace(
        "@jax.jit", "@compile_"
    ),
}

Found = list[tuple[str, int, int, str]]


@pytest.fixture
def files(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def found(output: str) -> Found:
    """File, row, column and code of each line that a linter wrote."""
    lines = re.findall(r"^(.+?):(\d+):(\d+): (TRC\d+)", output, re.MULTILINE)
    return sorted((os.path.normpath(name), int(row), int(column), code) for name, row, column, code in lines)


def flake8(*arguments: str, start: str = "") -> str:
    """What flake8 itself writes, in a process of its own."""
    method = f"    multiprocessing.set_start_method({start!r})\n" if start else ""
    program = (
        "import multiprocessing, sys\nfrom flake8.main.cli import main\n"
        f"if __name__ == '__main__':\n{method}    sys.exit(main(sys.argv[1:]))\n"
    )
    Path("run_flake8.txt").write_text(program)
    command = [sys.executable, "run_flake8.txt", "--isolated", "--select", "TRC", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode in (0, 1), ran.stderr
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.parametrize(
    ("jobs", "start"), [("1", ""), ("2", "fork"), ("2", "spawn")], ids=["one process", "fork", "spawn"]
)
def test_flake8_finds_what_check_finds(tracetrap: Callable, files: Path, jobs: str, start: str) -> None:
    expected = found(tracetrap("check", "--output-format", "concise").output)

    assert len(expected) >= 6
    assert found(flake8(f"-j{jobs}", ".", start=start)) == expected


def test_the_number_of_jobs_changes_nothing(tracetrap: Callable, folder: Path, monkeypatch) -> None:
    for number in range(60):
        (folder / f"file{number}.py").write_text(PITFALL.replace("double", f"double{number}"))

    alone = tracetrap("check", "--jobs", "1", "--no-cache")

    assert len(found(alone.output)) == 60
    assert tracetrap("check", "--jobs", "2", "--no-cache") == alone


def test_flake8_regards_its_own_options(files: Path) -> None:
    everywhere = found(flake8("-j1", "."))

    assert found(flake8("-j1", "--per-file-ignores", "plain.py:TRC1,package/*:TRC101", ".")) == [
        place for place in everywhere if place[0] not in {"plain.py", os.path.join("package", "inner.py")}
    ]
    assert found(flake8("-j1", "--extend-ignore", "TRC1", ".")) == []
    assert {place[0] for place in found(flake8("-j1", "--disable-noqa", "."))} - {
        place[0] for place in everywhere
    } == {"suppressed.py"}


def test_flake8_regards_our_settings(files: Path) -> None:
    (files / "setup.cfg").write_text("[tracetrap]\nper-file-ignores = package/: TRC101\n")

    assert os.path.join("package", "inner.py") not in {place[0] for place in found(flake8("-j1", "."))}


def test_transforms_may_stand_in_the_configuration_of_flake8(folder: Path) -> None:
    text = PITFALL.replace("import jax\n", "import mylib\n").replace("@jax.jit", "@mylib.compile")
    (folder / "own.py").write_text(text)

    assert found(flake8("-j1", ".")) == []
    assert found(flake8("-j1", "--tracetrap-transforms", "mylib.compile=jax.jit", ".")) == [
        ("own.py", 6, 8, "TRC101")
    ]


def test_flake8_reads_standard_input(files: Path) -> None:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "TRC", "-"]
    ran = subprocess.run(command, input=PITFALL, capture_output=True, text=True, check=False, timeout=120)

    assert found(ran.stdout) == [("stdin", 6, 8, "TRC101")]


def test_a_broken_setting_is_one_line_from_flake8_too(pitfall: Path) -> None:
    Path("setup.cfg").write_text("[tracetrap]\nselct = TRC1\n")
    command = [sys.executable, "-m", "flake8", "-j1", "--isolated", "--select", "TRC", "."]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert ran.returncode != 0
    assert "has no setting 'selct'; did you mean 'select'?" in ran.stderr + ran.stdout
    assert "Traceback" not in ran.stderr
