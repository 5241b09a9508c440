"""Code that is allowed and that nobody writes: it is analysed in a moment, and never ends an analysis."""

from __future__ import annotations

import resource

import pytest
from tracetrap.linter.check_file import raw_findings
from tracetrap.linter.files.project import Project
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

PITFALL = """
@jax.jit
def relu(x):
    return x if x > 0 else 0.0
"""

STRANGE = {
    "list in itself": "a = [1.0]\na.append(a)\njax.jit(lambda x: x)(a)\nprint(f'{a}', a == a, sum(a, a))",
    "dict in itself": "d = {}\nd['d'] = d\njax.jit(lambda x: x)(d)\njax.vmap(lambda x: x)(d)\njax.tree.map(str, d)",
    "called by itself": "class C:\n    pass\nC.__call__ = C()\njax.jit(C())(1.0)\nC()()",
    "compared by itself": "class C:\n    def __eq__(self, other):\n        return self == other\njax.jit(lambda x: C() == C())(1.0)",
    "attribute of itself": "class C:\n    def __getattr__(self, n):\n        return getattr(self, n)\njax.jit(lambda x: C().a.b)(1.0)",
    "attribute that asks for another": "class C:\n    def __getattr__(self, n):\n        return getattr(self, n + 'a')\n"
    "jax.jit(lambda x: C().a.b + C().c(x))(1.0)",
    "no space after not": "n = [not.0]\njax.jit(lambda x: x if not.0 else -x)(1.0)",
    "heap in itself": "import heapq\nh = []\nheapq.heappush(h, (h, h))\nheapq.heappush(h, (h, h))\nsorted([(h, 1), (h, 2)])",
    "iterates itself": "class C:\n    def __iter__(self):\n        return iter(self)\njax.jit(lambda x: [*C()])(1.0)",
    "inherits itself": "class C:\n    pass\nclass C(C):\n    pass\nclass D(D2 := C, C):\n    pass\njax.jit(D().f)(1.0)",
    "doubled tuples": "def f(t):\n" + "    t = (t, t)\n" * 60 + "    return t\njax.jit(f)(1.0)",
    "doubled lists": "a = [1.0]\n"
    + "a = a + a\n" * 60
    + "b = [1.0]\n"
    + "b = [b, b]\n" * 60
    + "jax.jit(lambda x: x)(b)",
    "doubled text": "s = 'ab'\n"
    + "s = s + s\n" * 60
    + "t = 'a'.ljust(10 ** 11), '%99999999999d' % 1, 'a' * 10 ** 11",
    "squared numbers": "n = 7\n"
    + "n = n * n\n" * 60
    + "m = 10 ** 10 ** 10, 1 << 10 ** 10, math.factorial(10 ** 9)",
    "long hexadecimal": f"n = 0x{'f' * 9000}\nd = {{n: str(n)}}\njax.jit(lambda x: x)(d)",
    "long sequences": "r = list(range(10 ** 12)), sum(range(10 ** 12)), (0,) * 10 ** 12\njax.jit(lambda x: x)(r)",
    "doubled calls": "def f0(x, a):\n    return x\n"
    + "".join(
        f"def f{k}(x, a):\n    return f{k - 1}(x, [*a, 1]) + f{k - 1}(x, [*a, 2])\n" for k in range(1, 40)
    )
    + "jax.jit(f39)(1.0, [])",
    "deep calls": "def f0(x):\n    return x\n"
    + "".join(f"def f{k}(x):\n    return f{k - 1}(x) + 1\n" for k in range(1, 1000))
    + "jax.jit(f999)(1.0)",
    "deep transforms": "f = " + "jax.jit(" * 80 + "lambda x: x" + ")" * 80 + "\nf(1.0)",
    "deep lambdas": "f = " + "lambda x: " * 80 + "x\njax.jit(f)(1.0)",
    "deep inheritance": "class C0:\n    def f(self, x):\n        return x\n"
    + "".join(
        f"class C{k}(C{k - 1}):\n    def f(self, x):\n        return super().f(x)\n" for k in range(1, 200)
    )
    + "jax.jit(C199().f)(1.0)",
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_code_is_analysed_to_its_end(name: str) -> None:
    source = SourceFile(
        f"import math\n\nimport jax\n{PITFALL}\n\n{STRANGE[name]}\n\n\nrelu(1.0)\n", "strange.py"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    findings = raw_findings(source, Settings(cache=False), Project())

    assert any(finding.code == "TRC103" for finding in findings)
    assert not [finding.message for finding in findings if "not analysed" in finding.message]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes
