"""`python -m tracetrap.linter` is `tracetrap`."""

from __future__ import annotations

from .cli import entry

entry()
