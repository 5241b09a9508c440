"""numpy.random: draws that happen once, while tracing, and refuse traced parameters."""

from __future__ import annotations

_BOTH = """
beta(a, b, size!shape:TypeError=)
binomial negative_binomial(n, p, size!shape:TypeError=)
bytes(length)
chisquare standard_t(df, size!shape:TypeError=)
choice(a, size!shape:TypeError=, replace=, p=, axis=, shuffle=)
dirichlet(alpha, size!shape:TypeError=)
exponential rayleigh(scale=, size!shape:TypeError=)
f(dfnum, dfden, size!shape:TypeError=)
gamma(shape, scale=, size!shape:TypeError=)
geometric logseries(p, size!shape:TypeError=)
gumbel laplace logistic normal(loc=, scale=, size!shape:TypeError=)
hypergeometric(ngood, nbad, nsample, size!shape:TypeError=)
lognormal(mean=, sigma=, size!shape:TypeError=)
multinomial(n, pvals, size!shape:TypeError=)
multivariate_normal(mean, cov, size!shape:TypeError=, check_valid=, tol=)
noncentral_chisquare(df, nonc, size!shape:TypeError=)
noncentral_f(dfnum, dfden, nonc, size!shape:TypeError=)
pareto power weibull zipf(a, size!shape:TypeError=)
permutation(x, axis=)
poisson(lam=, size!shape:TypeError=)
random standard_normal standard_cauchy standard_exponential(size!shape:TypeError=, dtype=, out=)
standard_gamma(shape, size!shape:TypeError=, dtype=, out=)
triangular(left, mode, right, size!shape:TypeError=)
uniform(low=, high=, size!shape:TypeError=)
vonmises(mu, kappa, size!shape:TypeError=)
wald(mean, scale, size!shape:TypeError=)
"""

_LEGACY = """
rand randn(*shape!:TracerIntegerConversionError)
ranf random_sample sample(size!shape:TypeError=)
randint random_integers(low, high=, size!shape:TypeError=, dtype=)
"""

_GENERATOR = """
integers(low, high=, size!shape:TypeError=, dtype=, endpoint=)
multivariate_hypergeometric(colors, nsample, size!shape:TypeError=, method=)
permuted(x, axis=, out=)
"""


def _draws(lines: str) -> str:
    return "\n".join(
        f"{line} -> effect[random:TracerArrayConversionError, static[ndarray]]"
        for line in lines.strip().splitlines()
    )


_STATE = """
seed(seed=) -> effect[random:TracerArrayConversionError, none]
shuffle(x, axis=) -> effect[random:TypeError, none]
get_state(legacy=) -> static
set_state(state) -> none
"""

_MODULE = f"{_draws(_BOTH)}\n{_draws(_LEGACY)}\n{_STATE}"

FUNCTIONS = {
    "numpy.random": f"""
default_rng(seed=) -> static[Generator]
RandomState(seed=) -> static[RandomState]
Generator(bit_generator) -> static[Generator]
PCG64 MT19937 Philox SFC64 SeedSequence(*args, **kwargs) -> static[BitGenerator]
{_MODULE}
""",
}

METHODS = {
    "Generator": f"""
{_draws(_BOTH)}
{_draws(_GENERATOR)}
shuffle(x, axis=) -> effect[random:TypeError, none]
spawn(n_children) -> static[list]
""",
    "RandomState": _MODULE,
}
