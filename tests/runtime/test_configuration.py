"""``jax_debug_nans``, ``jax_check_tracer_leaks``, strict promotion and the like do what they do in JAX."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")

# What happens to these expressions while a flag is set: `kept` is a list that outlives the traces.
CHECKED = {
    "debug_nans": (
        "jnp.log(-1.0)",
        "x + jnp.nan",
        "jax.jit(lambda v: jnp.sqrt(v) + 1)(-x - 1)",
        "jax.vmap(jnp.log)(-x - 1)",
        "jax.jit(lambda v: jnp.where(v > 10, jnp.log(-v), 0.0))(x + 1)",
        "jax.grad(jnp.sqrt)(0.0)",
        "jax.lax.scan(lambda c, _: (jnp.log(c), None), -1.0, None, length=3)",
        "x / (x + 1)",
    ),
    "debug_infs": (
        "x / 0",
        "jnp.exp(x * 1000)",
        "jax.jit(lambda v: jnp.exp(v * 1000) * 2)(x)",
        "jnp.log(x + 1)",
        "jax.jit(lambda v: jnp.tanh(jnp.exp(v * 1000)))(x)",
    ),
    "check_tracer_leaks": (
        "jax.jit(lambda v: kept.append(v))(x)",
        "jax.vmap(lambda v: (kept.append(v), v)[1])(x)",
        "jax.grad(lambda v: (kept.append(v), v)[1])(1.0)",
        "jax.lax.scan(lambda c, v: (kept.append(v), (c, v))[1], 1.0, x)",
        "jax.lax.cond(True, lambda v: (kept.append(v), v)[1], lambda v: v, 1.0)",
        "jax.checkpoint(lambda v: (kept.append(v), v)[1])(x)",
        "jax.eval_shape(lambda v: kept.append(v), x)",
        "jax.jit(lambda v: jnp.sin(v).sum())(x)",
        "jax.jit(jax.grad(lambda v: jnp.sin(v).sum()))(x)",
        "jax.jit(jax.vmap(jax.grad(lambda v: jax.lax.scan(lambda c, _: (c * v, c), v, None, length=3)[0])))(x)",
        "jax.hessian(lambda v: jnp.prod(v))(x)",
        "jax.jit(lambda v: jax.nn.relu(v).sum())(x)",
        "jax.jit(lambda v: jax.lax.custom_root(lambda y: y - v, v, lambda f, y: y + 1, lambda g, y: y))(x)",
        "jax.jit(lambda v: ode.odeint(lambda y, t: -y * v[0], v, v))(x)",
    ),
}
STRICT = (
    "x + i",
    "x + 1",
    "i + 1.0",
    "jnp.where(i > 0, i, x)",
    "i.mean()",
    "x + jnp.float16(1)",
    "jnp.concatenate([x, i])",
    "jnp.asarray(1) + x",
    "(i > 1) + i",
    "(i > 1) + 1",
    "jnp.int8(1) + 1",
    "i / i",
    "i / 2",
    "i + True",
    "jnp.stack([x, i])",
    "x * jnp.arange(3.0)",
    "jnp.maximum(x, 0)",
)


def outcome(module: Any, flag: str, value: Any, expression: str) -> str:
    """The class of the error, or that there is none."""
    jnp = module.numpy
    ode = importlib.import_module(f"{module.__name__}.experimental.ode")
    names = {"jax": module, "jnp": jnp, "ode": ode, "x": jnp.arange(3.0), "i": jnp.arange(3), "kept": []}
    try:
        with getattr(module, flag)(value):
            eval(expression, names)
    except Exception as error:
        return type(error).__name__
    return "no error"


@pytest.mark.parametrize(("flag", "expression"), [(flag, e) for flag, all_ in CHECKED.items() for e in all_])
@pytest.mark.filterwarnings("ignore")
def test_checks_find_what_jax_finds(flag: str, expression: str) -> None:
    assert outcome(runtime, flag, True, expression) == outcome(jax, flag, True, expression)


@pytest.mark.parametrize("expression", STRICT)
def test_strict_promotion(expression: str) -> None:
    expected = outcome(jax, "numpy_dtype_promotion", "strict", expression)

    assert outcome(runtime, "numpy_dtype_promotion", "strict", expression) == expected


def test_the_error_names_the_operation() -> None:
    with runtime.debug_nans(True), pytest.raises(FloatingPointError, match=r"\(nan\) encountered in log"):
        runtime.jit(lambda v: runtime.numpy.log(v) + 1)(-1.0)


def test_the_error_names_the_leaked_tracer_and_its_function() -> None:
    kept: list[Any] = []

    def keeps(v: Any) -> Any:
        kept.append(v)
        return v

    with (
        runtime.checking_leaks(),
        pytest.raises(Exception, match=r"Leaked trace.*\n\nJitTracer(.|\n)*function keeps"),
    ):
        runtime.jit(keeps)(1.0)


def test_flags_end_with_their_context() -> None:
    with runtime.debug_nans(True):
        pass

    assert runtime.numpy.isnan(runtime.numpy.log(-1.0))


@pytest.mark.parametrize("flag", ["numpy_dtype_promotion", "numpy_rank_promotion"])
def test_unknown_values_are_refused(flag: str) -> None:
    with pytest.raises(ValueError, match="must be in"):
        getattr(runtime, flag)("no such value")


def test_forbidding_transfers_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="transfer"), runtime.transfer_guard("disallow"):
        pass


COMPILE_TIME = (
    "s + 1",
    "jnp.sum(jnp.ones(3)) + s",
    "float(jnp.sum(jnp.ones(3)))",
    "bool(s > 0)",
    "jax.nn.relu(s)",
    "jax.jit(lambda v: v * 2)(s)",
    "int(jax.jit(lambda v: v * 2)(3))",
    "jax.lax.cond(s > 0, lambda: 1.0, lambda: 2.0)",
    "jax.lax.fori_loop(0, 3, lambda i, c: c + s, s)",
    "jax.vmap(lambda v: v + s)(jnp.arange(3.0))",
    "jax.grad(lambda v: v * s)(2.0)",
    "float(jax.grad(lambda v: v * v)(2.0))",
    "len(jnp.nonzero(jnp.arange(3))[0])",
)


@pytest.mark.parametrize("expression", COMPILE_TIME)
def test_compile_time_evaluation(expression: str) -> None:
    def result(module: Any) -> Any:
        def traced(s: Any) -> Any:
            with module.ensure_compile_time_eval():
                return eval(expression, {"jax": module, "jnp": module.numpy, "s": s})

        try:
            return np.asarray(module.jit(traced)(1.5)).round(4).tolist()
        except Exception as error:
            return type(error).__name__

    assert result(runtime) == result(jax)
