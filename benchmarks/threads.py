"""What several threads gain on large loops: calls on one thread and on all cores, in turns.

    python benchmarks/threads.py [--threads 2] [--seconds 20]

A core that is busy with something else gains nothing, so that for the gain only those pairs of calls count before and
after which nothing else ran, as far as the system tells; it is printed how many there were. The cost is that of all
threads together, in processor time, against one: it tells on a busy machine too what is lost to dividing the work.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import tracetrap.runtime as jax
from kernels import chain
from tracetrap.runtime.threads import running

jnp = jax.numpy


def cases() -> dict[str, tuple[Callable[[Any], Any], Any]]:
    """Loops with much to do for each element that they read, and with little."""
    rng = np.random.default_rng(0)
    small, large = (rng.standard_normal(size).astype(np.float32) for size in (1_000_000, 16_000_000))
    rows = small.reshape(1000, 1000)
    return {
        "chain of 10, 1M": (chain(jnp, 10), small),
        "chain of 100, 1M": (chain(jnp, 100), small),
        "chain of 10, 16M": (chain(jnp, 10), large),
        "x * 2 + 1, 16M": (lambda x: x * 2 + 1, large),
        "softmax, 1000x1000": (jax.nn.softmax, rows),
        "exp(-x*x)*sin(x), 1M": (lambda x: jnp.exp(-x * x) * jnp.sin(x), small),
    }


class Times(NamedTuple):
    """Milliseconds that a call took, on the clock and of processor time."""

    wall: float
    processor: float


def compiled(function: Callable[[Any], Any], argument: Any, threads: int) -> Callable[[], Times]:
    """Compile for so many threads; the result tells how long a call takes."""
    os.environ["TRACETRAP_THREADS"] = str(threads)
    run = jax.jit(lambda x: function(x))
    array = jax.device_put(argument)
    for _ in range(3):
        run(array)

    def call() -> Times:
        begin, processor = time.perf_counter(), time.process_time()
        run(array)
        return Times((time.perf_counter() - begin) * 1e3, (time.process_time() - processor) * 1e3)

    return call


def main() -> None:
    """Measure and print each case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=5, help="how long to look for calm moments for each")
    arguments = parser.parse_args()
    print(
        f"{'':24} {'one, ms':>9} {'cost':>6} {'gain':>6}   (medians, {arguments.threads} threads against one)"
    )
    for name, (function, argument) in cases().items():
        alone = compiled(function, argument, 1)
        together = compiled(function, argument, arguments.threads)
        end = time.perf_counter() + arguments.seconds
        pairs: list[tuple[Times, Times]] = []
        calm: list[float] = []
        while time.perf_counter() < end:
            time.sleep(0.005)
            before = running()
            one, several = alone(), together()
            pairs.append((one, several))
            if before == running() == 1:
                calm.append(one.wall / several.wall)
        cost = statistics.median(several.processor / one.processor for one, several in pairs)
        time_of_one = statistics.median(one.processor for one, _ in pairs)
        gain = (
            f"{statistics.median(calm):6.2f}   of {len(calm)} pairs"
            if calm
            else "   not measured: never calm"
        )
        print(f"{name:24} {time_of_one:9.2f} {cost:6.2f} {gain}")


if __name__ == "__main__":
    main()
