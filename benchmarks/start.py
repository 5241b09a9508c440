"""From a cold process to the first jaxpr, and to the first result, beside JAX: CPU time of the whole process.

python benchmarks/start.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from sidebyside import compare

PROGRAMS = {
    "first jaxpr, no NumPy": "jax.make_jaxpr(lambda x: x * 2 + 1)(jax.ShapeDtypeStruct((3,), 'float32'))",
    "first jaxpr, of a NumPy array": "import numpy; jax.make_jaxpr(lambda x: x * 2 + 1)(numpy.ones(3))",
    "first result of a jitted function": "import numpy; print(jax.jit(lambda x: x * 2 + 1)(numpy.ones(3)))",
}
#: Programs of which nothing is kept on disk.
COLD = {"first result, nothing in the cache": PROGRAMS["first result of a jitted function"]}


def measure(library: str) -> dict[str, float]:
    module = "jax" if library == "jax" else "tracetrap.runtime"
    figures = {}
    for name, program in {**PROGRAMS, **COLD}.items():
        environment = {**os.environ, "TRACETRAP_CACHE_DIR": ""} if name in COLD else None
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-c", f"import {module} as jax; {program}"],
            check=True,
            capture_output=True,
            env=environment,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures[name] = 1e6 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return figures


if __name__ == "__main__":
    compare(measure, __doc__ or "")
