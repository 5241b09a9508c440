"""Time and memory of the analysis, by length of file and by number of files: both grow linearly.

    python benchmarks/scaling.py

Each size is analysed in a process of its own, cold, without cache; a line shows how much a thousand lines (or ten
files) cost, which stays about the same.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)
FILES = (10, 30, 100, 300, 1_000)

FUNCTION = """

class Layer{k}:
    def __init__(self, width):
        self.width = width

    def __call__(self, params, x):
        if self.width > {k}:
            x = jnp.tanh(x)
        return x @ params["w{k}"] + params["b{k}"]


@jax.jit
def step{k}(params, x):
    def loss(params):
        y = helper(Layer{k}(3)(params, x))
        return jnp.mean((y - x) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    if value > {k}:
        value = value / 2
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value
"""
HEAD = "import jax\nimport jax.numpy as jnp\n"
HELPER = "\n\ndef helper(x):\n    return x\n"


def one_file(folder: Path, lines: int) -> None:
    """A file of about so many lines, of classes and jitted functions."""
    count = lines // FUNCTION.count("\n")
    text = HEAD + HELPER + "".join(FUNCTION.replace("{k}", str(k)) for k in range(count))
    (folder / "model.py").write_text(text)


def one_function(folder: Path, lines: int) -> None:
    """A file with one jitted function of so many lines."""
    body = "".join(f"    x = jnp.sin(x) + {k}\n" for k in range(lines))
    (folder / "model.py").write_text(
        f"{HEAD}\n\n@jax.jit\ndef step(x):\n{body}    return x if x > 0 else -x\n"
    )


def several_files(folder: Path, files: int) -> None:
    """So many files of which each imports the one before."""
    for k in range(files):
        use = f"from part{k - 1} import helper\n" if k else HELPER
        more = "" if not k else "\n\ndef again(x):\n    return helper(x)\n"
        (folder / f"part{k}.py").write_text(HEAD + use + more + FUNCTION.replace("{k}", str(k)))


def measure(folder: Path) -> tuple[float, int, str]:
    """CPU seconds and megabytes of one check, and what its last line of output was."""
    command = [sys.executable, "-m", "tracetrap.linter", "check", "--no-cache", "--strict", "--jobs", "1"]
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen([*command, "--output-format", "concise", str(folder)], stdout=output)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read().decode().splitlines()
    notes = [line.partition("TRC900 ")[2] for line in lines if "TRC900" in line]
    return (
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss // 1024,
        notes[0] if notes else f"{len(lines)} findings",
    )


def main() -> None:
    """Prints the three series."""
    with tempfile.TemporaryDirectory() as empty:
        start, _, _ = measure(Path(empty))
    for title, write, sizes, unit in (
        ("lines in one file", one_file, LENGTHS, 1_000),
        ("lines in one function", one_function, LENGTHS, 1_000),
        ("files", several_files, FILES, 10),
    ):
        print(f"{title:>22} {'CPU s':>7} {'a ' + format(unit, ','):>9} {'MB':>6}")
        for size in sizes:
            with tempfile.TemporaryDirectory() as name:
                write(Path(name), size)
                seconds, megabytes, note = measure(Path(name))
            print(
                f"{size:>22,} {seconds:>7.2f} {(seconds - start) * unit / size:>9.3f} {megabytes:>6}  {note}",
                flush=True,
            )


if __name__ == "__main__":
    main()
