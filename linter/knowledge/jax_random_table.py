"""jax.random: keys and samplers.

Static parameters and their errors as JAX 0.10.2 raises them for a tracer; tests hold the lines against it.
"""

from __future__ import annotations

FUNCTIONS = {
    "jax.random": """
key(seed, *, impl=, dtype!:TypeError=) -> array[scalar, key]
PRNGKey(seed, *, impl=) -> array[shape(2), exactly(uint32)]
split(key, num!:TypeError=) -> array[split(key, num), same(key)]
fold_in(key, data) -> array[same(key), same(key)]
clone(key) -> array[same(key), same(key)]
key_data(keys) -> array[append(keys, 2), exactly(uint32)]
wrap_key_data(key_bits_array, *, impl=, dtype!:TypeError=) -> array[?, key]
key_impl(keys) -> static[str]
key_dtype(impl_spec=) -> static[dtype]
uniform(key, shape!:TypeError=, dtype!:TypeError=, minval=, maxval=, *, out_sharding=) ->
    array[between(shape, minval, maxval)|shape(shape)|scalar, dtype|float32]
normal cauchy exponential laplace logistic maxwell(key, shape!:TypeError=, dtype!:TypeError=, *,
    out_sharding=) -> array[shape(shape)|scalar, dtype|float32]
gumbel(key, shape!:TypeError=, dtype!:TypeError=, mode=, *, out_sharding=) ->
    array[shape(shape)|scalar, dtype|float32]
bits(key, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|scalar, dtype|uint32]
rademacher(key, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|scalar, dtype|int32]
randint(key, shape!:TypeError, minval, maxval, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape), dtype|int32]
bernoulli(key, p=, shape!:TypeError=, mode=, *, out_sharding=) -> array[shape(shape)|same(p)|scalar, bool]
geometric(key, p, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(p), dtype|int32]
poisson(key, lam, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(lam), dtype|int32]
beta(key, a, b, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|broadcast(a, b), dtype|float32]
f(key, dfnum, dfden, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|broadcast(dfnum, dfden), dtype|float32]
binomial(key, n, p, shape!:TypeError=, dtype!:TypeError=) ->
    array[shape(shape)|broadcast(n, p), dtype|float32]
double_sided_maxwell(key, loc, scale, shape!:TypeError=, dtype!:TypeError=) -> array[?, dtype|float32]
truncated_normal(key, lower, upper, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|broadcast(lower, upper), dtype|inexact(lower, upper)]
triangular(key, left, mode, right, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[?, dtype|float32]
weibull_min(key, scale, concentration, shape!:TypeError=, dtype!:TypeError=) -> array[?, dtype|float32]
lognormal(key, sigma=, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|scalar, dtype|float32]
dirichlet(key, alpha, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[samples(alpha, shape), dtype|float32]
multivariate_normal(key, mean, cov, shape!:TypeError=, dtype!:TypeError=, method=, *, out_sharding=) ->
    array[samples(mean, shape), inexact(mean, cov)]
multinomial(key, n, p, *, shape!other:TypeError=, dtype!:TypeError=, unroll!=) -> array[?, dtype|float32]
ball(key, d!, p=, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) -> array[?, dtype|float32]
orthogonal(key, n!, shape!:TypeError=, dtype!:TypeError=, m=, *, out_sharding=) -> array[?, dtype|float32]
categorical(key, logits, axis!:TracerArrayConversionError=, shape!:TypeError=,
    replace!:TracerBoolConversionError=, mode=, *, out_sharding=) ->
    array[shape(shape)|last_dropped(logits, axis), replace|int32]
choice(key, a!size@scalar, shape!:TracerBoolConversionError=, replace!:TracerBoolConversionError=, p=,
    axis!:TracerIntegerConversionError=, mode=) -> array[drawn(a, shape), ?]
permutation(key, x!size@scalar, axis!:TracerIntegerConversionError=,
    independent!:TracerBoolConversionError=, *, out_sharding=) -> array[permuted(x), ?]
chisquare t(key, df, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(df), dtype|float32]
gamma loggamma(key, a, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(a), dtype|float32]
generalized_normal(key, p, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(p), dtype|float32]
pareto(key, b, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(b), dtype|float32]
rayleigh(key, scale, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(scale), dtype|float32]
wald(key, mean, shape!:TypeError=, dtype!:TypeError=, *, out_sharding=) ->
    array[shape(shape)|same(mean), dtype|float32]
""",
}
