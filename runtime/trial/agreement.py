"""Do two results agree?  Structures exactly, integers and booleans exactly, floats up to rounding."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy

_RELATIVE = 2e-4
_ABSOLUTE = 1e-5
# What JAX makes of NumPy's wide types, unless it is told to keep them.
_NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


@dataclass(slots=True)
class Agreement:
    """Compares the results of many inputs; knows the dtypes that the expected results had at each leaf."""

    dtypes: dict[str, set[str]] = field(default_factory=dict)

    def learn(self, expected: Any) -> None:
        """Note the dtypes of one expected result: Python lets them differ from input to input."""
        for path, leaf in leaves(expected):
            if hasattr(leaf, "dtype"):
                dtype = str(leaf.dtype)
                self.dtypes.setdefault(path, set()).update({dtype, _NARROW.get(dtype, dtype)})

    def difference(self, expected: Any, found: Any) -> str:
        """Why the results do not agree, for people; empty if they do."""
        wanted, given = dict(leaves(expected)), dict(leaves(found))
        if wanted.keys() != given.keys():
            return "the results have different structures"
        for path, one in wanted.items():
            reason = self._leaf(path, one, given[path])
            if reason:
                return f"{reason}{f' at {path}' if path else ''}"
        return ""

    def _leaf(self, path: str, expected: Any, found: Any) -> str:
        if not _is_numeric(expected):
            return "" if _same_object(expected, found) else f"{found!r:.60} instead of {expected!r:.60}"
        if not _is_numeric(found):
            return f"{type(found).__name__} instead of a number"
        one, other = numpy.asarray(expected), numpy.asarray(found)
        if one.shape != other.shape:
            return f"shape {other.shape} instead of {one.shape}"
        allowed = self.dtypes.get(path, set())
        if hasattr(expected, "dtype") and str(other.dtype) not in allowed:
            return f"dtype {other.dtype} instead of {one.dtype}"
        if not close(one, other):
            return f"{_brief(other)} instead of {_brief(one)}"
        return ""


def close(one: Any, other: Any) -> bool:
    """True if two arrays agree: exactly, or up to rounding where either is inexact."""
    if one.dtype.kind in "fcV" or other.dtype.kind in "fcV":
        wide = "complex128" if "c" in (one.dtype.kind, other.dtype.kind) else "float64"
        one, other = one.astype(wide), other.astype(wide)
        return bool(numpy.allclose(other, one, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True))
    return bool(numpy.array_equal(one, other))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a result with their places in it; containers count by their types, too."""
    parts: Iterator[tuple[Any, Any]] | None = None
    if isinstance(value, Mapping):
        parts = iter(value.items())
    elif isinstance(value, (list, tuple)):
        parts = iter(enumerate(value))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = ((f.name, getattr(value, f.name, None)) for f in dataclasses.fields(value))
    elif type(value).__module__ == "__main__" and hasattr(value, "__dict__"):
        parts = iter(vars(value).items())
    if parts is None:
        yield path, value
        return
    yield f"{path}<{type(value).__name__}>", None
    for key, item in parts:
        yield from leaves(item, f"{path}[{key!r}]")


def has_numbers(value: Any) -> bool:
    """True if some leaf of a result is a number or an array."""
    return any(_is_numeric(leaf) for _, leaf in leaves(value))


def _is_numeric(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex)) or (
        hasattr(value, "dtype") and hasattr(value, "shape") and "key<" not in str(value.dtype)
    )


def _same_object(one: Any, other: Any) -> bool:
    if callable(one) and callable(other):
        return bool(getattr(one, "__qualname__", one) == getattr(other, "__qualname__", other))
    return type(one).__name__ == type(other).__name__ and str(one) == str(other)


def _brief(array: Any) -> str:
    text = numpy.array2string(array, precision=5, threshold=6, separator=", ").replace("\n", "")
    return text if len(text) <= 60 else text[:57] + "..."
