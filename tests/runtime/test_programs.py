"""Whole programs print the same numbers under JAX and under the runtime that stands in for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).resolve().parents[2] / "fixtures" / "programs"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py"))

RUN_ALL = """
import contextlib, io, json, runpy, sys
if sys.argv[1] == "runtime":
    from tracetrap.runtime import shim
    shim.install()
out = {}
for path in sys.argv[2:]:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            runpy.run_path(path)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    out[path] = text.getvalue()
print(json.dumps(out))
"""
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?|\bnan\b|\binf\b")


@lru_cache(maxsize=2)
def outputs(backend: str) -> dict[str, str]:
    """What every program prints under one backend, in one child process."""
    paths = [str(PROGRAMS / f"{name}.py") for name in NAMES]
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL, backend, *paths], capture_output=True, text=True, timeout=300,
        env={**os.environ, "JAX_PLATFORMS": "cpu"}, check=False,
    )
    assert done.returncode == 0, done.stderr
    printed: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return {Path(path).stem: text for path, text in printed.items()}


def test_there_are_programs() -> None:
    assert len(NAMES) >= 20


@pytest.mark.parametrize("name", NAMES)
def test_same_numbers_as_jax(name: str) -> None:
    pytest.importorskip("jax")
    ours, theirs = outputs("runtime")[name], outputs("jax")[name]
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    for mine, other in zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True):
        assert float(mine) == pytest.approx(float(other), rel=2e-3, abs=2e-3, nan_ok=True)
