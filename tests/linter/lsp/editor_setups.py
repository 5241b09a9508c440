"""The set-ups that `editors/README.md` gives, as they stand there: what people paste is what the tests run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

README = Path(__file__).parents[3] / "editors" / "README.md"
SECONDS = 200


def setup_of(heading: str, language: str) -> str:
    """The last block of this language below a heading."""
    _, _, section = README.read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    return blocks[-1]


def run(command: Sequence[str], folder: Path) -> str:
    """Everything that an editor prints, started where the `tracetrap` of this environment is on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return ran.stdout + ran.stderr
