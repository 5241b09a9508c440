"""Reductions by reflectors: Hessenberg form, Schur decomposition, packed QR factors; over leading batch dimensions."""

from __future__ import annotations

from typing import Any

from ..core import Primitive, ShapedArray, shaped_array
from .family import Kernel
from .linalg import _SQUARE, _check_square, _front_batch, refuse_half


def _hessenberg_abstract(a: ShapedArray) -> list[ShapedArray]:
    _check_square("hessenberg", a)
    return [a, shaped_array((*a.shape[:-2], max(a.shape[-1] - 1, 0)), a.dtype)]


def _schur_abstract(a: ShapedArray, **params: Any) -> list[ShapedArray]:
    _check_square("schur", a)
    return [a, a]


def _householder_abstract(a: ShapedArray, taus: ShapedArray) -> ShapedArray:
    if a.ndim < 2 or a.shape[-1] > a.shape[-2] or taus.shape[-1] > a.shape[-1]:
        raise ValueError(f"householder_product does not accept matrices {a.shape} with factors {taus.shape}")
    return a


def _geqrf_abstract(a: ShapedArray) -> list[ShapedArray]:
    if a.ndim < 2:
        raise ValueError("Argument to QR decomposition must have ndims >= 2")
    return [a, shaped_array((*a.shape[:-2], min(a.shape[-2:])), a.dtype)]


hessenberg_p = Primitive("hessenberg", multiple_results=True)
hessenberg_p.abstract_eval = _hessenberg_abstract
hessenberg_p.impl = Kernel("schur_kernels:hessenberg")
hessenberg_p.batch = _front_batch(hessenberg_p)
hessenberg_p.examples = [((_SQUARE,), {})]

schur_p = Primitive("schur", multiple_results=True)
schur_p.abstract_eval = _schur_abstract
schur_p.impl = Kernel("schur_kernels:schur")
schur_p.batch = _front_batch(schur_p)
schur_p.examples = [
    ((_SQUARE,), {"compute_schur_vectors": True, "select_callable": None, "sort_eig_vals": False})
]

householder_product_p = Primitive("householder_product")
householder_product_p.abstract_eval = _householder_abstract
householder_product_p.impl = Kernel("linalg_kernels:householder_product")
householder_product_p.batch = _front_batch(householder_product_p)
householder_product_p.examples = [((_SQUARE, [1.5, 1.25]), {})]

geqrf_p = Primitive("geqrf", multiple_results=True)
geqrf_p.abstract_eval = _geqrf_abstract
geqrf_p.impl = Kernel("linalg_kernels:geqrf")
geqrf_p.batch = _front_batch(geqrf_p)
geqrf_p.examples = [((_SQUARE,), {})]

for _primitive in (hessenberg_p, schur_p, householder_product_p, geqrf_p):
    _primitive.refuse = refuse_half
