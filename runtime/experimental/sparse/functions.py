"""The functions of `jax.experimental.sparse` on sparse arrays."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ... import numpy as jnp
from ...core import Array, Tracer
from ...jitting.jit import jit
from ...transforms import grad as gradients
from ...transforms import jacobian as jacobian_functions
from . import elements
from .base import JAXSparse
from .bcoo import BCOO, dot_general, stacked
from .bcsr import BCSR
from .matrices import COO, CSR

bcoo_fromdense = BCOO.fromdense


def bcoo_todense(mat: BCOO) -> Array:
    return mat.todense()


@jit
def dense_in_programs(x: Any) -> Any:
    """The array itself, which `sparsify` knows by the name of this function."""
    return x


def todense(arr: Any) -> Array:
    """The dense array, whether it was sparse or not."""
    if isinstance(arr, JAXSparse):
        return arr.todense()
    return dense_in_programs(arr) if isinstance(arr, Tracer) else jnp.asarray(arr)


def bcoo_extract(sparr: BCOO, arr: Any, *, assume_unique: bool | None = None) -> BCOO:
    """The values of a dense array at the places of a sparse one."""
    dense = jnp.asarray(arr)
    if sparr._is_stacked:
        return sparr._with(stacked().values_of(sparr, dense))
    return sparr._with(elements.gathered(sparr.indices, dense))


def bcoo_sum_duplicates(mat: BCOO, nse: int | None = None) -> BCOO:
    return mat.sum_duplicates(nse)


def bcoo_sort_indices(mat: BCOO) -> BCOO:
    return mat.sort_indices()


def bcoo_transpose(mat: BCOO, *, permutation: Sequence[int]) -> BCOO:
    return mat.transpose(permutation)


def bcoo_reduce_sum(mat: BCOO, *, axes: Sequence[int]) -> BCOO:
    along = tuple(operator.index(a) % mat.ndim for a in axes)
    if mat._is_stacked:
        made: BCOO = stacked().summed(mat, along)
        return made
    return BCOO._of(elements.summed(mat.elements, along))


def bcoo_reshape(
    mat: BCOO, *, new_sizes: Sequence[int], dimensions: Any = None, sharding: Any = None
) -> BCOO:
    return mat.reshape(tuple(new_sizes))


def bcoo_slice(
    mat: BCOO, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Any = None
) -> BCOO:
    """A part of an array."""
    steps = [1] * mat.ndim if strides is None else list(strides)
    if mat._is_stacked:
        return mat[tuple(map(slice, start_indices, limit_indices, steps))]
    lengths = [len(range(*bounds)) for bounds in zip(start_indices, limit_indices, steps)]
    part = elements.cut(mat.elements, start_indices, lengths, (), None if strides is None else steps)
    return BCOO._of(part, unique=mat.unique_indices)


def bcoo_dynamic_slice(mat: BCOO, start_indices: Sequence[Any], slice_sizes: Sequence[int]) -> BCOO:
    """A part of an array, wherever it begins; it is moved inside where it would reach beyond the end."""
    first = [jnp.clip(at, 0, n - k) for at, n, k in zip(start_indices, mat.shape, slice_sizes)]
    if mat._is_stacked:
        made: BCOO = stacked().window(mat, first, slice_sizes)
        return made
    part = elements.cut(mat.elements, jnp.stack(first), slice_sizes)
    return BCOO._of(part, unique=mat.unique_indices)


def bcoo_gather(
    operand: BCOO,
    start_indices: Any,
    dimension_numbers: Any,
    slice_sizes: Sequence[int],
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: Any = None,
    fill_value: Any = None,
) -> BCOO:
    """Parts of an array, as `lax.gather` takes them; they are moved inside where they would reach beyond the end.

    Raises NotImplementedError for batch axes of the operand.
    """
    numbers = dimension_numbers
    if operand._is_stacked or numbers.operand_batching_dims:
        raise NotImplementedError("bcoo_gather of arrays with batch or dense dimensions")
    made: BCOO = stacked().gathered(
        operand,
        jnp.asarray(start_indices),
        numbers.offset_dims,
        numbers.collapsed_slice_dims,
        numbers.start_index_map,
        tuple(slice_sizes),
    )
    return made


def bcoo_squeeze(arr: BCOO, *, dimensions: Sequence[int]) -> BCOO:
    """Without some axes of length 1. Raises ValueError for others."""
    axes = [operator.index(d) % arr.ndim for d in dimensions]
    if any(arr.shape[d] != 1 for d in axes):
        raise ValueError(f"bcoo_squeeze: axes {tuple(axes)} of {arr.shape} do not have length 1")
    if arr._is_stacked:
        made: BCOO = stacked().squeezed(arr, axes)
        return made
    return BCOO._of(elements.summed(arr.elements, axes), unique=arr.unique_indices)


def bcoo_rev(operand: BCOO, dimensions: Sequence[int]) -> BCOO:
    """Turned round along axes."""
    if operand._is_stacked:
        made: BCOO = stacked().reversed_along(operand, dimensions)
        return made
    return BCOO._of(elements.reversed_along(operand.elements, dimensions), unique=operand.unique_indices)


def bcoo_broadcast_in_dim(
    mat: BCOO, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding: Any = None
) -> BCOO:
    """With more axes, and with axes of length 1 made longer."""
    if mat._is_stacked:
        made: BCOO = stacked().broadcast(mat, shape, broadcast_dimensions)
        return made
    x = mat.elements
    for axis in sorted(set(range(len(shape))) - set(broadcast_dimensions)):
        x = elements.unsqueezed(x, axis)
    for axis, length in enumerate(shape):
        if x.shape[axis] != length:
            x = elements.repeated(x, axis, length)
    return BCOO._of(x, unique=mat.unique_indices)


def bcoo_update_layout(
    mat: BCOO, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str | None = "error"
) -> BCOO:
    """The same array with other numbers of batch and dense axes; see `stacked.update_layout`."""
    batch = mat.n_batch if n_batch is None else operator.index(n_batch)
    dense = mat.n_dense if n_dense is None else operator.index(n_dense)
    if (batch, dense) == (mat.n_batch, mat.n_dense):
        return mat
    if batch < 0 or dense < 0 or batch + dense > mat.ndim:
        raise ValueError(
            f"{n_batch=} and {n_dense=} must be non-negative and at most the number of axes, {mat.ndim}"
        )
    made: BCOO = stacked().update_layout(mat, batch, dense, on_inefficient)
    return made


def bcoo_concatenate(operands: Sequence[BCOO], *, dimension: int) -> BCOO:
    axis = operator.index(dimension)
    if operands[0]._is_stacked:
        made: BCOO = stacked().joined(operands, axis)
        return made
    return BCOO._of(elements.joined([mat.elements for mat in operands], axis))


def bcoo_multiply_dense(sp_mat: BCOO, v: Any) -> Array:
    """The values of the product with a dense array, at the same places."""
    product = sp_mat * v
    return product.data


def bcoo_multiply_sparse(lhs: BCOO, rhs: BCOO) -> BCOO:
    return lhs * rhs


def bcoo_dot_general(
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: Any,
    precision: None = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """Contracted along axes. Raises NotImplementedError unless paired axes are batch axes of the sparse array."""
    (lhs_axes, rhs_axes), batch = dimension_numbers
    out = dot_general(lhs, rhs, lhs_axes, rhs_axes, batch)
    return out if preferred_element_type is None else out.astype(preferred_element_type)


def bcoo_dot_general_sampled(A: Any, B: Any, indices: Any, *, dimension_numbers: Any) -> Array:
    """The elements at `indices` of the product of dense arrays. Raises NotImplementedError for batch dimensions."""
    (lhs_axes, rhs_axes), (lhs_batch, rhs_batch) = dimension_numbers
    if lhs_batch or rhs_batch:
        raise NotImplementedError(
            "bcoo_dot_general_sampled: batch dimensions are not available in this runtime"
        )
    places = jnp.asarray(indices)
    return elements.sampled_product(jnp.asarray(A), jnp.asarray(B), places, lhs_axes, rhs_axes)


def bcsr_todense(mat: BCSR) -> Array:
    return mat.todense()


def bcsr_sum_duplicates(mat: BCSR, nse: int | None = None) -> BCSR:
    return mat.sum_duplicates(nse)


def bcsr_extract(indices: Any, indptr: Any, mat: Any) -> Array:
    """The values of a dense matrix at the places of a sparse one."""
    dense = jnp.asarray(mat)
    places = BCSR((jnp.zeros(len(indices), dense.dtype), indices, indptr), shape=dense.shape)
    return bcoo_extract(places.to_bcoo(), dense).data


def bcsr_concatenate(operands: Sequence[BCSR], *, dimension: int) -> BCSR:
    return BCSR.from_bcoo(bcoo_concatenate([mat.to_bcoo() for mat in operands], dimension=dimension))


def bcsr_dot_general(lhs: Any, rhs: Any, *, dimension_numbers: Any, **options: Any) -> Array:
    """Contracted along axes. Raises NotImplementedError for batch dimensions."""
    left, right = (mat.to_bcoo() if isinstance(mat, BCSR) else mat for mat in (lhs, rhs))
    return bcoo_dot_general(left, right, dimension_numbers=dimension_numbers, **options)


bcsr_fromdense, coo_fromdense, csr_fromdense = BCSR.fromdense, COO.fromdense, CSR.fromdense


def coo_todense(mat: COO) -> Array:
    return mat.todense()


def csr_todense(mat: CSR) -> Array:
    return mat.todense()


def coo_matvec(mat: COO, v: Any, transpose: bool = False) -> Array:
    """The product of a matrix, or of its transpose, with a vector."""
    return (mat.T if transpose else mat) @ v


def coo_matmat(mat: COO, B: Any, *, transpose: bool = False) -> Array:
    """The product of a matrix, or of its transpose, with a dense one."""
    return coo_matvec(mat, B, transpose)


def csr_matvec(mat: CSR, v: Any, transpose: bool = False) -> Array:
    """The product of a matrix, or of its transpose, with a vector."""
    return (mat.T if transpose else mat) @ v


def csr_matmat(mat: CSR, B: Any, *, transpose: bool = False) -> Array:
    """The product of a matrix, or of its transpose, with a dense one."""
    return csr_matvec(mat, B, transpose)


def _of_data(transform: Callable[..., Any]) -> Callable[..., Any]:
    """A transform of functions of dense arrays, for functions of sparse ones: it moves their values, not their places."""

    @functools.wraps(transform)
    def transformed(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, **options: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)

        def derivative(*args: Any, **kwargs: Any) -> Any:
            flat = [arg.data if i in numbers and isinstance(arg, BCOO) else arg for i, arg in enumerate(args)]

            def of_data(*values: Any) -> Any:
                whole = [
                    arg._with(v) if v is not arg and isinstance(arg, BCOO) else v
                    for v, arg in zip(values, args)
                ]
                return fun(*whole, **kwargs)

            found = transform(of_data, argnums, has_aux=has_aux, **options)(*flat)
            with_value = transform is gradients.value_and_grad
            grads, rest = (
                (found[1], found[0]) if with_value else (found[0], found[1]) if has_aux else (found, None)
            )
            listed = [grads] if isinstance(argnums, int) else list(grads)
            listed = [
                _at_places(args[i], g) if isinstance(args[i], BCOO) else g
                for i, g in zip(numbers, listed, strict=True)
            ]
            out = listed[0] if isinstance(argnums, int) else tuple(listed)
            return (rest, out) if with_value else (out, rest) if has_aux else out

        return derivative

    return transformed


def _at_places(mat: BCOO, values: Any) -> BCOO:
    """Values at the places of a sparse array; the axes that they have more are batch axes."""
    if not hasattr(values, "shape"):
        raise ValueError("derivatives of functions of sparse arrays need one array as result")
    more = values.shape[: values.ndim - mat.data.ndim]
    if not more:
        return mat._with(values)
    indices = jnp.broadcast_to(mat.indices, (*more, *mat.indices.shape))
    return BCOO(
        (values, indices),
        shape=(*more, *mat.shape),
        indices_sorted=mat.indices_sorted,
        unique_indices=mat.unique_indices,
    )


grad = _of_data(gradients.grad)
value_and_grad = _of_data(gradients.value_and_grad)
jacfwd, jacrev = _of_data(jacobian_functions.jacfwd), _of_data(jacobian_functions.jacrev)
jacobian = jacrev
