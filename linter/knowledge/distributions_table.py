"""Distributions that compute with jax: those of numpyro, distrax and TensorFlow Probability."""

from __future__ import annotations


def _shared(kind: str) -> str:
    return f"""
Bernoulli Beta Binomial Categorical Cauchy Chi2 Dirichlet Exponential Gamma Geometric Gumbel HalfCauchy HalfNormal
    Independent InverseGamma Kumaraswamy LKJ Laplace LogNormal Logistic MixtureSameFamily Multinomial Normal Pareto Poisson
    StudentT TransformedDistribution TruncatedCauchy TruncatedNormal Uniform VonMises Weibull Wishart(*args, **kwargs) ->
    object[{kind}]
"""


FUNCTIONS = {
    "numpyro.distributions": f"""
{_shared("NumpyroDistribution")}
AsymmetricLaplace AsymmetricLaplaceQuantile BernoulliLogits BernoulliProbs BetaBinomial BetaNegativeBinomial BetaProportion
    BinomialLogits BinomialProbs CAR CategoricalLogits CategoricalProbs CirculantNormal Dagum Delta DirichletMultinomial
    DiscreteUniform EulerMaruyama GammaPoisson GaussianCopula GaussianRandomWalk GaussianStateSpace GeometricLogits
    GeometricProbs Gompertz ImproperUniform InverseWishart InverseWishartCholesky LKJCholesky LeftTruncatedDistribution Levy
    LogUniform LowRankMultivariateNormal MatrixNormal Mixture MixtureGeneral MultinomialLogits MultinomialProbs
    MultivariateNormal MultivariateStudentT NegativeBinomial NegativeBinomial2 NegativeBinomialLogits
    NegativeBinomialProbs OrderedLogistic RelaxedBernoulli RelaxedBernoulliLogits RightTruncatedDistribution SineBivariateVonMises
    SoftLaplace TruncatedDistribution TwoSidedTruncatedDistribution WishartCholesky ZeroInflatedDistribution
    ZeroInflatedNegativeBinomial2 ZeroInflatedPoisson ZeroSumNormal(*args, **kwargs) -> object[NumpyroDistribution]
""",
    "distrax": f"""
{_shared("DistraxDistribution")}
Clipped ClippedLogistic ClippedNormal Deterministic EpsilonGreedy Greedy LogStddevNormal MixtureOfTwo
    MultivariateNormalDiag MultivariateNormalDiagPlusLowRank MultivariateNormalFromBijector MultivariateNormalFullCovariance
    MultivariateNormalTri OneHotCategorical Quantized Softmax Transformed(*args, **kwargs) -> object[DistraxDistribution]
""",
    "tensorflow_probability.substrates.jax.distributions": f"""
{_shared("Distribution")}
BetaBinomial Chi Deterministic DirichletMultinomial GammaGamma GaussianProcess GeneralizedNormal HalfStudentT
    InverseGaussian JohnsonSU LambertWNormal LogLogistic LogitNormal Mixture MultivariateNormalDiag
    MultivariateNormalFullCovariance MultivariateNormalTriL MultivariateStudentTLinearOperator NegativeBinomial
    OneHotCategorical OrderedLogistic PlackettLuce QuantizedDistribution RelaxedBernoulli RelaxedOneHotCategorical Sample
    SinhArcsinh Skellam TransformedDistribution Triangular WishartTriL ZeroInflated Zipf(*args, **kwargs) ->
    object[Distribution]
""",
}

METHODS = {
    "NumpyroDistribution": """
sample rsample(key, sample_shape!shape:TypeError=, **kwargs) -> array[?, ?]
log_prob cdf icdf entropy(*args, **kwargs) -> array[?, ?]
to_event(reinterpreted_batch_ndims!other:TracerBoolConversionError=) -> same[self]
expand mask expand_by(*args, **kwargs) -> same[self]
""",
    "DistraxDistribution": """
sample(*, seed, sample_shape!=) -> array[?, ?]
sample_and_log_prob(*, seed, sample_shape!=) -> array*2[?, ?]
log_prob prob cdf log_cdf survival_function log_survival_function entropy mode median stddev kl_divergence
    cross_entropy(*args, **kwargs) -> array[?, ?]
""",
    "Distribution": """
sample log_prob prob cdf log_cdf quantile survival_function log_survival_function entropy mode stddev
    covariance kl_divergence cross_entropy(*args, **kwargs) -> array[?, ?]
""",
}
