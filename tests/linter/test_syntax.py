"""Syntax by need: bodies that are parsed late are those of the whole parse, at the same places."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from tracetrap.linter import syntax
from tracetrap.linter.analysis import analyze
from tracetrap.linter.config import Settings
from tracetrap.linter.positions import places
from tracetrap.linter.source import SourceFile
from tracetrap.linter.syntax import later_blocks

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "linter" / "interpreter").glob("*.py"), *(ROOT / "fixtures").rglob("*.py")])[::7]

AWKWARD = [
    "def f(a,  # note: a\n      b=(1,\n         2)):  # why\n  # first\n  return a  # last\n  # behind\n\nx = f(1, 2)\n",
    "class A:\n\tdef m(self):\n\t\tif self:\n\t\t\treturn 1\n\n\t\t# end\n\n\tasync def n(self): \n\t\tawait self\n",
    'def f():\n    return \'é\' + """\nx\n"""; y = 1\ndef g(): return 2\ntry:\n    def h():\n        pass\nexcept E:\n    def h():\n        yield \'ü\'\n',
    "def f():\r\n    return 1\r\n\r\n\r\ndef g():\r\n    '''doc\r\n    '''\r\n",
    "match x:\n  case 1:\n    def f():\n      return 1\nclass B:\n    def m(self):\n        return 2\n",
    "def f():\n  return 1\nclass C:\n    def m(self):\n        return 2\n",
    "# header\n\nif a:\n  def f() -> 'x:y':\n\n    return 1\nelif b:\n  pass\nelse:\n  @d(1)\n  @e\n  def f():\n    @inner\n    def g():\n      return lambda: (yield)\n    return g",
    "def f():\n    return 1",
]


def nodes(found: dict[cst.CSTNode, tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Every node that is no white space, by place."""
    layout = (
        cst.EmptyLine,
        cst.BaseParenthesizableWhitespace,
        cst.Newline,
        cst.TrailingWhitespace,
        cst.Comment,
    )
    blocks = (cst.Module, cst.IndentedBlock)
    return sorted(
        (*place, type(node).__name__)
        for node, place in found.items()
        if not isinstance(node, layout + blocks)
    )


def check_same(text: str) -> None:
    """A file parsed by need holds the nodes of the whole parse, where they are, and writes out as it was."""
    source = SourceFile(text)
    module = source.module
    blocks = list(later_blocks(module))
    assert not any(block.parsed for block in blocks)
    assert module.code == text
    assert all(block.parsed and block.failure is None for block in blocks)
    whole = cst.parse_module(text)
    assert nodes(every_place(source)) == nodes(places(whole))


def every_place(source: SourceFile) -> dict[cst.CSTNode, tuple[int, int]]:
    """Where the source says that its nodes stand."""
    found: dict[cst.CSTNode, tuple[int, int]] = {}
    pending: list[cst.CSTNode] = [source.module]
    while pending:
        node = pending.pop()
        if source.holds(node):
            span = source.span_of(node)
            found[node] = (source.offset(span.start), source.offset(span.end))
        pending += node.children
    return found


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_layouts(text: str) -> None:
    check_same(text)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_real_files(path: Path) -> None:
    check_same(SourceFile.read(path).text)


def test_bodies_are_left_for_later() -> None:
    source = SourceFile("def f(x):\n    return x\n\n\nclass A:\n    def m(self):\n        return 1\n")
    blocks = list(later_blocks(source.module))
    assert [block.text.strip() for block in blocks] == ["return x", "return 1"]
    assert len(blocks[1].body) == 1
    assert [block.parsed for block in blocks] == [False, True]


def test_much_code_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "MAX_PARSED", 400)
    long = "".join(f"    x = jnp.sin(x) + {number}\n" for number in range(20))
    text = f"""\
import jax
import jax.numpy as jnp

@jax.jit
def short(x):
    if x > 0:
        return x
    return -x

@jax.jit
def long(x):
{long}    return x
"""
    codes = [(finding.code, finding.span.start.row) for finding in analyze(SourceFile(text), Settings())]
    assert codes == [("TRC900", 1), ("TRC101", 6)]
