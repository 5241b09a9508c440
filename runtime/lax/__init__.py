"""`jax.lax`: thin functions over the primitives. Names are imported from their modules when first used."""

from __future__ import annotations

import importlib
from typing import Any

from .. import primitives, transforms
from ..arrays import operators as _operators  # Gives arrays their operators.  # noqa: F401
from ..core import Primitive

_HOMES = {
    "elementwise": "Precision RoundingMethod betainc bitcast_convert_type clamp convert_element_type integer_pow mulhi "
    "igamma igamma_grad_a igammac nextafter polygamma pow random_gamma_grad reciprocal reduce_precision round select select_n stop_gradient zeta",
    "constructors": "broadcasted_iota dtype empty full full_like iota shape_as_value",
    "shaping": "broadcast broadcast_in_dim broadcast_like broadcast_shapes broadcast_to_rank collapse concatenate "
    "expand_dims pad reshape rev split squeeze stack tile transpose unstack",
    "slicing": "GatherDimensionNumbers GatherScatterMode ScatterDimensionNumbers dynamic_index_in_dim dynamic_slice "
    "dynamic_slice_in_dim dynamic_update_index_in_dim dynamic_update_slice dynamic_update_slice_in_dim gather "
    "index_in_dim index_take scatter scatter_add scatter_apply scatter_max scatter_min scatter_mul scatter_sub slice "
    "slice_in_dim",
    "reductions": "approx_max_k approx_min_k argmax argmin cumlogsumexp cummax cummin cumprod cumsum reduce reduce_and "
    "reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor sort sort_key_val top_k",
    "local_convolution": "conv_general_dilated_local",
    "convolution": "ConvDimensionNumbers conv conv_dimension_numbers conv_general_dilated conv_general_dilated_patches "
    "conv_general_permutations conv_general_shape_tuple conv_shape_tuple conv_transpose conv_transpose_shape_tuple "
    "conv_with_general_padding padtype_to_pads reduce_window reduce_window_shape_tuple",
    "miscellany": "FftType RaggedDotDimensionNumbers custom_root dce_sink fft optimization_barrier platform_dependent "
    "ragged_dot rng_bit_generator rng_uniform scaled_dot stage with_sharding_constraint",
    "algorithms": "DotAlgorithm DotAlgorithmPreset",
    "ragged": "ragged_dot_general",
    "contraction": "batch_matmul dot dot_general",
    "annotations": "AccuracyMode ConvGeneralDilatedDimensionNumbers DotDimensionNumbers PrecisionLike RandomAlgorithm "
    "Tolerance after_all create_token",
    ".transforms.linear_solve": "custom_linear_solve",
    ".transforms.branching": "cond switch",
    ".transforms.loops": "fori_loop scan while_loop",
    ".transforms.map": "map",
    ".transforms.composite": "composite",
    ".transforms.associative": "associative_scan",
    ".transforms.collectives": "all_gather axis_index axis_size pcast pmax pmean pmin ppermute pshuffle psum",
    ".transforms.exchanges": "all_to_all pbroadcast psum_scatter pswapaxes",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


_MODULES = frozenset(("linalg",))


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name.startswith("__"):
        raise AttributeError(name)
    home = _HOME.get(name)
    if home is not None:
        value = getattr(importlib.import_module(f".{home}", __name__), name)
    elif name.endswith("_p"):
        value = _primitive(name)
    else:
        from .elementwise import FUNCTIONS

        value = FUNCTIONS.get(name)
        if value is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _primitive(name: str) -> Any:
    """The primitive of this name, such as ``exp_p``."""
    import pkgutil

    for package in (primitives, transforms):
        for module in pkgutil.iter_modules(package.__path__):
            found = vars(importlib.import_module(f"{package.__name__}.{module.name}")).get(name)
            if isinstance(found, Primitive):
                return found
    known = importlib.import_module(f"{primitives.__name__}.by_name").registered(name)
    if known is not None:
        return known
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from .elementwise import FUNCTIONS

    return sorted({*_HOME, *FUNCTIONS})
