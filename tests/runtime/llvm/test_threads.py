"""Large programs, divided between threads: the same bits as in one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import threads
from tracetrap.runtime.llvm import compile_jaxpr, kernel

jnp = jax.numpy
ROWS = np.random.default_rng(0).normal(size=(37, 53)).astype(np.float32)


def _standardized(x: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / (1 + x.var(-1, keepdims=True))


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_DIVIDED", 1)
    monkeypatch.setattr(threads, "_PER_THREAD", 1)


@pytest.mark.parametrize("count", ["2", "3", "7", "100"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.tanh(x) * 2 + 1,
        lambda x: (jnp.exp(-x), x > 0),
        lambda x: jax.nn.softmax(x),
        _standardized,
        lambda x: jnp.cumsum(x.T, axis=0)[::-1],
        lambda x: x[::-1, 1:] + x[:, :-1],
        lambda x: (x @ x.T).sum(),
    ],
)
def test_divided_programs_give_the_same_bits(
    function: Callable[[Any], Any], count: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = jax.make_jaxpr(function)(ROWS)
    monkeypatch.setenv("TRACETRAP_THREADS", "1")
    alone = [x.tobytes() for x in compile_jaxpr(closed)([ROWS])]
    monkeypatch.setenv("TRACETRAP_THREADS", count)
    call = compile_jaxpr(closed)

    assert [x.tobytes() for x in call([ROWS])] == alone
    with ThreadPoolExecutor(4) as pool:
        for results in pool.map(call, [[ROWS]] * 20):
            assert [x.tobytes() for x in results] == alone


@pytest.mark.parametrize("busy", [False, True])
def test_busy_cores_are_left_alone(busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    helped: list[Any] = []

    class Pool:
        def submit(self, work: Callable[..., None], *arguments: Any) -> Future[None]:
            helped.append(work)
            return Future()

    monkeypatch.delenv("TRACETRAP_THREADS", raising=False)
    monkeypatch.setattr(threads, "_cores", lambda: 3)
    monkeypatch.setattr(threads, "running", lambda: 3 if busy else 1)
    monkeypatch.setattr(threads, "_pool", Pool())

    (result,) = compile_jaxpr(jax.make_jaxpr(lambda x: x * 2)(ROWS))([ROWS])

    np.testing.assert_array_equal(result, ROWS * 2)
    assert len(helped) == (0 if busy else 2)


def test_a_child_process_has_threads_of_its_own() -> None:
    script = (
        "import os, tracetrap.runtime as jax\n"
        "from tracetrap.runtime import threads\n"
        "from tracetrap.runtime.llvm import kernel\n"
        "kernel._DIVIDED = threads._PER_THREAD = 1\n"
        "f = jax.jit(lambda x: (jax.numpy.tanh(x) * 0 + 1))\n"
        "assert f(jax.numpy.ones(1000)).sum() == 1000\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(0 if f(jax.numpy.ones(1000)).sum() == 1000 else 1)\n"
        "print(os.waitpid(child, 0)[1])\n"
    )
    environment = {**os.environ, "TRACETRAP_THREADS": "2"}
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert run.stdout.strip() == "0", run.stderr
