"""tinygp: Gaussian processes, which map the user's kernel over pairs of inputs."""

from __future__ import annotations

FUNCTIONS = {
    "tinygp": """
GaussianProcess(kernel, X, *, diag=, noise=, mean=, solver=, mean_value=, covariance_value=, **solver_kwargs) ->
    maps[kernel.evaluate(X:row, X:row), mean(X:row), object[TinygpProcess]]
""",
}

METHODS = {
    "TinygpProcess": """
log_probability(y) -> array[scalar, ?]
sample(key, shape=) -> array[?, ?]
condition predict(*args, **kwargs) -> taint
""",
}

ATTRIBUTES = {"TinygpProcess": {"loc": "array:?,?", "variance": "array:?,?", "covariance": "array:?,?"}}

ALIASES = {"tinygp.kernels.Kernel": "equinox.Module", "tinygp.kernels.base.Kernel": "equinox.Module"}
