"""Code actions: the fixes of findings, all fixes of a file, disabling a rule for a line, verifying a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lsprotocol import types

from ..check_file import raw_findings
from ..edits.apply import fix_text
from ..edits.disabling import disabling_edit
from ..files.project import Project
from ..files.source import SourceFile
from ..findings import Edit, Finding, Location, Span
from ..python_tree import parses
from ..run import reported_in
from .checking import Checked
from .diagnostics import diagnostic
from .documents import Documents
from .moved import unchanged
from .options import Options
from .parts import Part
from .positions import Positions, end_of, touches

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.tracetrap"
VERIFY = "tracetrap.verify"
KINDS: list[types.CodeActionKind | str] = [types.CodeActionKind.QuickFix, FIX_ALL]


@dataclass(frozen=True)
class ActionMaker:
    """Makes the actions of one document, a file or a cell, as it was checked."""

    part: Part
    checked: Checked
    positions: Positions
    files: Documents
    options: Options
    versioned: bool

    def at(self, range_: types.Range) -> Iterator[types.CodeAction]:
        """The quick fixes of the findings that a selection touches, the best of each first."""
        files = self.part.files(self.files)
        for finding, told in self.part.findings(self.checked):
            shown = diagnostic(told, self.part.shown.lines, self.positions, files)
            if touches(shown.range, range_):
                yield from self._of_finding(finding, shown)

    def fix_all(self, text: str) -> types.CodeAction:
        """The action that turns the document into this text: it with all its fixes."""
        return types.CodeAction(
            title="Tracetrap: fix all",
            kind=FIX_ALL,
            edit=self._workspace_edit(changes_between(self.checked.source, text)) or types.WorkspaceEdit(),
        )

    def _of_finding(self, finding: Finding, shown: types.Diagnostic) -> Iterator[types.CodeAction]:
        if self.options.fix_violation:
            preferred = True  # the first one only, so that "apply the preferred fix" is never ambiguous
            for fix in finding.fixes:
                edit = self._workspace_edit(fix.edits)
                if edit is not None:
                    cost = f" ({fix.cost})" if fix.cost else ""
                    safe = fix.applicability == "safe"
                    title = f"Tracetrap ({finding.code}): {fix.message}{cost}"
                    yield _quick_fix(title, shown, edit, preferred=safe and preferred)
                    preferred = preferred and not safe
        if self.options.disable_rule_comment:
            disabling = disabling_edit(self.checked.source, finding)
            edit = self._workspace_edit([disabling] if disabling is not None else [])
            if edit is not None:
                yield _quick_fix(f"Tracetrap ({finding.code}): disable for this line", shown, edit)
        if self.options.trusted and self.part.runs:
            start = finding.span.start
            yield types.CodeAction(
                title=f"Tracetrap ({finding.code}): verify this finding by tracing the code",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[shown],
                command=types.Command(
                    "verify",
                    VERIFY,
                    arguments=[self.part.shown.uri, finding.code, start.row, start.column],
                ),
            )

    def _workspace_edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit | None:
        """An edit of the very text that was checked: a client that knows versions refuses it for any other."""
        changes: dict[str, list[types.TextEdit]] = {}
        versions: dict[str, int] = {}
        for document, source, of_it in self.part.changes(self.checked.source, edits):
            made = [
                types.TextEdit(self.positions.range(source.lines, edit.span), edit.content) for edit in of_it
            ]
            if made:
                changes[document.uri], versions[document.uri] = made, document.version
        if not changes:
            return None
        if not self.versioned:
            return types.WorkspaceEdit(changes=changes)
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), [*made]
                )
                for uri, made in changes.items()
            ]
        )


def _quick_fix(
    title: str, shown: types.Diagnostic, edit: types.WorkspaceEdit, *, preferred: bool = False
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[shown],
        is_preferred=preferred or None,
        edit=edit,
    )


def all_fixed(checked: Checked, opened: Iterable[SourceFile]) -> str:
    """The text with every fix that may be applied unasked: the safe ones, and where the settings say so the others.

    What it imports counts as it stands in the editor, if it is open there.
    """

    def check(source: SourceFile) -> list[Finding]:
        project = Project()
        for other in (*opened, source):
            project.hold(other)
        found = reported_in(source, raw_findings(source, checked.settings, project), checked.settings)
        return [finding for finding in found if not source.suppressions.suppresses(finding)]

    fixed = fix_text(checked.source, checked.findings, check, unsafe=checked.settings.unsafe_fixes)
    return fixed.text if parses(fixed.text) else checked.source.text


def changes_between(source: SourceFile, after: str) -> list[Edit]:
    """One edit from the first line that differs to the last."""
    old, new = source.lines, SourceFile(after).lines
    if old == new:
        return []
    top, bottom = unchanged(old, new)
    end = Location(len(old) - bottom + 1, 1) if bottom else end_of(old)
    return [Edit(Span(Location(top + 1, 1), end), "".join(new[top : len(new) - bottom]))]
