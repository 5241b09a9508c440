"""However many workers trace the files, the answer is the same, in the same order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pitfall_file import PITFALL
from tracetrap.linter.verify import RuntimeMissing, Worker, Workers
from tracetrap.linter.verify.workers import FILES_PER_WORKER

pytest.importorskip("llvmlite")


def write_files(folder: Path) -> None:
    for number in range(2 * FILES_PER_WORKER):
        (folder / f"file{number}.py").write_text(PITFALL.replace("double", f"double{number}"))
    (folder / "fine.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n")
    (folder / "inner.py").write_text("def half(x):\n    return x if x > 0 else -x\n")
    (folder / "outer.py").write_text("import jax\nfrom inner import half\n\njax.jit(half)(1.0)\n")
    (folder / "unforeseen.py").write_text(
        "import jax\n\n\n@jax.jit\ndef f(x):\n    raise ValueError('no')\n\n\nf(1.0)\n"
    )
    (folder / "dies.py").write_text(
        "import os\nimport jax\n\n\n@jax.jit\ndef f(x):\n    os._exit(3)\n\n\nf(1.0)\n"
    )


def test_the_number_of_workers_changes_nothing(
    tracetrap: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(folder)
    started, real = [], Worker.wait_ready

    def counted(worker: Worker) -> None:
        if worker not in started:
            started.append(worker)
        real(worker)

    monkeypatch.setattr(Worker, "wait_ready", counted)

    def answer(jobs: str) -> Any:
        started.clear()
        return tracetrap("check", "--verify", "--no-cache", "--jobs", jobs), len(started)

    (alone, one), (together, several) = answer("1"), answer("3")

    assert (one, several) == (1, 3)
    assert together == alone
    assert alone.output.count("confirmed:") >= 2 * FILES_PER_WORKER
    assert alone.output.count("fix, proven") >= 2 * FILES_PER_WORKER
    assert "TRC901" in alone.output


def test_a_page_shows_the_same(tracetrap: Callable[..., Any], folder: Path) -> None:
    write_files(folder)
    (folder / "dies.py").unlink()

    def html(jobs: int) -> str:
        (folder / "setup.cfg").write_text(f"[tracetrap]\njobs = {jobs}\n")
        return tracetrap("view", ".", "--verify", "--trace", "-o", "-").output

    assert html(1) == html(3)


def test_results_come_in_the_order_of_the_items() -> None:
    with Workers(number=3) as workers:
        items = list(range(5 * FILES_PER_WORKER))
        assert list(workers.results(lambda _, item: item * 2, items)) == [item * 2 for item in items]


def test_what_a_file_raises_ends_the_run_at_once() -> None:
    def fails(_worker: Worker, item: int) -> int:
        if item == 3:
            raise RuntimeMissing("it is gone")
        return item

    with Workers(number=2) as workers, pytest.raises(RuntimeMissing, match="it is gone"):
        list(workers.results(fails, range(3 * FILES_PER_WORKER)))
