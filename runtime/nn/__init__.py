"""`jax.nn`: activations, softmax and friends, attention, initializers. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "functions": "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log1mexp "
    "log_sigmoid mish one_hot relu relu6 selu sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid squareplus "
    "swish tanh log_softmax logmeanexp logsumexp softmax standardize",
    "attention": "dot_product_attention get_scaled_dot_general_config",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "initializers":
        return importlib.import_module(".initializers", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOME, "initializers"})
