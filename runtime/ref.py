"""``jax.ref``: references to arrays that programs may write to."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from typing import Any

from .arrays.avals import AbstractRef
from .core import Array, Literal, Tracer, Value, get_aval
from .dtypes import DType
from .errors import NonConcreteBooleanIndexError
from .lax.elementwise import operand
from .numpy.creation import arange
from .numpy.dynamic_slices import Slice
from .numpy.selection import clip
from .primitives.conversion import convert
from .primitives.references import (
    Window,
    addupdate_p,
    check_stored,
    freeze_p,
    get_p,
    new_ref_p,
    swap_p,
)
from .tracing.references import Ref

__all__ = ["AbstractRef", "Ref", "addupdate", "free_ref", "freeze", "get", "new_ref", "set", "swap"]


def new_ref(init_val: Any, *, memory_space: Any = None, kind: str | None = None) -> Ref:
    """A reference to a new array with the value `init_val`.

    Raises TypeError if that is no array, AssertionError if it is a reference.
    """
    if isinstance(init_val, Ref):
        raise AssertionError("a reference cannot refer to a reference")
    try:
        value = operand(init_val)
    except TypeError:
        raise TypeError(
            "Error interpreting argument to new_ref as a JAX value. The problematic value is of type "
            f"{type(init_val)} and was passed to new_ref at position 0."
        ) from None
    ref: Ref = new_ref_p.bind(value, memory_space=memory_space, kind=kind)
    return ref


def freeze(ref: Ref) -> Array:
    """The value of a reference that is not used any more; arrays are values."""
    if isinstance(ref, Array):
        return ref
    value: Array = freeze_p.bind(_checked(ref, "freeze"))
    return value


def free_ref(ref: Ref) -> None:
    """Say that a reference is not used any more."""
    _checked(ref, "free_ref")


def get(ref: Ref, idx: Any = None) -> Array:
    """``ref[idx]``."""
    tree, operands = _subscript(_checked(ref, "ref_get").shape, idx)
    value: Array = get_p.bind(ref, *operands, tree=tree)
    return value


def swap(ref: Ref, idx: Any, value: Any, _function_name: str = "ref_swap") -> Array:
    """Write ``ref[idx] = value`` and return what was there."""
    tree, operands = _subscript(_checked(ref, _function_name).shape, idx)
    value = _implicitly_cast(ref.dtype, _value(value))
    check_stored("swap", ref, value, operands, tree)
    before: Array = swap_p.bind(ref, value, *operands, tree=tree)
    return before


def set(ref: Ref, idx: Any, value: Any) -> None:
    """``ref[idx] = value``."""
    swap(ref, idx, value, _function_name="ref_set")


def addupdate(ref: Ref, idx: Any, x: Any) -> None:
    """``ref[idx] += x``."""
    tree, operands = _subscript(_checked(ref, "ref_addupdate").shape, idx)
    value = _value(x)
    check_stored("addupdate", ref, value, operands, tree)
    addupdate_p.bind(ref, value, *operands, tree=tree)


def _checked(ref: Any, function: str) -> Ref:
    if not isinstance(ref, Ref):
        raise ValueError(f"Can only call `{function}` on a `Ref`: {ref}.")
    return ref


def _value(value: Any) -> Value:
    if isinstance(value, (list, tuple, dict, str)) or value is None:
        raise TypeError(f"Argument '{value}' of type '{type(value)}' is not a valid JAX type")
    if isinstance(value, Ref):
        raise ValueError("Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?")
    return operand(value)


def _implicitly_cast(dtype: DType, value: Value) -> Value:
    """Integers take the type of integers, and Python's floats that of floats."""
    aval = get_aval(value)
    both = dtype.kind + aval.dtype.kind
    fits = (aval.weak_type and both == "ff") or builtins.set(both) <= {"i", "u"}
    return convert(value, dtype, False) if fits and aval.dtype is not dtype else value


def _subscript(shape: tuple[int, ...], idx: Any) -> tuple[tuple[Any, ...], list[Value]]:
    """A subscript as the primitives take it, and its operands. Raises ValueError if it is out of bounds."""
    if idx is None or idx is Ellipsis:
        return (), []
    entries = list(idx) if isinstance(idx, tuple) else [idx]
    if not entries or all(entry is Ellipsis for entry in entries):
        return (), []
    places = [i for i, entry in enumerate(entries) if entry is Ellipsis]
    missing = len(shape) - (len(entries) - len(places))
    if len(places) > 1 or missing < 0:
        raise ValueError(
            f"`indices` must not be longer than `shape`: indices={tuple(entries)}, shape={shape}"
        )
    at = places[0] if places else len(entries)
    entries[at : at + len(places)] = [slice(None)] * missing
    operands: list[Value] = []
    tree = tuple(_entry(entry, n, operands) for entry, n in zip(entries, shape))
    unknown = [axis for axis, entry in enumerate(tree) if entry is None]
    slices = [axis for axis in unknown if isinstance(entries[axis], Slice)]
    if len(slices) > 1 or (slices and unknown[-1] - unknown[0] >= len(unknown)):
        # They would be read as arrays of places, which go together.
        raise NotImplementedError(
            "a slice of a reference whose start is not known, apart from another index that is not known"
        )
    return (() if all(e == Window(0, n, 1) for e, n in zip(tree, shape)) else tree), operands


def _entry(entry: Any, n: int, operands: list[Value]) -> Window | int | None:
    """What selects along one axis, of `n` elements; None after adding an operand."""
    if isinstance(entry, slice):
        step = 1 if entry.step is None else operator.index(entry.step)
        if step < 1:
            raise ValueError(f"slice must have a step >= 1 (found: {step})")
        chosen = range(n)[entry]
        return Window(chosen.start, len(chosen), step)
    if isinstance(entry, Slice):
        length, last = entry.size, (entry.size - 1) * entry.stride
        if isinstance(entry.start, int):
            if entry.start < 0:
                raise TypeError(
                    f"slice start_indices must have every element be nonnegative, got ({entry.start},)."
                )
            if entry.start + last >= n:
                raise ValueError(
                    f"Out of bound slice: start={entry.start}, size={length}, stride={entry.stride}, dim={n}."
                )
            return Window(entry.start, length, entry.stride)
        start = clip(entry.start, 0, n - 1 - last)
        operands.append(start + arange(length) * entry.stride)
        return None
    if isinstance(entry, (list, Sequence)):
        raise TypeError(f"Argument '{entry}' of type {type(entry)} is not a valid JAX type")
    if hasattr(entry, "__index__") and not isinstance(entry, (Array, Literal, Tracer, bool)):
        index = operator.index(entry) if getattr(entry, "shape", ()) == () else None
        if index is not None:
            if index >= n:
                raise ValueError(f"Out of bound indexer: idx={index}, dim={n}.")
            return max(index + n if index < 0 else index, 0)
    aval = get_aval(entry)
    if aval.dtype.kind == "b":
        raise NonConcreteBooleanIndexError(aval)
    if aval.dtype.kind not in "iu":
        raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {aval.dtype}")
    operands.append(operand(entry))
    return None
