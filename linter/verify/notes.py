"""Writes the inputs that verification found above their functions, where the next run reads them: `# tracetrap: f32[3]`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..files.source import SourceFile
from ..findings import Finding
from .inputs import functions_of, hints_for, read_hints


def noted(source: SourceFile, findings: Sequence[Finding]) -> tuple[str, int]:
    """The text with a comment for each entry point that was traced and has none, and the number of comments.

    Inputs that the notation cannot say (an object that the search has built) are left out.
    """
    try:
        functions = functions_of(ast.parse(source.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source.text, 0
    hints = read_hints(source.text)
    comments: dict[int, str] = {}
    for finding in findings:
        entry, verdict = finding.entry_point, finding.verdict
        if entry is None or verdict is None or not verdict.inputs or "..." in verdict.inputs:
            continue
        name = entry.name.replace(".<locals>", "")
        if finding.filename != source.filename or hints_for(hints, name, -1):
            continue
        row = next((first for known, first, _ in functions if known == name), None)
        if row is not None:
            comments.setdefault(row, verdict.inputs)
    lines = list(source.lines)
    newline = lines[0][len(lines[0].rstrip("\r\n")) :] if lines else "\n"
    for row, inputs in sorted(comments.items(), reverse=True):
        line = lines[row - 1]
        indent = line[: len(line) - len(line.lstrip())]
        lines.insert(row - 1, f"{indent}# tracetrap: {inputs}{newline or chr(10)}")
    return "".join(lines), len(comments)
