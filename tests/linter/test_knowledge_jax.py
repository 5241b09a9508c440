"""The jax tables against JAX itself: names, parameters, and what raises when an argument is traced."""

from __future__ import annotations

import ast
import builtins
import inspect
from typing import Any

import pytest
from jax_calls import MODULES, arguments, calls, found, traceable
from tracetrap.linter.knowledge import Catalogue, Signature
from tracetrap.linter.knowledge.catalogue import tables

jax = pytest.importorskip("jax")
jnp = jax.numpy

CATALOGUE = Catalogue()
UNTOLD = ("polydiv(f3, f3, trim_leading_zeros=True)", "polymul(f3, f3, trim_leading_zeros=True)")
"""Calls with a flag that makes other parameters static, for which the tables have no words."""
JAX_TABLES = [name for name in tables() if name.startswith("jax") and name != "jax_array"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("table", JAX_TABLES)
def test_names_and_parameters_are_those_of_jax(table: str) -> None:
    wrong: list[str] = []
    for name in tables()[table].functions:
        try:
            real = inspect.signature(found(name))
        except ValueError:  # some builtins have none
            continue
        except AttributeError:
            wrong.append(f"{name}: jax has no such function")
            continue
        if isinstance(found(name), jnp.ufunc):  # they take *args, and check the count themselves
            continue
        signature = CATALOGUE.function(name)
        assert signature is not None
        ours, theirs = described(signature), described_by_inspect(real)
        if ours != theirs:
            wrong.append(f"{name}: {ours} for {theirs}")
    assert not wrong, "\n" + "\n".join(wrong)


def described(signature: Signature) -> str:
    """Names, kinds and optionality of the parameters of a table's line."""
    marks = {"positional": "/", "either": "", "keyword": "*", "args": "...", "kwargs": "......"}
    return ", ".join(f"{marks[p.kind]}{p.name}{'=' if p.optional else ''}" for p in signature.parameters)


def described_by_inspect(signature: inspect.Signature) -> str:
    """The same of a real function."""
    marks = {
        inspect.Parameter.POSITIONAL_ONLY: "/",
        inspect.Parameter.POSITIONAL_OR_KEYWORD: "",
        inspect.Parameter.KEYWORD_ONLY: "*",
        inspect.Parameter.VAR_POSITIONAL: "...",
        inspect.Parameter.VAR_KEYWORD: "......",
    }
    return ", ".join(
        f"{marks[p.kind]}{p.name}{'=' if p.default is not p.empty else ''}"
        for p in signature.parameters.values()
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES)
def test_static_parameters_raise_what_the_table_says(module: str) -> None:
    environment = arguments()
    wrong: list[str] = []
    for text in calls(module):
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        name = CATALOGUE.canonical(f"{module}.{ast.unparse(call.func)}")
        signature = CATALOGUE.function(name)
        if signature is None or signature.result.word in ("unknown", "host"):
            continue
        function = found(name)
        values = [eval(ast.unparse(a), environment) for a in call.args]
        named = {k.arg or "": eval(ast.unparse(k.value), environment) for k in call.keywords}
        positional, keyed = signature.bind(len(values), tuple(named))
        places = [*enumerate(positional), *zip(named, keyed, strict=True)]
        given = {p.name for _, p in places if p is not None}
        for place, parameter in places:
            value = values[place] if isinstance(place, int) else named[place]
            if text in UNTOLD or parameter is None or parameter.kind == "kwargs" or not traceable(value):
                continue
            expected = expected_error(signature, parameter.name, given, value)
            happened = error_of(function, values, named, place)
            if not agrees(happened, expected):
                wrong.append(
                    f"{module}.{text}: a traced {parameter.name} gives {happened}, the table says {expected}"
                )
    assert not wrong, "\n" + "\n".join(wrong)


def expected_error(signature: Signature, parameter: str, given: set[str], value: Any) -> str | None:
    """The exception that the table foretells for a traced argument."""
    described = next(p for p in signature.parameters if p.name == parameter)
    if described.category is not None and not given & set(described.unless):
        if not (described.scalar and jnp.ndim(value) > 0):
            return described.error
    result = signature.result
    if result.word == "dynamic" and described.category is None:
        names, _, error = result.argument(0).partition(":")
        if not given & set(names.partition(" of ")[0].split("|")):
            return error or "ConcretizationTypeError"
    return None


def agrees(happened: str | None, expected: str | None) -> bool:
    """Whether what happened is what was foretold: the same class, or a kind of it."""
    if happened is None or expected is None or happened == expected:
        return happened == expected
    real = [getattr(jax.errors, name, getattr(builtins, name, None)) for name in (happened, expected)]
    return real[1] is jax.errors.ConcretizationTypeError and issubclass(real[0], real[1])


def error_of(function: Any, values: list[Any], named: dict[str, Any], place: int | str) -> str | None:
    """What tracing the call raises when one argument is traced and the others stay as they are."""

    def traced(value: Any) -> int:
        if isinstance(place, int):
            function(*values[:place], value, *values[place + 1 :], **named)
        else:
            function(*values, **{**named, place: value})
        return 0

    try:
        jax.jit(traced).trace(values[place] if isinstance(place, int) else named[place])
    except Exception as error:
        return type(error).__name__
    return None
