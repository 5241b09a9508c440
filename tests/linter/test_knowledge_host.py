"""The tables of NumPy, SciPy and the standard library against these libraries, and those of others where installed."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from jax_calls import found
from test_knowledge_jax import CATALOGUE, agrees, described, described_by_inspect
from tracetrap.linter.knowledge.catalogue import tables

jax = pytest.importorskip("jax")

HOST = ("numpy", "numpy_random", "math", "functional", "effects", "scipy")
OTHERS = ("equinox", "flax", "haiku", "numpyro", "optimisation", "checking")
NOT_EVERYWHERE = {
    "math.sumprod",
    "itertools.batched",
    "scipy.special.sph_harm",
    "numpy.trapz",
    "numpy.in1d",
    "numpy.row_stack",
}
"""Functions that only some versions have."""
V = np.array([0.5, 0.25, 0.75])
W = np.array([1, 2, 3])
M = np.array([[2.0, 0.5], [0.5, 1.0]])
EXAMPLES: tuple[tuple[Any, ...], ...] = (
    (V,), (V, V), (M,), (M, M), (W,), (W, W), (V, 1), (M, 1), (M, 0, 1), (V, V, V), (M, V[:2]), (W, 2), (2, V), ([V, V],), (M, (0, 1)),
    (0.5,), (0.5, 0.25), (3,), (4, 2), (0.5, 2), ([0.5, 0.25],), ([0.5, 0.25], [0.5, 0.25]),
)  # fmt: skip
"""Arguments that some function takes: it is tried with the first that work."""
SIZES: tuple[tuple[Any, ...], ...] = ((3,), (3, V), (3, 2))
INTO_THE_FIRST = {
    "numpy.choose",
    "numpy.copyto",
    "numpy.fill_diagonal",
    "numpy.place",
    "numpy.put",
    "numpy.putmask",
}
"""Functions that write into their first argument, or select with it: tracers come as the others."""


def installed(name: str) -> bool:
    """Whether the package of a dotted name is installed."""
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def described_functions(group: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The tables of a group and the functions in them, of packages that are installed."""
    for table in group:
        for name in tables()[table].functions:
            if "." in name and not name.startswith("builtins.") and installed(name):
                yield table, name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", HOST)
def test_names_and_parameters_are_the_libraries(table: str) -> None:
    """Every function is there, and the table knows all that it takes by name."""
    wrong = [line for _, name in described_functions((table,)) for line in differences(name)]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", OTHERS)
def test_names_are_those_of_other_libraries(table: str) -> None:
    """Every function is there, where its package is installed."""
    missing = [name for _, name in described_functions((table,)) if not exists(name)]
    assert not missing, "\n" + "\n".join(missing)


def exists(name: str) -> bool:
    """Whether a library has a function of this name."""
    try:
        return found(name) is not None
    except (AttributeError, AssertionError):
        return False


def differences(name: str) -> Iterator[str]:
    """What a table has wrong of a function's parameters."""
    if name in NOT_EVERYWHERE:
        return
    if not exists(name):
        if (
            name.startswith("scipy.stats.") and name.count(".") == 3
        ):  # not every distribution has every method
            return
        yield f"{name}: there is no such function"
        return
    signature = CATALOGUE.function(name)
    assert signature is not None
    try:
        real = inspect.signature(found(name))
    except (TypeError, ValueError):  # some builtins have none
        return
    kinds = {p.kind for p in signature.parameters}
    if "kwargs" in kinds or "args" in kinds:
        return
    by_name = {
        p.name for p in real.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    }
    if not {n for n in by_name if not n.startswith("_")} <= {p.name for p in signature.parameters}:
        yield f"{name}: {described(signature)} for {described_by_inspect(real)}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", ("numpy", "math", "scipy"))
def test_host_functions_raise_and_delegates_do_not(table: str) -> None:
    """A traced argument raises what the table says, or nothing where the function hands it on."""
    wrong, tried = [], 0
    for name in tables()[table].functions:
        signature = CATALOGUE.function(name)
        if signature is None or signature.result.word not in ("host", "delegate") or not exists(name):
            continue
        first = signature.parameters[0] if signature.parameters else None
        static = first is not None and first.category is not None
        values = working(found(name), SIZES if static else EXAMPLES)
        if values is None or name.endswith(".at") or name in INTO_THE_FIRST:
            continue
        tried += 1
        expected = (
            None
            if signature.result.word == "delegate"
            else signature.result.error("TracerArrayConversionError")
        )
        if first is not None and static:
            expected = first.error
        happened = error_of(found(name), values)
        if not agrees(happened, expected):
            wrong.append(f"{name}{values}: a tracer gives {happened}, the table says {expected}")
    assert tried > 30
    assert not wrong, "\n" + "\n".join(wrong)


def working(function: Callable[..., Any], examples: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...] | None:
    """The first example that the function takes."""
    for values in examples:
        with contextlib.suppress(Exception):
            function(*values)
            return values
    return None


def error_of(function: Callable[..., Any], values: tuple[Any, ...]) -> str | None:
    """What the function raises when its first argument is traced."""

    def traced(value: Any) -> int:
        function(value, *values[1:])
        return 0

    try:
        jax.jit(traced).trace(jax.tree.map(np.asarray, values[0]))
    except Exception as error:
        return type(error).__name__
    return None
