"""Every public function takes JAX's parameters: the same names, kinds and defaults, so that calls bind alike."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any, get_args

import pytest

jax = pytest.importorskip("jax")

MODULES = [
    *"numpy numpy.linalg numpy.fft lax random nn nn.initializers tree tree_util ops flatten_util".split(),
    *"scipy.special scipy.linalg scipy.stats scipy.signal scipy.ndimage scipy.integrate".split(),
    *"scipy.fft scipy.optimize scipy.cluster.vq scipy.sparse.linalg".split(),
    *[
        f"scipy.stats.{m.name}"
        for m in pkgutil.iter_modules(importlib.import_module("jax.scipy.stats").__path__)
    ],
]

#: What differs, and why that does no harm.
DIFFERENT = {
    "numpy.einsum": "`_dot_general` is private, and stands for the function that it is by default in JAX",
    "lax.cond": "`operand` has a sentinel of its own as default",
    "lax.switch": "`operand` has a sentinel of its own as default",
    "lax.rng_bit_generator": "there is one algorithm, which needs no name",
    "lax.random_gamma_grad": "JAX takes any number of arguments and fails later",
    "random.lognormal": "the default of `sigma` is the same number of another type",
    "tree.reduce": "`initializer` has a sentinel of its own as default",
    "tree.reduce_associative": "`identity` has a sentinel of its own as default",
    "tree_util.tree_reduce": "`initializer` has a sentinel of its own as default",
    "tree_util.tree_reduce_associative": "`identity` has a sentinel of its own as default",
}


def shown(default: Any) -> str:
    """A default value as text: functions and types by name, all others as they print."""
    if callable(default):
        return str(getattr(default, "__name__", default))
    return repr(default)


def parameters(function: Any) -> list[tuple[str, str, str]]:
    return [(p.name, p.kind.name, shown(p.default)) for p in inspect.signature(function).parameters.values()]


def public_functions(module: Any) -> dict[str, Any]:
    """Everything that can be called but classes; names for types are none of it."""
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return {
        name: value
        for name, value in found.items()
        if callable(value)
        and not inspect.isclass(value)
        and not inspect.ismodule(value)
        and not get_args(value)
    }


@pytest.mark.parametrize("name", MODULES)
def test_same_parameters(name: str) -> None:
    theirs = importlib.import_module(f"jax.{name}")
    ours = importlib.import_module(f"tracetrap.runtime.{name}")
    compared = 0
    for function, value in public_functions(theirs).items():
        mine = getattr(ours, function, None)
        if mine is None or f"{name}.{function}" in DIFFERENT:
            continue
        try:
            expected = parameters(value)
        except ValueError:  # Made in C, without a signature.
            continue
        assert parameters(mine) == expected, f"{name}.{function}"
        compared += 1
    assert compared


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_are_real(name: str) -> None:
    module, _, function = name.rpartition(".")
    both = [
        getattr(importlib.import_module(f"{root}.{module}"), function)
        for root in ("jax", "tracetrap.runtime")
    ]

    assert parameters(both[0]) != parameters(both[1])


@pytest.mark.parametrize("name", MODULES)
def test_no_module_hides_a_function(name: str) -> None:
    """Importing a module puts it into its package under its name, where a function of that name would be lost."""
    package = importlib.import_module(f"tracetrap.runtime.{name}")
    theirs = importlib.import_module(f"jax.{name}")
    for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
        assert not inspect.isroutine(getattr(theirs, module.name, None)), module.name
