"""Traces: what goes in and out of them, what outlives them, and the transforms that begin them."""
