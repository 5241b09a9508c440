"""numpyro: control flow inside models, and the sites of a model."""

from __future__ import annotations

FUNCTIONS = {
    "numpyro": """
sample(name, fn, obs=, rng_key=, sample_shape=, infer=, obs_mask=) -> trace[numpyro_sample]
param(name, init_value=, **kwargs) -> taint
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
# the kernels that trace a model, and what runs them
NUTS HMC SA BarkerMH(model=, potential_fn=, **kwargs) -> trace[numpyro_sampler]
MCMC(sampler, *, num_warmup, num_samples, num_chains=, thinning=, postprocess_fn=, chain_method=, progress_bar=,
    jit_model_args=) -> trace[numpyro_sampler]
""",
    "numpyro.util": """
fori_collect(lower, upper, body_fun, init_val, *args, **kwargs) -> trace[opaque]
""",
}

OBJECTS = {
    **{
        f"numpyro.{name}": "context:none"
        for name in ("plate", "handlers.mask", "handlers.scale", "handlers.seed")
    },
}
