"""pre-commit, run for real on a repository of its own: our hooks, and flake8's with our plugin."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tracetrap.linter.commands.init import HOOK

pytest.importorskip("pre_commit")

ROOT = Path(__file__).parents[1]
PITFALL = "import jax\n\n\n@jax.jit\ndef double(x):\n    if x > 0:\n        return 2 * x\n    return x\n"
CLEAN = "import jax\n\n\n@jax.jit\ndef double(x):\n    return 2 * x\n"
HELPER = "def sign(x):\n    if x > 0:\n        return 1\n    return -1\n"
MENDED = "def sign(x):\n    return 2 * (x > 0) - 1\n"
IMPORTER = "import jax\nfrom helper import sign\n\n\n@jax.jit\ndef signs(x):\n    return sign(x)\n"
INSTALLED = f"repos:\n{HOOK}".replace("entry: tracetrap", "entry: {python} -m tracetrap.linter")
FLAKE8 = """\
repos:
- repo: local
  hooks:
  - id: flake8
    name: flake8
    entry: {python} -m flake8 --select TRC
    language: system
    types: [python]
"""


class Repository:
    """A git repository that pre-commit runs in, with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.cache = folder / "cache"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
            "TRACETRAP_CACHE_DIR": str(self.cache),
            "PRE_COMMIT_COLOR": "never",
        }
        git(self.folder, "init", "--quiet")

    def stage(self, **files: str) -> None:
        """Writes Python files and stages them."""
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text, encoding="utf-8")
            git(self.folder, "add", f"{name}.py")

    def configure(self, configuration: str) -> None:
        """Writes and stages the configuration of pre-commit."""
        text = configuration.format(python=sys.executable)
        (self.folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
        git(self.folder, "add", ".pre-commit-config.yaml")

    def pre_commit(self, *arguments: str) -> tuple[int, str]:
        """The exit status and the output of pre-commit."""
        command = [sys.executable, "-m", "pre_commit", *arguments]
        ran = subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=500,
        )
        return ran.returncode, ran.stdout + ran.stderr


def git(folder: Path, *arguments: str) -> None:
    """Runs git as somebody, whoever the machine's user is."""
    someone = (
        "-c",
        "user.name=Somebody",
        "-c",
        "user.email=somebody@example.org",
        "-c",
        "commit.gpgsign=false",
    )
    subprocess.run(["git", *someone, *arguments], cwd=folder, check=True, timeout=60)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize("configuration", [INSTALLED, FLAKE8], ids=["tracetrap", "flake8"])
def test_a_pitfall_stops_the_commit(repository: Repository, configuration: str) -> None:
    repository.configure(configuration)
    repository.stage(pitfall=PITFALL, clean=CLEAN)

    code, output = repository.pre_commit("run")

    assert code == 1
    assert "pitfall.py:6:8: TRC101 " in output
    assert "clean.py" not in output

    repository.stage(pitfall=CLEAN)
    code, output = repository.pre_commit("run")

    assert (code, output.count("Passed")) == (0, 1), output


def test_a_pitfall_that_only_an_importer_reaches_stops_the_commit_of_the_helper_alone(
    repository: Repository,
) -> None:
    repository.configure(INSTALLED)
    repository.stage(helper=MENDED, model=IMPORTER)
    assert repository.pre_commit("run")[0] == 0
    git(repository.folder, "commit", "--quiet", "--message", "Signs")
    shutil.rmtree(repository.cache, ignore_errors=True)

    repository.stage(helper=HELPER)
    code, output = repository.pre_commit("run")

    assert code == 1
    assert "helper.py:2:8: TRC101 " in output


def test_a_commit_without_python_is_not_checked(repository: Repository) -> None:
    repository.configure(INSTALLED)
    (repository.folder / "pitfall.py").write_text(PITFALL, encoding="utf-8")

    code, output = repository.pre_commit("run")

    assert (code, output.count("Skipped")) == (0, 1), output


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that offers our hooks: what stands in the checkout, committed."""
    copy = tmp_path_factory.mktemp("published")
    for name in ("linter", "runtime"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, copy)
    git(copy, "init", "--quiet")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "Release")
    return copy


def test_our_hooks_are_as_pre_commit_wants_them(repository: Repository) -> None:
    code, output = repository.pre_commit("validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))

    assert code == 0, output


@pytest.mark.slow
@pytest.mark.parametrize(("hook", "verdict"), [("tracetrap", False), ("tracetrap-verify", True)])
def test_our_hooks_install_themselves(
    repository: Repository, published: Path, hook: str, verdict: bool
) -> None:
    repository.stage(pitfall=PITFALL, clean=CLEAN)

    code, output = repository.pre_commit("try-repo", str(published), hook)

    assert code == 1, output
    assert "pitfall.py:6:8: TRC101 " in output
    assert "clean.py" not in output
    assert ("confirmed" in output) is verdict
