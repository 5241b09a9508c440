"""Distributions that compute with jax: those of numpyro, distrax and TensorFlow Probability."""

from __future__ import annotations

_SHARED = """
Bernoulli Beta Binomial Categorical Cauchy Chi2 Dirichlet Exponential Gamma Geometric Gumbel HalfCauchy HalfNormal
    Independent InverseGamma Kumaraswamy LKJ Laplace LogNormal Logistic MixtureSameFamily Multinomial Normal Pareto Poisson
    StudentT TransformedDistribution TruncatedCauchy TruncatedNormal Uniform VonMises Weibull Wishart(*args, **kwargs) ->
    object[Distribution]
"""

FUNCTIONS = {
    "numpyro.distributions": f"""
{_SHARED}
AsymmetricLaplace AsymmetricLaplaceQuantile BernoulliLogits BernoulliProbs BetaBinomial BetaNegativeBinomial BetaProportion
    BinomialLogits BinomialProbs CAR CategoricalLogits CategoricalProbs CirculantNormal Dagum Delta DirichletMultinomial
    DiscreteUniform EulerMaruyama GammaPoisson GaussianCopula GaussianRandomWalk GaussianStateSpace GeometricLogits
    GeometricProbs Gompertz ImproperUniform InverseWishart InverseWishartCholesky LKJCholesky LeftTruncatedDistribution Levy
    LogUniform LowRankMultivariateNormal MatrixNormal Mixture MixtureGeneral MultinomialLogits MultinomialProbs
    MultivariateNormal MultivariateStudentT NegativeBinomial NegativeBinomial2 NegativeBinomialLogits
    NegativeBinomialProbs OrderedLogistic RelaxedBernoulli RelaxedBernoulliLogits RightTruncatedDistribution SineBivariateVonMises
    SoftLaplace TruncatedDistribution TwoSidedTruncatedDistribution WishartCholesky ZeroInflatedDistribution
    ZeroInflatedNegativeBinomial2 ZeroInflatedPoisson ZeroSumNormal(*args, **kwargs) -> object[Distribution]
""",
    "distrax": f"""
{_SHARED}
Clipped ClippedLogistic ClippedNormal Deterministic EpsilonGreedy Greedy LogStddevNormal MixtureOfTwo
    MultivariateNormalDiag MultivariateNormalDiagPlusLowRank MultivariateNormalFromBijector MultivariateNormalFullCovariance
    MultivariateNormalTri OneHotCategorical Quantized Softmax Transformed(*args, **kwargs) -> object[Distribution]
""",
    "tensorflow_probability.substrates.jax.distributions": f"""
{_SHARED}
BetaBinomial Chi Deterministic DirichletMultinomial GammaGamma GaussianProcess GeneralizedNormal HalfStudentT
    InverseGaussian JohnsonSU LambertWNormal LogLogistic LogitNormal Mixture MultivariateNormalDiag
    MultivariateNormalFullCovariance MultivariateNormalTriL MultivariateStudentTLinearOperator NegativeBinomial
    OneHotCategorical OrderedLogistic PlackettLuce QuantizedDistribution RelaxedBernoulli RelaxedOneHotCategorical Sample
    SinhArcsinh Skellam TransformedDistribution Triangular WishartTriL ZeroInflated Zipf(*args, **kwargs) ->
    object[Distribution]
""",
}

METHODS = {
    "Distribution": """
sample rsample log_prob prob cdf log_cdf icdf quantile survival_function log_survival_function entropy mode median stddev
    covariance kl_divergence cross_entropy(*args, **kwargs) -> array[?, ?]
sample_and_log_prob(*args, **kwargs) -> array*2[?, ?]
expand to_event mask expand_by(*args, **kwargs) -> same[self]
""",
}
