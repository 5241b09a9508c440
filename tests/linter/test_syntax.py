"""Nodes that are made without layout are those that libcst parses, at the same places, and can be given it later."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings
from tracetrap.linter.syntax import allowance
from tracetrap.linter.syntax.places import Recorder
from tracetrap.linter.syntax.statements import LaterBlock
from tracetrap.linter.syntax.walk import is_layout

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "linter").rglob("*.py"), *(ROOT / "fixtures").rglob("*.py")])[::9]

AWKWARD = {
    "signature": "def f(a,  # note: a\n      b=(1,\n         2)):  # why\n  # first\n  return a  # last\n  # behind\n\nx = f(1, 2)\n",
    "tabs": "class A:\n\tdef m(self):\n\t\tif self:\n\t\t\treturn 1\n\n\t\t# end\n\n\tasync def n(self): \n\t\tawait self\n",
    "semicolons": 'def f():\n    return \'é\' + """\nx\n"""; y = 1\ndef g(): return 2\na = 1; b = (2); c = 3\n',
    "carriage returns": "def f():\r\n    return 1\r\n\r\n\r\ndef g():\r\n    '''doc\r\n    '''\r\n",
    "indents": "match x:\n  case 1:\n    def f():\n      return 1\nclass B:\n    def m(self):\n        return 2\n",
    "no line end": "# header\n\nif a:\n  def f() -> 'x:y':\n\n    return 1\nelif b:\n  pass\nelse:\n  @d(1)\n  @e\n  def f():\n    @inner\n    def g():\n      return lambda: (yield)\n    return g",
    "strings": "a = 'x' \"y\" '''z'''\nb = ('x'\n  f'{y!r:>{w}} {z}' 'w')\nc = f'é {x + 1} {{}} {f(\"y\")}'\nd = b'1' b'2'\ne = f'{x=}'\n",
    "formats": "a = f'''{x}\n  é {y + 1} {z!r}'''\nb = f'{a}{a}' + f'{a:{b}}' + f'{a:%Y-%m}'\nc = f'{x!s} { y } {(z)}'\n",
    "numbers": "a = 0xFF + 1_000 + 1e400 + 2j + 0b1 + 1.50 + 1e400j\n",
    "subscripts": "a[1, 2:3, ..., ::2]\na[(1, 2)]\na[1,]\na[()]\na[(i), j]\na[:, None]\na[b[c]:d]\na[lambda: 1]\n",
    "tuples": "a = 1, 2\nb = (1, 2)\nc = (1), (2)\nd = ((1, 2), (3,))\n(e), f = ()\nfor g in 1, *h: pass\nreturn_ = (yield_, *a)\ni = (')', '(')\n",
    "parentheses": "a = ((x) + (y)) * (z)\nb = not (a and (b or c)) and (d) or e or (f)\nc = (x if (y) else (z))\nd = (x).y.z\n(f)((x), *(y), **(z), k=(w))\n",
    "calls": "f(x for x in y)\nf((x for x in y), z)\nf(a, k=1, *b, l=2, **c)\nclass C(A, *B, k=1, **D): pass\n",
    "comprehensions": "a = [x async for x in y if x if z for w in x]\nb = {k: v for k, v in c}\nd = {x for x in y}\n",
    "sequences to match": "match x:\n  case (), v: pass\n  case [], v: pass\n  case (a), (b): pass\n  case ((a), b): pass\n"
    "  case ('(', a), b: pass\n  case (): pass\n  case a,: pass\n  case (a,\n    ): pass\n  case *r, s: pass\n"
    "  case (*r, s), t: pass\n  case [(a), b]: pass\n",
    "operators": "a = x if y else -z ** ~w @ v // u % t << s >> r & q ^ p | o\nb = 1 < x <= y != z is not w not in v == u in t is s\nx //= 1; y @= 2; z **= 3; w >>= 4\n",
    "parameters": "def f(a, /, b: int, *c: int, d=1, e, **f: str) -> x: ...\ndef g(*, a): ...\nh = lambda a, /, *b, c=1, **d: (a, b)\n",
    "imports": "import a.b.c, d as e\nfrom . import a\nfrom ..b.c import (d as e, f,)\nfrom g import *\nfrom __future__ import annotations\n",
    "small": "x: int\ny: 'str' = 1\na = b = c, d = 1\ndel a, b\ndel (c)\nassert x, 'y'\nraise E from f\nraise\nglobal g, h\ny = (z := 1)\n",
    "blocks": "with a as b, c, d as (e, f): pass\nfor x in y:\n  break\nelse:\n  continue_ = 1\nwhile x: x\ntry:\n  a\nexcept A as e:\n  b\nexcept (B, C): c\nexcept:\n  d\nelse: e\nfinally:\n  f\nif a: b\nelif c: d\nelse:\n  if e: f\n",
    "patterns": "match a, b:\n  case [1, *rest, (2 | 3) as x]: pass\n  case (1, 2): pass\n  case {'k': v, **rest} if v: pass\n  case C(x, k=None): pass\n  case -1 | 'a' 'b' | D.e: pass\n  case 1, 2: pass\n  case _: pass\n",
    "decorators over lines": "@(\n  jax.jit\n)\ndef f(x):\n  return x\nclass A:\n  @( # see @g\n    a\n    @ b\n  )\n  @\\\n  c\n  def f(self):\n    return 1\n  y = 1\n",
    "joined lines": "x = 1; \\\ny = 2 \\\n; z = 3\nw = 4 \\\n\ndef f(): \\\n  return 1; \\\n  2\nif '#': \\\n  a\nelif b: # c \\\n  d\nelse: \\\n  e\n"
    "def g():\n  x = 1 \\\n  ; y\n  z = 2 \\\n\n  # c \\\n  return x # d \\\nclass A: \\\n  x = 1\nfor x in y: \\\n  a\nv = '''\\\n'''\n'''\\\n#\\\n'''; u\n",
    "comments in parentheses": "a = ( # (b\n  (x), # )\n  y # ),\n  , # c\n)\nb = (x for x in (y) # )\n)\nc[( # d\n  x, y)]\nd = (  )\ne = ( # f\n)\n",
    "deleted": "del a,\ndel (a,)\ndel (a), b\ndel [a], (b)\ndel \\\n a, (b) # c\ndel (a)\n",
    "tuples in strings": "a = f'{x, y}' f'{(x, y)}'\nb = f'{ x, } {(x), (y)}'\nc = {1: x}, {y}\n",
    "letters that are the same": "def f(ϵ, ε2=1, *ℓ, **𝛼): return ϵ.ℓ + l.ϵ(𝛼=ϵ)\nimport ℌ as ﬁ\nclass ﬀ: x = fi = ﬁ\n",  # noqa: RUF001
    "different line ends": "def f():\r\n  return 1\r\ndef g():\n    if x:\n        y\n    return 2\ndef h():\r\n  x\n  return 1\n",
    "strings over lines": "a = ('x'\r\n  \"y\" # c\r\n  f'{z}')\r\n",
    "form feed": "def f():\n    return 1\n\x0c\nx = 1\n",
    "no names": "def f(f1):\n    'f₁ and f²'\n    return f1  # f₁\n",
    "comments": "# a\n\n# b\n@d  # c\n# e\ndef f():  # g\n    # h\n    pass\n    # i\n  # j\n# k\nx = 1  # l\n",
}
if sys.version_info >= (3, 11):
    AWKWARD["3.11"] = "try:\n  a\nexcept* E as e:\n  b\nx[*a]\ndef f(*args: *Ts): ...\n"
if sys.version_info >= (3, 12):
    AWKWARD["3.12"] = (
        "type A[T: int, *Ts, **P] = list[T]\ndef f[T](x: T) -> T: return x\nclass C[T](A): pass\n"
        "a = f'{x['a']!r:>{w}}' f\"{y}\"\nb = f'''{\n x + 1\n} é {z}'''\n"
    )
if sys.version_info >= (3, 13):
    AWKWARD["3.13"] = "type A[T = int] = T\n"


def check_same(text: str) -> None:
    """The nodes of a file are those of libcst's parse, in meaning and place; with their layout, in every field."""
    source = SourceFile(text)
    parsed = cst.parse_module(text)
    recorder = Recorder(parsed.default_indent, parsed.default_newline)
    parsed._codegen(recorder)
    pairs = list(side_by_side(source.module.body, parsed.body))
    for ours, theirs in pairs:
        if isinstance(theirs, PLACED):
            span = source.span_of(ours)
            place = (source.offset(span.start), source.offset(span.end))
            assert place == recorder.found[id(theirs)], parsed.code_for_node(theirs)
    identities = {id(ours) for ours, _ in pairs}

    assert source.lay_out()
    assert identities <= {id(ours) for ours, _ in side_by_side(source.module.body, parsed.body)}
    for ours, theirs in zip(source.module.body, parsed.body, strict=True):
        written, whole = source.module.code_for_node(ours).strip(), parsed.code_for_node(theirs).strip()
        before, found, after = whole.partition(written)  # comments around a statement may be the next one's
        assert found
        assert all(line.lstrip().startswith("#") for line in (before + after).splitlines() if line.strip())
    for ours, theirs in pairs:
        span = source.span_of(ours)
        if source.holds(ours):
            assert source.offset(span.start) == recorder.found[id(theirs)][0]


PLACED = (
    cst.Name,
    cst.Call,
    cst.Attribute,
    cst.Subscript,
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.IfExp,
    cst.Tuple,
    cst.List,
    cst.Dict,
    cst.ListComp,
    cst.GeneratorExp,
    cst.Lambda,
    cst.BaseString,
    cst.BaseNumber,
    cst.BaseSmallStatement,
    cst.BaseCompoundStatement,
)
"""What findings mark; other nodes have no extent of their own in Python's tree."""


def side_by_side(ours: Any, theirs: Any) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The nodes of two trees that mean the same."""
    if isinstance(theirs, list | tuple):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            yield from side_by_side(one, other)
    elif isinstance(theirs, cst.CSTNode):
        assert type(ours) is type(theirs) or isinstance(ours, LaterBlock)
        if not isinstance(
            theirs, cst.Import | cst.ImportFrom | cst.MatchKeywordElement
        ):  # names without a place
            yield ours, theirs
            for field in fields(theirs):
                if not is_layout(field.name):
                    yield from side_by_side(getattr(ours, field.name), getattr(theirs, field.name))


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_layouts(text: str) -> None:
    check_same(text)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_real_files(path: Path) -> None:
    check_same(SourceFile.read(path).text)


def test_what_libcst_refuses_is_analysed_all_the_same() -> None:
    text = "import jax\n\n@jax.jit\ndef f(x):\n    print(f'{not.5}' 'and')\n    if x > 0:\n        return x\n    return -x\n"
    findings = analyze(SourceFile(text), Settings())
    assert [(finding.code, finding.span.start.row) for finding in findings if finding.error] == [
        ("TRC101", 6)
    ]


def test_bodies_are_left_for_later() -> None:
    source = SourceFile("def f(x):\n    return x\n\n\nclass A:\n    def m(self):\n        return 1\n")
    assert len(source.module.body) == 2
    blocks = [block for _, unit in source.units for block in unit.later]
    assert [block.text.strip() for block in blocks] == ["return x", "return 1"]
    assert len(blocks[1].body) == 1
    assert [block.translated for block in blocks] == [False, True]


def test_much_code_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MAX_CODE", 400)
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


def test_a_file_too_long_to_be_laid_out_has_findings_without_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import jax\n\n@jax.jit\ndef f(x, flag):\n    if flag:\n        return x\n    return -x\n"
    (finding,) = analyze(SourceFile(text), Settings())
    monkeypatch.setattr(allowance, "MAX_LAID_OUT", 20)
    (bare,) = analyze(SourceFile(text), Settings())

    assert finding.fixes
    assert not bare.fixes
    assert bare.message == finding.message


def test_places_are_of_nodes_in_the_tree_alone() -> None:
    """Another node could get the identity of one that is gone, and its place."""
    source = SourceFile(
        "# first\n\n\nimport jax  # a\n\n# above\ndef f(x):\n    # in\n    return f'{x}' 'b'\n"
    )
    nodes: list[cst.CSTNode] = [source.module]
    assert source.lay_out()
    alive = set()
    while nodes:
        node = nodes.pop()
        alive.add(id(node))
        nodes += node.children

    assert all(identity in alive for _, unit in source.units for identity in unit.identities)
