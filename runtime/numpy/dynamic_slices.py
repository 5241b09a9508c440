"""Slices whose start need not be known: `jax.ds`, of a size that is."""

from __future__ import annotations

from typing import Any

from ..pytree.registry import register_pytree_node

__all__ = ["Slice", "ds"]


class Slice:
    """`size` elements of an axis from `start` on, `stride` apart. As an index it is moved to where it fits."""

    __slots__ = ("size", "start", "stride")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, start: Any, size: Any, stride: int = 1) -> None:
        if stride < 0:
            raise ValueError("`stride` must be >= 0.")
        self.start, self.size, self.stride = start, size, stride

    @property
    def is_dynamic_start(self) -> bool:
        return not isinstance(self.start, int)

    @property
    def is_dynamic_size(self) -> bool:
        return not isinstance(self.size, int)

    def _key(self) -> tuple[Any, ...]:
        return self.start, self.size, self.stride

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slice) and self._key() == other._key()

    def __repr__(self) -> str:
        return f"Slice(start={self.start}, size={self.size}, stride={self.stride})"


def _flatten(entry: Slice) -> tuple[list[Any], Any]:
    """Numbers are part of the structure, arrays are leaves."""
    parts = entry.start, entry.size
    leaves = [part for part in parts if not isinstance(part, int)]
    return leaves, (*(part if isinstance(part, int) else None for part in parts), entry.stride)


def _unflatten(static: Any, leaves: Any) -> Slice:
    start, size, stride = static
    rest = iter(leaves)
    return Slice(next(rest) if start is None else start, next(rest) if size is None else size, stride)


register_pytree_node(Slice, _flatten, _unflatten)


def ds(start: Any, size: Any = None, stride: int | None = None) -> slice | Slice:
    """`size` elements from `start` on; with one argument, as many from the beginning, and with None all of them."""
    if start is None:
        return slice(None)
    start, size = (0, start) if size is None else (start, size)
    return Slice(start, size, 1 if stride is None else stride)
