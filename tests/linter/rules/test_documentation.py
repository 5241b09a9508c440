"""The documentation of every rule: its heads are complete, its programs do what they say."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.rules import all_rules
from tracetrap.linter.rules.docs import HEADS, PRELUDE, example, page, pages, sections, summary
from tracetrap.linter.settings.config import Settings

ROOT = Path(__file__).parents[3]
PROGRAMS = [code for code, rule in all_rules().items() if rule.listens]  # TRC9xx are reported without events


def findings(text: str) -> list[Finding]:
    return [f for f in analyze(SourceFile(text, "example.py"), Settings()) if f.confidence == "definite"]


def raised(text: str) -> str | None:
    pytest.importorskip("jax")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, "example.py", "exec", dont_inherit=True), {"__name__": "__main__"})
    except Exception as error:
        return type(error).__name__
    return None


@pytest.mark.parametrize("code", all_rules())
def test_the_page_has_the_fixed_heads_in_order(code: str) -> None:
    rule = all_rules()[code]
    heads = list(sections(rule))
    assert heads == [head for head in HEADS if head in heads]
    assert {"What it does", "Why is this bad", "References"} <= set(heads)
    assert summary(rule) and len(summary(rule)) < 100
    assert page(rule).startswith(f"# {code}: ")


@pytest.mark.parametrize("code", PROGRAMS)
def test_the_example_is_reported_and_raises_as_predicted(code: str) -> None:
    rule = all_rules()[code]
    program = example(rule, "Example")
    assert program is not None
    reported = findings(PRELUDE + program)
    assert code in {f.code for f in reported}
    predicted = {f.error for f in reported if f.error}
    assert raised(PRELUDE + program) in (predicted or {None})


@pytest.mark.parametrize("code", PROGRAMS)
def test_what_to_use_instead_is_clean_and_runs(code: str) -> None:
    program = example(all_rules()[code], "Use instead")
    assert program is not None
    assert findings(PRELUDE + program) == []
    assert raised(PRELUDE + program) is None


def test_codes_and_names_are_unique_and_agree_with_their_files() -> None:
    rules = all_rules()
    assert len({rule.name for rule in rules.values()}) == len(rules)
    for code, rule in rules.items():
        assert rule.code == code
        assert type(rule).__module__.rsplit(".", 1)[-1].startswith(code.lower() + "_")


def test_the_written_pages_are_those_of_the_docstrings() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert written == pages(), "run: python tests/documents.py"
