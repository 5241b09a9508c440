"""One door's answer is every door's answer: code, place and message, from command line, flake8, pre-commit and editor."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from editor import editor
from lsprotocol import types
from pitfall_file import PITFALL

pytest.importorskip("pre_commit")

ROOT = Path(__file__).parents[3]
WIDE = PITFALL.replace(
    "    if x > threshold", "    s = '\u6f22\U0001d11e'; y = x\n    if 'ä' == s or x > threshold"
)
MANY = """\
import functools

import jax
import numpy as np


class Layer:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x, n):
        print("traced")
        label = f"{x}"
        for i in range(n):
            x = np.sin(x) + i
        return int(x.sum()) if x.any() else x[x > 0]


def loss(w):
    assert w.sum() > 0
    return float(w)


grad = jax.grad(loss)
"""
FILES = {
    "plain.py": PITFALL,
    "many.py": MANY,
    "windows.py": MANY.replace("\n", "\r\n"),
    "marked.py": "\ufeff" + PITFALL,
    "tabs.py": MANY.replace("    ", "\t"),
    "wide.py": WIDE,
    "feeds.py": "\x0c\n" + PITFALL.replace("import jax\n", "import jax  # \x0b\u2028\n"),
    "suppressed.py": PITFALL.replace("threshold:\n", "threshold:  # noqa: TRC101\n"),
    "broad.py": MANY + "\n# flake8: noqa\n",
    "package/__init__.py": "",
    "package/inner.py": "from jax import jit as compile_\n" + MANY.replace("loss", "outer_loss"),
    "package/user.py": "from .inner import outer_loss\n"
    + MANY.replace("loss(w)", "mine(w)").replace("loss", "mine"),
}
SETTINGS = "[tracetrap]\nstrict = true\nignore = TRC204\nper-file-ignores =\n    package/: TRC403\n"

Answer = set[tuple[str, int, int, str, str]]


def from_lines(text: str) -> Answer:
    """What a linter wrote in lines of the compilers' form."""
    lines = re.findall(r"^(\S+?\.py):(\d+):(\d+): (TRC\d+) (.*?)(?: \(possible\))?$", text, re.MULTILINE)
    return {
        (os.path.normpath(name), int(row), int(column), code, said) for name, row, column, code, said in lines
    }


def run(*command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**environment, "PRE_COMMIT_COLOR": "never"},
    )
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


def by_flake8() -> Answer:
    return from_lines(run(sys.executable, "-m", "flake8", "-j1", "--isolated", "--select", "TRC", "."))


def by_pre_commit() -> Answer:
    """Our hook as it is published, but for where the tool comes from."""
    (hook,) = [
        one
        for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        if one["id"] == "tracetrap"
    ]
    local = {**hook, "language": "system", "args": ["--output-format", "concise"]}
    local["entry"] = local["entry"].replace("tracetrap ", f"{sys.executable} -m tracetrap.linter ")
    configuration = {"repos": [{"repo": "local", "hooks": [local]}]}
    Path(".pre-commit-config.yaml").write_text(yaml.safe_dump(configuration))
    run("git", "init", "--quiet")
    run("git", "add", "--all")
    return from_lines(run(sys.executable, "-m", "pre_commit", "run", "--all-files"))


async def by_the_server(folder: Path) -> Answer:
    found: Answer = set()
    async with editor(folder, encodings=[types.PositionEncodingKind.Utf32]) as session:
        for name, text in FILES.items():
            for one in await session.diagnostics(session.open(name, text)):
                start = one.range.start
                message = one.message.removesuffix(" (possible)")
                found.add(
                    (os.path.normpath(name), start.line + 1, start.character + 1, str(one.code), message)
                )
    return found


@pytest.mark.asyncio
async def test_all_doors_say_the_same(
    folder: Path, tracetrap: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(folder.parent / "pre-commit"))
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode())
    (folder / "setup.cfg").write_text(SETTINGS)

    found = json.loads(tracetrap("check", "--output-format", "json").output)
    expected = {
        (one["filename"], one["location"]["row"], one["location"]["column"], one["code"], one["message"])
        for one in found
    }

    assert len(expected) >= 20
    assert len({code for *_, code, _ in expected}) >= 3
    assert by_flake8() == expected
    assert await by_the_server(folder) == expected
    assert by_pre_commit() == expected
