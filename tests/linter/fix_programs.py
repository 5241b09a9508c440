"""Functions before and after their rewrites, with inputs that take every branch.

The function is called `f`; `calls` are tuples of arguments, as text.
"""

from __future__ import annotations

from typing import NamedTuple

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"


class Program(NamedTuple):
    """One rewrite: the text that it changes, what it becomes, and what to call `f` with."""

    name: str
    before: str
    after: str
    calls: str
    code: str
    head: str = HEAD

    @property
    def call(self) -> str:
        """A first call, which tells the analysis what the arguments are."""
        depth = 0
        for position, character in enumerate(self.calls):
            depth += (character == "(") - (character == ")")
            if not depth:
                return f"\n\nf(*{self.calls[: position + 1]})\n"
        raise ValueError(self.calls)

    @property
    def text(self) -> str:
        """The program before its rewrite."""
        return f"{self.head}\n\n{self.before}{self.call}"


PROGRAMS = [
    Program(
        "early return",
        "@jax.jit\ndef f(x, t):\n    if x > t:\n        return x * 2\n    return x\n",
        "@jax.jit\ndef f(x, t):\n    return jnp.where(x > t, x * 2, x)\n",
        "(5.0, 0.0), (-5.0, 0.0)", "TRC101",
    ),
    Program(
        "elif chain keeps its comments",
        "@jax.jit\ndef f(x):\n    if x > 1:  # large\n        y = 1.0\n    elif x < -1:\n        y = -1.0  # small\n    else:\n        y = x\n    return y\n",
        "@jax.jit\ndef f(x):\n    # large\n    # small\n    y = jnp.where(x > 1, 1.0, jnp.where(x < -1, -1.0, x))\n    return y\n",
        "(3.0,), (-3.0,), (0.5,)", "TRC101",
    ),
    Program(
        "missing else, augmented",
        "@jax.jit\ndef f(x, y):\n    if x > 0 and y > 0:\n        x += y * 2 - 1\n    return x\n",
        "@jax.jit\ndef f(x, y):\n    x = jnp.where((x > 0) & (y > 0), x + (y * 2 - 1), x)\n    return x\n",
        "(1.0, 2.0), (1.0, -2.0), (-1.0, 2.0)", "TRC105",
    ),
    Program(
        "two names that depend on each other",
        "@jax.jit\ndef f(a, b):\n    if a > b:\n        a, b = b, a\n    return a - 2 * b\n",
        "@jax.jit\ndef f(a, b):\n    a, b = jnp.where(a > b, b, a), jnp.where(a > b, a, b)\n    return a - 2 * b\n",
        "(1.0, 2.0), (2.0, 1.0)", "TRC101",
    ),
    Program(
        "only the elif is traced",
        "@jax.jit\ndef f(x):\n    if x.ndim > 1:\n        y = x.sum()\n    elif x > 0:\n        y = x\n    else:\n        y = 0 * x\n    return y\n",
        "@jax.jit\ndef f(x):\n    if x.ndim > 1:\n        y = x.sum()\n    else:\n        y = jnp.where(x > 0, x, 0 * x)\n    return y\n",
        "(jnp.array(2.0),), (jnp.array(-2.0),), (jnp.ones((2, 2)),)", "TRC101",
    ),
    Program(
        "work in the branches",
        "@jax.jit\ndef f(x):\n    scale = 2.0\n    if x > 0:\n        scale = scale + x\n        x = x * scale  # grows\n    return x + scale\n",
        "@jax.jit\ndef f(x):\n    scale = 2.0\n    def when_true(scale, x):\n        scale = scale + x\n        x = x * scale  # grows\n        return scale, x\n\n"
        "    scale, x = lax.cond(x > 0, when_true, lambda scale, x: (scale, x), scale, x)\n    return x + scale\n",
        "(1.5,), (-1.5,)", "TRC101",
    ),
    Program(
        "work before the returns",
        "@jax.jit\ndef f(x):\n    if x > 0:\n        y = jnp.sqrt(x)\n        return y + 1\n    x = -x\n    return jnp.sqrt(x) - 1\n",
        "@jax.jit\ndef f(x):\n    def when_true(x):\n        y = jnp.sqrt(x)\n        return y + 1\n\n    def when_false(x):\n        x = -x\n        return jnp.sqrt(x) - 1\n\n"
        "    return lax.cond(x > 0, when_true, when_false, x)\n",
        "(4.0,), (-4.0,)", "TRC101",
    ),
    Program(
        "while",
        "@jax.jit\ndef f(n):\n    steps = 0\n    while n > 1:\n        half = n / 2\n        n = half\n        steps += 1\n    return steps, n\n",
        "@jax.jit\ndef f(n):\n    steps = 0\n    def unfinished(carry):\n        n, steps = carry\n        return n > 1\n\n    def advance(carry):\n        n, steps = carry\n"
        "        half = n / 2\n        n = half\n        steps += 1\n        return n, steps\n\n    n, steps = lax.while_loop(unfinished, advance, (n, steps))\n    return steps, n\n",
        "(0.5,), (1.5,), (100.0,)", "TRC102",
    ),
    Program(
        "break at the end",
        "@jax.jit\ndef f(x):\n    for i in range(10):\n        x = x * 2\n        if x > 50:\n            break\n    return x\n",
        "@jax.jit\ndef f(x):\n    def unfinished(carry):\n        i, done, x = carry\n        return (i < 10) & jnp.logical_not(done)\n\n    def advance(carry):\n        i, done, x = carry\n"
        "        x = x * 2\n        return i + 1, x > 50, x\n\n    _, _, x = lax.while_loop(unfinished, advance, (0, False, x))\n    return x\n",
        "(1.0,), (1e-6,), (100.0,)", "TRC101",
    ),
    Program(
        "range of a traced count",
        "@jax.jit\ndef f(x, n):\n    for i in range(1, n):\n        x = x + i\n    return x\n",
        "@jax.jit\ndef f(x, n):\n    def advance(i, x):\n        x = x + i\n        return x\n\n    x = lax.fori_loop(1, n, advance, x)\n    return x\n",
        "(1.0, jnp.array(0)), (1.0, jnp.array(2)), (1.0, jnp.array(6))", "TRC106",
    ),
    Program(
        "a declared count is made static",
        "@jax.jit\ndef f(x, n: int):\n    for i in range(n):\n        x = x + i\n    return x\n",
        "@partial(jax.jit, static_argnames=(\"n\",))\ndef f(x, n: int):\n    for i in range(n):\n        x = x + i\n    return x\n",
        "(1.0, 0), (1.0, 5)", "TRC106",
    ),
    Program(
        "static names are extended",
        "@partial(jax.jit, static_argnames=\"k\")\ndef f(x, k, flag: bool = False):\n    return x * k if flag else x\n",
        "@partial(jax.jit, static_argnames=(\"k\", \"flag\"))\ndef f(x, k, flag: bool = False):\n    return x * k if flag else x\n",
        "(1.0, 2, True), (1.0, 2, False)", "TRC103", HEAD + "from functools import partial\n",
    ),
    Program(
        "static positions are extended in the call form",
        "def plain(x, k, flag: bool = False):\n    return x * k if flag else x\n\n\nf = jax.jit(plain, static_argnums=(1,))\n",
        "def plain(x, k, flag: bool = False):\n    return x * k if flag else x\n\n\nf = jax.jit(plain, static_argnums=(1, 2))\n",
        "(1.0, 2, True), (1.0, 2, False)", "TRC103",
    ),
    Program(
        "conditional expression",
        "@jax.jit\ndef f(x):\n    return 1 + (x if x > 0 else 0.1 * x)\n",
        "@jax.jit\ndef f(x):\n    return 1 + jnp.where(x > 0, x, 0.1 * x)\n",
        "(2.0,), (-2.0,)", "TRC103",
    ),
    Program(
        "match on numbers",
        "@jax.jit\ndef f(x, mode):\n    match mode:\n        case 0:\n            return x\n        case 1 | 2:\n            return -x\n        case _:\n            return 0 * x\n",
        "@jax.jit\ndef f(x, mode):\n    return jnp.where(mode == 0, x, jnp.where((mode == 1) | (mode == 2), -x, 0 * x))\n",
        "(3.0, jnp.array(0)), (3.0, jnp.array(1)), (3.0, jnp.array(2)), (3.0, jnp.array(7))", "TRC107",
    ),
    Program(
        "chained comparison and not",
        "@jax.jit\ndef f(x):\n    return not 0 < x < 1\n",
        "@jax.jit\ndef f(x):\n    return jnp.logical_not((0 < x) & (x < 1))\n",
        "(0.5,), (2.0,), (-1.0,)", "TRC105",
    ),
    Program(
        "or chooses an operand",
        "@jax.jit\ndef f(x):\n    y = x or 3.0\n    return y\n",
        "@jax.jit\ndef f(x):\n    y = jnp.where(x != 0, x, 3.0)\n    return y\n",
        "(0.0,), (2.0,)", "TRC105",
    ),
    Program(
        "membership",
        "@jax.jit\ndef f(x):\n    return jnp.where(x in (1, 2), x, 0)\n",
        "@jax.jit\ndef f(x):\n    return jnp.where(jnp.isin(x, jnp.array([1, 2])), x, 0)\n",
        "(1,), (5,)", "TRC105",
    ),
    Program(
        "largest of three",
        "@jax.jit\ndef f(x, y):\n    return max(x, y, 0.0)\n",
        "@jax.jit\ndef f(x, y):\n    return jnp.maximum(jnp.maximum(x, y), 0.0)\n",
        "(1.0, 2.0), (2.0, 1.0), (-1.0, -2.0)", "TRC109",
    ),
    Program(
        "any of a generator",
        "@jax.jit\ndef f(x, y):\n    return any(v > 1 for v in (x, y))\n",
        "@jax.jit\ndef f(x, y):\n    return jnp.any(jnp.array([v > 1 for v in (x, y)]))\n",
        "(0.0, 2.0), (0.0, 0.0)", "TRC109",
    ),
    Program(
        "math, with an import after the docstring",
        '@jit\ndef f(x):\n    return math.sin(x)  # of radians\n',
        '@jit\ndef f(x):\n    return jnp.sin(x)  # of radians\n',
        "(0.5,)", "TRC202", '"""Waves."""\nimport math\nfrom jax import jit\n',
    ),
    Program(
        "the name jnp is taken",
        "jnp = 3.0\n\n\n@jax.jit\ndef f(x):\n    return jnp * math.sin(x)\n",
        "jnp = 3.0\n\n\n@jax.jit\ndef f(x):\n    return jnp * jax.numpy.sin(x)\n",
        "(0.5,)", "TRC202", "import math\nimport jax\n",
    ),
    Program(
        "conversion to int",
        "@jax.jit\ndef f(x):\n    return int(x * 2)\n",
        "@jax.jit\ndef f(x):\n    return (x * 2).astype(int)\n",
        "(jnp.array(1.8),), (jnp.array(-1.8),)", "TRC201",
    ),
    Program(
        "list of numbers",
        "RATES = [0.1, 0.2, 0.3]\n\n\n@jax.jit\ndef f(i):\n    return RATES[i]\n",
        "RATES = [0.1, 0.2, 0.3]\n\n\n@jax.jit\ndef f(i):\n    return jnp.asarray(RATES)[i]\n",
        "(jnp.array(0),), (jnp.array(2),)", "TRC203",
    ),
    Program(
        "list of functions",
        "RULES = [jnp.sin, jnp.cos]\n\n\n@jax.jit\ndef f(i, x):\n    return RULES[i](x)\n",
        "RULES = [jnp.sin, jnp.cos]\n\n\n@jax.jit\ndef f(i, x):\n    return lax.switch(i, RULES, x)\n",
        "(jnp.array(0), 1.0), (jnp.array(1), 1.0)", "TRC203",
    ),
    Program(
        "window of static length",
        "@jax.jit\ndef f(x, i):\n    return x[:, i : i + 2]\n",
        "@jax.jit\ndef f(x, i):\n    return lax.dynamic_slice_in_dim(x, i, 2, axis=1)\n",
        "(jnp.arange(8.0).reshape(2, 4), jnp.array(0)), (jnp.arange(8.0).reshape(2, 4), jnp.array(2))", "TRC302",
    ),
    Program(
        "masked sum",
        "@jax.jit\ndef f(x):\n    return x[x > 1].sum()\n",
        "@jax.jit\ndef f(x):\n    return x.sum(where=x > 1)\n",
        "(jnp.arange(4.0),), (jnp.zeros(3),)", "TRC303",
    ),
    Program(
        "masked update",
        "@jax.jit\ndef f(x):\n    return x.at[x > 1].multiply(3.0)\n",
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 1, x * 3.0, x)\n",
        "(jnp.arange(4.0),), (jnp.zeros(3),)", "TRC303",
    ),
    Program(
        "assertion",
        "@jax.jit\ndef f(x):\n    assert x > 0, \"positive\"\n    return jnp.log(x)\n",
        "@jax.jit\ndef f(x):\n    checkify.debug_check(x > 0, \"positive\")\n    return jnp.log(x)\n",
        "(2.0,)", "TRC104",
    ),
    Program(
        "assertions that show values",
        "@jax.jit\ndef f(x, y):\n    assert 0 < x and y, f\"{x} and {y:.2f}\"\n    assert y\n    return jnp.log(x) + y\n",
        "@jax.jit\ndef f(x, y):\n    checkify.debug_check(jnp.logical_and(0 < x, y), \"{} and {:.2f}\", x, y)\n    checkify.debug_check(y != 0, \"y\")\n    return jnp.log(x) + y\n",
        "(2.0, 1.0)", "TRC104",
    ),
    Program(
        "texts that are printed later",
        "@jax.jit\ndef f(x):\n    y = x * 2\n    note = f\"y is {y:.1f}\"\n    print(\"seen:\", note)\n    label = \"%d%%\" % y\n    print(label)\n    return y\n",
        "@jax.jit\ndef f(x):\n    y = x * 2\n    jax.debug.print(\"seen: y is {:.1f}\", y)\n    jax.debug.print(\"{}%\", y)\n    return y\n",
        "(2.0,),", "TRC204",
    ),
    Program(
        "method",
        "class Model:\n    rate = 2.0\n\n    @jax.jit\n    def step(self, x):\n        return self.rate * x\n\n\ndef f(x):\n    return Model().step(x)\n",
        "class Model:\n    rate = 2.0\n\n    @partial(jax.jit, static_argnums=0)\n    def step(self, x):\n        return self.rate * x\n\n\ndef f(x):\n    return Model().step(x)\n",
        "(2.0,)", "TRC504",
    ),
    Program(
        "constants of shapes",
        "@jax.jit\ndef f(x):\n    n = jnp.prod(jnp.array(x.shape))\n    return x.reshape(n)\n",
        "@jax.jit\ndef f(x):\n    n = np.prod(np.array(x.shape))\n    return x.reshape(n)\n",
        "(jnp.ones((2, 3)),)", "TRC301",
    ),
    Program(
        "a mode is made static",
        "@jax.jit\ndef f(x, mode):\n    return x.sum() if mode == \"sum\" else x.max()\n",
        "@partial(jax.jit, static_argnames=(\"mode\",))\ndef f(x, mode):\n    return x.sum() if mode == \"sum\" else x.max()\n",
        "(jnp.ones(3), \"sum\"), (jnp.ones(3), \"max\")", "TRC503",
    ),
    Program(
        "a list for a static argument",
        "@partial(jax.jit, static_argnames=(\"sizes\",))\ndef g(x, sizes):\n    return x.reshape(sizes)\n\n\ndef f(x):\n    return g(x, [2, 3])\n",
        "@partial(jax.jit, static_argnames=(\"sizes\",))\ndef g(x, sizes):\n    return x.reshape(sizes)\n\n\ndef f(x):\n    return g(x, (2, 3))\n",
        "(jnp.arange(6.0),)", "TRC502", HEAD + "from functools import partial\n",
    ),
    Program(
        "window of an update",
        "@jax.jit\ndef f(x, i):\n    return x.at[i : i + 2].set(1.0)\n",
        "@jax.jit\ndef f(x, i):\n    return x.at[i + jnp.arange(2)].set(1.0)\n",
        "(jnp.zeros(5), jnp.array(0)), (jnp.zeros(5), jnp.array(3))", "TRC302",
    ),
    Program(
        "sum of what passes a test",
        "@jax.jit\ndef f(a, b):\n    return sum(v for v in (a, b) if v > 0)\n",
        "@jax.jit\ndef f(a, b):\n    return sum(jnp.where(v > 0, v, 0) for v in (a, b))\n",
        "(jnp.array(1.0), jnp.array(2.0)), (jnp.array(1.0), jnp.array(-2.0)), (jnp.array(-1.0), jnp.array(-2.0))", "TRC108",
    ),
    Program(
        "a loop over an array carries and collects",
        "@jax.jit\ndef f(xs):\n    kept = []\n    level = 0.0\n    for x in xs:\n        # decays\n        level = 0.5 * level + x\n        kept.append(level)  # seen\n    return jnp.stack(kept), level\n",
        "@jax.jit\ndef f(xs):\n    level = 0.0\n    def advance(level, x):\n        # decays\n        level = 0.5 * level + x\n        # seen\n        return level, level\n\n    level, kept = lax.scan(advance, level, xs)\n    return kept, level\n",
        "(jnp.arange(64.0),), (jnp.arange(65.0),)", "TRC604",
    ),
    Program(
        "a loop that counts the rows of an array",
        "@jax.jit\ndef f(w, xs):\n    h = jnp.zeros(2)\n    total = 0.0\n    for i in range(xs.shape[0]):\n        h = jnp.tanh(w @ h + xs[i])\n        total += h.sum()\n    return h * total\n",
        "@jax.jit\ndef f(w, xs):\n    h = jnp.zeros(2)\n    total = 0.0\n    def advance(carry, row):\n        h, total = carry\n        h = jnp.tanh(w @ h + row)\n        total += h.sum()\n        return (h, total), None\n\n    h, total = lax.scan(advance, (h, total), xs)[0]\n    return h * total\n",
        "(jnp.eye(2), jnp.ones((64, 2)))", "TRC604",
    ),
    Program(
        "a list of what rows and their numbers give",
        "@jax.jit\ndef f(xs):\n    out = []\n    for i in range(len(xs)):\n        out.append(xs[i] * i)\n    out = jnp.array(out)\n    return out - out[0]\n",
        "@jax.jit\ndef f(xs):\n    def advance(_, item):\n        i, row = item\n        return None, row * i\n\n    out = lax.scan(advance, None, (jnp.arange(len(xs)), xs))[1]\n    return out - out[0]\n",
        "(jnp.ones((64, 2)),)", "TRC604",
    ),
    Program(
        "a long loop over a range",
        "@jax.jit\ndef f(x):\n    for _ in range(500):\n        x = 3.5 * x * (1 - x)\n    return x\n",
        "@jax.jit\ndef f(x):\n    def advance(_, x):\n        x = 3.5 * x * (1 - x)\n        return x\n\n    x = lax.fori_loop(0, 500, advance, x)\n    return x\n",
        "(0.5,), (0.25,)", "TRC604",
    ),
    Program(
        "a lambda compiled in each turn",
        "def f(x):\n    for k in range(3):\n        x = jax.jit(lambda v: v * k + 1)(x)\n    return x\n",
        "def f(x):\n    compiled = jax.jit(lambda v, k: v * k + 1)\n    for k in range(3):\n        x = compiled(x, k)\n    return x\n",
        "(jnp.ones(3),)", "TRC601",
    ),
    Program(
        "a derivative compiled in each turn",
        "def f(x):\n    for _ in range(3):\n        slope = jax.jit(jax.grad(lambda v: jnp.sum(v * v)))\n        x = x - 0.1 * slope(x)\n    return x\n",
        "def f(x):\n    slope = jax.jit(jax.grad(lambda v: jnp.sum(v * v)))\n    for _ in range(3):\n        x = x - 0.1 * slope(x)\n    return x\n",
        "(jnp.ones(3),)", "TRC601",
    ),
    Program(
        "a default for what may be None or zero",
        "@jax.jit\ndef f(x, scale=None):\n    return x / (scale or 2.0)\n",
        "@jax.jit\ndef f(x, scale=None):\n    return x / (2.0 if scale is None else jnp.where(scale != 0, scale, 2.0))\n",
        "(1.0, 4.0), (1.0, 0.0), (1.0,)", "TRC105",
    ),
    Program(
        "a choice between parameters in a dict",
        "@jax.jit\ndef f(params, rate):\n    new = jax.tree.map(lambda p: p * rate, params)\n    return new if rate > 0 else params\n",
        "@jax.jit\ndef f(params, rate):\n    new = jax.tree.map(lambda p: p * rate, params)\n    return lax.cond(rate > 0, lambda: new, lambda: params)\n",
        "({'w': jnp.ones(2)}, 2.0), ({'w': jnp.ones(2)}, -2.0)", "TRC103",
    ),
]  # fmt: skip
