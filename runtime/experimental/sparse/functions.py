"""The functions of `jax.experimental.sparse` on `BCOO` arrays."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ... import numpy as jnp
from ...core import Array
from ...transforms import grad as gradients
from . import elements
from .bcoo import BCOO, JAXSparse, dot_general

bcoo_fromdense = BCOO.fromdense


def bcoo_todense(mat: BCOO) -> Array:
    return mat.todense()


def todense(arr: Any) -> Array:
    """The dense array, whether it was sparse or not."""
    return arr.todense() if isinstance(arr, JAXSparse) else jnp.asarray(arr)


def bcoo_extract(sparr: BCOO, arr: Any, *, assume_unique: bool | None = None) -> BCOO:
    """The values of a dense array at the places of a sparse one."""
    return sparr._with(elements.gathered(sparr.indices, jnp.asarray(arr)))


def bcoo_sum_duplicates(mat: BCOO, nse: int | None = None) -> BCOO:
    return mat.sum_duplicates(nse)


def bcoo_sort_indices(mat: BCOO) -> BCOO:
    return mat.sort_indices()


def bcoo_transpose(mat: BCOO, *, permutation: Sequence[int]) -> BCOO:
    return mat.transpose(permutation)


def bcoo_reduce_sum(mat: BCOO, *, axes: Sequence[int]) -> BCOO:
    return BCOO._of(elements.summed(mat.elements, tuple(operator.index(a) % mat.ndim for a in axes)))


def bcoo_reshape(
    mat: BCOO, *, new_sizes: Sequence[int], dimensions: Any = None, sharding: Any = None
) -> BCOO:
    return mat.reshape(tuple(new_sizes))


def bcoo_slice(
    mat: BCOO, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Any = None
) -> BCOO:
    """A part of an array. Raises NotImplementedError for steps."""
    if strides is not None and any(step != 1 for step in strides):
        raise NotImplementedError("sparse arrays are not sliced with steps in this runtime")
    return BCOO._of(elements.cut(mat.elements, start_indices, limit_indices), unique=mat.unique_indices)


def bcoo_concatenate(operands: Sequence[BCOO], *, dimension: int) -> BCOO:
    return BCOO._of(elements.joined([mat.elements for mat in operands], operator.index(dimension)))


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
    """Contracted along axes. Raises NotImplementedError for batch dimensions."""
    (lhs_axes, rhs_axes), (lhs_batch, rhs_batch) = dimension_numbers
    if lhs_batch or rhs_batch:
        raise NotImplementedError(
            "bcoo_dot_general batch dimensions must be among the batch dimensions in the sparse array."
        )
    out = dot_general(lhs, rhs, lhs_axes, rhs_axes)
    return out if preferred_element_type is None else out.astype(preferred_element_type)


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
                args[i]._with(g) if isinstance(args[i], BCOO) else g
                for i, g in zip(numbers, listed, strict=True)
            ]
            out = listed[0] if isinstance(argnums, int) else tuple(listed)
            return (rest, out) if with_value else (out, rest) if has_aux else out

        return derivative

    return transformed


grad = _of_data(gradients.grad)
value_and_grad = _of_data(gradients.value_and_grad)
