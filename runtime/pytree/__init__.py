"""Trees of Python containers: what `tree_util` and `tree` offer under JAX's names."""
