"""jraph: graphs are named tuples, whose arrays the user's functions update."""

from __future__ import annotations

FUNCTIONS = {
    "jraph": """
GraphsTuple(nodes, edges, receivers, senders, globals, n_node, n_edge) -> record
GraphNetwork(update_edge_fn, update_node_fn, update_global_fn=, **kwargs) -> object[JraphNetwork]
GraphMapFeatures(embed_edge_fn=, embed_node_fn=, embed_global_fn=) -> object[JraphMap]
""",
}

METHODS = {
    "JraphNetwork": """
__call__(graph) -> calls[update_edge_fn(TREE, TREE, TREE, TREE), update_node_fn(TREE, TREE, TREE, TREE),
    update_global_fn(TREE, TREE, TREE), like[graph]]
""",
    "JraphMap": "__call__(graph) -> calls[embed_edge_fn(TREE), embed_node_fn(TREE), embed_global_fn(TREE), like[graph]]",
}

ALIASES = {f"jraph.segment_{name}": f"jax.ops.segment_{name}" for name in ("max", "min", "prod", "sum")}
