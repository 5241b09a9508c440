"""Trial tracing: runs a user's file in a confined process and observes what its transforms do.

Works on whatever is imported as `jax`: this runtime behind `tracetrap.runtime.shim`, or an installed JAX.
"""
