"""A name for a finding that survives when the lines around it move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from ..findings import Finding


def fingerprints(findings: Sequence[Finding], lines: Callable[[Finding], Sequence[str]]) -> Iterator[str]:
    """One fingerprint a finding: of its file, code, and the text of its line; equal ones are numbered."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        row, text = finding.span.start.row, lines(finding)
        line = " ".join(text[row - 1].split()) if 0 < row <= len(text) else ""
        key = (finding.filename.replace("\\", "/"), finding.code, line)
        yield sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[key] += 1
