"""The tables in themselves, and those of other libraries against these, where they are installed: names and parameters."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from tracetrap.linter.interpreter.arrays.shape_rules import SHAPE_RULES, alternatives
from tracetrap.linter.interpreter.libraries.models import MODELS
from tracetrap.linter.interpreter.libraries.results import ALL_TRACES, WORDS
from tracetrap.linter.interpreter.tracing.kinds import KINDS
from tracetrap.linter.knowledge import Catalogue, Result, Signature
from tracetrap.linter.knowledge.catalogue import table_of_type, tables
from tracetrap.linter.knowledge.schema import parse, parse_result

CATALOGUE = Catalogue()
LIBRARIES = (
    "blackjax chex diffrax einops equinox flax haiku jaxopt jaxtyping lineax numpyro optax optimistix"
).split()


def lines_of(library: str) -> list[str]:
    """The functions of one library in the tables."""
    names = {name for table in tables().values() for name in table.functions}
    return sorted(name for name in names if name.split(".", 1)[0] == library)


def found(name: str) -> Any:
    """The object of a dotted name, its module imported."""
    module, _, rest = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), rest)
    except ImportError:
        return getattr(found(module), rest)


def differs(signature: Signature, real: inspect.Signature) -> str:
    """The first parameter that the library does not have so; `*args` and `**kwargs` of ours stand for any others."""
    theirs = real.parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in theirs.values())
    order = [p.name for p in theirs.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    position = 0
    for parameter in signature.parameters:
        one = theirs.get(parameter.name)
        if parameter.kind in ("args", "kwargs"):
            continue
        if one is None:
            if not takes_any:
                return f"it has no parameter {parameter.name}"
            continue
        if parameter.kind in ("either", "positional") and one.kind is not one.KEYWORD_ONLY:
            if position >= len(order) or order[position] != parameter.name:
                return f"its parameter {position} is {order[position : position + 1]}, not {parameter.name}"
        elif parameter.kind == "either" and one.kind is one.KEYWORD_ONLY:
            return f"{parameter.name} is by keyword alone"
        position += 1
        if not parameter.optional and one.default is not one.empty:
            return f"{parameter.name} may be left out"
    kinds = {p.kind for p in signature.parameters}
    for one in theirs.values():
        required = one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        unknown = one.name not in {p.name for p in signature.parameters}
        if required and unknown and not kinds & {"args", "kwargs"}:
            return f"it needs {one.name}"
    return ""


def all_results(result: Result) -> Iterator[Result]:
    """A result and those that stand in it."""
    yield result
    inner = {"dynamic": [1], "when": [1, 2], "concrete": [1], "effect": [1], "collective": [0]}
    for position in inner.get(result.word, ()):
        if result.argument(position):
            yield from all_results(parse_result(result.argument(position)))


def unknown_words(result: Result) -> list[str]:
    """The words in a result that nothing computes."""
    known = {
        "transform": {*KINDS, "transparent", "opaque"},
        "trace": {*ALL_TRACES, "opaque"},
        "model": MODELS,
    }
    wrong = [] if result.word in WORDS else [result.word]
    if result.word in known and result.argument(0) not in known[result.word]:
        wrong.append(f"{result.word}[{result.argument(0)}]")
    if result.word in ("array", "list", "layer"):
        rules = {rule.partition("(")[0] for rule in alternatives(result.argument(0))}
        wrong += sorted(rules - {*SHAPE_RULES, "?", ""})
    return wrong


@pytest.mark.parametrize("name", tables())
def test_every_line_can_be_read_and_every_word_is_known(name: str) -> None:
    table = tables()[name]
    lines = [*table.functions.values(), *(line for kind in table.methods.values() for line in kind.values())]
    results = [inner for line in lines for inner in all_results(parse(line).result)]
    made = {result.argument(0) for result in results if result.word == "object"}
    assert not [word for result in results for word in unknown_words(result)]
    assert not [kind for kind in {*table.methods, *table.attributes} if table_of_type(kind) is not table]
    assert not [kind for kind in made if table_of_type(kind) is None]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", LIBRARIES)
def test_names_and_parameters_are_those_of_the_library(library: str) -> None:
    pytest.importorskip(library, exc_type=ImportError)
    wrong: list[str] = []
    for name in lines_of(library):
        try:
            real = inspect.signature(found(name))
        except (AttributeError, ModuleNotFoundError):
            wrong.append(f"{name}: the library has no such function")
            continue
        except (TypeError, ValueError):
            continue
        signature = CATALOGUE.function(CATALOGUE.canonical(name)) or CATALOGUE.function(name)
        assert signature is not None
        difference = differs(signature, real)
        if difference:
            wrong.append(f"{name}{real}: {difference}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", LIBRARIES)
def test_objects_have_the_methods_of_the_tables(library: str) -> None:
    pytest.importorskip(library, exc_type=ImportError)
    missing = []
    for name in lines_of(library):
        signature = CATALOGUE.function(name)
        made = found(name) if signature is not None and signature.result.word == "object" else None
        if inspect.isclass(made) and signature is not None:
            kind = signature.result.argument(0)
            table = table_of_type(kind)
            assert table is not None
            missing += [f"{name}.{method}" for method in table.methods[kind] if not hasattr(made, method)]
    assert not missing


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", LIBRARIES)
def test_objects_are_in_the_library(library: str) -> None:
    pytest.importorskip(library, exc_type=ImportError)
    names = {name for table in tables().values() for name in table.objects}
    missing = []
    for name in sorted(name for name in names if name.split(".", 1)[0] == library):
        try:
            found(name)
        except (AttributeError, ModuleNotFoundError):
            missing.append(name)
    assert not missing
