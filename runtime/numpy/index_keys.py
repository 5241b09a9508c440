"""Subscripts in canonical form: one entry for each axis, checked, with masks turned into integers."""

from __future__ import annotations

import operator
from typing import Any

from .. import lax
from ..core import Array, Literal, Tracer
from ..errors import NonConcreteBooleanIndexError
from ..lax import types as dtypes
from .dynamic_slices import Slice
from .promotion import asarray


def is_integer_scalar(i: Any) -> bool:
    if isinstance(i, bool):
        return False
    if isinstance(i, (int, Literal)):
        return True
    return (hasattr(i, "dtype") and dtypes.shape(i) == () and dtypes.dtype(i).kind in "iu") or (
        not isinstance(i, (str, bytes, float, complex, slice, list, tuple))
        and hasattr(i, "__index__")
        and not hasattr(i, "dtype")
    )


def _is_boolean(i: Any) -> bool:
    return isinstance(i, bool) or (hasattr(i, "dtype") and dtypes.dtype(i).kind == "b")


def canonical_key(key: Any, shape: tuple[int, ...]) -> list[Any]:
    """The entries of an index, ellipsis expanded, masks turned into integers. Raises JAX's errors for bad entries."""
    if isinstance(key, tuple):
        entries = [_checked(asarray(e) if isinstance(e, (list, tuple)) and e else e) for e in key]
    else:
        entries = [_checked(key)]
    consumed = sum(_axes_used(e) for e in entries)
    if sum(e is Ellipsis for e in entries) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if consumed > len(shape):
        raise IndexError(f"Too many indices: array is {len(shape)}-dimensional, but {consumed} were indexed")
    full = [slice(None)] * (len(shape) - consumed)
    out: list[Any] = []
    axis = 0
    for position, e in enumerate(entries if any(e is Ellipsis for e in entries) else [*entries, ...]):
        if e is Ellipsis:
            out += full
            axis += len(full)
        elif _is_boolean(e):
            out += _mask_to_integers(e, shape, axis, position)
            axis += len(dtypes.shape(e))
        else:
            out.append(_static(e, position) if isinstance(e, slice) else e)
            axis += _axes_used(e)
    return out


def _static(entry: slice, position: int) -> slice:
    """A slice with bounds that are integers or None. Raises IndexError for traced bounds, TypeError for other types."""
    bounds = entry.start, entry.stop, entry.step
    if all(b is None or type(b) is int for b in bounds):
        return entry
    for bound in bounds:
        traced = isinstance(bound, Tracer) and bound.to_concrete_value() is None
        if traced or not (
            bound is None or hasattr(bound, "dtype") or isinstance(bound, (int, float, complex))
        ):
            raise IndexError(f"Slice entries must be static integers. Got {entry} at position {position}")
    return slice(*(None if b is None else operator.index(b) for b in bounds))


def _axes_used(entry: Any) -> int:
    if entry is None or entry is Ellipsis:
        return 0
    if _is_boolean(entry):
        return len(dtypes.shape(entry))
    return 1


def _checked(entry: Any) -> Any:
    """An index entry as a slice, None, Ellipsis or array-like. Raises TypeError for other types."""
    if entry is None or entry is Ellipsis or isinstance(entry, (slice, bool, int, Array, Slice)):
        if isinstance(entry, Array) and entry.dtype.kind not in "iub":
            raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {entry.dtype}")
        return entry
    if isinstance(entry, (list, tuple, range)):
        raise TypeError(
            "Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` instead of "
            "`arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information."
        )
    if isinstance(entry, str):
        raise TypeError(f"JAX does not support string indexing; got idx={entry!r}")
    if hasattr(entry, "dtype"):
        if dtypes.dtype(entry).kind not in "iub":
            raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {entry.dtype}")
        return entry
    if hasattr(entry, "__index__"):
        return operator.index(entry)
    if isinstance(entry, (float, complex)):
        raise TypeError(
            f"Indexer must have integer or boolean type, got indexer with type {_numpy_name(entry)}"
        )
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean arrays are valid "
        f"indices. Got {entry}"
    )


def _numpy_name(number: complex) -> str:
    return "complex128" if isinstance(number, complex) else "float64"


def _mask_to_integers(mask: Any, shape: tuple[int, ...], axis: int, position: int) -> list[Any]:
    """The places where a concrete mask is true, one vector for each of its axes."""
    import numpy as np

    if isinstance(mask, Tracer):
        value = mask.to_concrete_value()
        if value is None:
            raise NonConcreteBooleanIndexError(mask.aval)
        mask = value
    sizes = dtypes.shape(mask)
    if sizes == ():
        raise _ScalarMask
    expected = list(shape[axis : axis + len(sizes)])
    if any(size not in (0, n) for size, n in zip(sizes, expected)):
        raise IndexError(
            f"boolean index did not match shape of indexed array in index {position}: got {sizes}, expected {expected}"
        )
    return list(np.nonzero(np.asarray(mask)))


class _ScalarMask(Exception):
    """A scalar boolean among the indices."""


def resolve_scalar_masks(x: Array, key: Any) -> tuple[Array, Any]:
    """A scalar boolean adds an axis of size 1 or 0: give `x` that axis, and index it by integers."""
    import numpy as np

    entries = list(key) if isinstance(key, tuple) else [key]
    scalars = [e for e in entries if _is_boolean(e) and dtypes.shape(e) == ()]
    if not scalars:
        return x, key
    keep = True
    for e in scalars:
        if isinstance(e, Tracer) and e.to_concrete_value() is None:
            raise NonConcreteBooleanIndexError(e)
        keep = keep and bool(e)
    rest = [e for e in entries if not (_is_boolean(e) and dtypes.shape(e) == ())]
    return lax.expand_dims(x, (0,)), (np.arange(int(keep)), *rest)
