"""Rewrites of many kinds: each is offered, proven, and then runs under JAX as the plain function does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.findings import Finding
from tracetrap.linter.settings.config import Settings
from tracetrap.linter.verify import Limits, Worker
from tracetrap.linter.verify.rewriting import fix_proven

HEAD = "import functools\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n\n\n"


class Case(NamedTuple):
    """A program, and what stands in it once it is mended; its last line binds `result`."""

    name: str
    text: str
    written: str


CASES = [
    Case(
        "switch",
        "@jax.jit\ndef f(mode, x):\n    if mode == 0:\n        y = x * 2\n        y = y.sum()\n    elif mode == 1:\n"
        "        y = x - 1\n        y = y.max()\n    else:\n        y = 0.0\n    return y\n\n\n"
        "result = f(1, jnp.ones(3))\n",
        "lax.switch",
    ),
    Case(
        "a loop that returns",
        "@jax.jit\ndef f(x):\n    for i in range(5):\n        x = x * 2\n        if x > 9.0:\n            return i\n"
        "    return 5\n\n\nresult = f(1.0)\n",
        "return jnp.where(done, i, 5)",
    ),
    Case(
        "a loop that ends in the middle of a turn",
        "@jax.jit\ndef f(x):\n    for _ in range(9):\n        step = x / 2\n        if step < 0.1:\n            break\n"
        "        x = x - step\n    return x\n\n\nresult = f(1.0)\n",
        "x_before",
    ),
    Case(
        "a list that is summed and counted",
        "@jax.jit\ndef f(xs):\n    kept = [x * x for x in xs if x > 0]\n    return sum(kept) / len(kept)\n\n\n"
        "result = f(jnp.array([1.0, -2.0, 3.0]))\n",
        "jnp.where(x > 0, x * x, 0)",
    ),
    Case(
        "a dict looked up",
        "RATES = {0: 0.5, 1: 0.25}\n\n\n@jax.jit\ndef f(i, x):\n    return RATES[i] * x\n\n\nresult = f(1, 2.0)\n",
        "jnp.array([0.5, 0.25])[i]",
    ),
    Case(
        "an array assigned to",
        "@jax.jit\ndef f(x):\n    x[0] = 2.0\n    x[1:] *= 3.0\n    return x\n\n\nresult = f(jnp.ones(3))\n",
        "x = x.at[1:].multiply(3.0)",
    ),
    Case(
        "a NumPy buffer",
        "@jax.jit\ndef f(x):\n    table = np.zeros(3)\n    for k in range(3):\n        table[k] = x * k\n    return table\n\n\n"
        "result = f(2.0)\n",
        "table = table.at[k].set(x * k)",
    ),
    Case(
        "branches of different dtypes",
        "@jax.jit\ndef f(x, flag):\n    return lax.cond(flag, lambda x: x // 2, lambda x: x * 0.5, x)\n\n\n"
        "result = f(jnp.array(4), True)\n",
        "jnp.where(flag, x // 2, x * 0.5)",
    ),
    Case(
        "a carry that takes a shape",
        "@jax.jit\ndef f(xs):\n    def add(total, x):\n        return total + x, None\n\n"
        "    return lax.scan(add, 0.0, xs)[0]\n\n\nresult = f(jnp.ones((4, 3)))\n",
        "jnp.zeros_like(add(0.0, jax.tree.map(lambda x: x[0], xs))[0])",
    ),
    Case(
        "a cache that tracers reach",
        "@functools.lru_cache\ndef window(width):\n    return jnp.arange(3.0) / width\n\n\n@jax.jit\ndef f(width):\n"
        "    return window(width).sum()\n\n\nresult = f(2.0)\n",
        "def window(width)",
    ),
    Case(
        "a donated argument",
        "f = jax.jit(lambda x: x + 1, donate_argnums=0)\nx = jnp.ones(3)\ny = f(x)\nresult = x + y\n",
        "jax.jit(lambda x: x + 1)",
    ),
    Case(
        "static arguments counted without self",
        "@jax.tree_util.register_pytree_node_class\nclass Gain:\n    def __init__(self, gain):\n        self.gain = gain\n\n"
        "    def tree_flatten(self):\n        return (self.gain,), None\n\n    @classmethod\n"
        "    def tree_unflatten(cls, aux, children):\n        return cls(*children)\n\n"
        "    @functools.partial(jax.jit, static_argnums=(1,))\n    def apply(self, x, times):\n"
        "        for _ in range(times):\n            x = x * self.gain\n        return x\n\n\n"
        "result = Gain(jnp.array(2.0)).apply(jnp.ones(2), 2)\n",
        "static_argnums=(2,)",
    ),
    Case(
        "a constant kept on an object",
        "class Lazy:\n    table = None\n\n\n@jax.jit\ndef f(x):\n    if Lazy.table is None:\n"
        "        Lazy.table = jnp.arange(3.0)\n    return x * Lazy.table\n\n\nf(1.0)\nresult = f(jnp.ones(3)) + Lazy.table\n",
        "with jax.ensure_compile_time_eval():",
    ),
    Case(
        "a generator",
        "@jax.jit\ndef f(x):\n    for _ in range(3):\n        x = x * 2\n        yield x\n\n\nresult = sum(f(1.0))\n",
        "values.append(x)",
    ),
    Case(
        "a dict as a static argument",
        '@functools.partial(jax.jit, static_argnums=1)\ndef f(x, options):\n    return x * options["scale"]\n\n\n'
        'result = f(jnp.ones(2), {"scale": 3})\n',
        "options = dict(options)",
    ),
    Case(
        "the first index",
        "@jax.jit\ndef f(x):\n    found = jnp.where(x > 1.0)[0]\n    return found[0] + 0 * len(found)\n\n\n"
        "result = f(jnp.arange(4.0))\n",
        "jnp.argmax(found)",
    ),
    Case(
        "a loop that collects",
        "@jax.jit\ndef f(xs):\n    kept = []\n    level = 0.0\n    for x in xs:\n        level = level / 2 + x\n"
        "        kept.append(level)\n    return jnp.stack(kept)\n\n\nresult = f(jnp.arange(64.0))\n",
        "lax.scan(advance, level, xs)",
    ),
    Case(
        "an assertion",
        "@jax.jit\ndef f(x):\n    assert x > 0, f'not positive: {x}'\n    return jnp.log(x)\n\n\nresult = f(2.0)\n",
        'checkify.debug_check(x > 0, "not positive: {}", x)',
    ),
    Case(
        "compiled in each turn",
        "result = jnp.ones(3)\nfor k in range(3):\n    result = jax.jit(lambda v: v * 2 + k)(result)\n",
        "compiled(result, k)",
    ),
    Case(
        "a count that a derivative passes through",
        "def f(x, count):\n    return lax.fori_loop(0, count, lambda _, v: v * v, x)\n\n\n"
        "result = jax.jit(jax.grad(f))(2.0, 3)\n",
        'static_argnames=("count",)',
    ),
]


def check(source: SourceFile) -> list[Finding]:
    return [f for f in analyze(source, Settings()) if f.error is not None or f.code in ("TRC601", "TRC604")]


def mended(worker: Worker, path: Path, text: str) -> str:
    source = SourceFile(text, str(path), path)
    fixed = fix_proven(source, check(source), check, worker)
    assert fixed.applied, fixed.unproven
    return fixed.text


def result_of(text: str) -> Any:
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec", dont_inherit=True), names)
    return names["result"]


@pytest.fixture(scope="module")
def bundled() -> Any:
    """A worker on the bundled runtime, with time for searches on a busy machine."""
    pytest.importorskip("llvmlite")
    with Worker("bundled", Limits(search_seconds=4.0)) as started:
        yield started


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_rewrite_is_proven_and_runs_under_jax(case: Case, bundled: Worker, tmp_path: Path) -> None:
    jax = pytest.importorskip("jax")
    import numpy

    text = mended(bundled, tmp_path / "program.py", HEAD + case.text)
    assert case.written in text
    result = result_of(text)
    if not any(word in case.text for word in ("[0] =", "donate", "yield")):  # these raise as plain Python too
        with jax.disable_jit():
            numpy.testing.assert_allclose(result, result_of(HEAD + case.text), rtol=1e-5)


@pytest.mark.parametrize("case", [CASES[1], CASES[5], CASES[8], CASES[10]], ids=lambda case: case.name)
def test_jax_itself_proves_rewrites_as_well(case: Case, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    with Worker("jax", Limits(search_seconds=4.0)) as worker:
        assert case.written in mended(worker, tmp_path / "program.py", HEAD + case.text)
