"""One file through the gate and the analysis, guarded: whatever goes wrong is a finding, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from . import deep_stack, importers
from .failures import crash, failure, is_failure
from .files.project import FAR, Project
from .findings import Finding
from .gate import Gate, obstacle
from .settings.config import Settings

if TYPE_CHECKING:
    from .files.source import SourceFile


Analysis: TypeAlias = "Callable[[SourceFile, Settings, Project], list[Finding]]"


def raw_findings(
    source: SourceFile, settings: Settings, project: Project, analysis: Analysis | None = None
) -> list[Finding]:
    """All findings that the analysis of a file gives rise to, in this file and in those that it imports.

    They are raw: of every code and confidence, `noqa` comments not yet regarded.  They come from the project's cache
    where the settings allow it and neither the file nor what it imports has changed, and with them what the analysis of
    its importers has found in it.  Another `analysis` than the usual one may be given.
    """
    if not settings.cache:
        return _fresh(source, settings, project, analysis)
    known = project.cache.get(source, settings)
    if known is None:
        project.consulted.clear()
        known = _fresh(source, settings, project, analysis)
        if not any(is_failure(finding) for finding in known):
            project.cache.put(source, settings, known, project.consulted)
            importers.note(project.cache, source, known)
    return [*known, *importers.findings_from(project.cache, source, settings)]


def _fresh(
    source: SourceFile, settings: Settings, project: Project, analysis: Analysis | None
) -> list[Finding]:
    hindrance = obstacle(source)
    if hindrance is not None:
        return [failure(source.filename, hindrance.reason, hindrance.location)]
    gate = Gate.of(settings.transforms)
    if not gate.matters(source) and not _leads_to_library(source, gate, project):
        return []
    return _guarded(source, settings, project, analysis)


def _leads_to_library(source: SourceFile, gate: Gate, project: Project) -> bool:
    """Whether a file that names no library imports files of its project that import one."""
    if gate.names_library(source.text):
        return False
    leads = project.leads_to(source, gate.imports_library)
    if not leads:
        project.note_dependencies(source, FAR)  # with other imports it might be otherwise
    return leads


def _guarded(
    source: SourceFile, settings: Settings, project: Project, analysis: Analysis | None
) -> list[Finding]:
    from .analysis import analyze
    from .syntax.allowance import TooMuchCode

    run = analysis or analyze
    limit = deep_stack.seconds_for(len(source.lines), settings.seconds_per_file)
    try:
        return deep_stack.call(lambda: run(source, settings, project), limit)
    except TooMuchCode as error:
        return [failure(source.filename, str(error))]
    except deep_stack.TimeLimitExceeded:
        return [failure(source.filename, f"the analysis took longer than {limit:g} seconds")]
    except Exception as error:  # noqa: BLE001 (one file must never cost the others)
        return [crash(source.filename, error)]
