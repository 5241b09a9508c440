"""What messages say: what is traced, why, and what to do, fitted to the value."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

TUTORIAL = """\
import jax

def conditional_double(x, threshold):
    if x > threshold:
        return x * 2
    return x

jitted = jax.jit(conditional_double{options})
"""


def messages(text: str) -> list[str]:
    source = SourceFile(dedent(text), "example.py")
    return [f"{f.code} {f.message}" for f in analyze(source, Settings()) if f.confidence == "definite"]


def test_nothing_static() -> None:
    assert messages(TUTORIAL.format(options="")) == [
        (
            "TRC101 if on a traced value: x > threshold depends on x and threshold, traced by jit (line 8); "
            "use jnp.where or lax.cond"
        )
    ]


@pytest.mark.parametrize("options", [", static_argnums=(1,)", ", static_argnames=('threshold',)"])
def test_a_static_operand_is_said_not_to_help(options: str) -> None:
    assert messages(TUTORIAL.format(options=options)) == [
        (
            "TRC101 if on a traced value: x > threshold depends on x, traced by jit (line 8); "
            "threshold is static already, making it static does not help: use jnp.where or lax.cond"
        )
    ]


def test_declared_settings_are_named_for_static_argnames() -> None:
    text = """\
        import jax

        @jax.jit
        def layer(x, training: bool, depth: int = 2):
            if training and depth > 1:
                x = x * 2
            return x
        """
    assert messages(text)[0].endswith("; make training static with static_argnames=('training',)")


def test_a_setting_beside_data_is_said_not_to_help() -> None:
    text = """\
        import jax

        @jax.jit
        def step(x, limit: int):
            return x if x.sum() > limit else -x
        """
    (message,) = messages(text)
    assert "making limit static does not help, x stays traced: use jnp.where or lax.cond" in message


def test_a_loop_count_is_offered_both_ways() -> None:
    text = """\
        import jax

        @jax.jit
        def power(x, n):
            for _ in range(n):
                x = x * x
            return x
        """
    (message,) = messages(text)
    assert message.endswith("; make n static with static_argnames=('n',), or use lax.fori_loop or lax.scan")


def test_constants_made_inside_are_sent_to_numpy() -> None:
    text = """\
        import jax
        import jax.numpy as jnp

        @jax.jit
        def f(x):
            if jnp.sum(jnp.ones(3)) > 2:
                return x
            return -x
        """
    (message,) = messages(text)
    assert "even operations on constants are traced" in message
    assert "compute constants with NumPy or math, which run while tracing" in message


def test_an_in_place_update_is_rewritten_in_full() -> None:
    text = """\
        import jax.numpy as jnp

        counts = jnp.zeros(4)
        counts[2:] += 1.5
        """
    (message,) = messages(text)
    assert message.endswith("; use counts = counts.at[2:].add(1.5)")


def test_a_misspelt_name_is_corrected() -> None:
    text = """\
        import jax

        def f(x, num_steps):
            return x

        jax.jit(f, static_argnames="num_step")
        """
    assert messages(text) == [
        "TRC501 static name that is no parameter: f has no parameter 'num_step'; did you mean 'num_steps'?"
    ]


def test_long_expressions_are_shortened_and_stay_on_one_line() -> None:
    text = """\
        import jax

        @jax.jit
        def f(alpha, beta, gamma, delta, epsilon):
            if (
                alpha + beta + gamma + delta + epsilon
                > alpha * beta * gamma * delta * epsilon
            ):
                return alpha
            return beta
        """
    (message,) = messages(text)
    assert "\n" not in message and " ... " in message
    assert "depends on alpha, beta, gamma and 2 more, traced by jit (line 3)" in message


def test_names_that_are_static_already_stay_so() -> None:
    text = """\
        from functools import partial
        import jax

        @partial(jax.jit, static_argnames=("rows", "mode"))
        def split(x, rows, mode, columns: int):
            return x.reshape(rows, columns)

        @partial(jax.jit, static_argnames="mode")
        def reduced(x, mode, axis):
            return x

        print(split(jax.numpy.ones(6), 2, "C", 3), reduced(jax.numpy.ones(3), "C", "rows"))
        """
    shape, text_argument = messages(text)
    assert shape.endswith("; make columns static with static_argnames=('mode', 'rows', 'columns')")
    assert "make axis static with static_argnames=('mode', 'axis')" in text_argument
