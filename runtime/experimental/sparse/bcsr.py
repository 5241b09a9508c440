"""Sparse matrices by rows: `BCSR`, whose `indptr` says where in the lists each row begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import numpy as jnp
from ...core import Array
from ...tree_util import register_pytree_node_class
from .base import Facts, JAXSparse
from .bcoo import BCOO


@register_pytree_node_class
class BCSR(JAXSparse):
    """A sparse matrix: values `data[nse]` in columns `indices[nse]`, row after row."""

    n_batch, n_sparse, n_dense = 0, 2, 0

    def __init__(
        self,
        args: tuple[Any, Any, Any],
        *,
        shape: Sequence[int],
        indices_sorted: bool = False,
        unique_indices: bool = False,
    ) -> None:
        self.data, self.indices, self.indptr = map(jnp.asarray, args)
        self.shape = tuple(shape)
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices

    @property
    def nse(self) -> int:
        return int(self.indices.shape[0])

    def tree_flatten(self) -> tuple[tuple[Any, Any, Any], Facts]:
        facts = Facts(self.shape, self.indices_sorted, self.unique_indices)
        return (self.data, self.indices, self.indptr), facts

    @classmethod
    def tree_unflatten(cls, facts: Facts, children: Sequence[Any]) -> BCSR:
        made = object.__new__(cls)
        made.data, made.indices, made.indptr = children
        made.shape, made.indices_sorted, made.unique_indices, _ = facts
        return made

    @classmethod
    def from_bcoo(cls, arr: BCOO) -> BCSR:
        """The same matrix. Raises ValueError for other arrays."""
        if arr.ndim != 2:
            raise ValueError(f"BCSR.from_bcoo requires n_sparse=2; got {arr.ndim}")
        ordered = arr if arr.indices_sorted else arr.sort_indices()
        rows = jnp.searchsorted(ordered.indices[:, 0], jnp.arange(arr.shape[0] + 1)).astype(arr.indices.dtype)
        return cls(
            (ordered.data, ordered.indices[:, 1], rows),
            shape=arr.shape,
            indices_sorted=True,
            unique_indices=arr.unique_indices,
        )

    @classmethod
    def fromdense(
        cls, mat: Any, *, nse: int | None = None, index_dtype: Any = "int32", **layout: Any
    ) -> BCSR:
        """The elements of a dense matrix that are not 0."""
        return cls.from_bcoo(BCOO.fromdense(mat, nse=nse, index_dtype=index_dtype, **layout))

    @classmethod
    def from_scipy_sparse(cls, mat: Any, *, index_dtype: Any = None, **layout: Any) -> BCSR:
        """The same matrix as one of SciPy."""
        rows = mat.tocsr()
        indices, indptr = (
            jnp.asarray(part).astype(index_dtype or "int32") for part in (rows.indices, rows.indptr)
        )
        return cls((rows.data, indices, indptr), shape=mat.shape)

    def to_bcoo(self) -> BCOO:
        """The same matrix, with the row of each element."""
        at = jnp.arange(self.nse)
        rows = jnp.searchsorted(self.indptr, at, side="right").astype(self.indices.dtype) - 1
        # What stands behind the last row belongs to none.
        rows = jnp.where(at < self.indptr[-1], rows, self.shape[0])
        return BCOO(
            (self.data, jnp.stack([rows, self.indices], 1)),
            shape=self.shape,
            indices_sorted=self.indices_sorted,
            unique_indices=self.unique_indices,
        )

    def todense(self) -> Array:
        """The matrix with its zeros."""
        return self.to_bcoo().todense()

    def transpose(self, axes: Any = None) -> BCSR:
        return BCSR.from_bcoo(self.to_bcoo().transpose(axes))

    @property
    def T(self) -> BCSR:
        return self.transpose()

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCSR:
        return BCSR.from_bcoo(self.to_bcoo().sum_duplicates(nse, remove_zeros))

    def __matmul__(self, other: Any) -> Any:
        return self.to_bcoo() @ other

    def __rmatmul__(self, other: Any) -> Any:
        return other @ self.to_bcoo()
