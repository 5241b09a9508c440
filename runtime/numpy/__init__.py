"""`jax.numpy`, written on the primitives. A name is imported from its module when it is first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "arithmetic": "divmod float_power floor_divide fmax fmin frexp gcd heaviside hypot lcm ldexp modf nan_to_num pow "
    "power spacing",
    "constructors": "array asarray astype copy from_dlpack frombuffer fromfile fromiter fromstring",
    "creation": "arange diag_indices diag_indices_from empty empty_like eye fromfunction full full_like geomspace "
    "identity indices ix_ linspace logspace meshgrid ones ones_like tri tril tril_indices tril_indices_from triu "
    "triu_indices triu_indices_from zeros zeros_like",
    "cumulative": "cumprod cumsum cumulative_prod cumulative_sum nancumprod nancumsum",
    "logarithms": "",
    "padding": "pad",
    "rearranging": "delete diag diagflat diagonal fill_diagonal insert repeat roll trace trim_zeros",
    "reductions": "all amax amin any argmax argmin average count_nonzero max mean min prod ptp std sum var",
    "selection": "argwhere choose clip compress extract flatnonzero nonzero piecewise place put put_along_axis select "
    "take take_along_axis where",
    "shaping": "append array_split atleast_1d atleast_2d atleast_3d block broadcast_arrays broadcast_shapes "
    "broadcast_to column_stack concat concatenate dsplit dstack expand_dims flip fliplr flipud hsplit hstack "
    "matrix_transpose moveaxis ndim permute_dims ravel reshape resize rollaxis rot90 shape size split squeeze stack "
    "swapaxes tile transpose unstack vsplit vstack",
    "ufuncs": "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh around asin asinh "
    "atan atan2 atanh bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_right_shift cbrt ceil conj "
    "conjugate copysign cos cosh deg2rad degrees divide equal exp exp2 expm1 fabs fix floor fmod greater "
    "greater_equal imag invert iscomplex isfinite isinf isnan isneginf isposinf isreal left_shift less less_equal log "
    "log10 log1p log2 mod nextafter not_equal positive rad2deg radians real reciprocal remainder right_shift rint "
    "round sign signbit sin sinc sinh sqrt square tan tanh true_divide trunc",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
