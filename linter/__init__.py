"""The linter: reads JAX code without running it and finds what tracing will refuse or get wrong."""

__version__ = "0.1.0"
