"""From a cold process: `tracetrap check --verify` on the tutorial example, beside the script itself on JAX.

    python benchmarks/verify_cold.py [--runtime bundled|jax] [--rounds 7]

Both find the same error; the medians of alternating runs and their ratio are printed, of wall time and of the CPU time
of all processes.  Both run from byte code, as installed packages do; a first round, not counted, writes it.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sidebyside import as_installed

EXAMPLE = """\
import jax
import jax.numpy as jnp


def conditional_double(x, threshold):
    if x > threshold:
        return x * 2
    else:
        return x


jitted_conditional_double = jax.jit(conditional_double)

try:
    result = jitted_conditional_double(jnp.array(5.0), threshold=0.0)
    print(result)
except Exception as error:
    print(error)
"""


def seconds(command: list[str], bytecode: str) -> tuple[float, float]:
    """Wall and CPU time of one run; stops the benchmark if the command itself fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=as_installed(bytecode), check=False)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print both medians and the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runtime", choices=("bundled", "jax"), default="bundled")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        example = Path(folder) / "example.py"
        example.write_text(EXAMPLE, encoding="utf-8")
        tool = str(Path(sys.executable).with_name("tracetrap"))
        ours = [tool, "check", "--verify", "--no-cache", "--runtime", arguments.runtime, str(example)]
        rival = [sys.executable, str(example)]
        bytecode = str(Path(folder) / "bytecode")
        rounds = [
            [seconds(command, bytecode) for command in (ours, rival)] for _ in range(arguments.rounds + 1)
        ]
    for kind, name in enumerate(("wall", "CPU")):
        mine, theirs = (statistics.median(times[side][kind] for times in rounds[1:]) for side in (0, 1))
        print(
            f"tracetrap check --verify ({arguments.runtime}): {mine:.2f} s {name}; the script on JAX: {theirs:.2f} s; "
            f"ratio {mine / theirs:.2f}"
        )


if __name__ == "__main__":
    main()
