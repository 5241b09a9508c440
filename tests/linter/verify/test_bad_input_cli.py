"""`tracetrap check --verify` on files that hang, exit or allocate: a verdict each, and the others get theirs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pitfall_file import PITFALL
from tracetrap.linter import verify
from tracetrap.linter.verify import Limits, Worker

AT_THE_TOP = {
    "loops.py": "while True:\n    pass\n",
    "exits.py": "import sys\nsys.exit(3)\n",
    "ends.py": "import os\nos._exit(3)\n",
    "allocates.py": "kept = []\nwhile True:\n    kept.append(bytearray(10**8))\n",
}
INSIDE = {
    "loops_inside.py": "    n = 0\n    while n >= 0:\n        n += 1\n",
    "exits_inside.py": "    import os\n    os._exit(3)\n",
    "allocates_inside.py": "    kept = []\n    while len(kept) >= 0:\n        kept.append(bytearray(10**8))\n",
}
"""What stands in a traced function before its pitfall."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short limits, as the default ones only take longer."""
    pytest.importorskip("llvmlite")
    limits = Limits(load_seconds=1.0, trial_seconds=1.0, search_seconds=2.0)
    monkeypatch.setattr(verify, "Worker", partial(Worker, limits=limits))


def statuses(output: str) -> dict[str, str]:
    """The verdict of each file's pitfall."""
    return {
        Path(found["filename"]).name: found["verdict"]["status"]
        for found in json.loads(output)
        if found["code"] != "TRC900"
    }


def test_code_at_the_top_costs_no_verdict(tracetrap: Callable, folder: Path) -> None:
    for name, text in AT_THE_TOP.items():
        (folder / name).write_text(PITFALL + text)

    answer = tracetrap("check", "--verify", "--output-format", "json")

    assert (answer.code, answer.errors) == (1, "")
    assert statuses(answer.output) == dict.fromkeys(AT_THE_TOP, "confirmed")


def test_code_inside_a_traced_function_costs_its_own_verdict(tracetrap: Callable, folder: Path) -> None:
    for name, text in INSIDE.items():
        (folder / name).write_text(f"import jax\n\n\n@jax.jit\ndef f(x):\n{text}    return float(x)\n")
    (folder / "good.py").write_text(PITFALL)

    answer = tracetrap("check", "--verify", "--strict", "--output-format", "json")

    assert (answer.code, answer.errors) == (1, "")
    found = statuses(answer.output)
    assert found.pop("good.py") == "confirmed"
    assert found and set(found.values()) == {"unverified"}
    assert all("\n" not in item["verdict"]["reason"] for item in json.loads(answer.output))


def test_files_that_cannot_be_analysed_are_no_hindrance(tracetrap: Callable, folder: Path) -> None:
    (folder / "undecodable.py").write_bytes(b"import jax\nx = '\xff'\n")
    (folder / "unparsable.py").write_text("import jax\ndef f(:\n")
    (folder / "nested.py").write_text(f"import jax\nx = {'(' * 10_000}1{')' * 10_000}\n")
    (folder / "empty.py").touch()
    (folder / "good.py").write_text(PITFALL)

    answer = tracetrap("check", "--verify", "--output-format", "json", ".", "missing.py")

    assert (answer.code, answer.errors) == (2, "tracetrap: missing.py: no such file or folder\n")
    assert statuses(answer.output) == {"good.py": "confirmed"}
    assert [item["filename"] for item in json.loads(answer.output) if item["code"] == "TRC900"] == [
        "nested.py",
        "undecodable.py",
        "unparsable.py",
    ]
