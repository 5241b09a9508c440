"""The axes that collectives may name: those that a transform maps, or that `make_jaxpr` was told of."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager

from ..config import interned, state


class _Scope(threading.local):
    def __init__(self) -> None:
        self.sizes: dict[Hashable, int] = {}


scope = _Scope()


@contextmanager
def named_axes(axes: Iterable[tuple[Hashable, int]]) -> Iterator[None]:
    """Let collectives know axes by their names. What is traced meanwhile is not used elsewhere."""
    sizes, key = scope.sizes, state.key
    for name, size in axes:
        scope.sizes = {**scope.sizes, name: size}
        state.key = interned((state.key, name, size))
    try:
        yield
    finally:
        scope.sizes, state.key = sizes, key
