"""The programs and outputs in Markdown files, and the comments before them that say what is claimed.

    <!-- expect: TRC101 TracerBoolConversionError -->   before a program: the linter reports this, and JAX raises that
    <!-- prints -->                                     before a text: the program above it prints it under JAX
    <!-- output of: tracetrap check model.py -->        before a text: the command prints it, beside the page's titled programs

A program without such a comment is clean, and runs.  `python tests/documents.py` brings outputs, the README's table of
rules and the rules' pages up to date.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tracetrap.linter.rules.docs import main, table

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

_BLOCK = re.compile(
    r'(?:^<!-- (?P<claim>[^\n]*?) -->\n)?^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
_TABLE = re.compile(r"(<!-- rules -->\n)(.*?)(<!-- end of rules -->)", re.DOTALL)
_EXPECT = re.compile(r"expect: (?P<codes>TRC\d{3}(?:, TRC\d{3})*)(?: (?P<error>\w+))?$")


@dataclass(frozen=True)
class Program:
    """A program in a page, and what is claimed of it."""

    page: Path
    row: int
    body: str
    title: str
    codes: tuple[str, ...] = ()
    error: str | None = None
    prints: str | None = None


@dataclass(frozen=True)
class Command:
    """A command in a page, and what it prints."""

    page: Path
    row: int
    command: str
    output: str


def programs(page: Path) -> list[Program]:
    """The programs of a page, in their order."""
    found: list[Program] = []
    for block, row in _blocks(page):
        claim = block["claim"] or ""
        if block["language"] == "python":
            expected = _EXPECT.match(claim)
            codes = tuple(expected["codes"].split(", ")) if expected else ()
            error = expected["error"] if expected else None
            found.append(Program(page, row, block["body"], block["title"] or f"line_{row}.py", codes, error))
        elif claim == "prints":
            last = found.pop()
            found.append(Program(**{**vars(last), "prints": block["body"]}))
    return found


def commands(page: Path) -> list[Command]:
    """The commands of a page whose output is shown."""
    return [
        Command(page, row, claim.removeprefix("output of: "), block["body"])
        for block, row in _blocks(page)
        if (claim := block["claim"] or "").startswith("output of: ")
    ]


def run(program: Program) -> tuple[str, str | None]:
    """What a program prints in this process, and the name of the exception that ends it, if one does."""
    printed = io.StringIO()
    error: str | None = None
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(program.body, program.title, "exec", dont_inherit=True), {"__name__": "__main__"})
        except Exception as raised:
            error = type(raised).__name__
    return printed.getvalue(), error


def output(command: Command) -> str:
    """What a command prints in a folder that holds the page's programs and the fixtures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in programs(command.page):
            (folder / program.title).write_text(program.body, encoding="utf-8")
        (folder / "fixtures").symlink_to(ROOT / "fixtures")
        tool = [sys.executable, "-m", "tracetrap.linter", *command.command.split()[1:]]
        environment = os.environ | {"TRACETRAP_CACHE_DIR": str(folder / "cache"), "NO_COLOR": "1"}
        answer = subprocess.run(
            tool, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        return answer.stdout


def updated(page: Path) -> str:
    """A page with the outputs that its programs and commands have now."""
    last: list[Program] = []

    def replaced(block: re.Match[str]) -> str:
        claim = block["claim"] or ""
        if block["language"] == "python":
            last[:] = [Program(page, 0, block["body"], block["title"] or "program.py")]
            return block[0]
        if claim == "prints":
            return block[0].replace(f"```text\n{block['body']}", f"```text\n{run(last[0])[0]}")
        if claim.startswith("output of: "):
            text = output(Command(page, 0, claim.removeprefix("output of: "), ""))
            return block[0].replace(f"```text\n{block['body']}", f"```text\n{text}")
        return block[0]

    text = _BLOCK.sub(replaced, page.read_text(encoding="utf-8"))
    return _TABLE.sub(lambda found: f"{found[1]}{table('docs/rules/{code}.md')}{found[3]}", text)


def _blocks(page: Path) -> list[tuple[re.Match[str], int]]:
    text = page.read_text(encoding="utf-8")
    return [(block, text.count("\n", 0, block.start("body")) + 1) for block in _BLOCK.finditer(text)]


if __name__ == "__main__":
    main(ROOT / "docs" / "rules")
    for path in PAGES:
        path.write_text(updated(path), encoding="utf-8")
