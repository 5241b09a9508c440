"""`jax.scipy.special`. Names are imported when first used."""

from __future__ import annotations

from ...lazy import lazy_names

_HOMES = {
    "gammas": "bernoulli beta betainc betaln comb digamma factorial gamma gammainc gammaincc gammaln gammasgn "
    "multigammaln poch polygamma zeta",
    "entropies": "entr kl_div logit logsumexp log_softmax rel_entr softmax xlog1py xlogy",
    "normal": "erf erfc erfinv expit log_ndtr ndtr ndtri",
    "gaussian": "dawsn erfcx",
    "powers": "boxcox boxcox1p",
    "integrals": "exp1 expi expn spence",
    "bessel": "bessel_jn i0 i0e i1 i1e",
    "harmonics": "sph_harm_y",
    "hypergeometric": "hyp1f1",
    "gauss_hypergeometric": "hyp2f1",
    "log_gamma": "loggamma",
    "oscillating_integrals": "fresnel sici",
    "owens": "owens_t",
    "faddeeva": "wofz",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
