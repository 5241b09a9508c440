"""How long the first call of a function takes, tracing and compilation included, beside JAX; no cache on disk.

Also the 1000 operations of `trace.py`, and of some functions the first three calls.

    python benchmarks/compile.py [--rounds 3]
"""

from __future__ import annotations

import os
import time
from trace import operators
from typing import Any

import numpy as np
from kernels import kernels
from sidebyside import compare, load


def measure(library: str) -> dict[str, float]:
    os.environ["TRACETRAP_CACHE_DIR"] = ""
    jax = load(library)
    cases = kernels(jax, large=False)
    # Starting the compiler and loading modules is not what is measured.
    started = jax.jit(lambda x: x + 1)
    for _ in range(3):
        jax.block_until_ready(started(1.0))
    for function, arguments in cases.values():
        jax.make_jaxpr(lambda *args, function=function: function(*args))(*arguments)
    x = np.ones(10_000, np.float32)
    cases["1000 operations"] = (operators, (x, x))

    def calls(function: Any, arguments: Any, count: int) -> float:
        compiled = jax.jit(lambda *args: function(*args))
        begin = time.process_time()
        for _ in range(count):
            jax.block_until_ready(compiled(*arguments))
        return (time.process_time() - begin) * 1e6

    figures = {name: calls(function, arguments, 1) for name, (function, arguments) in cases.items()}
    for name in ("chain of 10", "softmax", "scan of 1000", "sum of squares"):
        figures[f"{name}, three calls"] = calls(*cases[name], 3)
    return figures


if __name__ == "__main__":
    compare(measure, __doc__ or "")
