"""Sparse arrays as lists of elements with their indices: `BCOO`, of whose axes all are sparse."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ... import numpy as jnp
from ... import random
from ...core import Array, Tracer
from ...errors import ConcretizationTypeError
from ...tree_util import register_pytree_node_class
from . import elements
from .elements import Elements


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
            return f"{name}({self.dtype}{list(self.shape)}, nse={self.nse})"
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


class Facts(NamedTuple):
    """What is static of an array."""

    shape: tuple[int, ...]
    indices_sorted: bool
    unique_indices: bool


@register_pytree_node_class
class BCOO(JAXSparse):
    """A sparse array: values `data[nse]` at `indices[nse, ndim]`; values at the same place are added up."""

    n_batch = n_dense = 0

    def __init__(
        self,
        args: tuple[Any, Any],
        *,
        shape: Sequence[int],
        indices_sorted: bool = False,
        unique_indices: bool = False,
    ) -> None:
        self.data, self.indices = map(jnp.asarray, args)
        self.shape = tuple(shape)
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices
        if self.indices.ndim != 2 or self.data.ndim != 1:
            refuse_layout("BCOO", self.indices.ndim - 2, self.data.ndim - 1)

    @classmethod
    def _of(cls, x: Elements, *, ordered: bool = False, unique: bool = False) -> BCOO:
        return cls((x.data, x.indices), shape=x.shape, indices_sorted=ordered, unique_indices=unique)

    @property
    def elements(self) -> Elements:
        return Elements(self.data, self.indices, self.shape)

    @property
    def nse(self) -> int:
        return int(self.indices.shape[0])

    @property
    def n_sparse(self) -> int:
        return int(self.indices.shape[1])

    def tree_flatten(self) -> tuple[tuple[Any, Any], Facts]:
        return (self.data, self.indices), Facts(self.shape, self.indices_sorted, self.unique_indices)

    @classmethod
    def tree_unflatten(cls, facts: Facts, children: Sequence[Any]) -> BCOO:
        made = object.__new__(cls)
        made.data, made.indices = children
        made.shape, made.indices_sorted, made.unique_indices = facts
        return made

    # ------------------------------------------------------------------------------------------------ making

    @classmethod
    def fromdense(
        cls,
        mat: Any,
        *,
        nse: int | None = None,
        index_dtype: Any = "int32",
        n_dense: int = 0,
        n_batch: int = 0,
    ) -> BCOO:
        """The elements of a dense array that are not 0. Under a trace `nse`, their number, must be given."""
        refuse_layout("BCOO.fromdense", n_batch, n_dense)
        dense = jnp.asarray(mat)
        if nse is None:
            if isinstance(dense, Tracer) and dense.to_concrete_value() is None:
                raise ConcretizationTypeError(
                    dense, "sparse arrays need a static number of elements: pass nse=... to BCOO.fromdense"
                )
            nse = int((dense != 0).sum())
        return cls._of(
            elements.from_dense(dense, operator.index(nse), index_dtype), ordered=True, unique=True
        )

    @classmethod
    def from_scipy_sparse(
        cls, mat: Any, *, index_dtype: Any = None, n_dense: int = 0, n_batch: int = 0
    ) -> BCOO:
        """The same array as one of SciPy."""
        refuse_layout("BCOO.from_scipy_sparse", n_batch, n_dense)
        listed = mat.tocoo()
        indices = jnp.column_stack((listed.row, listed.col)).astype(index_dtype or "int32")
        return cls((listed.data, indices), shape=mat.shape)

    @classmethod
    def _empty(
        cls, shape: Sequence[int], *, dtype: Any = None, index_dtype: Any = "int32", **options: Any
    ) -> BCOO:
        indices = jnp.zeros((0, len(shape)), index_dtype)
        return cls((jnp.zeros(0, dtype), indices), shape=shape, indices_sorted=True, unique_indices=True)

    # ------------------------------------------------------------------------------------------------ shape

    def todense(self) -> Array:
        """The array with its zeros."""
        return elements.to_dense(self.elements)

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCOO:
        """Elements at the same place added up, in order."""
        if nse is None:
            if isinstance(self.indices, Tracer):
                raise ConcretizationTypeError(
                    self.indices, "sum_duplicates needs a static nse=... under a trace"
                )
            nse = elements.places_of(self.elements)
        return self._of(elements.without_duplicates(self.elements, nse), ordered=True, unique=True)

    def sort_indices(self) -> BCOO:
        """The elements in the order of their places."""
        order = jnp.lexsort(tuple(self.indices[:, d] for d in reversed(range(self.ndim))))
        return BCOO(
            (self.data[order], self.indices[order]),
            shape=self.shape,
            indices_sorted=True,
            unique_indices=self.unique_indices,
        )

    def transpose(self, axes: Sequence[int] | None = None) -> BCOO:
        order = (
            tuple(range(self.ndim))[::-1]
            if axes is None
            else tuple(operator.index(a) % self.ndim for a in axes)
        )
        if sorted(order) != list(range(self.ndim)):
            raise ValueError(f"axes don't match array: got {axes} for an array of {self.ndim} axes")
        return BCOO(
            (self.data, self.indices[:, jnp.array(order, int)]),
            shape=[self.shape[d] for d in order],
            unique_indices=self.unique_indices,
        )

    @property
    def T(self) -> BCOO:
        return self.transpose()

    def reshape(self, *args: Any, **options: Any) -> BCOO:
        shape = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
        known = math.prod(n for n in shape if n != -1)
        full = tuple(self.size // max(known, 1) if n == -1 else operator.index(n) for n in shape)
        if math.prod(full) != self.size:
            raise TypeError(
                f"cannot reshape array of shape {self.shape} (size {self.size}) into shape {full}"
            )
        return self._of(elements.reshaped(self.elements, full), unique=self.unique_indices)

    def astype(self, *args: Any, **options: Any) -> BCOO:
        return self._with(self.data.astype(*args, **options))

    def sum(self, axis: Any = None, **options: Any) -> Any:
        """The sum of all elements, or a sparse array of those along axes."""
        if axis is None:
            axes = tuple(range(self.ndim))
        else:
            axes = tuple(
                operator.index(a) % self.ndim for a in (axis if isinstance(axis, (tuple, list)) else (axis,))
            )
        out = elements.summed(self.elements, axes)
        return out.data.sum() if not out.shape else self._of(out)

    def __getitem__(self, item: Any) -> BCOO:
        keys = item if isinstance(item, tuple) else (item,)
        if any(key is Ellipsis for key in keys):
            at = next(i for i, key in enumerate(keys) if key is Ellipsis)
            keys = (*keys[:at], *[slice(None)] * (self.ndim - len(keys) + 1), *keys[at + 1 :])
        if len(keys) > self.ndim:
            raise IndexError(
                f"Too many indices: {self.ndim}-dimensional array indexed with {len(keys)} indices."
            )
        start, lengths, steps = [0] * self.ndim, list(self.shape), [1] * self.ndim
        dropped, backwards = [], []
        for d, key in enumerate(keys):
            if isinstance(key, slice):
                start[d], _, steps[d] = chosen = key.indices(self.shape[d])
                lengths[d] = len(range(*chosen))
                if steps[d] < 0:
                    start[d], steps[d] = self.shape[d] - 1 - start[d], -steps[d]
                    backwards.append(d)
            elif (
                hasattr(key, "__index__") and not isinstance(key, Tracer) and getattr(key, "shape", ()) == ()
            ):
                index = operator.index(key)
                start[d] = min(max(index + self.shape[d] * (index < 0), 0), self.shape[d] - 1)
                lengths[d] = 1
                dropped.append(d)
            else:
                raise NotImplementedError(
                    f"sparse arrays are not indexed by {type(key).__name__} in this runtime"
                )
        turned = elements.reversed_along(self.elements, backwards) if backwards else self.elements
        part = elements.cut(turned, start, lengths, dropped, None if set(steps) <= {1} else steps)
        return self._of(part, unique=self.unique_indices)

    def __iter__(self) -> Iterator[BCOO]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    # ------------------------------------------------------------------------------------------------ arithmetic

    def _with(self, data: Array) -> BCOO:
        """The same places with other values."""
        made = BCOO.tree_unflatten(self.tree_flatten()[1], (data, self.indices))
        return made

    def __neg__(self) -> BCOO:
        return self._with(-self.data)

    def __pos__(self) -> BCOO:
        return self._with(+self.data)

    def __abs__(self) -> BCOO:
        return self.sum_duplicates(nse=self.nse)._with_abs() if not self.unique_indices else self._with_abs()

    def _with_abs(self) -> BCOO:
        return self._with(abs(self.data))

    def __pow__(self, power: Any) -> BCOO:
        if isinstance(power, JAXSparse) or not isinstance(power, int) or power < 1:
            raise NotImplementedError(
                "sparse arrays have powers to positive integers only: others make zeros other numbers"
            )
        unique = self if self.unique_indices else self.sum_duplicates(nse=self.nse)
        return unique._with(unique.data**power)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, BCOO):
            if other.shape != self.shape:
                raise TypeError(f"add got incompatible shapes for broadcasting: {self.shape}, {other.shape}.")
            if other.indices is self.indices:
                return self._with(self.data + other.data)
            data = jnp.concatenate([self.data, other.data])
            return BCOO((data, jnp.concatenate([self.indices, other.indices])), shape=self.shape)
        if getattr(other, "shape", None) == self.shape:
            return self.todense() + other
        raise NotImplementedError(
            "Addition between a sparse array X and a dense array Y is not implemented when X.shape != Y.shape: the result "
            "would be dense. Use X.todense() + Y."
        )

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> BCOO:
        if isinstance(other, BCOO):
            if other.shape != self.shape:
                raise TypeError(f"mul got incompatible shapes for broadcasting: {self.shape}, {other.shape}.")
            return self._of(elements.sparse_multiple(self.elements, other.elements))
        return self._with(self.data * self._factor(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> BCOO:
        if isinstance(other, JAXSparse):
            raise NotImplementedError(
                "Division by a sparse array is not implemented because it would result in dense output."
            )
        return self._with(self.data / self._factor(other, 1))

    def __rtruediv__(self, other: Any) -> BCOO:
        raise NotImplementedError(
            "Division by a sparse array is not implemented because it would result in dense output."
        )

    def _factor(self, other: Any, outside: int = 0) -> Any:
        """The values of a dense operand at the places of the elements."""
        dense = jnp.asarray(other) if isinstance(other, (list, tuple)) or hasattr(other, "shape") else other
        if not getattr(dense, "ndim", 0):
            return dense
        if dense.ndim > self.ndim or jnp.broadcast_shapes(dense.shape, self.shape) != self.shape:
            raise ValueError(
                f"a sparse array of shape {self.shape} is not multiplied by one of shape {dense.shape}"
            )
        found = elements.gathered(self.indices, dense.reshape((1,) * (self.ndim - dense.ndim) + dense.shape))
        return jnp.where(self.elements.valid(), found, outside) if outside else found

    def __matmul__(self, other: Any) -> Any:
        rank = other.ndim if isinstance(other, JAXSparse) else jnp.ndim(other)
        return dot_general(self, other, (self.ndim - 1,), (max(rank - 2, 0),))

    def __rmatmul__(self, other: Any) -> Any:
        return dot_general(other, self, (jnp.ndim(other) - 1,), (max(self.ndim - 2, 0),))

    def _refuse_comparison(self, other: Any) -> Any:
        raise NotImplementedError(
            "sparse arrays are not compared: the result would be dense. Use X.todense()."
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_comparison


def refuse_layout(name: str, n_batch: int, n_dense: int) -> None:
    if n_batch or n_dense:
        raise NotImplementedError(
            f"{name}: sparse arrays with batch or dense dimensions are not available in this runtime; got {n_batch=}, {n_dense=}"
        )


def dot_general(lhs: Any, rhs: Any, lhs_axes: Sequence[int], rhs_axes: Sequence[int]) -> Any:
    """Contracted along axes; dense unless both are sparse."""
    if isinstance(lhs, BCOO) and isinstance(rhs, BCOO):
        return BCOO._of(elements.sparse_product(lhs.elements, rhs.elements, lhs_axes, rhs_axes))
    if isinstance(lhs, BCOO):
        return elements.dense_product(lhs.elements, jnp.asarray(rhs), lhs_axes, rhs_axes)
    if isinstance(rhs, BCOO):
        out = elements.dense_product(rhs.elements, jnp.asarray(lhs), rhs_axes, lhs_axes)
        first = rhs.ndim - len(rhs_axes)
        return jnp.transpose(out, (*range(first, out.ndim), *range(first)))
    return jnp.tensordot(lhs, rhs, (lhs_axes, rhs_axes))


def empty(
    shape: Any, dtype: Any = None, index_dtype: Any = "int32", sparse_format: str = "bcoo", **options: Any
) -> BCOO:
    """A sparse array without elements."""
    return BCOO._empty((shape,) if isinstance(shape, int) else shape, dtype=dtype, index_dtype=index_dtype)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = None,
    index_dtype: Any = "int32",
    sparse_format: str = "bcoo",
) -> BCOO:
    """Ones on a diagonal."""
    columns = N if M is None else M
    count = max(0, min(N, columns - k) if k >= 0 else min(N + k, columns))
    along = jnp.arange(count, dtype=index_dtype)
    indices = jnp.stack([along + max(0, -k), along + max(0, k)], 1)
    return BCOO(
        (jnp.ones(count, dtype), indices), shape=(N, columns), indices_sorted=True, unique_indices=True
    )


def random_bcoo(
    key: Any,
    shape: Sequence[int],
    *,
    dtype: Any = float,
    indices_dtype: Any = None,
    nse: float = 0.2,
    n_batch: int = 0,
    n_dense: int = 0,
    unique_indices: bool = True,
    sorted_indices: bool = False,
    generator: Any = random.uniform,
    **kwds: Any,
) -> BCOO:
    """A sparse array of random elements; `nse` is their number or their share. Raises ValueError for too many."""
    refuse_layout("random_bcoo", n_batch, n_dense)
    full = tuple(map(operator.index, shape))
    size = math.prod(full)
    if not 0 <= nse < size:
        raise ValueError(f"got nse={nse}, expected to be between 0 and {size}")
    count = math.ceil(nse * size) if 0 < nse < 1 else operator.index(nse)  # type: ignore[arg-type]
    data_key, index_key = random.split(key)
    flat = random.choice(index_key, size, (count,), replace=not unique_indices).astype(indices_dtype or int)
    indices = jnp.column_stack(jnp.unravel_index(flat, full))
    made = BCOO((generator(data_key, shape=(count,), dtype=dtype, **kwds), indices), shape=full)
    return made.sort_indices() if sorted_indices else made
