"""`jax.random`: Threefry keys, and samplers that draw as JAX draws. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "keys": "PRNGKey clone default_prng_impl fold_in key key_data key_dtype key_impl split wrap_key_data",
    "samplers": "bernoulli bits categorical choice exponential gumbel normal permutation randint uniform",
    "distributions": "ball beta binomial cauchy chisquare dirichlet double_sided_maxwell f gamma generalized_normal "
    "geometric laplace loggamma logistic lognormal maxwell multinomial multivariate_normal orthogonal pareto poisson "
    "rademacher rayleigh t triangular truncated_normal wald weibull_min",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
