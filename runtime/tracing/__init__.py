"""Tracing: how what Python does to a tracer becomes a jaxpr, and what tracers refuse."""
