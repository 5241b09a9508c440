"""The proof accepts right rewrites and refuses each of many that are wrong in one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.findings import EntryPoint, Finding, Location, Span
from tracetrap.linter.verify import Limits, Worker
from tracetrap.linter.verify.proof import Proof, prove

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\n\n@jax.jit\n"

SELECT = (
    "def f(x, threshold):\n    if x > threshold:\n        return x * 2\n    return x\n",
    "def f(x, threshold):\n    return jnp.where(x > threshold, x * 2, x)\n",
    [
        ("x > threshold", "x >= threshold"),
        ("x > threshold", "x < threshold"),
        ("x > threshold", "threshold > x"),
        ("x > threshold", "x != threshold"),
        ("x > threshold", "x > 0"),
        ("x > threshold", "True"),
        ("x > threshold", "abs(x) > threshold"),
        ("x * 2, x)", "x, x * 2)"),
        ("x * 2, x)", "x * 2, x * 2)"),
        ("x * 2", "x + 2"),
        ("x * 2", "x ** 2"),
        ("x * 2, x)", "x * 2, -x)"),
        ("x * 2, x)", "x * 2, threshold)"),
        ("jnp.where(x > threshold, x * 2, x)", "jnp.where(x > threshold, x * 2, x)[None]"),
        ("jnp.where(x > threshold, x * 2, x)", "(jnp.where(x > threshold, x * 2, x),)"),
        ("jnp.where(x > threshold, x * 2, x)", "jnp.where(x > threshold, x * 2, x).astype(jnp.int32)"),
        ("return jnp.where(x > threshold, x * 2, x)", "jnp.where(x > threshold, x * 2, x)"),
    ],
)
BRANCH = (
    (
        "def f(x, y):\n    if jnp.sum(x) > 1.0:\n        z = x - y\n        w = x * y\n"
        "    elif jnp.sum(x) < -1.0:\n        z = y - x\n        w = x + y\n    else:\n        z = x\n        w = y\n"
        "    return z, w\n"
    ),
    (
        "def f(x, y):\n    def first(x, y):\n        return x - y, x * y\n\n"
        "    def second(x, y):\n        return y - x, x + y\n\n    def third(x, y):\n        return x, y\n\n"
        "    def rest(x, y):\n        return lax.cond(jnp.sum(x) < -1.0, second, third, x, y)\n\n"
        "    z, w = lax.cond(jnp.sum(x) > 1.0, first, rest, x, y)\n    return z, w\n"
    ),
    [
        ("first, rest, x, y", "rest, first, x, y"),
        ("second, third, x, y", "third, second, x, y"),
        ("second, third, x, y", "second, second, x, y"),
        ("second, third, x, y", "second, third, y, x"),
        ("first, rest, x, y", "first, rest, y, x"),
        ("first, rest, x, y", "first, third, x, y"),
        ("> 1.0", ">= 1.0"),
        ("> 1.0", "> -1.0"),
        ("< -1.0", "<= -1.0"),
        ("< -1.0", "< 1.0"),
        ("return x - y, x * y", "return y - x, x * y"),
        ("return x - y, x * y", "return x * y, x - y"),
        ("return x - y, x * y", "return x - y, x / y"),
        ("return x, y", "return y, x"),
        ("return x, y", "return x, x"),
        ("return z, w", "return w, z"),
        ("jnp.sum(x) > 1.0", "jnp.max(x) > 1.0"),
        ("jnp.sum(x) > 1.0", "jnp.sum(y) > 1.0"),
    ],
)
WHILE = (
    (
        "def f(x, limit):\n    total = 0.0\n    while x > limit:\n        total = total + x\n        x = x - 1.0\n"
        "    return x, total\n"
    ),
    (
        "def f(x, limit):\n    def condition(carry):\n        x, total = carry\n        return x > limit\n\n"
        "    def body(carry):\n        x, total = carry\n        total = total + x\n        x = x - 1.0\n"
        "        return x, total\n\n    x, total = lax.while_loop(condition, body, (x, 0.0))\n    return x, total\n"
    ),
    [
        ("x > limit", "x >= limit"),
        ("x > limit", "x < limit"),
        ("x > limit", "x > limit + 1"),
        ("x > limit", "total > limit"),
        (
            "        total = total + x\n        x = x - 1.0\n",
            "        x = x - 1.0\n        total = total + x\n",
        ),
        ("        total = total + x\n", ""),
        ("x = x - 1.0", "x = x - 2.0"),
        ("x - 1.0", "x / 2"),
        ("total + x", "x"),
        ("total + x", "total - x"),
        ("(x, 0.0)", "(x, 1.0)"),
        ("(x, 0.0)", "(x - 1.0, 0.0)"),
        ("        return x, total\n\n", "        return total, x\n\n"),
        ("    return x, total\n", "    return carry\n"),
        ("    x, total = lax", "    _, total = lax"),
        ("    x, total = lax", "    x, _ = lax"),
    ],
)
COUNTED = (
    (
        "def f(x, n):\n    total = jnp.zeros_like(x)\n    for i in range(n):\n        total = total + x * i\n"
        "        x = x * 0.5\n    return total\n"
    ),
    (
        "def f(x, n):\n    def body(i, carry):\n        total, x = carry\n        total = total + x * i\n"
        "        x = x * 0.5\n        return total, x\n\n"
        "    total, x = lax.fori_loop(0, n, body, (jnp.zeros_like(x), x))\n    return total\n"
    ),
    [
        ("(0, n,", "(1, n + 1,"),
        ("(0, n,", "(0, n + 1,"),
        ("(0, n,", "(0, n - 1,"),
        ("(0, n,", "(0, 2,"),
        ("        x = x * 0.5\n", ""),
        ("x * i", "x"),
        ("x * i", "x * (i + 1)"),
        ("total + x * i", "x * i"),
        ("return total, x\n\n", "return x, total\n\n"),
        ("zeros_like", "ones_like"),
        ("    return total\n", "    return x\n"),
    ],
)
SWITCH = (
    (
        "def f(mode, x):\n    if mode == 0:\n        y = x * 2\n        z = y + x\n    elif mode == 1:\n        y = x - 1\n"
        "        z = y * y\n    else:\n        y = -x\n        z = x\n    return y, z\n\n\nf(1, jnp.ones(3))\n"
    ),
    (
        "def f(mode, x):\n    def first():\n        y = x * 2\n        return y, y + x\n\n"
        "    def second():\n        y = x - 1\n        return y, y * y\n\n    def third():\n        return -x, x\n\n"
        "    which = jnp.where(mode == 0, 0, jnp.where(mode == 1, 1, 2))\n"
        "    y, z = lax.switch(which, [first, second, third])\n    return y, z\n\n\nf(1, jnp.ones(3))\n"
    ),
    [
        ("[first, second, third]", "[second, first, third]"),
        ("[first, second, third]", "[first, third, second]"),
        ("[first, second, third]", "[first, second, second]"),
        ("which = jnp.where(mode == 0, 0, jnp.where(mode == 1, 1, 2))", "which = mode"),
        ("mode == 1, 1, 2", "mode == 2, 1, 2"),
        ("mode == 0, 0", "mode <= 0, 0"),
        ("y * y", "y + y"),
        ("y, z = lax", "z, y = lax"),
    ],
)
ENDING = (
    (
        "def f(xs, limit):\n    total = 0.0\n    for x in xs:\n        total = total + x\n        if total > limit:\n"
        "            return total\n    return -1.0\n\n\nf(jnp.arange(4.0), 2.0)\n"
    ),
    (
        "def f(xs, limit):\n    total = 0.0\n    if not len(xs):\n        return -1.0\n"
        "    def unfinished(carry):\n        turn, done, total = carry\n"
        "        return (turn < len(xs)) & jnp.logical_not(done)\n\n"
        "    def advance(carry):\n        turn, done, total = carry\n        total = total + xs[turn]\n"
        "        return turn + 1, total > limit, total\n\n"
        "    _, done, total = lax.while_loop(unfinished, advance, (0, False, total))\n"
        "    return jnp.where(done, total, -1.0)\n\n\nf(jnp.arange(4.0), 2.0)\n"
    ),
    [
        ("total > limit, total", "total >= limit, total"),
        ("total > limit, total", "total < limit, total"),
        ("turn < len(xs)", "turn < len(xs) - 1"),
        ("& jnp.logical_not(done)", "& (turn >= 0)"),
        ("(0, False, total)", "(1, False, total)"),
        ("jnp.where(done, total, -1.0)", "jnp.where(done, -1.0, total)"),
        ("jnp.where(done, total, -1.0)", "total"),
        ("xs[turn]", "xs[0]"),
        ("    if not len(xs):\n        return -1.0\n", ""),
    ],
)
STORED = (
    "def f(x, i):\n    y = jnp.zeros(4)\n    y[i] = x\n    y[1:3] += 1.0\n    return y\n\n\nf(2.0, 3)\n",
    (
        "def f(x, i):\n    y = jnp.zeros(4)\n    y = y.at[i].set(x)\n    y = y.at[1:3].add(1.0)\n    return y\n\n\n"
        "f(2.0, 3)\n"
    ),
    [
        (".set(x)", ".add(x + 1)"),
        (".at[i]", ".at[i + 1]"),
        ("y = y.at[i].set(x)", "y.at[i].set(x)"),
        ("[1:3]", "[1:2]"),
        (".add(1.0)", ".set(1.0)"),
        ("zeros", "ones"),
    ],
)
SCANNED = (
    (
        "def f(xs):\n    kept = []\n    level, peak = 0.5, 0.0\n    for i in range(xs.shape[0]):\n"
        "        level = level * 0.5 + xs[i]\n        kept.append(level)\n        peak = peak + level * level\n"
        "    return peak, jnp.stack(kept)\n\n\nf(jnp.arange(4.0))\n"
    ),
    (
        "def f(xs):\n    level, peak = 0.5, 0.0\n    def advance(carry, row):\n        level, peak = carry\n"
        "        level = level * 0.5 + row\n        peak = peak + level * level\n        return (level, peak), level\n\n"
        "    (level, peak), kept = lax.scan(advance, (level, peak), xs)\n    return peak, kept\n\n\n"
        "f(jnp.arange(4.0))\n"
    ),
    [
        ("(level, peak), level\n", "(level, peak), peak\n"),
        ("(level, peak), level\n", "(level, peak), row\n"),
        ("(level, peak), level\n", "(peak, level), level\n"),
        ("(level, peak), level\n", "carry, level\n"),
        ("(level, peak), level\n", "(level, carry[1]), level\n"),
        ("(level, peak), level\n", "(carry[0], peak), level\n"),
        ("(level, peak), xs)", "(level, peak), xs, reverse=True)"),
        ("(level, peak), xs)", "(level, peak), xs[1:])"),
        ("(level, peak), xs)", "(level, peak), xs[:-1])"),
        ("(level, peak), xs)", "(peak, level), xs)"),
        ("(level, peak), xs)", "(0.0, 0.0), xs)"),
        ("    return peak, kept", "    return peak, kept[::-1]"),
        ("    return peak, kept", "    return level, kept"),
        ("    return peak, kept", "    return peak, kept[1:]"),
        ("    return peak, kept", "    return kept, peak"),
        ("level * 0.5 + row", "level + row"),
    ],
)
FAMILIES = {
    "select": SELECT,
    "branch": BRANCH,
    "while": WHILE,
    "counted": COUNTED,
    "switch": SWITCH,
    "ending": ENDING,
    "stored": STORED,
    "scanned": SCANNED,
}


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Proves a rewrite of `f`, in one worker for all tests."""
    pytest.importorskip("llvmlite")
    path = str(tmp_path_factory.mktemp("proof") / "example.py")

    def prove_body(before: str, after: str) -> Proof:
        rows = [
            n for n, line in enumerate((HEAD + before).splitlines(), 1) if "if " in line or "range(" in line
        ]
        rows += [
            n for n, line in enumerate((HEAD + before).splitlines(), 1) if "while " in line or "[i]" in line
        ]
        span = Span(Location(rows[0], 1), Location(rows[0], 2))
        entry = EntryPoint("f", "jit", Location(6, 1))
        finding = Finding("TRC101", "", "", path, span, error="TracerBoolConversionError", entry_point=entry)
        return prove(worker, path, HEAD + before, HEAD + after, [finding])

    with pytest.MonkeyPatch.context() as patch, Worker("bundled", Limits(search_seconds=3.0)) as worker:
        patch.setattr("tracetrap.linter.verify.proof._SECONDS", 8.0)  # some wrong loops never end
        yield prove_body


@pytest.mark.parametrize("family", FAMILIES)
def test_a_right_rewrite_is_proven(prover: object, family: str) -> None:
    before, after, _ = FAMILIES[family]
    proof = prover(before, after)  # type: ignore[operator]
    assert proof.proven, proof.reason


@pytest.mark.parametrize(
    ("family", "old", "new"),
    [(family, old, new) for family, (_, _, mutants) in FAMILIES.items() for old, new in mutants],
)
def test_a_wrong_rewrite_is_refused(prover: object, family: str, old: str, new: str) -> None:
    before, after, _ = FAMILIES[family]
    assert old in after
    assert not prover(before, after.replace(old, new)).proven  # type: ignore[operator]


def test_the_original_itself_is_no_rewrite(prover: object) -> None:
    before = SELECT[0]
    proof = prover(before, before)  # type: ignore[operator]
    assert not proof.proven
    assert proof.row == 8
    assert "TracerBoolConversionError" in proof.reason


def test_a_branch_that_no_input_takes_is_not_proven(prover: object) -> None:
    before = "def f(x):\n    if x * x == -12345.0:\n        return x\n    return -x\n"
    proof = prover(before, "def f(x):\n    return jnp.where(x * x == -12345.0, x, -x)\n")  # type: ignore[operator]
    assert not proof.proven
    assert "no inputs found for which line 8 is true" in proof.reason


def test_a_derivative_that_is_lost_is_no_proof(prover: object) -> None:
    before = "def f(x):\n    if x > 0.0:\n        return jnp.sqrt(x)\n    return 0.0 * x\n"
    proof = prover(before, "def f(x):\n    return jnp.where(x > 0.0, jnp.sqrt(x), 0.0 * x)\n")  # type: ignore[operator]
    assert not proof.proven
    assert "derivative" in proof.reason


def test_the_file_may_be_absent(prover: object, tmp_path: Path) -> None:
    del tmp_path
    assert prover(SELECT[0], SELECT[1]).proven  # type: ignore[operator]
