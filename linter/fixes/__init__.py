"""Rewrites: one file each, as libcst transformers; rules choose among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..events import Event
    from ..findings import Fix

Rewrite: TypeAlias = "Callable[[Event], Fix | None]"
"""Tries to mend what an event tells; None where it does not apply."""
