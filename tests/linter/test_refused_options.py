"""Wrong options of transforms and wrong values: JAX's exception is found for what it refuses, and nothing for what it takes.

A line of `refused_options.txt` is the exception that JAX raises, or `fine`, and the code, in which `;;` ends a line.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

FILE = Path(__file__).parent / "refused_options.txt"
PRELUDE = """
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
def f(x, y=1.0):
    return x * y
def pair(x):
    return x, x
def vec(x):
    return x * jnp.arange(3.0)
def two(x, y):
    return (x * y).sum()
v = jnp.ones(3)
m = jnp.ones((4, 3))
i = jnp.arange(3)
"""


def rows() -> list[tuple[str, str]]:
    """Each outcome with its code."""
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        outcome, _, code = line.partition(" ")
        if outcome != "#":
            found.append((outcome, code))
    return found


ROWS = rows()


def program(code: str) -> str:
    """A row's code as a whole program."""
    return PRELUDE + code.replace(";;", "\n") + "\n"


def test_what_jax_refuses_is_found() -> None:
    missed, alarms = [], []
    for outcome, code in ROWS:
        found = analyze(SourceFile(program(code), "options.py"), Settings())
        errors = {finding.error for finding in found if finding.confidence == "definite"}
        if outcome == "fine":
            alarms += [code] if errors else []
        elif outcome not in errors:
            missed.append(f"{outcome} {code}: {sorted(map(str, errors))}")
    assert not alarms, "\n".join(alarms)
    assert not missed, "\n".join(missed)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("outcome", "code"), ROWS, ids=[code for _, code in ROWS])
def test_jax_does_what_the_row_says(outcome: str, code: str) -> None:
    pytest.importorskip("jax")
    raised = "fine"
    try:
        exec(compile(program(code), "options.py", "exec", dont_inherit=True), {})
    except Exception as error:  # whatever JAX raises
        raised = type(error).__name__
    assert raised == outcome
