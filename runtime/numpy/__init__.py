"""`jax.numpy`, written on the primitives. A name is imported from its module when it is first used."""

from __future__ import annotations

import importlib
from typing import Any

from ..arrays import operators as _operators  # Gives arrays their operators.  # noqa: F401
from ..core import Array

_HOMES = {
    "arithmetic": "divmod float_power floor_divide fmax fmin frexp gcd heaviside hypot lcm ldexp modf nan_to_num pow "
    "power spacing",
    "cardinal_sine": "sinc",
    "constructors": "_byteswap _view array asarray astype copy from_dlpack frombuffer fromfile fromiter fromstring",
    "creation": "arange diag_indices diag_indices_from empty empty_like eye fromfunction full full_like geomspace "
    "identity indices ix_ linspace logspace meshgrid ones ones_like tri tril tril_indices tril_indices_from triu "
    "triu_indices triu_indices_from zeros zeros_like",
    "cumulative": "cumprod cumsum cumulative_prod cumulative_sum nancumprod nancumsum",
    "einstein": "einsum einsum_path",
    "bits_and_indices": "mask_indices packbits ravel_multi_index unpackbits unravel_index",
    "cases": "choose piecewise select",
    "comparison": "allclose array_equal array_equiv array_repr array_str get_printoptions iscomplexobj isclose "
    "isrealobj isscalar iterable load printoptions save savez set_printoptions",
    "grids": "c_ index_exp mgrid ogrid r_ s_",
    "histograms": "bincount histogram histogram2d histogram_bin_edges histogramdd",
    "nan_reductions": "nanargmax nanargmin nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    "padding": "pad",
    "polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander",
    "sets": "intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
    "unique_values",
    "quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "statistics": "corrcoef cov diff ediff1d gradient interp trapezoid unwrap",
    "universal": "add bitwise_and bitwise_or bitwise_xor logaddexp logaddexp2 logical_and logical_not logical_or "
    "logical_xor maximum minimum multiply negative subtract",
    "vectorization": "apply_along_axis apply_over_axes frompyfunc ufunc vectorize",
    "window_functions": "bartlett blackman hamming hanning i0 kaiser",
    "rearranging": "delete diag diagflat diagonal fill_diagonal insert repeat roll trace trim_zeros",
    "reductions": "all amax amin any argmax argmin average count_nonzero max mean min prod ptp std sum var",
    "selection": "argwhere clip compress extract flatnonzero nonzero place put put_along_axis take take_along_axis where",
    "shaping": "append array_split atleast_1d atleast_2d atleast_3d block broadcast_arrays broadcast_shapes "
    "broadcast_to column_stack concat concatenate dsplit dstack expand_dims flip fliplr flipud hsplit hstack "
    "matrix_transpose moveaxis permute_dims ravel reshape resize rollaxis rot90 split squeeze stack "
    "swapaxes tile transpose unstack vsplit vstack",
    "scalar_types": "can_cast dtype finfo iinfo isdtype issubdtype promote_types result_type",
    "sizes": "ndim shape size",
    "sorting": "argpartition argsort digitize lexsort partition searchsorted sort sort_complex",
    "tensor_products": "convolve correlate cross dot inner kron matmul matvec outer tensordot vdot vecdot vecmat",
    "ufuncs": "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh around asin asinh "
    "atan atan2 atanh bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_right_shift cbrt ceil conj "
    "conjugate copysign cos cosh deg2rad degrees divide equal exp exp2 expm1 fabs fix floor fmod greater "
    "greater_equal imag invert iscomplex isfinite isinf isnan isneginf isposinf isreal left_shift less less_equal log "
    "log10 log1p log2 mod nextafter not_equal positive rad2deg radians real reciprocal remainder right_shift rint "
    "round sign signbit sin sinh sqrt square tan tanh true_divide trunc",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


_MODULES = frozenset(("fft", "linalg"))
_ABSTRACT = frozenset(
    [
        "generic",
        "number",
        "integer",
        "signedinteger",
        "unsignedinteger",
        "inexact",
        "floating",
        "complexfloating",
        "flexible",
        "character",
        "object_",
        "ndarray",
    ]
)
_CONSTANTS = {
    "pi": 3.141592653589793,
    "e": 2.718281828459045,
    "euler_gamma": 0.5772156649015329,
    "inf": float("inf"),
    "nan": float("nan"),
    "newaxis": None,
}


def _type_or_constant(name: str) -> Any:
    """Scalar types, abstract types (NumPy's own), constants. Raises AttributeError for other names."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name in _ABSTRACT:
        if name == "ndarray":
            return Array
        import numpy

        return getattr(numpy, name)
    from .scalar_types import SCALAR_TYPES

    if name in SCALAR_TYPES:
        return SCALAR_TYPES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        if name in _MODULES:
            return importlib.import_module(f".{name}", __name__)
        value = _type_or_constant(name)
        globals()[name] = value
        return value
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .scalar_types import SCALAR_TYPES

    return sorted({*_HOME, *_MODULES, *_CONSTANTS, *_ABSTRACT, *SCALAR_TYPES})
