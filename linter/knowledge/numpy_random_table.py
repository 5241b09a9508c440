"""numpy.random: draws that happen once, while tracing, and refuse traced parameters."""

from __future__ import annotations

_SHAPED = """
beta(a, b, size!shape:TypeError=)
binomial negative_binomial(n, p, size!shape:TypeError=)
chisquare standard_t(df, size!shape:TypeError=)
exponential rayleigh(scale=, size!shape:TypeError=)
f(dfnum, dfden, size!shape:TypeError=)
gamma(shape, scale=, size!shape:TypeError=)
geometric logseries(p, size!shape:TypeError=)
gumbel laplace logistic normal(loc=, scale=, size!shape:TypeError=)
hypergeometric(ngood, nbad, nsample, size!shape:TypeError=)
lognormal(mean=, sigma=, size!shape:TypeError=)
noncentral_chisquare(df, nonc, size!shape:TypeError=)
noncentral_f(dfnum, dfden, nonc, size!shape:TypeError=)
pareto power weibull zipf(a, size!shape:TypeError=)
poisson(lam=, size!shape:TypeError=)
random standard_normal standard_cauchy standard_exponential(size!shape:TypeError=, dtype=, out=)
standard_gamma(shape, size!shape:TypeError=, dtype=, out=)
triangular(left, mode, right, size!shape:TypeError=)
uniform(low=, high=, size!shape:TypeError=)
vonmises(mu, kappa, size!shape:TypeError=)
wald(mean, scale, size!shape:TypeError=)
"""

_OTHER = """
bytes(length)
choice(a, size!shape:TypeError=, replace=, p=, axis=, shuffle=)
dirichlet(alpha, size!shape:TypeError=)
multinomial(n, pvals, size!shape:TypeError=)
multivariate_normal(mean, cov, size!shape:TypeError=, check_valid=, tol=)
permutation(x, axis=)
"""

_LEGACY_SHAPED = """
ranf random_sample sample(size!shape:TypeError=)
randint random_integers(low, high=, size!shape:TypeError=, dtype=)
"""

_GENERATOR_SHAPED = """
integers(low, high=, size!shape:TypeError=, dtype=, endpoint=)
"""

_GENERATOR_OTHER = """
multivariate_hypergeometric(colors, nsample, size!shape:TypeError=, method=)
permuted(x, axis=, out=)
"""


def _draws(lines: str, shape: str = "") -> str:
    """Draws of the given shape, by the rules of the tables."""
    return "\n".join(
        f"{line} -> effect[random:TracerArrayConversionError, static[ndarray, {shape}]]"
        for line in lines.strip().splitlines()
    )


_SIZED = "shape(size)|?"  # without a size, as the parameters are broadcast
_BOTH = f"{_draws(_SHAPED, _SIZED)}\n{_draws(_OTHER)}"
_LEGACY = f"""
{_draws(_LEGACY_SHAPED, _SIZED)}
{_draws("rand randn(*shape!:TracerIntegerConversionError)", "shape(shape)|?")}
"""

_STATE = """
seed(seed=) -> effect[random:TracerArrayConversionError, none]
shuffle(x, axis=) -> effect[random:TypeError, none]
get_state(legacy=) -> static
set_state(state) -> none
"""

_MODULE = f"{_BOTH}\n{_LEGACY}\n{_STATE}"

FUNCTIONS = {
    "numpy.random": f"""
default_rng(seed=) -> host[:TypeError, scalar, Generator]
RandomState(seed=) -> static[RandomState]
Generator(bit_generator) -> static[Generator]
PCG64 MT19937 Philox SFC64 SeedSequence(*args, **kwargs) -> static[BitGenerator]
{_MODULE}
""",
}

METHODS = {
    "Generator": f"""
{_BOTH}
{_draws(_GENERATOR_SHAPED, _SIZED)}
{_draws(_GENERATOR_OTHER)}
shuffle(x, axis=) -> effect[random:TypeError, none]
spawn(n_children) -> static[list]
""",
    "RandomState": _MODULE,
}
