"""TRC900: what could not be analysed, and why, as a finding like any other."""

from __future__ import annotations

import traceback
from pathlib import Path

from .findings import Finding, Location, Span

CODE = "TRC900"
TOP = Location(1, 1)
_HERE = str(Path(__file__).parent)


def failure(filename: str, reason: str, location: Location = TOP) -> Finding:
    """The finding that says why a file was not analysed."""
    return Finding(
        code=CODE,
        name="not-analysed",
        message=f"this file was not analysed: {reason}",
        filename=filename,
        span=Span(location, location),
    )


def cut_short(filename: str, reason: str) -> Finding:
    """The finding that says why a file was analysed in part; only possible, as it may hold no more pitfalls."""
    return Finding(
        code=CODE,
        name="not-analysed",
        message=f"this file was analysed in part: {reason}",
        filename=filename,
        span=Span(TOP, TOP),
        severity="warning",
        confidence="possible",
    )


def is_failure(finding: Finding) -> bool:
    """Whether a finding says that a file was not analysed, which may be otherwise the next time."""
    return finding.code == CODE and finding.severity == "error"


def crash(filename: str, error: BaseException) -> Finding:
    """The finding for an exception in the analysis itself, with the place in our code for a bug report."""
    if isinstance(error, RecursionError):
        return failure(filename, "code nests or calls too deeply")
    if isinstance(error, MemoryError):
        return failure(filename, "not enough memory")
    try:
        detail = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 (what it is about may be too broken to be shown)
        detail = ""
    what = f"{type(error).__name__}: {detail}" if detail else type(error).__name__
    return failure(
        filename, f"the analysis failed with {what[:200]} (at {_place(error)}); please report this"
    )


def _place(error: BaseException) -> str:
    """The innermost place in this package that the exception passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(_HERE)]
    if not ours:
        return "an unknown place"
    return f"{Path(ours[-1].filename).relative_to(_HERE)}:{ours[-1].lineno}"
