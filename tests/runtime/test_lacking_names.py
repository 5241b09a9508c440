"""Names of JAX that the runtime lacks: a program is told which of them it asks for, and that others are no names of JAX."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import warnings

import pytest
from tracetrap.runtime.extend.absent import LACKING, PUBLIC

jax = pytest.importorskip("jax")


def _public(module: str) -> list[str]:
    theirs = importlib.import_module(module)
    names = {*dir(theirs), *getattr(theirs, "_deprecations", ())}
    return sorted(n for n in names if not n.startswith("_") and hasattr(theirs, n))


def test_what_modules_lack_is_listed_to_the_last_name() -> None:
    program = (
        "import importlib, json, sys\nfrom tracetrap.runtime import shim\nshim.install()\n"
        "print(json.dumps({module: [n for n in names if not hasattr(importlib.import_module(module), n)]\n"
        "                  for module, names in json.loads(sys.argv[1]).items()}))"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = {module: _public(module) for module in LACKING}
    command = [sys.executable, "-c", program, json.dumps(names)]
    lacking = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    for module, listed in LACKING.items():
        stand_ins = PUBLIC.get(module, "").split()
        assert sorted({*lacking[module], *stand_ins}) == sorted(listed.split()), module
