"""Applies the rewrites that were proven, one after the other, until none is left; or says of each whether it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..edits.apply import Fixed, edited
from ..files.source import SourceFile
from ..findings import Finding, Fix, FixProof
from ..python_tree import parses
from .process import Worker
from .proof import Proof, prove

_DEPTH = 6  # so many places that hide behind each other are mended together
_PROOFS = 60  # for one file
_ORDER = {"proven": 0, "untried": 1, "unproven": 2}

Check = Callable[[SourceFile], Sequence[Finding]]


def fix_proven(source: SourceFile, findings: Sequence[Finding], check: Check, worker: Worker) -> Fixed:
    """The text with every rewrite that tracing proves; `unproven` says why the others are not applied.

    The alternatives of a finding are tried best first.  Where a rewritten function still fails at the place of
    another finding, that one is mended as well, and both are proven together.
    """
    return _Rewriting(source, findings, check, worker).run()


def mark_fixes(
    source: SourceFile, findings: Sequence[Finding], check: Check, worker: Worker, proofs: int
) -> list[Finding]:
    """The findings with what tracing says of each fix; those proven come first.

    Of each finding the fixes are tried until one is proven, with as many proofs as are allowed; the others are `untried`.
    """
    marked: list[Finding] = []
    for finding in findings:
        fixes: list[Fix] = []
        done = finding.is_refuted or finding.filename != source.filename
        for fix in finding.fixes:
            proof = FixProof("untried")
            if fix in _offered(finding) and not done and proofs > 0:
                rewriting = _Rewriting(source, findings, check, worker, proofs)
                done = rewriting.attempt(source, finding, fix, []) is not None
                proof = FixProof("proven" if done else "unproven", rewriting.reason)
                proofs = rewriting.left
            fixes.append(replace(fix, proof=proof))
        fixes.sort(key=lambda fix: _ORDER[fix.proof.status] if fix.proof else 0)
        marked.append(replace(finding, fixes=tuple(fixes)))
    return marked


class _Rewriting:
    """One file on its way to a text in which nothing is left to be proven."""

    def __init__(
        self,
        source: SourceFile,
        findings: Sequence[Finding],
        check: Check,
        worker: Worker,
        proofs: int = _PROOFS,
    ) -> None:
        self.source, self.findings, self.check, self.worker = source, findings, check, worker
        self.tried: set[tuple[str, str]] = set()
        self.unproven: dict[tuple[str, int], str] = {}
        self.left = proofs
        self.reason = ""  # of the last proof, or of the first that a rewrite lacks

    def run(self) -> Fixed:
        applied = 0
        while (found := self._next()) is not None:
            text, number = found
            applied += number
            self.source = self._with(text)
            self.findings = self.check(self.source)
        left = {(finding.code, finding.span.start.row) for finding in self.findings}
        unproven = [reason for place, reason in self.unproven.items() if place in left]
        return Fixed(self.source.text, applied, (), tuple(unproven))

    def _next(self) -> tuple[str, int] | None:
        """The text after the next proven rewrite, and how many findings it mends."""
        for finding in self.findings:
            line = self.source.lines[finding.span.start.row - 1] if finding.fixes else ""
            if (finding.code, line) in self.tried or finding.filename != self.source.filename:
                continue
            found = self._mended(self.source, finding, [])
            if found is not None:
                return found
            if finding.fixes:
                self.tried.add((finding.code, line))
        return None

    def _mended(self, source: SourceFile, finding: Finding, before: list[Finding]) -> tuple[str, int] | None:
        """The first alternative for a finding of `source` that is proven, perhaps with others behind it."""
        for fix in _offered(finding):
            found = self.attempt(source, finding, fix, before)
            if found is not None:
                return found
        return None

    def attempt(
        self, source: SourceFile, finding: Finding, fix: Fix, before: list[Finding]
    ) -> tuple[str, int] | None:
        """The text with a fix, if that is proven, alone or with those of places that it brings to light."""
        mended = [*before, finding]
        text = edited(source, [fix])
        if self.left <= 0 or text == source.text or not parses(text):
            return None
        after = self._with(text)
        findings = self.check(after)
        new = self._new(findings)
        proof = Proof(False, new) if new else self._prove(text, mended[:1])
        if proof.proven:
            self.reason = proof.reason
            return text, len(mended)
        place = (mended[0].code, mended[0].span.start.row)
        self.unproven.setdefault(place, f"{self._place(mended[0])} {fix.message}: {proof.reason}")
        self.reason = self.reason if before else proof.reason
        if len(mended) < _DEPTH:
            for other in self._hidden(findings, proof):
                found = self._mended(after, other, mended)
                if found is not None:
                    return found
        return None

    def _new(self, findings: Sequence[Finding]) -> str:
        """The codes that have more findings than before, in a phrase; empty if there are none."""
        known = Counter(finding.code for finding in self.findings)
        new = Counter(finding.code for finding in findings) - known
        return f"the result has new findings: {', '.join(sorted(new))}" if new else ""

    def _hidden(self, findings: Sequence[Finding], proof: Proof) -> list[Finding]:
        """The findings of a changed text that may stand between it and its proof: where it fails, or new ones."""
        if proof.row is not None:
            row = proof.row
            return [f for f in findings if f.span.start.row <= row <= f.span.end.row and f.fixes]
        known = Counter(finding.code for finding in self.findings)
        new = Counter(finding.code for finding in findings) - known
        return [finding for finding in findings if finding.code in new and finding.fixes]

    def _prove(self, text: str, mended: list[Finding]) -> Proof:
        self.left -= 1
        return prove(self.worker, str(self.source.path), self.source.text, text, mended)

    def _with(self, text: str) -> SourceFile:
        return SourceFile(text, self.source.filename, self.source.path, self.source.encoding)

    def _place(self, finding: Finding) -> str:
        return f"{self.source.filename}:{finding.span.start.row}: {finding.code} not fixed:"


def _offered(finding: Finding) -> Iterator[Fix]:
    return (fix for fix in finding.fixes if fix.edits and fix.applicability != "display")
