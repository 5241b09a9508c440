"""`tracetrap trace` and `tracetrap run`, as their users see them."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

import pytest
from tracetrap.linter.verify import run_command, trace_command

SCRIPT = """
import sys
from functools import partial
import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames=("n",))
def power(x, n):
    for _ in range(n):
        x = x * x
    return x

def branch(x):
    if x > 0:
        return x
    return -x

if __name__ == "__main__":
    power(jnp.ones(3), n=2)
    power(jnp.ones(3), n=2)
    power(jnp.ones(4), n=2)
    power(jnp.ones(4), n=3)
    power(jnp.ones(3), n=4)
    print("the script's own output", *sys.argv[1:])
    if "fail" in sys.argv:
        sys.exit(5)
"""


@pytest.fixture(params=["bundled", "jax"])
def runtime(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("jax" if request.param == "jax" else "llvmlite")
    return str(request.param)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def trace(target: str, runtime: str, args: str | None = None, emit: str = "jaxpr") -> int:
    return trace_command.run(Namespace(target=target, args=args, emit=emit, runtime=runtime))


def test_the_jaxpr_is_printed(script: Path, runtime: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert trace(f"{script}::power", runtime, "f32[7], n=2") == 0
    shown = capsys.readouterr().out
    assert "a:f32[7]" in shown
    assert shown.count("mul") == 2


def test_inputs_that_were_found_are_shown(
    script: Path, runtime: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trace(f"{script}::power", runtime) == 0
    assert "# traced with f32[3], n=2" in capsys.readouterr().err


def test_a_function_that_does_not_trace_names_line_and_error(
    script: Path, runtime: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trace(f"{script}::branch", runtime) == 1
    message = capsys.readouterr().err
    assert "line 14 `if x > 0:`: TracerBoolConversionError" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("{}::nothing", "there is no function nothing in this file"),
        ("{}", "the target is written FILE::FUNCTION"),
        ("no_such_file.py::f", "no such file"),
    ],
)
def test_a_wrong_target_is_one_line(
    script: Path, capsys: pytest.CaptureFixture[str], target: str, message: str
) -> None:
    pytest.importorskip("jax")
    assert trace(target.format(script), "jax") == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_function_that_is_nowhere_is_named_even_where_the_file_raises(
    tmp_path: Path, runtime: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.py"
    script.write_text("def f(x):\n    return x\n\n\nraise ValueError('no data')\n", encoding="utf-8")

    assert trace(f"{script}::nope", runtime) == 2
    error = capsys.readouterr().err
    assert "there is no function nope in this file, and line 5 " in error
    assert error.endswith("raises ValueError: no data\n")
    assert error.count("\n") == 1


def test_a_run_is_reported(script: Path, runtime: str, capfd: pytest.CaptureFixture[str]) -> None:
    status = run_command.run(Namespace(script=str(script), script_args=["word"], runtime=runtime, save=None))
    out, err = capfd.readouterr()
    assert status == 0
    assert out == "the script's own output word\n"
    row = next(line.split() for line in err.splitlines() if line.startswith("power (script.py:7)"))
    assert row[2:5] == ["5", "4", "1"]  # calls, traces, hits
    assert "power: trace 2: differs from trace 1 in x: f32[3] -> f32[4]" in err
    assert "power: trace 3: differs from trace 2 in n: 2 -> 3" in err
    assert "power: trace 4: differs from trace 1 in n: 2 -> 4" in err


def test_the_script_s_exit_status_is_kept(script: Path, runtime: str) -> None:
    assert (
        run_command.run(Namespace(script=str(script), script_args=["fail"], runtime=runtime, save=None)) == 5
    )


def test_a_script_that_raises_shows_its_own_lines_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.py"
    script.write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n\n\nf(1.0)\n")

    options = Namespace(script=str(script), script_args=[], runtime="bundled", save=None)
    assert run_command.run(options) == 1

    told = capfd.readouterr().err
    assert told.count('File "') == told.count(f'File "{script}"') == 2
    assert "TracerBoolConversionError: Attempted boolean conversion" in told


def test_a_missing_script_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command.run(Namespace(script="no_such.py", script_args=[], runtime="bundled")) == 2
    assert capsys.readouterr().err == "tracetrap: no_such.py: no such file\n"


def test_the_parent_imports_neither_numpy_nor_the_runtime() -> None:
    import subprocess

    code = (
        "import sys, tracetrap.linter.verify.trace_command, tracetrap.linter.verify.run_command\n"
        "print([m for m in sys.modules if m in ('numpy', 'jax', 'llvmlite', 'tracetrap.runtime')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
