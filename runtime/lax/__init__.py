"""`jax.lax`: thin functions over the primitives. Names are imported from their modules when first used."""

from __future__ import annotations

import importlib
from typing import Any

from .. import operators as _operators  # Gives arrays their operators.  # noqa: F401

_HOMES = {
    "elementwise": "Precision RoundingMethod betainc bitcast_convert_type clamp convert_element_type integer_pow mulhi "
    "nextafter pow reciprocal reduce_precision round select select_n stop_gradient",
    "constructors": "broadcasted_iota dtype empty full full_like iota shape_as_value",
    "shaping": "broadcast broadcast_in_dim broadcast_like broadcast_shapes broadcast_to_rank collapse concatenate "
    "expand_dims pad reshape rev split squeeze stack tile transpose unstack",
    "slicing": "GatherDimensionNumbers GatherScatterMode ScatterDimensionNumbers dynamic_index_in_dim dynamic_slice "
    "dynamic_slice_in_dim dynamic_update_index_in_dim dynamic_update_slice dynamic_update_slice_in_dim gather "
    "index_in_dim index_take scatter scatter_add scatter_apply scatter_max scatter_min scatter_mul scatter_sub slice "
    "slice_in_dim",
    "reductions": "approx_max_k approx_min_k argmax argmin cumlogsumexp cummax cummin cumprod cumsum reduce reduce_and "
    "reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor sort sort_key_val top_k",
    "convolution": "ConvDimensionNumbers conv conv_dimension_numbers conv_general_dilated conv_general_dilated_patches "
    "conv_general_permutations conv_general_shape_tuple conv_shape_tuple conv_transpose conv_transpose_shape_tuple "
    "conv_with_general_padding padtype_to_pads reduce_window reduce_window_shape_tuple",
    "miscellany": "FftType custom_linear_solve custom_root dce_sink fft optimization_barrier platform_dependent "
    "ragged_dot rng_bit_generator rng_uniform scaled_dot stage with_sharding_constraint",
    "contraction": "batch_matmul dot dot_general",
    ".transforms.branching": "cond switch",
    ".transforms.loops": "fori_loop scan while_loop",
    ".transforms.map": "map",
    ".transforms.associative": "associative_scan",
    ".transforms.collectives": "all_gather axis_index axis_size pmax pmean pmin ppermute pshuffle psum",
}
_TRANSFORMS = {
    "transforms.loops": "scan while_loop fori_loop", "transforms.branching": "cond switch",
    "transforms.map": "map", "transforms.associative": "associative_scan",
    "transforms.collectives": "psum pmean pmax pmin axis_index axis_size all_gather ppermute pshuffle",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


_MODULES = frozenset(("linalg",))


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name.startswith("__"):
        raise AttributeError(name)
    home = _HOME.get(name)
    elsewhere = next((module for module, names in _TRANSFORMS.items() if name in names.split()), None)
    if elsewhere is not None:
        value = getattr(importlib.import_module(f"..{elsewhere}", __name__), name)
    elif home is not None:
        value = getattr(importlib.import_module(f".{home}", __name__), name)
    else:
        from .elementwise import FUNCTIONS

        value = FUNCTIONS.get(name)
        if value is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .elementwise import FUNCTIONS

    return sorted({*_HOME, *FUNCTIONS})
