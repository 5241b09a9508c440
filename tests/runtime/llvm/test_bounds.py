"""Compiled code stays inside of its buffers, whatever the indices: proven with inaccessible pages around each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
PER_PROCESS = 12


@pytest.mark.skipif(sys.platform == "win32", reason="mprotect is POSIX")
@pytest.mark.parametrize("first", range(0, 60, PER_PROCESS))
def test_random_programs_never_leave_their_buffers(first: int) -> None:
    child = subprocess.run(
        [sys.executable, str(_HERE / "guarded.py"), str(first), str(first + PER_PROCESS)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert child.returncode == 0, f"exit {child.returncode}\n{child.stdout}{child.stderr}"
