"""The wheel, built and installed into an environment of its own, does the main job."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "fixtures" / "tutorial" / "static_argnames.py"
PARTS = ("linter", "runtime", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")


def run(*command: str | Path, cwd: Path, code: int = 0) -> str:
    """What a command writes, when it ends with the exit status that it should."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, so that nothing is left in the checkout."""
    copy, output = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("wheel")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", output, copy, cwd=copy)
    (built,) = output.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel, and sees the packages that the tests run with.

    A path file leads to those packages; path files that stand among them, such as that of an editable install,
    are not followed.
    """
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    scripts = home / "bin"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(run(scripts / "python", "-c", ask, cwd=home).strip())
    folders = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (site / "dependencies.pth").write_text("".join(f"{folder}\n" for folder in folders))
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "install")
    run(*pip, "--quiet", "--no-index", "--no-deps", "--ignore-installed", wheel, cwd=home)
    return scripts


def test_the_packages_come_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    program = "import tracetrap.linter as l, tracetrap.runtime as r; print(l.__file__, r.__file__, sep='\\n')"

    places = run(environment / "python", "-c", program, cwd=tmp_path).splitlines()

    assert [Path(place).is_relative_to(environment.parent) for place in places] == [True, True]


def test_every_file_of_the_packages_is_in_the_wheel(environment: Path, tmp_path: Path) -> None:
    program = "import tracetrap.linter as l; print(l.__file__)"
    installed = Path(run(environment / "python", "-c", program, cwd=tmp_path).strip()).parents[1]

    for package in ("linter", "runtime"):
        files = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.is_file()}
        wanted = {
            path for path in files if not any(part.startswith((".", "__pycache__")) for part in path.parts)
        }
        assert {path for path in wanted if not (installed / path).is_file()} == set()


def test_it_checks(environment: Path, tmp_path: Path) -> None:
    command = (environment / "tracetrap", "check", "--no-cache", "--output-format", "json", TUTORIAL)

    (found,) = json.loads(run(*command, cwd=tmp_path, code=1))

    assert found["code"] == "TRC101"


def test_it_verifies(environment: Path, tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    options = ("--no-cache", "--verify", "--output-format", "json")
    command = (environment / "tracetrap", "check", *options, TUTORIAL)

    (found,) = json.loads(run(*command, cwd=tmp_path, code=1))

    assert found["verdict"]["status"] == "confirmed"


def test_flake8_knows_it(environment: Path, tmp_path: Path) -> None:
    command = (environment / "python", "-m", "flake8", "--isolated", "--select", "TRC", TUTORIAL)

    (line,) = run(*command, cwd=tmp_path, code=1).splitlines()

    assert " TRC101 " in line
