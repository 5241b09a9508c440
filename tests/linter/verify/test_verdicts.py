"""Each kind of verdict, on both runtimes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from verify_case import Case

MakeCase = Callable[[str], Case]
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"


def test_a_script_is_confirmed_from_its_own_call(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\nf(jnp.ones(()))\n"
    )
    (found,) = example.verify(example.finding("x > 0", "TracerBoolConversionError"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert found.verdict.error == "TracerBoolConversionError"
    assert found.verdict.location is not None
    assert found.verdict.location.row == 6
    assert found.verdict.inputs == "f32[]"


def test_a_message_that_leads_up_to_its_next_line_is_told_with_it(case: MakeCase) -> None:
    example = case(HEAD + "f = jax.jit(lambda x: x, static_argnums=0)\nf(jnp.ones(()))\n")
    (found,) = example.verify(example.finding("f(jnp.ones(()))", "ValueError", code="TRC505"))
    assert found.verdict is not None and found.verdict.status == "confirmed"
    assert "The error was: TypeError: unhashable type" in found.verdict.reason


@pytest.mark.parametrize("options", ["", ", static_argnums=(1,)", ", static_argnames=('threshold',)"])
def test_the_tutorial_example_is_confirmed_under_all_three_forms(case: MakeCase, options: str) -> None:
    example = case(
        HEAD
        + "def conditional_double(x, threshold):\n    if x > threshold:\n        return x * 2\n    return x\n"
        f"jitted = jax.jit(conditional_double{options})\n"
        "try:\n    print(jitted(jnp.array(5.0), 0.0))\nexcept Exception as error:\n    print(error)\n"
    )
    finding = example.finding("x > threshold", "TracerBoolConversionError", entry="conditional_double")
    assert example.status(finding) == "confirmed"


def test_a_library_is_confirmed_with_inputs_found_by_search(case: MakeCase) -> None:
    example = case(
        HEAD + "def norm(v):\n    return jnp.sqrt(v @ v)\n"
        "@jax.jit\ndef f(matrix, v, n):\n    w = matrix @ v\n"
        "    for _ in range(n):\n        w = w / norm(w)\n    return w\n"
    )
    assert example.status(example.finding("range(n)", "TracerIntegerConversionError")) == "confirmed"


def test_a_line_that_traces_without_the_error_is_refuted(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x):\n    if x.ndim > 0:\n        return x\n    return -x\nf(jnp.ones(3))\n"
    )
    assert example.status(example.finding("x.ndim > 0", "TracerBoolConversionError")) == "refuted"


def test_a_branch_not_taken_is_unreached(case: MakeCase) -> None:
    example = case(
        HEAD
        + "@jax.jit\ndef f(x):\n    if x.ndim == 7:\n        return float(x)\n    return -x\nf(jnp.ones(3))\n"
    )
    assert example.status(example.finding("float(x)", "ConcretizationTypeError")) == "unreached"


def test_a_function_that_takes_what_nobody_can_guess_is_unverified(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x):\n    if sum(x.shape) != 71:\n        raise ValueError('no')\n"
        "    return float(x[0, 0, 0, 0])\n"
    )
    (found,) = example.verify(example.finding("float(x[0, 0, 0, 0])", "ConcretizationTypeError"))
    assert found.verdict is not None
    assert found.verdict.status == "unverified"
    assert "line 7 raises ValueError: no" in found.verdict.reason


def test_a_shape_that_the_code_asks_for_is_tried(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x):\n    if x.shape != (7, 11):\n        raise ValueError('no')\n"
        "    return float(x[0, 0])\n"
    )
    assert example.status(example.finding("float(x[0, 0])", "ConcretizationTypeError")) == "confirmed"


def test_a_comment_gives_the_inputs(case: MakeCase) -> None:
    example = case(
        HEAD + "# tracetrap: f32[7,11], 3\n@jax.jit\ndef f(x, n):\n"
        "    if sum(x.shape) != 18:\n        raise ValueError('no')\n"
        "    return float(x[0, 0])\n"
    )
    (found,) = example.verify(example.finding("float(x[0, 0])", "ConcretizationTypeError"))
    assert found.verdict is not None
    assert found.verdict.status == "confirmed"
    assert found.verdict.inputs.startswith("f32[7,11]")


def test_errors_hidden_behind_the_first_are_confirmed_too(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x, n):\n    if x > 0:\n        x = x + 1\n"
        "    for i in range(n):\n        x = x + i\n"
        "    return np.sin(x)\nf(1.0, 2)\n"
    )
    found = example.verify(
        example.finding("x > 0", "TracerBoolConversionError"),
        example.finding("range(n)", "TracerIntegerConversionError", code="TRC106"),
        example.finding("np.sin(x)", "TracerArrayConversionError", code="TRC202"),
    )
    assert [finding.verdict.status for finding in found if finding.verdict] == ["confirmed"] * 3


def test_what_no_rule_foresaw_is_a_finding_of_its_own(case: MakeCase) -> None:
    example = case(HEAD + "@jax.jit\ndef f(x):\n    y = x + 1\n    return int(y)\nf(1.0)\n")
    (found,) = example.verify()
    assert (found.code, found.span.start.row, found.error) == ("TRC901", 7, "ConcretizationTypeError")


def test_a_clean_file_gives_nothing(case: MakeCase) -> None:
    example = case(
        HEAD
        + "from functools import partial\n@partial(jax.jit, static_argnames='mode')\ndef f(x, mode='sum'):\n"
        "    if mode == 'sum':\n        return x.sum()\n    return jnp.where(x > 0, x, -x)\n"
        "def g(xs):\n    return jax.lax.scan(lambda c, x: (c + x, c), 0.0, xs)\n"
    )
    assert example.verify() == []


def test_a_method_is_tried_on_an_instance(case: MakeCase) -> None:
    example = case(
        HEAD + "class Model:\n    def __init__(self, scale: float):\n        self.scale = scale\n"
        "    def f(self, xs):\n        def body(carry, x):\n"
        "            if x > self.scale:\n                return carry, x\n"
        "            return carry + x, x\n        return jax.lax.scan(body, 0.0, xs)\n"
    )
    finding = example.finding(
        "x > self.scale", "TracerBoolConversionError", entry="Model.f.body", transform="scan"
    )
    assert example.status(finding) == "confirmed"


def test_an_error_that_the_script_catches_is_seen(case: MakeCase) -> None:
    example = case(
        HEAD + "@jax.jit\ndef f(x):\n    try:\n        return float(x)\n"
        "    except TypeError:\n        return x\nf(1.0)\n"
    )
    assert example.status(example.finding("float(x)", "ConcretizationTypeError")) == "confirmed"


def test_a_loop_that_cannot_be_transposed_is_confirmed_at_the_loop(case: MakeCase) -> None:
    example = case(
        HEAD + "def f(x, n):\n    return jax.lax.fori_loop(0, n, lambda i, v: v * 2.0, x)\n"
        "slope = jax.jit(jax.grad(f))\nslope(1.0, 5)\n"
    )
    finding = example.finding(
        "jax.lax.fori_loop(0, n, lambda i, v: v * 2.0, x)", "ValueError", transform="grad", code="TRC705"
    )
    assert [one.verdict.status for one in example.verify(finding) if one.verdict] == ["confirmed"]


def test_a_package_that_is_missing_is_named_even_where_only_what_needs_it_is_missed(case: MakeCase) -> None:
    example = case(
        HEAD
        + "import no_such_package.nn as nn\nclass Model(nn.Module):\n    scale = 2\n"
        + "@jax.jit\ndef f(x):\n    y = Model.scale * x\n    return y if y > 0 else x\n"
    )
    (found,) = example.verify(example.finding("y > 0", "TracerBoolConversionError"))
    assert found.verdict is not None and found.verdict.status == "unverified"
    assert "needs the package no_such_package, which is not installed (line 4)" in found.verdict.reason


@pytest.mark.parametrize("call", ["slope(2.0, 3)\n", ""])
def test_a_reverse_loop_inside_a_compiled_function_is_confirmed(case: MakeCase, call: str) -> None:
    example = case(
        HEAD + "def f(x, n):\n    return jax.lax.fori_loop(0, n, lambda i, v: v * x, 1.0)\n"
        "@jax.jit\ndef slope(x, n):\n    return jax.grad(f)(x, n)\n" + call
    )
    finding = example.finding(
        "jax.lax.fori_loop(0, n, lambda i, v: v * x, 1.0)", "ValueError", transform="grad", code="TRC705"
    )
    assert example.status(finding) == "confirmed"
