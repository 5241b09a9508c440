"""How long the first call of a function takes, tracing and compilation included, beside JAX; no cache on disk.

    python benchmarks/compile.py [--rounds 3]
"""

from __future__ import annotations

import os
import time

from kernels import kernels
from sidebyside import compare, load


def measure(library: str) -> dict[str, float]:
    os.environ["TRACETRAP_CACHE_DIR"] = ""
    jax = load(library)
    jax.block_until_ready(jax.jit(lambda x: x + 1)(1.0))  # starting the compiler is not what is measured
    figures: dict[str, float] = {}
    for name, (function, arguments) in kernels(jax, large=False).items():
        begin = time.process_time()
        jax.block_until_ready(jax.jit(function)(*arguments))
        figures[name] = (time.process_time() - begin) * 1e6
    return figures


if __name__ == "__main__":
    compare(measure, __doc__.splitlines()[0])
