"""`--fix --verify` and the verdicts as the command line shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tracetrap.linter.cli import main

pytest.importorskip("llvmlite")

TWO = """\
import jax
import jax.numpy as jnp


@jax.jit
def clip(x, low, high):
    if x < low:
        x = low
    if x > high:
        x = high
    return x * 2
"""


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "example.py"
    path.write_text(TWO, encoding="utf-8")
    return path


def test_places_that_hide_each_other_are_fixed_together(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--no-cache", "--fix", "--verify", example.name]) == 0
    assert "2 fixes applied" in capsys.readouterr().err
    text = example.read_text(encoding="utf-8")
    assert "if x" not in text
    assert "jnp.where" in text


def test_what_is_not_proven_is_not_applied(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TWO.replace("x < low", "x * x == -12345.0")
    example.write_text(text, encoding="utf-8")
    assert main(["check", "--no-cache", "--fix", "--verify", example.name]) == 1
    assert "example.py:7: TRC101 not fixed" in capsys.readouterr().err
    assert example.read_text(encoding="utf-8") == text


def test_a_verdict_reaches_json_and_the_summary(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-cache", "--verify", "--output-format", "json", example.name]) == 1
    first = json.loads(capsys.readouterr().out)[0]
    assert first["verdict"]["status"] == "confirmed"
    assert first["verdict"]["error"] == "TracerBoolConversionError"
    assert main(["check", "--no-cache", "--verify", example.name]) == 1
    assert "2 findings in 1 file: 2 confirmed" in capsys.readouterr().out


def test_a_finding_in_another_file_gets_the_verdict_of_its_entry_point(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helper = example.with_name("helper.py")
    helper.write_text("def sign(x):\n    if x > 0:\n        return 1.0\n    return -1.0\n", encoding="utf-8")
    example.write_text(
        "import jax\nimport jax.numpy as jnp\nfrom helper import sign\n\n\n@jax.jit\ndef f(x):\n"
        "    return sign(x) * x\n\n\nf(jnp.ones(()))\n",
        encoding="utf-8",
    )
    assert main(["check", "--no-cache", "--verify", "--output-format", "json", "."]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["filename"] == "helper.py"
    assert found["verdict"]["status"] == "confirmed"


def test_fixes_are_marked_as_proven_or_not(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TWO.replace("    if x > high:\n        x = high\n", "")
    example.write_text(text, encoding="utf-8")
    assert main(["check", "--no-cache", "--verify", "--output-format", "json", example.name]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["fixes"][0]["proof"]["status"] == "proven"
    assert "equal to the undecorated function" in found["fixes"][0]["proof"]["reason"]
    assert main(["check", "--no-cache", "--verify", example.name]) == 1
    assert "unsafe fix, proven: Choose with jnp.where" in capsys.readouterr().out
    assert main(["check", "--no-cache", example.name]) == 1
    assert "proven" not in capsys.readouterr().out
    example.write_text(text.replace("x < low", "x * x == -12345.0"), encoding="utf-8")
    assert main(["check", "--no-cache", "--verify", example.name]) == 1
    assert "unsafe fix, not proven: Choose with jnp.where" in capsys.readouterr().out


def test_inputs_are_noted_and_read_again(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-cache", "--verify", "--note-inputs", example.name]) == 1
    assert "1 comment with inputs written" in capsys.readouterr().err
    lines = example.read_text(encoding="utf-8").splitlines()
    place = lines.index("@jax.jit") - 1
    assert lines[place].startswith("# tracetrap: f32[]")
    lines[place] = "# tracetrap: f32[], i32[], 3"
    example.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["check", "--no-cache", "--verify", "--note-inputs", example.name]) == 1
    captured = capsys.readouterr()
    assert "0 comments with inputs written" in captured.err
    assert "with f32[], i32[], " in captured.out
