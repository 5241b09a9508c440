"""Kept findings are used exactly where nothing that they depend on has changed, and never trusted blindly."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tracetrap.linter import analysis
from tracetrap.linter import cache as cache_module
from tracetrap.linter.cache import Cache
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Edit, EntryPoint, Finding, Fix, Location, Span, Step
from tracetrap.linter.settings.config import Settings

SPAN = Span(Location(1, 1), Location(1, 6))
FINDING = Finding(
    "TRC101", "traced-if", "m", "a.py", SPAN, error="TracerBoolConversionError",
    entry_point=EntryPoint("f", "jit", Location(1, 1)),
    provenance=(Step("x is traced", "b.py", Location(2, 3)),),
    fixes=(Fix("fix", (Edit(SPAN, "y = 2"),), "safe", "nothing"),),
)  # fmt: skip


@pytest.fixture
def source(folder: Path) -> SourceFile:
    return SourceFile("x = 1\n", "a.py", folder / "a.py")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def entries(cache: Cache) -> list[Path]:
    assert cache.folder is not None
    return sorted(cache.folder.glob("*/*"))


def test_what_is_kept_comes_back_whole(cache: Cache, source: SourceFile) -> None:
    cache.put(source, Settings(), [FINDING])

    assert Cache(cache.folder).get(source, Settings()) == [FINDING]


def test_another_text_name_place_or_setting_is_another_entry(
    cache: Cache, source: SourceFile, folder: Path
) -> None:
    cache.put(source, Settings(), [FINDING])

    assert cache.get(SourceFile("x = 2\n", "a.py", source.path), Settings()) is None
    assert cache.get(SourceFile(source.text, "./a.py", source.path), Settings()) is None
    assert cache.get(SourceFile(source.text, "a.py", folder / "inner" / "a.py"), Settings()) is None
    assert cache.get(source, Settings(transforms={"a.b": "jax.jit"})) is None
    assert cache.get(source, Settings(select=("TRC2",))) == [FINDING], "these choose among raw findings"


def test_another_version_of_the_tool_is_another_entry(cache: Cache, source: SourceFile, monkeypatch) -> None:
    cache.put(source, Settings(), [FINDING])
    monkeypatch.setattr(cache_module, "_tool", lambda: "another")

    assert cache.get(source, Settings()) is None


@pytest.mark.parametrize("change", ["edit", "remove", "create"])
def test_files_that_the_analysis_looked_at_count(
    cache: Cache, source: SourceFile, folder: Path, change: str
) -> None:
    helper, absent = folder / "helper.py", folder / "absent.py"
    helper.write_text("y = 1\n")
    cache.put(source, Settings(), [FINDING], [str(helper), str(absent)])
    assert Cache(cache.folder).get(source, Settings()) == [FINDING]

    if change == "edit":
        helper.write_text("y = 2\n")
    elif change == "remove":
        helper.unlink()
    else:
        absent.write_text("z = 1\n")

    assert Cache(cache.folder).get(source, Settings()) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"null", b"0\n{}", b"\xff\xfe"])
def test_a_damaged_entry_counts_as_absent_and_is_replaced(
    cache: Cache, source: SourceFile, damage: bytes
) -> None:
    cache.put(source, Settings(), [FINDING])
    (entry,) = entries(cache)
    entry.write_bytes(damage)

    assert cache.get(source, Settings()) is None
    cache.put(source, Settings(), [FINDING])
    assert cache.get(source, Settings()) == [FINDING]


def test_an_entry_that_was_changed_is_not_trusted(cache: Cache, source: SourceFile) -> None:
    cache.put(source, Settings(), [FINDING])
    (entry,) = entries(cache)
    check, _, body = entry.read_text().partition("\n")
    content = json.loads(body)
    assert content["findings"]
    content["findings"] = []
    entry.write_text(f"{check}\n{json.dumps(content)}")

    assert cache.get(source, Settings()) is None


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path, source: SourceFile) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = Cache(tmp_path / "file")

    cache.put(source, Settings(), [FINDING])

    assert cache.get(source, Settings()) is None


def test_many_writers_leave_whole_entries(cache: Cache, source: SourceFile) -> None:
    def write_and_read(number: int) -> list[Finding] | None:
        findings = [replace(FINDING, message=f"{number} " * 5_000)]
        Cache(cache.folder).put(source, Settings(), findings)
        return Cache(cache.folder).get(source, Settings())

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(write_and_read, range(64)))

    assert all(found is not None and len(set(found[0].message.split())) == 1 for found in results)
    assert len(entries(cache)) == 1


def test_the_oldest_entries_make_room(cache: Cache, source: SourceFile, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "MAX_ENTRIES", 2)
    for number in range(1_000):
        cache.put(SourceFile(f"x = {number}\n", "a.py", source.path), Settings(), [])

    assert len(entries(cache)) <= 2 * 256


def test_check_uses_what_it_kept(tracetrap, pitfall, monkeypatch) -> None:
    before = tracetrap("check")

    def analyze(*_arguments: object) -> list[Finding]:
        raise AssertionError("analysed again")

    monkeypatch.setattr("tracetrap.linter.analysis.analyze", analyze)

    assert tracetrap("check") == before
    assert "analysed again" in tracetrap("check", "--no-cache").output


def test_files_that_could_not_be_analysed_are_tried_again(tracetrap, pitfall, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("tracetrap.linter.analysis.analyze", lambda *_: 1 / 0)
        assert "ZeroDivisionError" in tracetrap("check").output

    assert "TRC101" in tracetrap("check").output


IMPORTER = """\
import jax
import package.middle


@jax.jit
def double(x):
    if package.middle.decide(x):
        return x * 2
    return x
"""
MIDDLE = "from .helper import positive\n\n\ndef decide(x):\n    return positive(x)\n"
TRACED = "def positive(x):\n    return x > 0\n"
STATIC = "def positive(x):\n    return x.ndim > 0\n"


@pytest.fixture
def program(folder: Path) -> Path:
    """A program whose pitfall depends on a file that the file with the pitfall imports through another."""
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").touch()
    (folder / "package" / "middle.py").write_text(MIDDLE)
    (folder / "package" / "helper.py").write_text(TRACED)
    (folder / "model.py").write_text(IMPORTER)
    return folder


def test_findings_follow_the_files_that_are_imported(tracetrap, program: Path) -> None:
    assert "model.py:7:8: TRC101" in tracetrap("check").output

    (program / "package" / "helper.py").write_text(STATIC)
    assert tracetrap("check").code == 0

    (program / "package" / "helper.py").write_text(TRACED)
    assert "model.py:7:8: TRC101" in tracetrap("check").output

    (program / "package" / "helper.py").unlink()
    assert "TRC101" not in tracetrap("check").output


def test_only_what_depends_on_a_changed_file_is_analysed_again(tracetrap, program: Path, monkeypatch) -> None:
    (program / "other.py").write_text(IMPORTER.replace("package.middle.decide(x)", "x > 0"))
    (program / "alone.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return bool(x)\n")
    before = tracetrap("check")
    analysed: list[str] = []
    original = analysis.analyze

    def analyze(source, settings, project=None):
        analysed.append(source.filename)
        return original(source, settings, project)

    monkeypatch.setattr(analysis, "analyze", analyze)
    assert tracetrap("check") == before
    assert analysed == []

    (program / "package" / "helper.py").write_text(STATIC)
    after = tracetrap("check")

    assert "model.py" in analysed and "alone.py" not in analysed
    assert "model.py" not in after.output and "other.py:7:8" in after.output


def test_a_file_that_nothing_in_it_matters_of_follows_its_imports_too(tracetrap, folder: Path) -> None:
    (folder / "main.py").write_text(
        "import jax  # jit\nfrom helpers import run\n\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n\nrun(f, 1.0)\n"
    )
    (folder / "helpers.py").write_text("def run(f, x):\n    return f(x)\n")
    assert tracetrap("check", "main.py").code == 0
    (folder / "helpers.py").write_text("import jax\n\ndef run(f, x):\n    return jax.jit(f)(x)\n")
    assert "TRC101" in tracetrap("check", "main.py").output


def test_a_folder_that_becomes_a_package_has_other_imports(tracetrap, folder: Path) -> None:
    (folder / "part").mkdir()
    (folder / "part" / "main.py").write_text(
        "import jax\nfrom helpers import limit\n\n@jax.jit\ndef f(x):\n    if limit(x):\n        return x\n    return -x\n"
    )
    (folder / "part" / "helpers.py").write_text("def limit(x):\n    return x > 0\n")
    (folder / "helpers.py").write_text("def limit(x):\n    return 3\n")
    assert "TRC101" in tracetrap("check", "part/main.py").output
    (folder / "part" / "__init__.py").write_text("")
    assert "TRC101" not in tracetrap("check", "part/main.py").output


def test_what_is_kept_rests_on_files_as_they_were_read(
    folder: Path, tracetrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = folder / "inner.py"
    inner.write_text("def half(x):\n    return x\n")
    (folder / "outer.py").write_text("import jax\nfrom inner import half\n\njax.jit(half)(1.0)\n")
    real = analysis.analyze

    def and_then_changed(*given):
        found = real(*given)
        inner.write_text("def half(x):\n    return x if x > 0 else -x\n")
        return found

    monkeypatch.setattr(analysis, "analyze", and_then_changed)
    assert tracetrap("check", "outer.py").code == 0
    monkeypatch.setattr(analysis, "analyze", real)

    assert "inner.py:2:17: TRC103" in tracetrap("check", "outer.py", "inner.py").output
