"""Silent pitfalls are confirmed by what they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tracetrap.linter.findings import Location, Span
from verify_case import Case

MakeCase = Callable[[str], Case]
HEAD = "import jax\nimport jax.numpy as jnp\n"


def test_a_lambda_jitted_in_a_loop_is_traced_again_and_again(case: MakeCase) -> None:
    example = case(HEAD + "for i in range(3):\n    jax.jit(lambda x: x + 1)(1.0)\n")
    (found,) = example.verify(example.finding("lambda x: x + 1", None, entry="<lambda>", code="TRC601"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert re.search(r"was traced [23] times", found.verdict.reason)  # a busy machine may cut the loop short


def test_a_side_effect_runs_only_while_tracing(case: MakeCase) -> None:
    example = case(HEAD + "@jax.jit\ndef f(x):\n    print('hello')\n    return x + 1\n")
    (found,) = example.verify(example.finding("print('hello')", None, code="TRC403"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert "ran once" in found.verdict.reason


def test_a_tracer_left_on_an_object_is_found(case: MakeCase) -> None:
    example = case(HEAD + "LAST = {}\n@jax.jit\ndef f(x):\n    LAST['x'] = x * 2\n    return x + 1\nf(1.0)\n")
    (found,) = example.verify(example.finding("LAST['x'] = x * 2", "UnexpectedTracerError", code="TRC401"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert "LAST['x']" in found.verdict.reason


def test_a_loop_unrolled_into_the_trace_is_counted(case: MakeCase) -> None:
    example = case(
        HEAD
        + "@jax.jit\ndef f(x):\n    for i in range(50):\n        x = x + jnp.sin(x)\n    return x\nf(1.0)\n"
    )
    (found,) = example.verify(example.finding("x = x + jnp.sin(x)", None, code="TRC604"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert "50 times" in found.verdict.reason


def test_a_captured_constant_is_measured(case: MakeCase) -> None:
    example = case(HEAD + "TABLE = jnp.zeros(2000)\n@jax.jit\ndef f(i):\n    return TABLE[i]\nf(3)\n")
    finding = example.finding("TABLE[i]", None, code="TRC605")
    start = finding.span.start
    name = replace(finding, span=Span(start, Location(start.row, start.column + len("TABLE"))))
    (found,) = example.verify(name)
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert "2,000 elements" in found.verdict.reason


def test_a_buffer_that_changes_after_it_was_handed_over(case: MakeCase) -> None:
    example = case(
        HEAD + "import numpy as np\nbuffer = np.ones(3)\ntotal = jax.jit(jnp.sum)(buffer)\nbuffer[0] = 5.0\n"
    )
    (found,) = example.verify(example.finding("buffer[0] = 5.0", None, entry="", transform="", code="TRC407"))
    assert found.verdict is not None
    assert (found.verdict.status, found.verdict.reason.split(" ")[-4:]) == (
        "confirmed",
        ["it", "was", "handed", "over"],
    )
