"""Workers for both runtimes, started once; files to verify, written from their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tracetrap.linter.verify import Limits, Workers
from verify_case import Case

QUICK = Limits(load_seconds=1.0, trial_seconds=1.0, search_seconds=2.0)


@pytest.fixture(scope="session", params=["bundled", "jax"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """One worker, with short limits."""
    pytest.importorskip("jax" if request.param == "jax" else "llvmlite")
    with Workers(request.param, limits=QUICK) as started:
        yield started


@pytest.fixture
def case(workers: Workers, tmp_path: Path) -> Callable[[str], Case]:
    """Makes a case from the text of a file."""
    return lambda text: Case(workers, tmp_path / "example.py", text)
