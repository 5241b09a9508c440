"""Sparse arrays as lists of elements with their indices: `BCOO`.

Here are those of whose axes all are sparse; `stacked` does the same along batch and dense axes.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

from ... import numpy as jnp
from ...core import Array, Tracer
from ...errors import ConcretizationTypeError
from ...tree_util import register_pytree_node_class
from . import elements
from .base import Facts, JAXSparse
from .elements import Elements


@register_pytree_node_class
class BCOO(JAXSparse):
    """A sparse array: values `data[nse]` at `indices[nse, ndim]`; values at the same place are added up.

    With batch axes in front both have these too, with dense axes behind the values have these.
    """

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
        batch = self.shape[: self.n_batch]
        for name, part in (("data", self.data), ("indices", self.indices)):
            if any(n not in (1, m) for n, m in zip(part.shape, batch)):
                raise ValueError(
                    f"{name} batch dimensions not compatible for {name}.shape={part.shape}, shape={self.shape}"
                )
        assert self.n_batch + self.n_sparse + self.n_dense == self.ndim

    @classmethod
    def _of(cls, x: Elements, *, ordered: bool = False, unique: bool = False) -> BCOO:
        return cls((x.data, x.indices), shape=x.shape, indices_sorted=ordered, unique_indices=unique)

    @property
    def elements(self) -> Elements:
        """All that there is of a plain array. Raises NotImplementedError for batch and dense axes."""
        refuse_layout("this function", self.n_batch, self.n_dense)
        return Elements(self.data, self.indices, self.shape)

    @property
    def nse(self) -> int:
        return int(self.indices.shape[-2])

    @property
    def n_batch(self) -> int:
        return int(self.indices.ndim) - 2

    @property
    def n_sparse(self) -> int:
        return int(self.indices.shape[-1])

    @property
    def n_dense(self) -> int:
        return int(self.data.ndim) - 1 - self.n_batch

    @property
    def _is_stacked(self) -> bool:
        return bool(self.indices.ndim != 2 or self.data.ndim != 1)

    def tree_flatten(self) -> tuple[tuple[Any, Any], Facts]:
        batch = getattr(self.indices, "ndim", 2) - 2
        facts = Facts(self.shape, self.indices_sorted, self.unique_indices, batch)
        return (self.data, self.indices), facts

    @classmethod
    def tree_unflatten(cls, facts: Facts, children: Sequence[Any]) -> BCOO:
        """Where `vmap` has taken a batch axis away, or added one, the shape has it no longer, or too."""
        made = object.__new__(cls)
        made.data, made.indices = children
        made.shape, made.indices_sorted, made.unique_indices, batch = facts
        more = getattr(made.indices, "ndim", batch + 2) - 2 - batch
        if more < 0:
            made.shape = made.shape[-more:]
        elif more > 0 and hasattr(made.data, "shape"):
            made.shape = (*made.data.shape[:more], *made.shape)
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
        dense = jnp.asarray(mat)
        if nse is None:
            if isinstance(dense, Tracer) and dense.to_concrete_value() is None:
                raise ConcretizationTypeError(
                    dense, "sparse arrays need a static number of elements: pass nse=... to BCOO.fromdense"
                )
            nse = int((dense != 0).sum()) if not (n_batch or n_dense) else None
        if n_batch or n_dense:
            return stacked().from_dense(dense, nse, index_dtype, n_batch, n_dense)
        assert nse is not None
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
        cls,
        shape: Sequence[int],
        *,
        dtype: Any = None,
        index_dtype: Any = "int32",
        n_batch: int = 0,
        n_dense: int = 0,
        nse: int = 0,
    ) -> BCOO:
        """Raises ValueError for more batch and dense axes than there are."""
        n_sparse = len(shape) - n_batch - n_dense
        if n_sparse < 0:
            raise ValueError(f"Invalid inputs: shape={tuple(shape)}, {n_dense=}, {n_batch=}, {nse=}")
        batch, dense = tuple(shape[:n_batch]), tuple(shape[n_batch + n_sparse :])
        outside = jnp.array(shape[n_batch : n_batch + n_sparse], index_dtype)
        indices = jnp.broadcast_to(outside, (*batch, nse, n_sparse))
        data = jnp.zeros((*batch, nse, *dense), dtype)
        return cls((data, indices), shape=shape, indices_sorted=True, unique_indices=True)

    # ------------------------------------------------------------------------------------------------ shape

    def todense(self) -> Array:
        """The array with its zeros."""
        return stacked().to_dense(self) if self._is_stacked else elements.to_dense(self.elements)

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCOO:
        """Elements at the same place added up, in order."""
        if nse is None:
            if isinstance(self.indices, Tracer):
                raise ConcretizationTypeError(
                    self.indices, "sum_duplicates needs a static nse=... under a trace"
                )
            flat = self.indices.reshape(-1, self.nse, self.n_sparse)
            shape = self.shape[self.n_batch : self.n_batch + self.n_sparse]
            nse = max((elements.places_of(Elements(self.data, part, shape)) for part in flat), default=0)
        if self._is_stacked:
            return stacked().lifted(
                lambda x: elements.without_duplicates(x, nse), self, ordered=True, unique=True
            )
        return self._of(elements.without_duplicates(self.elements, nse), ordered=True, unique=True)

    def sort_indices(self) -> BCOO:
        """The elements in the order of their places."""
        unique = self.unique_indices
        if self._is_stacked:
            return stacked().lifted(elements.ordered, self, ordered=True, unique=unique)
        return self._of(elements.ordered(self.elements), ordered=True, unique=unique)

    def transpose(self, axes: Sequence[int] | None = None) -> BCOO:
        order = (
            tuple(range(self.ndim))[::-1]
            if axes is None
            else tuple(operator.index(a) % self.ndim for a in axes)
        )
        if sorted(order) != list(range(self.ndim)):
            raise ValueError(f"axes don't match array: got {axes} for an array of {self.ndim} axes")
        if self._is_stacked:
            return stacked().transpose(self, order)
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
        if self._is_stacked:
            return stacked().reshaped(self, full)
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
        if self._is_stacked:
            return stacked().summed(self, axes)
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
        if self._is_stacked:
            return stacked().item(self, keys)
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
            if (other.n_batch, other.n_dense) != (self.n_batch, self.n_dense):
                raise NotImplementedError(
                    "Addition between sparse matrices with different batch/dense dimensions."
                )
            if other.indices is self.indices and not self._is_stacked:
                return self._with(self.data + other.data)
            parts = ((self.data, other.data), (self.indices, other.indices))
            data, indices = (jnp.concatenate(part, self.n_batch) for part in parts)
            return BCOO((data, indices), shape=self.shape)
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
            if self._is_stacked:
                return stacked().lifted(elements.sparse_multiple, self, other)
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
        dense = dense.reshape((1,) * (self.ndim - dense.ndim) + dense.shape)
        if self._is_stacked:
            found = stacked().values_of(self, dense)
            return jnp.where(found == 0, outside, found) if outside else found
        found = elements.gathered(self.indices, dense)
        return jnp.where(self.elements.valid(), found, outside) if outside else found

    def __matmul__(self, other: Any) -> Any:
        rank = other.ndim if isinstance(other, JAXSparse) else jnp.ndim(other)
        pairs = range(self.n_batch if rank > 2 and self.ndim > 2 else 0)
        return dot_general(self, other, (self.ndim - 1,), (max(rank - 2, 0),), (tuple(pairs),) * 2)

    def __rmatmul__(self, other: Any) -> Any:
        rank = jnp.ndim(other)
        pairs = range(self.n_batch if rank > 2 and self.ndim > 2 else 0)
        out = dot_general(other, self, (rank - 1,), (max(self.ndim - 2, 0),), (tuple(pairs),) * 2)
        return jnp.moveaxis(out, 0, -2) if rank == 2 and self.ndim > 2 else out

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


def stacked() -> Any:
    """What is done along batch and dense axes, which few arrays have."""
    from . import stacked

    return stacked


def _many(mat: Any) -> bool:
    return isinstance(mat, BCOO) and mat._is_stacked


def dot_general(
    lhs: Any, rhs: Any, lhs_axes: Sequence[int], rhs_axes: Sequence[int], batch: Any = ((), ())
) -> Any:
    """Contracted along axes, pair by pair along those of the batch; dense unless both are sparse."""
    if isinstance(lhs, BCOO) and isinstance(rhs, BCOO):
        if _many(lhs) or _many(rhs) or batch[0]:
            return _stacked_product(lhs, rhs, lhs_axes, rhs_axes, batch)
        return BCOO._of(elements.sparse_product(lhs.elements, rhs.elements, lhs_axes, rhs_axes))
    if _many(lhs) or (isinstance(lhs, BCOO) and batch[0]):
        return stacked().dot_general(lhs, jnp.asarray(rhs), (lhs_axes, rhs_axes), batch)
    if _many(rhs) or (isinstance(rhs, BCOO) and batch[0]):
        out = stacked().dot_general(rhs, jnp.asarray(lhs), (rhs_axes, lhs_axes), batch[::-1])
        pairs, first = len(batch[0]), rhs.ndim - len(rhs_axes)
        return jnp.transpose(out, (*range(pairs), *range(first, out.ndim), *range(pairs, first)))
    if isinstance(lhs, BCOO):
        return elements.dense_product(lhs.elements, jnp.asarray(rhs), lhs_axes, rhs_axes)
    if isinstance(rhs, BCOO):
        out = elements.dense_product(rhs.elements, jnp.asarray(lhs), rhs_axes, lhs_axes)
        first = rhs.ndim - len(rhs_axes)
        return jnp.transpose(out, (*range(first, out.ndim), *range(first)))
    return jnp.tensordot(lhs, rhs, (lhs_axes, rhs_axes))


def _stacked_product(
    lhs: BCOO, rhs: BCOO, lhs_axes: Sequence[int], rhs_axes: Sequence[int], batch: Any
) -> BCOO:
    """The product of sparse arrays. Raises NotImplementedError unless all of their batch axes are paired in order."""
    paired = tuple(range(lhs.n_batch))
    if tuple(batch[0]) != paired or tuple(batch[1]) != paired or rhs.n_batch != lhs.n_batch:
        raise NotImplementedError(
            "bcoo_dot_general batch dimensions must be among the batch dimensions in the sparse representation."
        )
    if lhs.n_dense or rhs.n_dense:
        raise NotImplementedError("bcoo_spdot_general with dense dimensions")
    mine, other = ([axis - lhs.n_batch for axis in axes] for axes in (lhs_axes, rhs_axes))
    made: BCOO = stacked().lifted(lambda x, y: elements.sparse_product(x, y, mine, other), lhs, rhs)
    return made
