"""Verifies all entry points of a file of about 300 lines that has ten, with both runtimes, from running workers.

    python benchmarks/verify_speed.py [--rounds 5]

Prints the medians of alternating runs and their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tracetrap.linter.run import Sources, check_paths, reported
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.verify import Workers, verify

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
BLOCK = '''

def normalise{n}(batch, epsilon=1e-5):
    """Zero mean, unit variance."""
    mean = jnp.mean(batch, axis=0)
    variance = jnp.var(batch, axis=0)
    return (batch - mean) / jnp.sqrt(variance + epsilon)


def layer{n}(weights, bias, batch):
    """An affine map and its activation."""
    hidden = normalise{n}(batch) @ weights + bias
    return jnp.tanh(hidden)


@jax.jit
def step{n}(weights, bias, batch, rate):
    """One step of gradient descent, its size bounded."""

    def loss(weights, bias):
        return jnp.mean(layer{n}(weights, bias, batch) ** 2)

    value, slopes = jax.value_and_grad(loss, argnums=(0, 1))(weights, bias)
    if value > rate:
        rate = rate / 2
    weights = weights - rate * slopes[0]
    bias = bias - rate * slopes[1]
    return weights, bias, value
'''


def main() -> None:
    """Print both medians and the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    text = HEAD + "".join(BLOCK.format(n=number) for number in range(10))
    with tempfile.TemporaryDirectory() as folder, Workers("bundled") as ours, Workers("jax") as theirs:
        path = Path(folder) / "model.py"
        path.write_text(text, encoding="utf-8")
        finder = SettingsFinder(options={"cache": False})
        findings = reported(check_paths([path], finder, 1), finder, Sources())
        times: dict[str, list[float]] = {"bundled": [], "jax": []}
        for _ in range(rounds):
            for workers in (ours, theirs):
                workers.first.wait_ready()
                began = time.perf_counter()
                found = verify(findings, [str(path)], workers=workers)
                times[workers.first.runtime].append(time.perf_counter() - began)
                assert all(f.verdict and f.verdict.status == "confirmed" for f in found), found
    mine, rival = statistics.median(times["bundled"]), statistics.median(times["jax"])
    print(
        f"{text.count(chr(10))} lines, {len(findings)} findings: bundled {mine:.2f} s, jax {rival:.2f} s, "
        f"ratio {mine / rival:.2f}"
    )


if __name__ == "__main__":
    main()
