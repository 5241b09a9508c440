"""What is installed is what stands in the tree."""

from __future__ import annotations

import configparser
from pathlib import Path

ROOT = Path(__file__).parents[1]


def packages_in_tree() -> set[str]:
    """Every folder of the two packages that holds Python files."""
    folders = {path.parent for name in ("linter", "runtime") for path in (ROOT / name).rglob("*.py")}
    return {f"tracetrap.{'.'.join(folder.relative_to(ROOT).parts)}" for folder in folders}


def test_setup_cfg_lists_every_package() -> None:
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = settings["options"]["packages"].split()

    assert listed == sorted(packages_in_tree())


def test_every_package_says_what_it_is_for() -> None:
    for name in packages_in_tree():
        folder = ROOT.joinpath(*name.split(".")[1:])
        text = (folder / "__init__.py").read_text(encoding="utf-8")
        assert text.startswith('"""'), f"{folder.name}/__init__.py has no docstring"


def test_pyproject_holds_the_build_system_alone() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if line.startswith("[")] == ["[build-system]"]
