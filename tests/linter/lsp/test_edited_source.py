"""Nodes that are taken over from one version of a text to the next change nothing of what is found in it."""

from __future__ import annotations

import ast
import random
import warnings
from pathlib import Path

import pytest
from pitfall_file import PITFALL
from tracetrap.linter.check_file import raw_findings
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.lsp.drafts import Drafts
from tracetrap.linter.lsp.edited_source import EditedSource
from tracetrap.linter.observation import observe
from tracetrap.linter.settings.config import Settings

PIECES = [
    "import jax\nimport jax.numpy as jnp\n",
    PITFALL.partition("\n\n\n")[2],
    "SCALE = 2.0\n",
    "# a comment above\ndef helper(x, limit=3):\n    if x > limit:\n        return x * SCALE\n    return x\n    # below\n",
    "\n@jax.jit\ndef calls(x):\n    y = helper(x)\n    assert y > 0\n    return float(y)\n",
    "class Layer:\n    size = 4\n\n    @jax.jit\n    def run(self, x):\n        while x > 0:\n            x = x - 1\n        return x\n"
    "\n    def plain(self, x):\n        return int(x)  # fine\n",
    "a = 1; b = 2\n",
    "compiled = jax.jit(lambda x: x if x > 0 else -x)\n",
    "def outer(x):\n    def inner(y):\n        return y if y > x else x\n    return jax.vmap(inner)(x)\n",
    "if SCALE > 1:\n    def late(x):\n        return bool(x)\n    late = jax.jit(late)\n",
    "TEXT = '''\nif x:\n'''\n",
    "\n\n",
    "    # an indented comment\n",
    "x = (\n    1,\n)\n",
    "@jax.jit\ndef wide(x, ä='\u6f22'):\n    return x[x > 0], 'ä\U0001d11e' if x else 1\n",
]
KEYSTROKES = [
    "\n",
    " ",
    "x",
    "(",
    ")",
    "#",
    ":",
    "1",
    "    ",
    "not ",
    "if x:\n        pass\n",
    "'",
    "\t",
    ";",
    "\\",
    "\x0c",
]


def edited(text: str, random_: random.Random) -> str:
    """The text after something that people do to texts."""
    start = random_.randrange(len(text) + 1)
    match random_.randrange(6):
        case 0:
            return text[:start] + random_.choice(KEYSTROKES) + text[start:]
        case 1:
            return text[:start] + text[start + random_.randrange(1, 4) :]
        case 2:
            return text + random_.choice(PIECES)
        case 3:  # lines moved or doubled
            lines = text.splitlines(keepends=True)
            first = random_.randrange(len(lines) + 1)
            block = lines[first : first + random_.randrange(1, 8)]
            place = random_.randrange(len(lines) + 1)
            return "".join([*lines[:place], *block, *lines[place:]])
        case 4:
            lines = text.splitlines(keepends=True)
            first = random_.randrange(len(lines) + 1)
            return "".join([*lines[:first], *lines[first + random_.randrange(1, 4) :]])
        case _:
            return text.replace(
                *random_.choice(
                    [("x", "z"), ("0", "1"), ("jit", "vmap"), ("\n\n", "\n"), ("SCALE", "limit")]
                ),
                1,
            )


def found(source: SourceFile) -> list[Finding]:
    project = Project()
    project.add(source)
    drafts = Drafts()
    findings = raw_findings(source, Settings(cache=False), project, drafts.analyze)
    return [
        *findings,
        *(Finding("", "", "", "", span, fixes=fixes) for (span, _), fixes in drafts.fixes().items()),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_an_edited_text_is_checked_as_if_it_were_new(seed: int) -> None:
    random_ = random.Random(seed)
    whole = "".join(PIECES)
    text, source = whole, EditedSource(whole, "model.py", None)
    found(source)
    for _ in range(25):
        after = edited(text, random_)
        if random_.random() < 0.3:  # a version that nobody looks into
            source, after = EditedSource(after, "model.py", None, source), edited(after, random_)
        source = EditedSource(after, "model.py", None, source)
        fresh = SourceFile(after, "model.py")

        assert found(source) == found(fresh), after
        text = after if source.parses or random_.random() < 0.5 else text
        source = source if text is after else EditedSource(text, "model.py", None, source)
        if random_.random() < 0.2:
            text, source = whole, EditedSource(whole, "model.py", None, source)


def test_statements_that_have_not_changed_keep_their_nodes() -> None:
    text = "".join(PIECES)
    before = EditedSource(text, "model.py", None)
    old = {id(statement) for statement in before.module.body}

    after = EditedSource("\n" + text.replace("limit=3", "limit=33"), "model.py", None, before)

    fresh = [statement for statement in after.module.body if id(statement) not in old]
    assert len(after.module.body) == len(old)
    assert 1 <= len(fresh) <= 4  # what changed, the first one, and what an indented comment may belong to


def test_what_is_known_of_expressions_moves_with_them() -> None:
    text = "".join(PIECES)
    source = EditedSource(text, "model.py", None)
    observe(source, Settings(), Project())
    for after in (
        "\n" + text,
        text.replace("SCALE = 2.0", "SCALE = 22.0"),
        text.replace("limit=3", "limit=33"),
    ):
        source = EditedSource(after, "model.py", None, source)

        seen, expected = (
            observe(one, Settings(), Project()) for one in (source, SourceFile(after, "model.py"))
        )

        told, wanted = (
            [(one.span, one.role, one.binding, one.text) for one in observations]
            for observations in (seen, expected)
        )
        assert told == wanted


CONTINUED = (
    "x = 1 \\\n\ny = (\n  2,\n); z = 3\nif x:\n    y\nelse:\n    z\n\n@f\n@g\ndef h(): return 1\n# end\n"
    "a = 1; b = '''\n'''; c = 2\ntry:\n  pass\nexcept E:\n  pass\nmatch x:\n  case 1: pass\nlast = 0"
)
ODD = [
    "\\",
    "else:",
    "    ",
    "@",
    "'''",
    "(",
    ")",
    ";",
    "#",
    "+ 2",
    "case 2: pass",
    "\r",
    "\n",
    "\x0c",
    "\0",
    "pass",
    ":",
    ",",
]


@pytest.mark.parametrize("seed", range(30))
def test_a_tree_that_is_parsed_in_parts_is_that_of_the_whole_text(seed: int) -> None:
    random_ = random.Random(seed)
    text = CONTINUED if seed % 2 else "".join(PIECES)
    source = EditedSource(text, "model.py", None)
    assert source.module
    for _ in range(60):
        place = random_.randrange(len(text) + 1)
        after = text[:place] + random_.choice(ODD) + text[place + random_.choice([0, 0, 1, 3]) :]
        source = EditedSource(after, "model.py", None, source)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                whole = ast.dump(ast.parse(after), include_attributes=True)
        except (SyntaxError, ValueError):
            assert not source.parses
            text = text if random_.random() < 0.8 else after
            continue
        assert ast.dump(source.tree, include_attributes=True) == whole
        assert source.module
        text = after


def test_only_the_rows_that_have_changed_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(PIECES)
    before = EditedSource(text, "model.py", None)
    assert before.module
    parsed, real = [], ast.parse
    monkeypatch.setattr(ast, "parse", lambda text: parsed.append(text) or real(text))

    after = EditedSource(text.replace("limit=3", "limit=33"), "model.py", None, before)

    assert after.module
    assert len(parsed) == 1
    assert "limit=33" in parsed[0]
    assert len(parsed[0]) < len(text) / 4


def test_versions_that_are_over_are_let_go(tmp_path: Path) -> None:
    source = EditedSource("x = 1\n", "model.py", None)
    for number in range(20):
        source = EditedSource(f"x = {number}\n", "model.py", None, source)

    before, depth = source._before, 0
    while before is not None:
        before, depth = before._before, depth + 1
    assert depth <= 1
