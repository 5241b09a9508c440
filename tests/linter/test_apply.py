"""Fixes change what they say, nothing else, all at once or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from tracetrap.linter.edits import apply
from tracetrap.linter.edits.apply import FixError, apply_fixes, diff, fix_text, write
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Applicability, Edit, Finding, Fix, Location, Span


def finding(
    source: SourceFile, old: str, new: str, applicability: Applicability = "safe", code: str = "TRC101"
) -> Finding:
    """A finding at the first place of `old`, whose fix replaces it."""
    start = source.text.index(old)
    span = Span(source.location(start), source.location(start + len(old)))
    return Finding(
        code, "name", "message", source.filename, span, fixes=(Fix("fix", (Edit(span, new),), applicability),)
    )


def test_several_fixes_at_once() -> None:
    source = SourceFile("a = 1\nb = 2\nc = 3\n")
    findings = [
        finding(source, "c = 3", "c = 30"),
        finding(source, "a", "long_name"),
        finding(source, "2", "(\n    2\n)"),
    ]

    assert apply_fixes(source, findings, unsafe=False) == ("long_name = 1\nb = (\n    2\n)\nc = 30\n", 3, [])


def test_of_overlapping_fixes_the_first_is_applied_and_the_next_in_the_next_round() -> None:
    source = SourceFile("value = one + two\n")

    def check(now: SourceFile) -> Sequence[Finding]:
        return [
            finding(now, old, new)
            for old, new in (("one + two", "one - two"), ("two", "three"))
            if old in now.text
        ]

    fixed = fix_text(source, check(source), check, unsafe=False)

    assert (fixed.text, fixed.applied) == ("value = one - three\n", 2)


def test_unsafe_fixes_and_mere_displays_wait_to_be_asked_for() -> None:
    source = SourceFile("a = 1\nb = 2\nc = 3\n")
    findings = [
        finding(source, "1", "10"),
        finding(source, "2", "20", "unsafe"),
        finding(source, "3", "30", "display"),
    ]

    assert apply_fixes(source, findings, unsafe=False)[0] == "a = 10\nb = 2\nc = 3\n"
    assert apply_fixes(source, findings, unsafe=True)[0] == "a = 10\nb = 20\nc = 3\n"


def test_a_fix_whose_result_does_not_parse_is_refused_alone() -> None:
    source = SourceFile("a = 1\nb = 2\n")
    findings = [finding(source, "1", "(", code="TRC102"), finding(source, "2", "20")]

    assert apply_fixes(source, findings, unsafe=False) == ("a = 1\nb = 20\n", 1, ["TRC102"])


def test_a_fix_that_brings_a_new_finding_is_refused_alone() -> None:
    source = SourceFile("a = 1\nb = 2\n")

    def check(now: SourceFile) -> Sequence[Finding]:
        found = [finding(now, "1", "10", code="TRC101")] if "a = 1\n" in now.text else []
        found += [finding(now, "2", "20", code="TRC102")] if "b = 2\n" in now.text else []
        return found + ([finding(now, "20", "20", code="TRC301")] if "b = 20" in now.text else [])

    fixed = fix_text(source, check(source), check, unsafe=False)

    assert (fixed.text, fixed.applied, fixed.refused) == ("a = 10\nb = 2\n", 1, ("TRC102",))


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    source = SourceFile("a = 1\n")

    def check(now: SourceFile) -> Sequence[Finding]:
        return [finding(now, "1", "2")] if "1" in now.text else [finding(now, "2", "1")]

    assert fix_text(source, check(source), check, unsafe=False).text == "a = 2\n"


def test_new_lines_end_as_the_file_s_do() -> None:
    source = SourceFile("a = 1\r\nb = 2\r\n")

    assert (
        apply_fixes(source, [finding(source, "1", "(\n    1\n)")], unsafe=False)[0]
        == "a = (\r\n    1\r\n)\r\nb = 2\r\n"
    )


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfa = 1\r\n", b"# coding: latin-1\na = '\xe4'\n", b"a = 1"])
def test_writing_keeps_every_other_byte(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    source = SourceFile.read(path)

    write(source, source.text.replace("a =", "bb ="))

    assert path.read_bytes() == data.replace(b"a =", b"bb =")
    assert os.listdir(tmp_path) == ["a.py"]


def test_writing_keeps_permissions_and_symbolic_links(tmp_path: Path) -> None:
    target, link = tmp_path / "target.py", tmp_path / "link.py"
    target.write_text("a = 1\n")
    target.chmod(0o750)
    link.symlink_to(target)

    write(SourceFile.read(link), "a = 2\n")

    assert link.is_symlink()
    assert target.read_text() == "a = 2\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o750


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("a = 1\n")
    source = SourceFile.read(path)
    path.write_text("a = 'mine'\n")

    with pytest.raises(FixError, match="changed while it was checked"):
        write(source, "a = 2\n")

    assert path.read_text() == "a = 'mine'\n"


def test_characters_that_the_encoding_lacks_are_no_half_written_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: latin-1\na = 1\n")
    source = SourceFile.read(path)

    with pytest.raises(FixError, match="its encoding, iso-8859-1, lacks characters"):
        write(source, source.text.replace("1\n", "'\u6f22'\n"))

    assert path.read_bytes() == b"# coding: latin-1\na = 1\n"


def test_a_failure_in_the_last_step_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("a = 1\n")
    source = SourceFile.read(path)

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(apply.os, "replace", full)

    with pytest.raises(FixError, match="No space left on device"):
        write(source, "a = 2\n")

    assert path.read_text() == "a = 1\n"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_diff_marks_a_missing_last_newline() -> None:
    source = SourceFile("a = 1\nb = 2", "a.py")

    assert diff(source, "a = 1\nb = 3") == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n a = 1\n"
        "-b = 2\n\\ No newline at end of file\n+b = 3\n\\ No newline at end of file\n"
    )


def test_a_location_past_the_end_is_the_end() -> None:
    source = SourceFile("a = 1\n")

    assert source.offset(Location(9, 9)) == len(source.text)
