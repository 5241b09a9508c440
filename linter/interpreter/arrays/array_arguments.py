"""Functions that take no list of arrays where NumPy would make an array of it, and no batch of random keys.

Measured under JAX 0.10.2: what is not named here converts lists (`jnp.array`, `jnp.stack`, ...), or is seldom given any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import Array, SequenceValue, Value
from ...events import ControlFlow
from ..python.containers import items_of
from ..tracing.traces import number_dtype

if TYPE_CHECKING:
    from ..machine import Interpreter

_BINARY = frozenset(
    "add arctan2 copysign divide dot equal float_power floor_divide fmax fmin fmod greater greater_equal heaviside hypot "
    "inner kron less less_equal logaddexp logical_and logical_or logical_xor matmul maximum minimum mod multiply "
    "not_equal outer pow power remainder subtract tensordot true_divide vdot".split()
)
_UNARY = frozenset(
    "abs absolute all amax amin angle any arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort around "
    "broadcast_to cbrt ceil clip conj conjugate cos cosh count_nonzero cumprod cumsum deg2rad diag diagonal diff exp exp2 "
    "expand_dims expm1 fabs flip floor imag isfinite isinf isnan log log10 log1p log2 logical_not max mean median min "
    "moveaxis nan_to_num nanmax nanmean nanmin nanstd nansum nanvar negative nonzero ones_like pad percentile prod ptp "
    "quantile rad2deg ravel real reciprocal repeat reshape roll round sign sin sinc sinh sort sqrt square squeeze std sum "
    "swapaxes take tan tanh tile trace transpose tril triu unique var zeros_like".split()
)
ARRAYS_ALONE = {f"jax.numpy.{name}": 1 for name in _UNARY} | {f"jax.numpy.{name}": 2 for name in _BINARY}
"""How many of their first arguments have to be arrays or numbers."""


def refuses_sequence(interp: Interpreter, name: str, args: list[Value], node: cst.CSTNode) -> bool:
    """Whether a function that takes arrays alone is given a list or a tuple of arrays and numbers, which is told."""
    for value in args[: ARRAYS_ALONE[name]]:
        items = items_of(interp, value) if isinstance(value, SequenceValue) else None
        if items and all(isinstance(item, Array) or number_dtype(item) is not None for item in items):
            interp.tell(
                ControlFlow, node, function=name, problem="sequence", error="TypeError", value=value,
                detail="is passed, of which jax.numpy makes no array by itself",
            )  # fmt: skip
            return True
    return False


def refuses_batch(interp: Interpreter, name: str, key: Value | None, node: cst.CSTNode) -> bool:
    """Whether a function that takes one random key is given an array of them, which is told."""
    if not isinstance(key, Array) or not key.sure or not key.shape or name == "jax.random.clone":
        return False
    own = {"key": 0, "uint32": 1}.get(key.dtype or "")  # axes of a single one: raw keys are arrays of numbers
    if own is None or len(key.shape) == own:
        return False
    shape = "" if None in key.shape else f" of shape {key.shape}"
    interp.tell(
        ControlFlow, node, function=name, problem="keys", error="ValueError", value=key,
        detail=f"it takes a single key, and is given an array of keys{shape}",
    )  # fmt: skip
    return True
