"""Verifies one finding of a trusted workspace: its code is traced in a child process."""

from __future__ import annotations

from dataclasses import replace

from ..files.decoding import DecodingError
from ..files.source import SourceFile
from ..findings import Finding
from .checking import Checked
from .worker import Worker


class Verification:
    """Runs verifications one after another, beside everything else."""

    def __init__(self) -> None:
        self._worker = Worker()

    async def verify(self, checked: Checked, code: str, row: int, column: int) -> tuple[str, Checked | None]:
        """What tracing says, in one line, and the findings of the document with the verdict in its place."""
        for number, finding in enumerate(checked.findings):
            start = finding.span.start
            if (finding.code, start.row, start.column) == (code, row, column):
                return await self._verify(checked, number, finding)
        return f"there is no {code} on line {row} any more", None

    async def _verify(self, checked: Checked, number: int, finding: Finding) -> tuple[str, Checked | None]:
        from ..verify import RuntimeMissing, WorkerError

        if not _saved(checked.source):
            return "save the file first: verification traces what is on disk", None
        try:
            verified = await self._worker.run(lambda: _trace(checked, finding))
        except (RuntimeMissing, WorkerError) as error:
            return str(error), None
        verdict = verified.verdict
        if verdict is None:
            return f"{finding.code} on line {finding.span.start.row}: tracing said nothing of it", None
        findings = (*checked.findings[:number], verified, *checked.findings[number + 1 :])
        place = f"{finding.code} on line {finding.span.start.row}"
        return f"{place}: {verdict.status}: {verdict.reason}", replace(checked, findings=findings)


def _trace(checked: Checked, finding: Finding) -> Finding:
    from ..verify import verify

    settings = checked.settings
    for verified in verify([finding], [], runtime=settings.runtime, inputs=settings.inputs):
        if (verified.code, verified.span) == (finding.code, finding.span):
            return verified
    return finding


def _saved(source: SourceFile) -> bool:
    """Whether the file on disk holds what the editor shows."""
    if source.path is None:
        return False
    try:
        return SourceFile.read(source.path).text == source.text
    except (OSError, DecodingError):
        return False
