"""Where the project is found; files that cannot import this are held to it by `tests/test_addresses.py`."""

from __future__ import annotations

DOCUMENTATION = "https://tracetrap.readthedocs.io/"
REPOSITORY = "https://github.com/tracetrap/tracetrap"


def page_of(code: str) -> str:
    """The documentation page of a rule."""
    return f"{DOCUMENTATION}rules/{code}/"
