"""Rewrites: what they write, and that it computes what the function computes as plain Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from fix_programs import HEAD, PROGRAMS, Program
from tracetrap.linter import fixes
from tracetrap.linter.analysis import analyze
from tracetrap.linter.edits.apply import fix_text
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.settings.config import Settings


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A rewrite that fails raises."""
    monkeypatch.setattr(fixes, "STRICT", True)
    yield


def check(source: SourceFile) -> list[Finding]:
    return analyze(source, Settings())


def mended(text: str) -> str:
    """The text after its first fix, then all that this makes room for."""
    source = SourceFile(text)
    return fix_text(source, check(source), check, unsafe=True).text


def body_of(text: str) -> str:
    """A program without its imports and docstring."""
    tree = ast.parse(text)
    heading = [
        n
        for n in tree.body
        if isinstance(n, ast.Import | ast.ImportFrom)
        or (isinstance(getattr(n, "value", None), ast.Constant) and isinstance(n, ast.Expr))
    ]
    return "".join(text.splitlines(keepends=True)[heading[-1].end_lineno or 0 :])


def results(text: str, calls: str, jit: bool) -> list[Any]:
    import jax

    names: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec", dont_inherit=True), names)
    arguments = eval(f"[{calls}]", {"jnp": jax.numpy})
    if jit:
        return [names["f"](*args) for args in arguments]
    with jax.disable_jit():
        return [names["f"](*args) for args in arguments]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_a_rewrite_writes(program: Program) -> None:
    before = program.text
    assert program.code in {finding.code for finding in check(SourceFile(before))}

    after = mended(before)

    assert body_of(after.removesuffix(program.call)).strip("\n") == program.after.strip("\n")
    assert program.code not in {
        finding.code for finding in check(SourceFile(after)) if finding.confidence == "definite"
    }


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_rewrite_computes_what_plain_python_computes(program: Program) -> None:
    jax = pytest.importorskip("jax")
    import numpy as np

    before = program.text.removesuffix(program.call)
    after = mended(program.text).removesuffix(program.call)

    for plain, compiled in zip(
        results(before, program.calls, jit=False), results(after, program.calls, jit=True), strict=True
    ):
        for one, other in zip(jax.tree.leaves(plain), jax.tree.leaves(compiled), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    if x > 0:\n        total = x\n    return total\n",  # no value before
        "def f(x):\n    if x > 0:\n        return 'positive'\n    return 'negative'\n",  # no numbers
        "def f(x, out):\n    while x > 0:\n        out.append(x)\n        x = x - 1\n    return x\n",  # changes an object
        "def f(x):\n    while x > 0:\n        y = x\n        x = x - 1\n    return y\n",  # read afterwards
        "def f(x):\n    if x > 0:\n        raise ValueError(x)\n    return x\n",  # raises
        "def f(x, c):\n    if c[0] > 1:\n        x = x.reshape(c[0], -1).sum(0)\n    return x\n",  # a shape
        "def f(x, c):\n    if x > 0:\n        n = c[0]\n    else:\n        n = c[1]\n    return jnp.zeros(n)\n",  # and later
    ],
)
def test_no_rewrite_where_it_would_change_the_meaning(text: str) -> None:
    (finding,) = (
        f for f in check(SourceFile(f"{HEAD}\n\n@jax.jit\n{text}")) if f.code in ("TRC101", "TRC102")
    )

    assert finding.fixes == ()


@pytest.mark.parametrize(
    "body",
    [
        "    kept = []\n    for x in xs:\n        kept.append(x * 2)\n    return kept\n",  # the list itself is wanted
        "    kept = [xs[0]]\n    for x in xs:\n        kept.append(x * 2)\n    return jnp.stack(kept)\n",
        "    kept = []\n    for x in xs:\n        kept.append(x + len(kept))\n    return jnp.stack(kept)\n",
        "    total = 0.0\n    for x in xs:\n        total = total + x\n    return total, x\n",  # the last row is read
        "    for x in xs:\n        y = x * 2\n    return y\n",  # has no value where the array is empty
    ],
)
def test_no_scan_where_it_would_change_the_meaning(body: str) -> None:
    text = f"{HEAD}\n\n@jax.jit\ndef f(xs):\n{body}\n\nf(jnp.ones((64, 2)))\n"
    (finding,) = (f for f in check(SourceFile(text)) if f.code == "TRC604")

    assert finding.fixes == ()


@pytest.mark.parametrize(
    "body",
    [
        "    try:\n        y = helper(x)\n    except ValueError as error:\n        print('failed', error)\n        raise\n    return y\n",
        "    note = f'{x}'\n    if flag:\n        note = 'nothing'\n    print(note)\n    return x\n",  # one of two texts
        "    note = f'{x}'\n    x = x + 1\n    print(note)\n    return x\n",  # it shows what x was
        "    note = f'{x!r}'\n    print(note)\n    return x\n",  # fields have no such conversion
    ],
)
def test_no_debug_print_where_it_would_show_something_else(body: str) -> None:
    text = f"{HEAD}from elsewhere import flag, helper\n\n\n@jax.jit\ndef f(x):\n{body}\n\nf(1.0)\n"
    findings = check(SourceFile(text))

    assert "TRC403" in {finding.code for finding in findings}
    assert [finding.fixes for finding in findings if finding.fixes] == []


def test_alternatives_come_best_first_and_say_what_they_cost() -> None:
    text = f"{HEAD}\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    (finding,) = check(SourceFile(text))

    assert [(fix.message, bool(fix.cost), fix.applicability) for fix in finding.fixes] == [
        ("Choose with jnp.where", True, "unsafe"),
        ("Branch with lax.cond", True, "unsafe"),
    ]


def test_local_functions_capture_no_name_of_the_file() -> None:
    text = f"{HEAD}\n\ndef advance(v):\n    return v - 1\n\n\n@jax.jit\ndef f(x):\n    while x > 0:\n        x = advance(x)\n    return x\n"

    assert "def advance_2(x):\n        x = advance(x)\n" in mended(text)


def test_every_rewrite_that_rules_name_exists() -> None:
    from importlib import import_module

    names = [
        attempt.__qualname__
        for attempt in vars(fixes).values()
        if "." in getattr(attempt, "__qualname__", "")
    ]
    assert len(names) > 20
    for name in names:
        module, function = name.split(".")
        assert callable(getattr(import_module(f"{fixes.__name__}.{module}"), function))
