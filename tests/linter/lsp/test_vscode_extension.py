"""The extension for VS Code: its settings are those of the server, and it builds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tracetrap.linter.lsp.options import KEYS, Options, read_options

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"
OF_THE_CLIENT = {"path", "interpreter", "importStrategy", "trace.server"}
OF_THE_WORKSPACE = {"trusted"}  # VS Code asks for that itself


def settings() -> dict[str, dict[str, Any]]:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = package["contributes"]["configuration"]["properties"]
    return {name.removeprefix("tracetrap."): setting for name, setting in found.items()}


def test_it_has_the_settings_of_the_server_and_sends_them() -> None:
    names = re.search(r"NAMES = \[(.*?)\]", (EXTENSION / "src" / "settings.ts").read_text(), re.DOTALL)
    assert names is not None

    assert settings().keys() - OF_THE_CLIENT == set(KEYS) - OF_THE_WORKSPACE
    assert set(re.findall(r'"(.*?)"', names[1])) == set(KEYS) - OF_THE_WORKSPACE


def test_its_defaults_are_those_of_the_server() -> None:
    defaults = {name: one["default"] for name, one in settings().items() if name not in OF_THE_CLIENT}

    assert read_options({name: value for name, value in defaults.items() if value is not None}) == (
        Options(),
        [],
    )


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_it_builds(tmp_path: Path) -> None:
    left_out = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    shutil.copytree(EXTENSION, tmp_path / "editors" / "vscode", ignore=left_out)
    shutil.copy(EXTENSION.parents[1] / "LICENSE", tmp_path)
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "package"]):
        ran = subprocess.run(
            command,
            cwd=tmp_path / "editors" / "vscode",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr

    with zipfile.ZipFile(tmp_path / "editors" / "vscode" / "tracetrap.vsix") as package:
        assert {"extension/package.json", "extension/dist/extension.js"} <= set(package.namelist())
