"""Standard streams that are closed, full, or of another encoding: no traceback, and nothing that is written is spoilt."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pitfall_file import PITFALL

TRACETRAP = f"{sys.executable} -m tracetrap.linter"
ACCENTED = PITFALL.replace("threshold", "schwelle_ß")


def shell(command: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """What a shell's line does; `tracetrap` in it is this one."""
    command = command.replace("tracetrap", TRACETRAP, 1)
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", **variables}
    return subprocess.run(["sh", "-c", command], capture_output=True, check=False, env=environment)


@pytest.fixture
def accented(folder: Path) -> Path:
    """A pitfall with a name that is not ASCII."""
    path = folder / "model.py"
    path.write_text(ACCENTED, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("tracetrap", 0),
        ("tracetrap rule TRC101", 0),
        ("tracetrap check model.py", 1),
        ("tracetrap check --output-format json model.py", 1),
        ("tracetrap check --diff --unsafe-fixes model.py", 1),
        ("tracetrap check nothing.py", 2),
        ("tracetrap chek", 2),
        ("tracetrap view model.py -o -", 0),
        ("tracetrap init --print", 0),
    ],
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_no_exit_code(accented: Path, command: str, code: int, closed: str) -> None:
    done = shell(f"{command} {closed}")
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr


def test_verification_works_without_any_stream(accented: Path) -> None:
    done = shell("tracetrap check --verify model.py <&- 2>&-")
    assert b"confirmed: TracerBoolConversionError" in done.stdout


def test_standard_input_that_is_closed_is_not_taken_for_an_empty_file(folder: Path) -> None:
    done = shell("tracetrap check - <&-")
    assert done.returncode == 2
    assert done.stderr == b"tracetrap: - (standard input) cannot be read (Bad file descriptor)\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a full device can be had")
@pytest.mark.parametrize("command", ["", "rule", "check model.py", "view model.py -o -", "init --print"])
def test_a_full_disk_is_one_line(accented: Path, command: str) -> None:
    done = shell(f"tracetrap {command} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == b"tracetrap: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a full device can be had")
def test_complaints_that_cannot_be_written_keep_the_exit_code(folder: Path) -> None:
    assert shell("tracetrap check nothing.py 2> /dev/full").returncode == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_what_programs_read_is_utf_8_whatever_the_locale_says(accented: Path, encoding: str) -> None:
    done = shell("tracetrap check --output-format json model.py", PYTHONIOENCODING=encoding)
    assert "schwelle_ß" in json.loads(done.stdout.decode("utf-8"))[0]["message"]
    page = shell("tracetrap view model.py -o -", PYTHONIOENCODING=encoding)
    assert "schwelle_ß" in page.stdout.decode("utf-8")


def test_what_people_read_is_in_their_encoding_and_escaped_where_it_has_no_such_character(
    accented: Path,
) -> None:
    assert "schwelle_ß" in shell("tracetrap check model.py", PYTHONIOENCODING="latin-1").stdout.decode(
        "latin-1"
    )
    assert rb"schwelle_\xdf" in shell("tracetrap check model.py", PYTHONIOENCODING="ascii").stdout


def test_a_name_that_is_no_text_is_no_hindrance(folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.py")).write_text(PITFALL)
    except OSError:
        pytest.skip("the file system takes only names that are text")
    found = json.loads(shell("tracetrap check --output-format json").stdout)
    assert found[0]["filename"] == "\udcff.py"
    assert rb"\udcff.py:6:8: TRC101" in shell("tracetrap check").stdout


def test_what_is_mended_on_the_way_keeps_encoding_and_line_ends(folder: Path) -> None:
    text = f"# -*- coding: latin-1 -*-\r\n{ACCENTED}".replace("\n", "\r\n").replace("\r\r", "\r")
    (folder / "given.py").write_bytes(text.encode("latin-1"))
    done = shell("tracetrap check - --fix --unsafe-fixes < given.py")
    assert b"schwelle_\xdf" in done.stdout
    assert b"where" in done.stdout
    assert done.stdout.count(b"\n") == done.stdout.count(b"\r\n")


def test_undecodable_input_is_not_mistaken_for_the_file_of_its_name(tracetrap, folder, monkeypatch) -> None:
    (folder / "model.py").write_text(PITFALL)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = '\xff'\n")))
    answer = tracetrap("check", "-", "--fix", "--stdin-filename", "model.py")
    assert answer.code == 1
    assert answer.output == ""
