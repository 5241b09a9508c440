"""`jax.random`: Threefry keys, and samplers that draw as JAX draws. Names are imported when first used."""

from __future__ import annotations

from ..lazy import lazy_names

_HOMES = {
    "keys": "PRNGKey clone default_prng_impl fold_in key key_data key_dtype key_impl split wrap_key_data",
    "samplers": "bernoulli bits categorical choice exponential gumbel normal permutation randint uniform",
    "distributions": "ball beta binomial cauchy chisquare dirichlet double_sided_maxwell f gamma generalized_normal "
    "geometric laplace loggamma logistic lognormal maxwell multinomial multivariate_normal orthogonal pareto poisson "
    "rademacher rayleigh t triangular truncated_normal wald weibull_min",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
