"""What the jax tables say of results, against what JAX's own tracing gives: shapes, dtypes, weak types, structure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast

import pytest
from jax_calls import MODULES, arguments, calls, found, traceable
from tracetrap.linter.domain import Array, Const, ExternalValue, Level, TupleValue, Value
from tracetrap.linter.interpreter.arrays.precision import default_widths
from tracetrap.linter.interpreter.arrays.shape_rules import dtype_rule, shape_rule
from tracetrap.linter.interpreter.libraries.library import dtype_name
from tracetrap.linter.interpreter.machine import Interpreter
from tracetrap.linter.knowledge import Catalogue, Result, Signature
from tracetrap.linter.knowledge.schema import parse_result

jax = pytest.importorskip("jax")

CATALOGUE = Catalogue()
NO_INTERPRETER = cast(Interpreter, None)  # the rules need none for immutable values


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("wide", (False, True), ids=("32 bits", "64 bits"))
def test_results_have_the_shape_and_dtype_that_the_table_says(module: str, wide: bool) -> None:
    with jax.enable_x64(wide), default_widths(wide):
        wrong = list(differences(module))
    assert not wrong, "\n" + "\n".join(wrong)


def differences(module: str) -> Iterator[str]:
    """Where the table says something else of a module's results than JAX does."""
    environment = arguments()
    for text in calls(module):
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        name = CATALOGUE.canonical(f"{module}.{ast.unparse(call.func)}")
        signature = CATALOGUE.function(name)
        if signature is None:
            continue
        values = [eval(ast.unparse(a), environment) for a in call.args]
        named = {k.arg or "": eval(ast.unparse(k.value), environment) for k in call.keywords}
        result = chosen(signature, values, named)
        if result.word not in ("array", "list", "static", "none"):
            continue
        leaves = outcome(found(name), values, named)
        if leaves is None:
            continue
        if result.word == "static" or result.word == "none":
            yield from (f"{module}.{text}: {leaf} is traced" for leaf in leaves if leaf is not None)
            continue
        if result.word == "array" and len(leaves) != result.count:
            yield f"{module}.{text}: {len(leaves)} results, the table says {result.count}"
            continue
        bound = bind(signature, values, named)
        for number, leaf in enumerate(leaves):
            shape = shape_rule(NO_INTERPRETER, result.rule(0, number), bound)
            dtype, weak = dtype_rule(NO_INTERPRETER, result.rule(1, number), bound, dtype_name)
            if leaf is None:
                yield f"{module}.{text}: a result is not traced"
                continue
            if shape is not None and not fits(shape, leaf.shape):
                yield f"{module}.{text}: shape {leaf.shape}, the table says {shape}"
            if dtype is not None and dtype != called(leaf.dtype):
                yield f"{module}.{text}: dtype {called(leaf.dtype)}, the table says {dtype}"
            elif dtype is not None and weak != leaf.weak_type:
                yield f"{module}.{text}: weak_type {leaf.weak_type}, the table says {weak}"


def chosen(signature: Signature, values: list[Any], named: dict[str, Any]) -> Result:
    """The result word that holds for this call."""
    result = signature.result
    bound = bind(signature, values, named)
    while result.word in ("dynamic", "when"):
        names = result.argument(0).partition(":")[0].partition(" of ")[0].split("|")
        given = any(bound.get(name, Const(None)) not in (Const(None), Const(False)) for name in names)
        if result.word == "dynamic" and not given:
            return parse_result("unknown")
        result = parse_result(result.argument(1 if given else 2))
    return result


def outcome(function: Any, values: list[Any], named: dict[str, Any]) -> list[Any] | None:
    """The avals of the results of a call whose arrays are all traced; None for what is not traced."""
    leaves: list[Any] = []
    arrays = [k for k, value in enumerate(values) if is_array(value)]

    def traced(traced_values: list[Any]) -> int:
        given = list(values)
        for place, value in zip(arrays, traced_values, strict=True):
            given[place] = value
        for leaf in jax.tree_util.tree_leaves(function(*given, **named)):
            leaves.append(leaf.aval if isinstance(leaf, jax.core.Tracer) else None)
        return 0

    try:
        jax.jit(traced).trace([values[place] for place in arrays])
    except Exception:  # a parameter that must be static: another test's business
        return None
    return leaves


def is_array(value: Any) -> bool:
    """Whether a value is an array, or a container with one."""
    return traceable(value) and any(isinstance(leaf, jax.Array) for leaf in jax.tree_util.tree_leaves(value))


def bind(signature: Signature, values: list[Any], named: dict[str, Any]) -> dict[str, Value]:
    """The arguments as abstract values, by parameter."""
    positional, keyed = signature.bind(len(values), tuple(named))
    bound: dict[str, Value] = {}
    for parameter, value in [*zip(positional, values, strict=True), *zip(keyed, named.values(), strict=True)]:
        assert parameter is not None
        if parameter.kind == "args":
            before = bound.get(parameter.name, TupleValue(()))
            assert isinstance(before, TupleValue)
            bound[parameter.name] = TupleValue((*before.items, abstract(value)))
        else:
            bound[parameter.name] = abstract(value)
    return bound


def abstract(value: Any) -> Value:
    """A Python value as the analysis sees it."""
    if isinstance(value, jax.Array):
        return Array(Level.ABSTRACT, value.shape, called(value.dtype), value.aval.weak_type)
    if isinstance(value, tuple | list):
        return TupleValue(tuple(abstract(item) for item in value))
    if isinstance(value, type) or callable(value):
        return ExternalValue(f"jax.numpy.{getattr(value, '__name__', 'unknown')}")
    return Const(value)


def called(dtype: Any) -> str:
    """A dtype's name; `key` for those of random keys."""
    return "key" if jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key) else str(dtype)


def fits(rule: tuple[int | None, ...], real: tuple[int, ...]) -> bool:
    """Whether a shape, partly known, is that of the result."""
    return len(rule) == len(real) and all(a is None or a == b for a, b in zip(rule, real, strict=True))
