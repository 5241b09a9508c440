"""How fast compiled functions run, beside JAX, one core each.

python benchmarks/throughput.py [--rounds 3]
"""

from __future__ import annotations

import os
import time
from typing import Any

from kernels import kernels
from sidebyside import compare, load

#: Both libraries may take some calls until they are as fast as they will be.
WARM_CALLS, WARM_SECONDS = 100, 0.5


def best(call: Any, seconds: float = 0.05) -> float:
    """Microseconds of the fastest call within a time, once the function has run often."""
    end = time.perf_counter() + WARM_SECONDS
    for _ in range(WARM_CALLS):
        call()
        if time.perf_counter() > end:
            break
    fastest, end = float("inf"), time.perf_counter() + seconds
    while True:
        begin = time.perf_counter()
        call()
        now = time.perf_counter()
        fastest = min(fastest, now - begin)
        if now > end:
            return fastest * 1e6


def measure(library: str) -> dict[str, float]:
    jax = load(library)
    figures: dict[str, float] = {}
    for large in (False, True):
        for name, (function, arguments) in kernels(jax, large=large).items():
            compiled = jax.jit(function)
            placed = [jax.device_put(x) for x in arguments]

            def call(compiled: Any = compiled, placed: Any = placed) -> None:
                jax.block_until_ready(compiled(*placed))

            figures[f"{name}, {'1M' if large else '10k'}"] = best(call)
    return figures


if __name__ == "__main__":
    # The processes that measure inherit it: a library that counts the cores when it is loaded finds one.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    compare(measure, __doc__ or "", groups=("10k", "1M"))
