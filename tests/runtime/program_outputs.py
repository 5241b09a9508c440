"""What programs print under JAX, and under the runtime that stands in for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

RUN_ALL = """
import contextlib, io, json, runpy, sys
if sys.argv[1] == "runtime":
    from tracetrap.runtime import shim
    shim.install()
out = {}
for path in sys.argv[2:]:
    text, failed = io.StringIO(), ""
    with contextlib.redirect_stdout(text):
        try:
            runpy.run_path(path)
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
    out[path] = text.getvalue(), failed
print(json.dumps(out))
"""
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?|\bnan\b|\binf\b")


def names(folder: str) -> list[str]:
    """The programs of a folder of fixtures."""
    return sorted(path.stem for path in (FIXTURES / folder).glob("*.py"))


@lru_cache(maxsize=4)
def outputs(folder: str, backend: str) -> dict[str, tuple[str, str]]:
    """What every program of a folder prints under one backend, in one child process, and what ends it, if anything does."""
    paths = [str(FIXTURES / folder / f"{name}.py") for name in names(folder)]
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL, backend, *paths], capture_output=True, text=True, timeout=300,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return {Path(path).stem: (text, failed) for path, (text, failed) in printed.items()}


def _without_numbers(text: str) -> str:
    """The text with one sign for each number, without spaces: those in arrays depend on the digits."""
    return "".join(NUMBER.sub("#", text).split())


def assert_same_numbers(folder: str, name: str) -> None:
    """The same text under both, to the end, and the same numbers but for rounding."""
    (ours, our_failure), (theirs, their_failure) = (
        outputs(folder, backend)[name] for backend in ("runtime", "jax")
    )
    assert (our_failure, their_failure) == ("", "")
    assert NUMBER.search(theirs)
    assert _without_numbers(ours) == _without_numbers(theirs)
    for mine, other in zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True):
        assert float(mine) == pytest.approx(float(other), rel=2e-3, abs=2e-3, nan_ok=True)
