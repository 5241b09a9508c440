"""`jax.scipy.stats`: distributions, one module each, and statistics. All are imported when first used."""

from __future__ import annotations

from ...lazy import lazy_names

_MODULES = frozenset(
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy".split()
)
_HOMES = {"kernel_density": "gaussian_kde", "summaries": "mode rankdata sem"}

__getattr__, __dir__ = lazy_names(__name__, _HOMES, _MODULES)
