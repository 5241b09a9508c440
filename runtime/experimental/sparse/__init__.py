"""`jax.experimental.sparse`: arrays of which only the elements that are not 0 are kept."""

from __future__ import annotations

from .bcoo import BCOO, JAXSparse, empty, eye, random_bcoo
from .bcsr import BCSR
from .functions import (
    bcoo_concatenate,
    bcoo_dot_general,
    bcoo_extract,
    bcoo_fromdense,
    bcoo_multiply_dense,
    bcoo_multiply_sparse,
    bcoo_reduce_sum,
    bcoo_reshape,
    bcoo_slice,
    bcoo_sort_indices,
    bcoo_sum_duplicates,
    bcoo_todense,
    bcoo_transpose,
    grad,
    todense,
    value_and_grad,
)
from .matrices import COO, CSC, CSR

__all__ = [
    "BCOO",
    "BCSR",
    "COO",
    "CSC",
    "CSR",
    "JAXSparse",
    "bcoo_concatenate",
    "bcoo_dot_general",
    "bcoo_extract",
    "bcoo_fromdense",
    "bcoo_multiply_dense",
    "bcoo_multiply_sparse",
    "bcoo_reduce_sum",
    "bcoo_reshape",
    "bcoo_slice",
    "bcoo_sort_indices",
    "bcoo_sum_duplicates",
    "bcoo_todense",
    "bcoo_transpose",
    "empty",
    "eye",
    "grad",
    "random_bcoo",
    "todense",
    "value_and_grad",
]
