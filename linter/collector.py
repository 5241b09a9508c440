"""Python's garbage collector, held back while syntax trees are made: it would walk through all of them again and again.

What refers to each other in circles, as functions and their scopes do, is let go of where a project forgets its files.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """Runs the body without automatic collection; may be nested."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
