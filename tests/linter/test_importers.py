"""A finding that arises from a file's importer is every door's answer, once the importer was checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tracetrap.linter.edits.apply import Fixed, apply_fixes
from tracetrap.linter.edits.mending import Check, mend
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.run import Sources, check_paths, check_text, reported
from tracetrap.linter.settings.files import SettingsFinder

INNER = """\
import jax.numpy as jnp


def clip(x, limit):
    if x > limit:
        return limit
    return jnp.abs(x)
"""
OUTER = "import jax\nfrom inner import clip\n\nprint(jax.jit(clip)(1.0, 2.0))\n"
CALLER = "import jax\nfrom inner import clip\n\n\n@jax.jit\ndef f(x):\n    return clip(x, 2.0)\n"


@pytest.fixture
def project(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", str(tmp_path / "kept"))
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    return folder


def codes(finder: SettingsFinder, *paths: str) -> list[tuple[str, int, str]]:
    found = check_paths([Path(path) for path in paths], finder, 1)
    return [(finding.filename, finding.span.start.row, finding.code) for finding in found]


def test_alone_and_together(project: Path) -> None:
    finder = SettingsFinder()
    assert codes(finder, "inner.py") == []  # nobody has looked at its importers yet
    together = codes(finder, "inner.py", "outer.py")
    assert together == [("inner.py", 5, "TRC101")]
    assert codes(finder, "inner.py") == together
    in_text = check_text(INNER, "inner.py", finder)
    assert [(f.filename, f.span.start.row, f.code) for f in in_text] == together


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("outer.py", OUTER.replace("jax.jit(clip)", "clip")),
        ("inner.py", INNER.replace("x > limit", "limit is None")),
    ],
)
def test_what_has_changed_is_not_believed(project: Path, name: str, text: str) -> None:
    finder = SettingsFinder()
    assert codes(finder, "inner.py", "outer.py")
    (project / name).write_text(text)
    assert codes(finder, "inner.py") == []


def test_damaged_notes_are_no_notes(project: Path, tmp_path: Path) -> None:
    finder = SettingsFinder()
    codes(finder, "inner.py", "outer.py")
    notes = list((tmp_path / "kept" / "importers").iterdir())
    assert len(notes) == 1
    for damage in (b"", b"{}", b"[1, null]", b'["/nowhere/else.py"]', b"\xff"):
        notes[0].write_bytes(damage)
        assert codes(finder, "inner.py") == []


def test_what_one_file_makes_sure_is_sure_in_a_strict_check_too(project: Path) -> None:
    maybe = """\
import jax
from inner import clip


@jax.jit
def f(x):
    try:
        return clip(x, 1.0)
    except Exception:
        return x
"""
    (project / "early.py").write_text(maybe)
    plain, strict = SettingsFinder(), SettingsFinder(options={"strict": True})
    paths = [project / name for name in ("early.py", "inner.py", "outer.py")]
    sure = [
        [
            f.span
            for f in reported(check_paths(paths, finder, 1), finder, Sources())
            if f.confidence == "definite"
        ]
        for finder in (plain, strict)
    ]
    assert sure[0]
    assert sure[0] == sure[1]


@pytest.mark.parametrize("cache", [True, False])
def test_a_fix_of_what_an_importer_met_is_applied_once_and_refused_by_nothing(
    project: Path, cache: bool
) -> None:
    finder = SettingsFinder(options={"cache": cache})
    sources = Sources()
    found = reported(check_paths([Path("inner.py"), Path("outer.py")], finder, 1), finder, sources)
    mended = mend(found, finder, sources, unsafe=True, to_disk=False)
    assert mended.problems == []
    assert mended.applied == 1
    assert mended.findings == []
    assert "+    return jnp.where(x > limit, limit, jnp.abs(x))\n" in mended.diffs[0]


@pytest.mark.parametrize(("cache", "outer"), [(True, OUTER), (True, CALLER), (False, CALLER)])
def test_what_an_importer_met_besides_is_still_found_after_a_fix(
    project: Path, cache: bool, outer: str
) -> None:
    (project / "outer.py").write_text(outer)
    tail = "    return jnp.abs(x)\n"
    (project / "inner.py").write_text(INNER.replace(tail, tail.replace("x", "float(x)")))
    finder = SettingsFinder(options={"cache": cache})
    sources = Sources()
    found = reported(check_paths([Path("inner.py"), Path("outer.py")], finder, 1), finder, sources)
    assert [f.code for f in found] == ["TRC101", "TRC201"]

    def fixer(source: SourceFile, findings: Sequence[Finding], check: Check) -> Fixed:
        text, number, _ = apply_fixes(source, findings[1:], unsafe=True)
        assert number == 1
        return Fixed(text, number)

    mended = mend(found, finder, sources, unsafe=True, to_disk=False, fixer=fixer)
    assert [f.code for f in mended.findings] == ["TRC101"]
    assert mended.findings[0].span == found[0].span


def test_an_unsaved_text_has_no_findings_of_the_text_on_disk(project: Path) -> None:
    finder = SettingsFinder()
    assert codes(finder, "inner.py", "outer.py")
    assert check_text("# unsaved\n" + INNER, "inner.py", finder) == []
