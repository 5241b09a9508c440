"""What libraries that reach into JAX's inner parts find here: primitives of their own, functions in layers."""
