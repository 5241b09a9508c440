"""numpyro: models, which inference and handlers call for the user, their sites, and control flow inside them."""

from __future__ import annotations

FUNCTIONS = {
    "numpyro": """
sample(name, fn, obs=, rng_key=, sample_shape=, infer=, obs_mask=) -> handles[numpyro_sample]
param(name, init_value=, **kwargs) -> handles[numpyro_param]
deterministic(name, value) -> same[value]
factor(name, log_factor) -> none
prng_key() -> taint
subsample(data, event_dim) -> taint
""",
    "numpyro.contrib.control_flow": """
scan(f, init, xs, length=, reverse=, history=) -> trace[scan]
cond(pred, true_fun, false_fun, operand) -> trace[cond]
""",
    "numpyro.infer": """
# kernels that trace a model, and what runs them; the arguments of a run are closed over
NUTS HMC SA BarkerMH AIES ESS(model=, potential_fn=, **kwargs) -> object[Kernel]
DiscreteHMCGibbs MixedHMC HMCECS(inner_kernel, **kwargs) -> object[Kernel]
HMCGibbs(inner_kernel, gibbs_fn, gibbs_sites) -> object[Kernel]
MCMC(sampler, *, num_warmup, num_samples, num_chains=, thinning=, postprocess_fn=, chain_method=, progress_bar=,
    jit_model_args=) -> object[Sampler]
SVI(model, guide, optim, loss, **static_kwargs) -> object[Variational]
Predictive(model, posterior_samples=, *, guide=, params=, num_samples=, return_sites=, infer_discrete=, parallel=,
    batch_ndims=, exclude_deterministic=) -> object[Prediction]
""",
    "numpyro.infer.util": """
log_density(model, model_args, model_kwargs, params) -> trace[numpyro_log_density]
""",
    "numpyro.handlers": """
trace(fn=) -> object[Recorder]
block collapse condition do infer_config lift mask reparam replay scale scope seed substitute uncondition(fn=, *args, **kwargs) -> object[Handler]
""",
    "numpyro.infer.autoguide": """
AutoBNAFNormal AutoDAIS AutoDelta AutoDiagonalNormal AutoIAFNormal AutoLaplaceApproximation AutoLowRankMultivariateNormal
    AutoMultivariateNormal AutoNormal(model, **kwargs) -> object[Guide]
""",
    "numpyro.util": """
fori_collect(lower, upper, body_fun, init_val, transform=, progbar=, progress_rate=, return_last_val=,
    collection_size=, thinning=, **progbar_opts) -> trace[opaque]
""",
}

METHODS = {
    "Kernel": "sample(state, model_args, model_kwargs) -> taint",
    "Sampler": """
run(rng_key, *args, extra_fields=, init_params=, **kwargs) -> traces[sampler.model(*args:own, **kwargs:own), unknown]
warmup(rng_key, *args, extra_fields=, collect_warmup=, init_params=, **kwargs) ->
    traces[sampler.model(*args:own, **kwargs:own), unknown]
get_samples(group_by_chain=) -> unknown
""",
    "Variational": """
run(rng_key, num_steps, *args, progress_bar=, stable_update=, forward_mode_differentiation=, init_state=,
    init_params=, **kwargs) ->
    traces[guide(*args:own, **kwargs:own), model(*args:own, **kwargs:own), unknown]
init(rng_key, *args, init_params=, **kwargs) -> taint
update stable_update(svi_state, *args, forward_mode_differentiation=, **kwargs) ->
    calls[guide(*args:own, **kwargs:own), model(*args:own, **kwargs:own), taint]
evaluate(svi_state, *args, **kwargs) -> calls[guide(*args:own, **kwargs:own), model(*args:own, **kwargs:own), taint]
""",
    "Handler": "__call__(*args, **kwargs) -> calls[fn(*args:own, **kwargs:own), same]",
    "Prediction": "__call__(rng_key, *args, **kwargs) -> trace[numpyro_prediction]",
    "Recorder": """
__call__(*args, **kwargs) -> calls[fn(*args:own, **kwargs:own), same]
get_trace(*args, **kwargs) -> calls[fn(*args:own, **kwargs:own), unknown]
""",
    "Guide": "__call__(*args, **kwargs) -> taint",
}

OBJECTS = {"numpyro.plate": "context:none"}

ALIASES = {
    "numpyro.infer.mcmc": "numpyro.infer",
    "numpyro.infer.hmc": "numpyro.infer",
    "numpyro.infer.svi": "numpyro.infer",
}
