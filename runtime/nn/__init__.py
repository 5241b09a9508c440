"""`jax.nn`: activations, softmax and friends, attention, initializers. Names are imported when first used."""

from __future__ import annotations

from ..lazy import lazy_names

_HOMES = {
    "functions": "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log1mexp "
    "log_sigmoid mish one_hot relu relu6 selu sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid squareplus "
    "swish tanh log_softmax logmeanexp logsumexp softmax standardize",
    "scaled": "scaled_dot_general scaled_matmul",
    "attention": "dot_product_attention get_scaled_dot_general_config",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES, ["initializers"])
