"""Sparse matrices that can be multiplied with vectors and matrices: `COO`, by elements, `CSR`, by rows, and `CSC`, by columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Self

from ... import numpy as jnp
from ...core import Array
from ...tree_util import register_pytree_node_class
from .base import JAXSparse
from .bcoo import BCOO
from .bcsr import BCSR

Parts = tuple[Any, Any, Any]


class Matrix(JAXSparse):
    """What these kinds have in common: three arrays, of which `data` holds the elements."""

    _PARTS: tuple[str, str, str]

    def __init__(self, args: Parts, *, shape: Sequence[int]) -> None:
        for name, part in zip(self._PARTS, args, strict=True):
            setattr(self, name, jnp.asarray(part))
        self.shape = tuple(shape)

    def _elements(self) -> BCOO:
        raise NotImplementedError

    @property
    def nse(self) -> int:
        return int(self.data.size)

    def tree_flatten(self) -> tuple[Parts, dict[str, Any]]:
        data, first, second = (getattr(self, name) for name in self._PARTS)
        return (data, first, second), {"shape": self.shape}

    @classmethod
    def tree_unflatten(cls, facts: dict[str, Any], children: Sequence[Any]) -> Self:
        made = object.__new__(cls)
        for name, part in zip(cls._PARTS, children, strict=True):
            setattr(made, name, part)
        made.shape = facts["shape"]
        return made

    def todense(self) -> Array:
        """The matrix with its zeros."""
        return self._elements().todense()

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, JAXSparse):
            raise NotImplementedError("matmul between two sparse objects.")
        other = jnp.asarray(other)
        if other.ndim not in (1, 2):
            raise NotImplementedError(f"matmul with object of shape {other.shape}")
        if self.shape[1] != other.shape[0]:
            raise AssertionError(f"{self!r} and {other.shape} do not fit")
        return self._elements() @ other

    def _lacks(name: str) -> Any:  # type: ignore[misc]
        def lacks(self: JAXSparse, other: Any = None) -> NoReturn:
            raise NotImplementedError(f"{type(self)}.{name}")

        return lacks

    __rmatmul__, __mul__, __rmul__ = _lacks("__rmatmul__"), _lacks("__mul__"), _lacks("__rmul__")
    __add__, __radd__, __sub__, __rsub__ = map(_lacks, ("__add__", "__radd__", "__sub__", "__rsub__"))
    __truediv__, __neg__ = _lacks("__truediv__"), _lacks("__neg__")


@register_pytree_node_class
class COO(Matrix):
    """A sparse matrix: values `data` in rows `row` and columns `col`."""

    _PARTS = ("data", "row", "col")
    row: Any
    col: Any

    def __init__(
        self, args: Parts, *, shape: Sequence[int], rows_sorted: bool = False, cols_sorted: bool = False
    ) -> None:
        super().__init__(args, shape=shape)
        self._rows_sorted, self._cols_sorted = rows_sorted, cols_sorted

    def tree_flatten(self) -> tuple[Parts, dict[str, Any]]:
        parts, facts = super().tree_flatten()
        return parts, {**facts, "rows_sorted": self._rows_sorted, "cols_sorted": self._cols_sorted}

    @classmethod
    def tree_unflatten(cls, facts: dict[str, Any], children: Sequence[Any]) -> Self:
        made = super().tree_unflatten(facts, children)
        made._rows_sorted, made._cols_sorted = facts["rows_sorted"], facts["cols_sorted"]
        return made

    @classmethod
    def fromdense(cls, mat: Any, *, nse: int | None = None, index_dtype: Any = "int32") -> COO:
        """The elements of a dense matrix that are not 0."""
        found = BCOO.fromdense(_matrix(mat), nse=nse, index_dtype=index_dtype)
        places = jnp.where(found.indices[:, :1] < found.shape[0], found.indices, 0)
        return cls((found.data, *places.T), shape=found.shape, rows_sorted=True)

    def _elements(self) -> BCOO:
        return BCOO((self.data, jnp.stack([self.row, self.col], 1)), shape=self.shape)

    def transpose(self, axes: Any = None) -> COO:
        if axes is not None:
            raise NotImplementedError("axes argument to transpose()")
        return COO(
            (self.data, self.col, self.row),
            shape=self.shape[::-1],
            rows_sorted=self._cols_sorted,
            cols_sorted=self._rows_sorted,
        )

    @property
    def T(self) -> COO:
        return self.transpose()


class _Compressed(Matrix):
    """`indptr` says where in the lists each row, or column, begins."""

    _PARTS = ("data", "indices", "indptr")
    indices: Any
    indptr: Any

    def transpose(self, axes: Any = None) -> _Compressed:
        if axes is not None:
            raise AssertionError("axes argument to transpose()")
        other = CSC if isinstance(self, CSR) else CSR
        return other((self.data, self.indices, self.indptr), shape=self.shape[::-1])

    @property
    def T(self) -> _Compressed:
        return self.transpose()


@register_pytree_node_class
class CSR(_Compressed):
    """A sparse matrix: values `data` in columns `indices`, row after row."""

    @classmethod
    def fromdense(cls, mat: Any, *, nse: int | None = None, index_dtype: Any = "int32") -> CSR:
        """The elements of a dense matrix that are not 0."""
        found = BCSR.fromdense(_matrix(mat), nse=nse, index_dtype=index_dtype)
        columns = jnp.where(found.indices < found.shape[1], found.indices, 0)
        return cls((found.data, columns, found.indptr), shape=found.shape)

    def _elements(self) -> BCOO:
        return BCSR((self.data, self.indices, self.indptr), shape=self.shape).to_bcoo()


@register_pytree_node_class
class CSC(_Compressed):
    """A sparse matrix: values `data` in rows `indices`, column after column."""

    @classmethod
    def fromdense(cls, mat: Any, *, nse: int | None = None, index_dtype: Any = "int32") -> CSC:
        """The elements of a dense matrix that are not 0."""
        rows = CSR.fromdense(_matrix(mat).T, nse=nse, index_dtype=index_dtype)
        return cls((rows.data, rows.indices, rows.indptr), shape=rows.shape[::-1])

    def _elements(self) -> BCOO:
        return CSR((self.data, self.indices, self.indptr), shape=self.shape[::-1])._elements().T


def _matrix(mat: Any) -> Array:
    mat = jnp.asarray(mat)
    if mat.ndim != 2:
        raise AssertionError(f"expected a matrix, got an array of shape {mat.shape}")
    return mat
