"""Notebooks are checked like files; what is written back changes nothing but what it must."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pitfall_file import PITFALL
from tracetrap.linter.files.cells import CellError
from tracetrap.linter.files.notebook import cells_of, read_source

IMPORTS, _, REST = PITFALL.partition("\n\n\n")
DECORATED = f"# the pitfall\n{REST.rstrip()}"


def cell(source: str | list[str], kind: str = "code") -> dict[str, Any]:
    more = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **more, "source": source}


def write(name: str, *cells: dict[str, Any], language: str = "python", **layout: Any) -> Path:
    """A notebook, laid out as Jupyter does it unless told otherwise."""
    told = {"kernelspec": {"display_name": "x", "language": language, "name": "x"}}
    held = {"cells": list(cells), "metadata": told, "nbformat": 4, "nbformat_minor": 5}
    path = Path(name)
    path.write_text(
        json.dumps(held, **{"indent": 1, "ensure_ascii": False, **layout}) + "\n", encoding="utf-8"
    )
    return path


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@pytest.fixture
def notebook(folder: Path) -> Path:
    title = cell(lines("# Title\nä"), "markdown")
    setup = cell(lines(f"%matplotlib inline\n!pip install jax\n{IMPORTS}"))
    return write("model.ipynb", title, setup, cell(lines(DECORATED)), cell([]))


def test_findings_are_told_by_cell_and_line(tracetrap, notebook: Path) -> None:
    answer = tracetrap("check")
    (found,) = json.loads(tracetrap("check", "--output-format", "json").output)

    first, *frame = answer.output.splitlines()
    assert first.startswith("model.ipynb:cell 3:4:8: TRC101 ")
    assert "traced by jit (line 2 of cell 3)" in first
    assert frame[1] == "4 |     if x > threshold:"
    assert (found["filename"], found["cell"], found["location"]) == (
        "model.ipynb",
        3,
        {"row": 4, "column": 8},
    )
    assert all(edit["location"]["row"] <= 6 for edit in found["fix"]["edits"])


def test_magics_are_no_python_and_no_hindrance(tracetrap, folder: Path) -> None:
    magics = (
        "%load_ext x\n!ls \\\n  -l\nfiles = !ls\ntook = %timeit -o f()\njax?\nif True:\n    %time 1\n"
        + IMPORTS
    )
    write(
        "a.ipynb",
        cell(magics),
        cell("%%bash\necho 'if x:'"),
        cell(f"%%time\n{DECORATED}"),
        cell("'''\n%no magic\n'''"),
    )

    assert tracetrap("check").output.startswith("a.ipynb:cell 3:5:8: TRC101 ")


def test_noqa_and_settings_hold(tracetrap, notebook: Path) -> None:
    assert tracetrap("check", "--ignore", "TRC101").code == 0
    tracetrap("check", "--add-noqa")

    assert "if x > threshold:  # noqa: TRC101" in notebook.read_text(encoding="utf-8")
    assert tracetrap("check").code == 0


@pytest.mark.parametrize(
    "layout",
    [{}, {"indent": None}, {"indent": 4}, {"ensure_ascii": True}],
    ids=["Jupyter", "one line", "4", "ASCII"],
)
@pytest.mark.parametrize("form", [str, lines], ids=["text", "list"])
def test_fixes_change_only_the_cells_that_they_are_in(
    tracetrap, folder: Path, form: Any, layout: dict
) -> None:
    output = {"data": {"text/plain": ["1"]}, "output_type": "execute_result", "x": 1.5}
    setup = cell(form(f"%time 'ä'\n{IMPORTS}\nimport jax.numpy as jnp"))
    setup["outputs"] = [output]
    path = write(
        "a.ipynb", cell("# ä\n", "markdown"), setup, cell(form(DECORATED + "  # ü")), cell(form("")), **layout
    )
    before = path.read_text(encoding="utf-8")

    answer = tracetrap("check", "--fix", "--unsafe-fixes")

    after = path.read_text(encoding="utf-8")
    old, new = json.loads(before), json.loads(after)
    assert (answer.code, answer.errors) == (0, "tracetrap: 1 fix applied\n")
    assert type(new["cells"][2]["source"]) is type(old["cells"][2]["source"])
    mended = "".join(new["cells"][2]["source"])
    assert "jnp.where" in mended and "# ü" in mended
    layout = {"indent": 1, "ensure_ascii": False, **layout}
    whole = (
        json.dumps({**old, "cells": [*old["cells"][:2], new["cells"][2], *old["cells"][3:]]}, **layout) + "\n"
    )
    assert after == whole


def test_a_notebook_that_needs_no_change_is_written_as_it_is(folder: Path, notebook: Path) -> None:
    source = read_source(notebook)

    assert source.encoding.encode(source.text) == notebook.read_bytes()


def test_a_diff_tells_the_cell(tracetrap, notebook: Path) -> None:
    answer = tracetrap("check", "--diff", "--unsafe-fixes")

    assert "--- model.ipynb:cell 3\n+++ model.ipynb:cell 3\n" in answer.output
    assert "-    if x > threshold:\n" in answer.output


def test_a_text_that_lost_a_cell_or_a_magic_is_not_written(notebook: Path) -> None:
    source = read_source(notebook)
    cells = cells_of(source)
    assert cells is not None

    for lost in ("# %% [tracetrap: cell 3]\n", "pass  # tracetrap: magic 2.1\n"):
        assert lost in source.text
        with pytest.raises(CellError):
            cells.split(source.text.replace(lost, ""))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "its JSON cannot be read"),
        ("[]", "it has no list of cells"),
        ('{"worksheets": []}', "it has no list of cells"),
        ('{"cells": [{"cell_type": "code", "source": 7}]}', "the source of a cell is no text"),
        ('{"cells": [], "cells": [1]}', "it has two lists of cells"),
    ],
)
def test_what_is_no_notebook_is_one_finding(tracetrap, folder: Path, text: str, reason: str) -> None:
    Path("bad.ipynb").write_text(text)

    (line,) = tracetrap("check", "--output-format", "concise").output.splitlines()

    assert line.startswith("bad.ipynb:1:1: TRC900 ")
    assert reason in line


def test_notebooks_of_other_languages_and_odd_cells_are_left_alone(tracetrap, folder: Path) -> None:
    write("r.ipynb", cell("x <- 1"), language="R")
    Path("odd.ipynb").write_text(
        '{"cells": [7, {"cell_type": "code"}, {"cell_type": "raw", "source": "if"}]}'
    )

    assert tracetrap("check").code == 0


def test_flake8_does_not_see_notebooks(notebook: Path) -> None:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "TRC", "."]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    assert (ran.returncode, ran.stdout) == (0, "")
