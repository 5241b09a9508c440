"""What newcomers meet first: the bare command, help, completion, and errors that name the option at fault."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tracetrap.linter.cli import COMMANDS
from tracetrap.linter.report import formats


def test_the_bare_command_says_what_to_do(tracetrap) -> None:
    answer = tracetrap()

    assert (answer.code, answer.errors) == (0, "")
    assert "tracetrap check " in answer.output and "tracetrap init" in answer.output


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_or_two_and_has_examples(tracetrap, command: str, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    answer = tracetrap(command, "--help")

    assert answer.code == 0
    assert COMMANDS[command] in " ".join(answer.output.split())
    assert len(answer.output.splitlines()) <= 80
    assert "tracetrap" in answer.output.partition("options:")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "--select", "XYZ1"], "--select must be rule codes such as TRC101 or TRC1, not 'XYZ1'"),
        (["check", "--ignore", "TRC999"], "--ignore must be rule codes that exist"),
        (["check", "--output-format", "yaml"], "--output-format must be one of "),
        (["check", "--runtime", "numpy"], "--runtime must be one of bundled, jax"),
        (["check", "--jobs", "many"], "--jobs must be a number of processes"),
        (["check", "--config", "gone.toml"], "gone.toml: no such file"),
        (["run"], "the following arguments are required: SCRIPT\n"),
        (["check", "gone.py"], "gone.py: no such file or folder"),
        (["check", "--fox"], "--fox"),
        (["chek"], "there is no command 'chek'; did you mean check?"),
        (["model.py"], "model.py is no command; to check it: tracetrap check model.py"),
        (["rule", "TRC110"], "there is no rule TRC110; did you mean TRC"),
        (["completion", "fish"], "fish"),
    ],
)
def test_errors_name_what_is_at_fault(tracetrap, pitfall, arguments: list[str], said: str) -> None:
    answer = tracetrap(*arguments)

    assert answer.code == 2
    assert said in answer.errors
    assert "Traceback" not in answer.errors


def test_unsafe_fixes_alone_are_said_to_change_nothing(tracetrap, pitfall) -> None:
    answer = tracetrap("check", "--unsafe-fixes")

    assert answer.code == 1
    assert answer.errors == "tracetrap: --unsafe-fixes changes nothing without --fix or --diff\n"


def test_the_help_and_the_page_name_all_formats(tracetrap) -> None:
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
    table = page.partition("| `--output-format` |")[2]
    said = " ".join(tracetrap("check", "--help").output.split()).partition("--output-format FORMAT ")[2]
    said = said[said.index("text (default)") :].partition(" --")[0]

    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(formats())
    assert set(re.findall(r"\w+", said)) - {"default", "or"} == set(formats())


def test_a_rule_is_known_by_its_name_too(tracetrap) -> None:
    assert tracetrap("rule", "traced-if").output == tracetrap("rule", "TRC101").output


def test_a_diff_of_nothing_says_what_would_show_more(tracetrap, pitfall) -> None:
    assert "0 fixes would be applied; 1 more with --unsafe-fixes" in tracetrap("check", "--diff").errors
    assert tracetrap("check", "--diff", "--unsafe-fixes").errors.endswith("1 fix would be applied\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_and_options(tracetrap, folder) -> None:
    script = tracetrap("completion", "bash").output
    (folder / "completion.sh").write_text(script)
    ask = """
        source completion.sh
        for words in 'tracetrap ch' 'tracetrap check --out' 'tracetrap rule --output-format j'; do
            COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
            COMP_LINE="$words"; COMP_POINT=${#words}
            $(complete -p tracetrap | sed 's/.*-F \\([^ ]*\\) .*/\\1/') tracetrap "${COMP_WORDS[COMP_CWORD]}" x
            echo "${COMPREPLY[@]}"
        done
    """
    ran = subprocess.run(
        ["bash", "-c", ask], capture_output=True, text=True, check=True, env=os.environ, timeout=60
    )

    assert ran.stdout.splitlines() == ["check", "--output-format", "json"]


def test_zsh_has_a_script_too(tracetrap) -> None:
    assert tracetrap("completion", "zsh").output.startswith("#compdef tracetrap")
