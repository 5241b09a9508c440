"""numpyro: control flow inside models, and the sites of a model."""

from __future__ import annotations

FUNCTIONS = {
    "numpyro": """
sample(name, fn, obs=, rng_key=, sample_shape=, infer=, obs_mask=) -> taint
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
    "numpyro.util": """
fori_collect(lower, upper, body_fun, init_val, *args, **kwargs) -> trace[opaque]
""",
}

OBJECTS = {
    **{f"numpyro.{name}": "context:none" for name in ("plate", "handlers.mask", "handlers.scale", "handlers.seed")},
}
