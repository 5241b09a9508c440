"""What libraries build on JAX's inner parts works on the runtime as it does on JAX."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("jax")

PROGRAM = '''
import sys
if sys.argv[1] == "runtime":
    from tracetrap.runtime import shim
    shim.install()
import json
import jax
import jax.extend as jex
import jax.numpy as jnp
from jax.interpreters import ad, batching, mlir

shown = {}


class Tag(jex.core.Primitive):
    """Hands its operands on, by methods of the class."""

    multiple_results = True

    def __init__(self):
        super().__init__("tag")
        mlir.register_lowering(self, lambda ctx, *args, **params: args)
        ad.primitive_jvps[self] = lambda primals, tangents, **params: (self.bind(*primals, **params), tangents)
        batching.primitive_batchers[self] = lambda args, dims, **params: (self.bind(*args, **params), dims)

    def impl(self, *args, **params):
        return args

    def abstract_eval(self, *avals, **params):
        return avals, jex.core.no_effects


tag = Tag()


def f(x):
    first, second = tag.bind(jnp.sin(x), x * 2, label="a")
    return first + second


shown["eager"] = f(0.5)
shown["jit"] = jax.jit(f)(0.5)
shown["grad"] = jax.grad(f)(0.5)
shown["vmap"] = jax.jit(jax.vmap(f))(jnp.arange(3.0))
shown = {name: jnp.asarray(value).tolist() for name, value in shown.items()}
shown["jaxpr"] = str(jax.make_jaxpr(f)(0.5))
shown["effects"] = len(jex.core.no_effects)
shown["backend"] = [jex.backend.get_backend().platform, list(jex.backend.backends())]
shown["concrete"] = jex.core.concrete_or_error(int, jnp.int32(3))
try:
    jax.jit(lambda x: jex.core.concrete_or_error(int, x, "the size"))(3)
except jax.errors.ConcretizationTypeError as error:
    shown["traced"] = "the size" in str(error)
shown["inner"] = [jex.core.mapped_aval(2, 0, jax.core.ShapedArray((2, 3), jnp.float32)).shape,
                  [len(j.eqns) for j in jex.core.subjaxprs(jax.make_jaxpr(jax.jit(f))(0.5).jaxpr)]]
print(json.dumps(shown))
'''


def outcome(backend: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, backend], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_primitives_and_equations_of_libraries() -> None:
    mine, wanted = outcome("runtime"), outcome("jax")
    for name, value in wanted.items():
        numbers = name in ("eager", "jit", "grad", "vmap")
        assert mine[name] == (pytest.approx(value, rel=1e-5) if numbers else value), name
