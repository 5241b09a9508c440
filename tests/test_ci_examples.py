"""The examples for CI in the documentation: they are what the services read, and their commands do what they say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("check_jsonschema")

PAGE = (Path(__file__).parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
PITFALL = "import jax\n\n\n@jax.jit\ndef double(x):\n    if x > 0:\n        return 2 * x\n    return x\n"


def examples() -> list[Any]:
    return [
        yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    ]


def workflow() -> dict[str, Any]:
    """The job of the page, with the steps that it says may be added."""
    (whole,) = [example for example in examples() if isinstance(example, dict) and "jobs" in example]
    (job,) = whole["jobs"].values()
    for steps in examples():
        if isinstance(steps, list):
            job["steps"] += steps
    return {"on": "push", **whole}


def test_the_workflow_is_one_that_github_reads(tmp_path: Path) -> None:
    (tmp_path / "workflow.yml").write_text(yaml.safe_dump(workflow()))
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        "workflow.yml",
    ]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)

    assert ran.returncode == 0, ran.stdout


def test_the_commands_of_the_workflow_do_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(PITFALL)
    (job,) = workflow()["jobs"].values()
    commands = [step["run"] for step in job["steps"] if step.get("run", "").startswith("tracetrap ")]
    assert len(commands) == 2

    annotated, uploaded = (run(command, tmp_path) for command in commands)

    assert (annotated.returncode, annotated.stdout.startswith("::error ")) == (1, True)
    assert uploaded.returncode == 0
    upload = next(
        step["with"]["sarif_file"] for step in job["steps"] if "upload-sarif" in step.get("uses", "")
    )
    assert json.loads((tmp_path / upload).read_text())["version"] == "2.1.0"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of the page as a shell does, with the tool of this environment."""
    shell = command.replace("tracetrap ", f"{shlex.quote(sys.executable)} -m tracetrap.linter ", 1)
    return subprocess.run(
        ["sh", "-c", shell], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_hooks_of_the_page_exist() -> None:
    (configuration,) = [e for e in examples() if isinstance(e, dict) and "repos" in e]
    published = yaml.safe_load((Path(__file__).parents[1] / ".pre-commit-hooks.yaml").read_text())

    named = {hook["id"] for repository in configuration["repos"] for hook in repository["hooks"]}
    assert named <= {hook["id"] for hook in published}
