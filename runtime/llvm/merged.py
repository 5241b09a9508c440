"""Dimensions of a nest that become one loop, because memory is contiguous across them."""

from __future__ import annotations

from .index import Affine
from .nest import Nest


class MergedLoop:
    """One loop of the code: dimensions merged into one, indexed by the last of them."""

    def __init__(self, dim: int, size: int, dims: int) -> None:
        self.dim = dim
        self.size = size
        self.dims = dims


def merged(nest: Nest, order: tuple[int, ...], affines: list[Affine]) -> list[MergedLoop]:
    """Adjacent dimensions become one loop where every index moves through both as through one."""
    result: list[MergedLoop] = []
    for d in reversed(order):
        size = nest.domain[d]
        if size == 1:
            continue
        if result:
            last = result[-1]
            if nest.alone not in (d, last.dim) and all(
                a.coefs[d] == a.coefs[last.dim] * last.size for a in affines
            ):
                last.size *= size
                last.dims |= 1 << d
                continue
        result.append(MergedLoop(d, size, 1 << d))
    return result[::-1]
