"""Names of JAX that the runtime lacks: a program is told which of them it asks for, and that others are no names of JAX."""

from __future__ import annotations

import importlib
import subprocess
import sys
import warnings

import pytest
from tracetrap.runtime.extend.absent import LACKING, PUBLIC

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("module", sorted(LACKING))
def test_what_a_module_lacks_is_listed_to_the_last_name(module: str) -> None:
    theirs = importlib.import_module(module)
    program = (
        "import importlib, sys\nfrom tracetrap.runtime import shim\nshim.install()\n"
        "ours = importlib.import_module(sys.argv[1])\nprint(*(n for n in sys.argv[2:] if not hasattr(ours, n)))"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = {*dir(theirs), *getattr(theirs, "_deprecations", ())}
        public = sorted(n for n in names if not n.startswith("_") and hasattr(theirs, n))
    command = [sys.executable, "-c", program, module, *public]
    lacking = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    stand_ins = PUBLIC.get(module, "").split()
    assert sorted({*lacking, *stand_ins}) == sorted(LACKING[module].split())
