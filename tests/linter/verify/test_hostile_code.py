"""Whatever the user's code does, it ends as one line, and the other entry points still get their verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from verify_case import Case

MakeCase = Callable[[str], Case]
GOOD = "import jax\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"

HOSTILE = {
    "sleeps": "import time\ntime.sleep(1000)\n",
    "never ends": "while True:\n    pass\n",
    "exits": "import sys\nsys.exit(3)\n",
    "ends the process": "import os\nos._exit(3)\n",
    "raises at import": "raise RuntimeError('boom')\n",
    "needs a missing package": "import no_such_package\nclass A(no_such_package.B):\n    pass\n",
    "reads a missing file": "open('/no/such/file').read()\n",
    "prints megabytes": "for i in range(50000):\n    print('x' * 100)\n",
    "starts threads": (
        "import threading, time\ndef spin():\n    while True:\n        time.sleep(0.01)\n"
        "for i in range(4):\n    threading.Thread(target=spin).start()\n"
    ),
    "patches builtins": "import builtins\nbuiltins.len = lambda x: 0\nbuiltins.isinstance = None\n",
    "allocates 100 GB": "import numpy\nb = numpy.ones(100 * 2**30 // 8)\n",
    "segfaults": "import ctypes\nctypes.string_at(0)\n",
    "forks for ever": "import os\nwhile True:\n    os.fork()\n",
    "starts a program": "import subprocess\nsubprocess.run(['ls'])\n",
    "uses the network": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')\n",
    "kills its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "closes all files": "import os\nos.closerange(0, 100)\n",
    "waits for input": "input()\n",
    "recurses for ever": "def r():\n    return r()\nr()\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_entry_point_still_gets_its_verdict(case: MakeCase, kind: str) -> None:
    example = case(GOOD + HOSTILE[kind])
    assert example.status(example.finding("x > 0", "TracerBoolConversionError")) == "confirmed"


def test_a_file_cannot_delete_itself(case: MakeCase) -> None:
    example = case(GOOD + "import os\nos.remove(__file__)\nopen(__file__, 'w').close()\n")
    assert example.status(example.finding("x > 0", "TracerBoolConversionError")) == "confirmed"
    assert example.path.read_text(encoding="utf-8") == example.text


def test_an_entry_point_that_hangs_loses_only_itself(case: MakeCase) -> None:
    example = case(GOOD + "@jax.jit\ndef g(x):\n    while True:\n        pass\n    return float(x)\n")
    slow, good = example.verify(
        example.finding("float(x)", "ConcretizationTypeError", entry="g"),
        example.finding("x > 0", "TracerBoolConversionError"),
    )[::-1]
    assert good.verdict is not None and slow.verdict is not None
    assert good.verdict.status == "confirmed"
    assert (slow.verdict.status, slow.verdict.reason) == ("unverified", "tracing did not end within 1 s")


def test_an_entry_point_that_crashes_loses_only_itself(case: MakeCase) -> None:
    example = case(
        "import ctypes\n" + GOOD + "@jax.jit\ndef a(x):\n    ctypes.string_at(0)\n    return float(x)\n"
    )
    good, crashing = example.verify(
        example.finding("float(x)", "ConcretizationTypeError", entry="a"),
        example.finding("x > 0", "TracerBoolConversionError"),
    )
    assert good.verdict is not None and crashing.verdict is not None
    assert good.verdict.status == "confirmed"
    assert crashing.verdict.status == "unverified"
    assert "SIGSEGV" in crashing.verdict.reason


def test_a_missing_package_is_named(case: MakeCase) -> None:
    example = case(
        "import no_such_package\n" + GOOD.replace("def f(x):", "def f(x):\n    x = no_such_package.g(x)")
    )
    (found,) = example.verify(example.finding("x > 0", "TracerBoolConversionError"))
    assert found.verdict is not None
    assert found.verdict.status == "unverified"
    assert "no_such_package" in found.verdict.reason


def test_a_file_that_does_not_parse_is_unverified(case: MakeCase) -> None:
    example = case("def f(x:\n    return x > 0\n")
    (found,) = example.verify(example.finding("x > 0", "TracerBoolConversionError"))
    assert found.verdict is not None
    assert found.verdict.status == "unverified"


def test_the_code_sees_no_secrets(case: MakeCase, monkeypatch: pytest.MonkeyPatch) -> None:
    example = case(
        "import os\nimport jax\nif 'SERVICE_TOKEN' in os.environ:\n    1 / 0\n@jax.jit\ndef f(x):\n"
        "    if x > 0:\n        return x\n    return -x\n"
    )
    monkeypatch.setenv("SERVICE_TOKEN", "secret")
    assert example.status(example.finding("x > 0", "TracerBoolConversionError")) == "confirmed"
