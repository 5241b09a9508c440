"""The project's addresses stand in `linter/addresses.py`; files that cannot import it say the same."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

from tracetrap.linter.addresses import DOCUMENTATION, REPOSITORY

ROOT = Path(__file__).parents[1]


def test_the_package_names_them() -> None:
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")

    assert settings["metadata"]["url"] == REPOSITORY
    assert settings["metadata"]["project_urls"].strip() == f"Documentation = {DOCUMENTATION}"


def test_the_documentation_names_them() -> None:
    site = dict(re.findall(r"^(site_url|repo_url): (.*)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    hooks = re.findall(r"repo: (\S+)", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"))

    assert site == {"site_url": DOCUMENTATION, "repo_url": REPOSITORY}
    assert hooks == [REPOSITORY]


def test_the_extension_for_vs_code_names_the_repository() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))

    assert package["repository"]["url"] == REPOSITORY
