"""From a cold process: `tracetrap check --verify` on the tutorial example, beside the script itself on JAX.

    python benchmarks/verify_cold.py [--runtime bundled|jax] [--rounds 7]

Both find the same error; the medians of alternating runs and their ratio are printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def seconds(command: list[str]) -> float:
    """Wall time of one run; stops the benchmark if the command itself fails."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    taken = time.perf_counter() - began
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return taken


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
        pairs = [(seconds(ours), seconds(rival)) for _ in range(arguments.rounds)]
    mine, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"tracetrap check --verify ({arguments.runtime}): {mine:.2f} s; the script on JAX: {theirs:.2f} s; "
        f"ratio {mine / theirs:.2f}"
    )


if __name__ == "__main__":
    main()
