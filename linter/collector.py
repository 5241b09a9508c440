"""Python's garbage collector, held back while syntax trees are made: it would walk through all of them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT = 4_000_000
"""Objects that may be made without a look for those that refer to each other in circles."""


@contextmanager
def held_back() -> Iterator[None]:
    """Runs the body without automatic collection, unless very much was made by then; may be nested."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > LIMIT:
            gc.collect()
        if enabled:
            gc.enable()
