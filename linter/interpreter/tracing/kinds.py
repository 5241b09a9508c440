"""What calling the result of each kind of transform does."""

from __future__ import annotations

from ..libraries.frameworks import run_filter_vmap
from ..libraries.graphs import run_graph_scan
from ..libraries.lifting import run_lifted
from .custom_rules import run_custom
from .differentiation import run_grad
from .jitting import run_checkify, run_checkpoint, run_filter_jit, run_jit, run_make_jaxpr
from .mapping import run_vmap
from .transformed_calls import Runner
from .vectorizing import run_vectorize

KINDS: dict[str, Runner] = {
    "jit": run_jit,
    "filter_jit": run_filter_jit,
    "filter_vmap": run_filter_vmap,
    "vmap": run_vmap,
    "pmap": run_vmap,
    "vectorize": run_vectorize,
    "grad": run_grad,
    "value_and_grad": run_grad,
    "jacobian": run_grad,
    "checkpoint": run_checkpoint,
    "custom_jvp": run_custom,
    "custom_vjp": run_custom,
    "make_jaxpr": run_make_jaxpr,
    "shard_map": run_checkpoint,
    "checkify": run_checkify,
    "lift": run_lifted,
    "graph_scan": run_graph_scan,
    "filter_checkpoint": run_filter_jit,
}
