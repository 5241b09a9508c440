"""A Dask cluster of two workers gives the answer that this process gives."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster
from pitfall_file import PITFALL


@pytest.fixture
def cluster(folder: Path) -> Iterator[str]:
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        local_directory=str(folder.parent),
    ) as local:
        yield local.scheduler_address.replace("tcp://", "dask://")


def test_a_cluster_gives_the_same_answer_in_the_same_order(tracetrap, folder: Path, cluster: str) -> None:
    for number in range(60):
        (folder / f"file{number}.py").write_text(PITFALL.replace("double", f"double{number}"))
    (folder / "inner.py").write_text("def half(x):\n    return x if x > 0 else -x\n")
    (folder / "outer.py").write_text("import jax\nfrom inner import half\n\njax.jit(half)(1.0)\n")
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "setup.cfg").write_text("[tracetrap]\nper-file-ignores = file7.py: TRC101\n")

    alone = tracetrap("check", "--jobs", "1", "--no-cache")

    assert alone.output.count("TRC101") == 59
    assert tracetrap("check", "--executor", cluster, "--no-cache") == alone


def test_a_cluster_verifies_as_one_process_does(tracetrap, folder: Path, cluster: str) -> None:
    pytest.importorskip("numpy")
    for number in range(9):
        (folder / f"file{number}.py").write_text(PITFALL.replace("double", f"double{number}"))
    (folder / "fine.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x + 1\n")
    (folder / "inner.py").write_text("def half(x):\n    return x if x > 0 else -x\n")
    (folder / "outer.py").write_text("import jax\nfrom inner import half\n\njax.jit(half)(1.0)\n")
    (folder / "unforeseen.py").write_text(
        "import jax\n\n\n@jax.jit\ndef f(x):\n    raise ValueError('no')\n\n\nf(1.0)\n"
    )

    alone = tracetrap("check", "--verify", "--jobs", "1", "--no-cache")

    assert alone.output.count("confirmed:") >= 10 and "fix, proven" in alone.output
    assert tracetrap("check", "--verify", "--executor", cluster, "--no-cache") == alone


def test_a_scheduler_that_does_not_answer_is_one_clear_line(tracetrap, pitfall, monkeypatch) -> None:
    monkeypatch.setattr("tracetrap.linter.cluster.SECONDS", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    answer = tracetrap("check", "--executor", f"dask://127.0.0.1:{port}")

    assert answer.code == 2
    assert answer.errors.startswith(
        f"tracetrap: --executor dask://127.0.0.1:{port}: no scheduler answers there"
    )
    assert answer.errors.count("\n") == 1


@pytest.mark.parametrize("executor", ["dask", "dask://", "dask://host", "ray://host:1", "dask://host:x"])
def test_an_executor_that_is_none_is_named(tracetrap, pitfall, executor: str) -> None:
    answer = tracetrap("check", "--executor", executor)

    assert answer.code == 2
    assert answer.errors == f"tracetrap: --executor must be dask://HOST:PORT, not {executor!r}\n"
