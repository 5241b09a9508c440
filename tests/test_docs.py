"""The documentation keeps its word: programs run and fail as it says, outputs are real, what is generated is current."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import PAGES, ROOT, Command, Program, commands, output, programs, run
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.report import formats
from tracetrap.linter.rules import all_rules
from tracetrap.linter.rules.docs import pages, table
from tracetrap.linter.settings.config import Settings
from tracetrap.linter.settings.keys import READERS

PROGRAMS = [program for page in PAGES for program in programs(page)]
COMMANDS = [command for page in PAGES for command in commands(page)]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"


def name(item: Program | Command) -> str:
    return f"{item.page.stem}:{item.row}"


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_the_linter_says_of_programs_what_the_page_says(program: Program) -> None:
    source = SourceFile(program.body)
    found = [
        f
        for f in analyze(source, Settings())
        if f.confidence == "definite" and not source.suppressions.suppresses(f)
    ]

    assert tuple(finding.code for finding in found) == program.codes
    if program.codes:
        assert program.error in {finding.error for finding in found}


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_jax_does_with_programs_what_the_page_says(program: Program) -> None:
    pytest.importorskip("jax")

    printed, error = run(program)

    assert error == program.error
    if program.prints is not None:
        assert printed == program.prints


@pytest.mark.parametrize("command", COMMANDS, ids=name)
def test_outputs_are_real(command: Command) -> None:
    pytest.importorskip("llvmlite")

    assert output(command) == command.output


def test_pages_of_rules_are_current() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "rules").glob("*.md")}

    assert written == pages()


def test_readme_has_the_table_of_rules() -> None:
    shown = README.partition("<!-- rules -->\n")[2].partition("<!-- end of rules -->")[0]

    assert shown == table("docs/rules/{code}.md")


def test_readme_has_exactly_two_commands() -> None:
    lines = [
        line
        for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
        for line in block.splitlines()
    ]

    assert lines == [
        'pip install ".[all]" && tracetrap check --verify fixtures/tutorial',
        'pip install -e ".[dev]" && pytest',
    ]


def test_every_setting_is_described() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)

    assert sorted(described) == sorted(key.replace("_", "-") for key in READERS)


def test_every_format_is_described() -> None:
    described = re.findall(r"^\| `([a-z]+)` \|", (DOCS / "ci.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(described) == sorted(formats())


def test_every_rule_that_a_page_names_exists() -> None:
    known = {*all_rules(), "TRC299", "TRC900", "TRC901"}  # TRC299 is the rule that is added as an example
    named = {code for page in PAGES for code in re.findall(r"TRC\d{3}", page.read_text(encoding="utf-8"))}

    assert named <= known


def test_relative_links_lead_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []


def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("material")

    answer = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip

    assert (answer.returncode, answer.stdout) == (0, ""), answer.stderr
    assert (tmp_path / "rules" / "TRC101" / "index.html").exists()
