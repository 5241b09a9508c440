"""What the first keystrokes need not wait for: all that the analysis needs is loaded, and is never searched for garbage."""

from __future__ import annotations

import gc

from ..check_file import raw_findings
from ..files.project import Project
from ..files.source import SourceFile
from ..settings.config import Settings

EXAMPLE = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"

ALLOCATIONS = 500_000
"""So many new objects start a collection by themselves: the worker collects when nobody waits, long before."""


def warm_up() -> None:
    """Checks a small program, makes its fixes, and sets all aside that is left of that."""
    raw_findings(SourceFile(EXAMPLE, "<warm up>"), Settings(cache=False), Project())
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS)
