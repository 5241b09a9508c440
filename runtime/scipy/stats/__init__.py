"""`jax.scipy.stats`: distributions, one module each, and statistics. All are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = frozenset(
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy".split()
)
_HOME = {"gaussian_kde": "kernel_density", "mode": "summaries", "rankdata": "summaries", "sem": "summaries"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_MODULES, *_HOME})
