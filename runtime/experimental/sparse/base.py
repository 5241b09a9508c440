"""What all sparse arrays have in common, and what JAX raises and warns of about them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...core import Array


class JAXSparse:
    """What all sparse arrays have in common."""

    data: Any
    shape: tuple[int, ...]
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return self.data.dtype

    @property
    def nse(self) -> int:
        raise NotImplementedError(f"{type(self)}.nse")

    def todense(self) -> Array:
        raise NotImplementedError(f"{type(self)}.todense")

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            kinds = [(kind, getattr(self, kind, 0)) for kind in ("n_batch", "n_dense")]
            layout = "".join(f", {kind}={n}" for kind, n in kinds if n)
            return f"{name}({self.dtype}{list(self.shape)}, nse={self.nse}{layout})"
        except (AttributeError, TypeError, IndexError):  # A tree's leaves may be anything.
            return f"{name}(<invalid>)"

    def block_until_ready(self) -> Any:
        self.data.block_until_ready()
        return self


class SparseEfficiencyError(ValueError):
    """JAX raises it for what would take much more memory than it needs; here nothing does."""


class SparseEfficiencyWarning(UserWarning):
    """JAX warns so of what takes more memory than it needs."""


class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    """JAX warns so where cuSPARSE cannot be used."""


class SparseInfo(NamedTuple):
    """What is known of a sparse array beside its elements."""

    shape: tuple[int, ...]
    indices_sorted: bool = False
    unique_indices: bool = False


class Facts(NamedTuple):
    """What is static of an array."""

    shape: tuple[int, ...]
    indices_sorted: bool
    unique_indices: bool
    n_batch: int = 0
