"""Matrix decompositions and triangular solves, over leading batch dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import INT32, complex_dtype, real_dtype
from .apply import add, conj, div, dot_general, mul, neg, number, sub, transpose
from .family import Kernel
from .linear import Zero, instantiate, is_undefined_primal, zero_of
from .shape import batch_to_front, broadcast, expand_dims

Shape: TypeAlias = tuple[int, ...]
_SPD = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
_SQUARE = [[4.0, 1.0, 0.0], [2.0, 3.0, 1.0], [0.5, 1.0, 5.0]]


def _check_square(name: str, a: ShapedArray) -> None:
    if a.ndim < 2:
        raise TypeError(f"{name} requires at least two dimensions, got shape {a.shape}")
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to {name} must have shape [..., n, n], got shape {a.shape}")
    if a.dtype.kind not in "fc":
        raise TypeError(
            f"{name} does not accept dtype {a.dtype}. Accepted dtypes are subtypes of floating, complexfloating."
        )


def _front_batch(primitive: Primitive) -> Callable[..., Any]:
    """All the operands batched in front: the decompositions work over leading dimensions anyway."""

    def batch(size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any) -> Any:
        out = primitive.bind(*(batch_to_front(x, d, size) for x, d in zip(args, dims)), **params)
        return (out, [0] * len(out)) if primitive.multiple_results else (out, 0)

    return batch


def _decomposition(
    name: str, kernel: str, abstract_eval: Callable[..., Any], *, multiple: bool = True
) -> Primitive:
    primitive = Primitive(name, multiple_results=multiple)
    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(f"linalg_kernels:{kernel}")
    primitive.batch = _front_batch(primitive)
    primitive.refuse = refuse_half
    return primitive


def refuse_half(x: ShapedArray, *others: ShapedArray, **params: Any) -> None:
    """Raises NotImplementedError for 16-bit floats, which LAPACK does not know: JAX does when it compiles the program."""
    if x.dtype.kind == "f" and x.dtype.itemsize == 2:
        raise NotImplementedError(f"Unsupported dtype {x.dtype}.")


# ------------------------------------------------------------------------------------------------ matrix arithmetic


def matmul(x: Value, y: Value) -> Value:
    """Product of stacks of matrices."""
    rank = get_aval(x).ndim
    lead = tuple(range(rank - 2))
    return dot_general(
        x,
        y,
        dimension_numbers=(((rank - 1,), (rank - 2,)), (lead, lead)),
        precision=None,
        preferred_element_type=get_aval(x).dtype,
        out_sharding=None,
    )


def adjoint(x: Value) -> Value:
    """Conjugate transpose of each matrix."""
    flipped = swap(x)
    return conj(flipped, input_dtype=get_aval(x).dtype) if get_aval(x).dtype.kind == "c" else flipped


def swap(x: Value) -> Value:
    """Transpose of each matrix."""
    rank = get_aval(x).ndim
    return transpose(x, permutation=(*range(rank - 2), rank - 1, rank - 2))


def _triangle(x: Value, lower: bool, strict: bool = False) -> Value:
    """One triangle of each matrix, zeros elsewhere."""
    from ..numpy.creation import tril, triu

    shift = -1 if strict else 0
    return tril(x, shift) if lower else triu(x, -shift)


def _diagonal_part(x: Value) -> Value:
    from ..numpy.creation import eye

    shape = get_aval(x).shape
    mask = eye(shape[-2], shape[-1], dtype=get_aval(x).dtype)
    return mul(x, _spread(mask, shape))


def _spread(x: Value, shape: Shape) -> Value:
    return broadcast(x, shape)


def solve_triangular(
    a: Value,
    b: Value,
    *,
    left: bool,
    lower: bool,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit: bool = False,
) -> Value:
    """`triangular_solve` by keyword."""
    return triangular_solve_p.bind(
        a,
        b,
        left_side=left,
        lower=lower,
        transpose_a=transpose_a,
        conjugate_a=conjugate_a,
        unit_diagonal=unit,
    )


# ------------------------------------------------------------------------------------------------ cholesky


def _cholesky_abstract(a: ShapedArray) -> ShapedArray:
    _check_square("cholesky", a)
    return a


def _cholesky_jvp(primals: Sequence[Value], tangents: Sequence[Any]) -> tuple[Value, Any]:
    """dL = L phi(L^-1 dA L^-H), phi halving the diagonal of the lower triangle (Smith, 1995)."""
    factor = _triangle(cholesky_p.bind(*primals), True)
    right = solve_triangular(factor, tangents[0], left=False, lower=True, transpose_a=True, conjugate_a=True)
    middle = solve_triangular(factor, right, left=True, lower=True)
    half = sub(
        _triangle(middle, True),
        mul(_diagonal_part(middle), _spread(number(0.5, middle), get_aval(middle).shape)),
    )
    return factor, matmul(factor, half)


cholesky_p = _decomposition("cholesky", "cholesky", _cholesky_abstract, multiple=False)
cholesky_p.jvp = _cholesky_jvp
cholesky_p.examples = [((_SPD,), {})]


# ------------------------------------------------------------------------------------------------ triangular solve


def _triangular_abstract(a: ShapedArray, b: ShapedArray, *, left_side: bool, **params: Any) -> ShapedArray:
    _check_square("triangular_solve", a)
    if a.shape[:-2] != b.shape[:-2]:
        raise TypeError(
            f"triangular_solve requires both arguments to have the same number of dimensions and equal batch dimensions, got {a.shape} and {b.shape}"
        )
    if a.shape[-1] != b.shape[-2 if left_side else -1]:
        raise TypeError(f"Incompatible shapes for arguments to triangular_solve: {a.shape} and {b.shape}")
    return b


def _triangular_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    """dx = A^-1 (db - dA x), with the same triangle of dA."""
    a, b = primals
    t_a, t_b = tangents
    x = triangular_solve_p.bind(a, b, **params)
    right: Any = t_b
    if type(t_a) is not Zero:
        part = _triangle(t_a, params["lower"], params["unit_diagonal"])
        if params["transpose_a"]:
            part = swap(part)
        if params["conjugate_a"]:
            part = conj(part, input_dtype=get_aval(part).dtype) if get_aval(part).dtype.kind == "c" else part
        product = matmul(part, x) if params["left_side"] else matmul(x, part)
        right = neg(product) if type(t_b) is Zero else sub(t_b, product)
    if type(right) is Zero:
        return x, zero_of(x)
    return x, triangular_solve_p.bind(a, right, **params)


def _triangular_transpose(
    ct: Value, a: Value, b: Any, *, transpose_a: bool, conjugate_a: bool, **params: Any
) -> list[Any]:
    if not is_undefined_primal(b):
        return [None, None]
    return [
        None,
        triangular_solve_p.bind(a, ct, transpose_a=not transpose_a, conjugate_a=conjugate_a, **params),
    ]


triangular_solve_p = _decomposition(
    "triangular_solve", "triangular_solve", _triangular_abstract, multiple=False
)
triangular_solve_p.refuse = None  # XLA's own.
triangular_solve_p.jvp = _triangular_jvp
triangular_solve_p.transpose = _triangular_transpose
triangular_solve_p.examples = [
    (
        (_SPD, _SQUARE),
        {
            "left_side": left,
            "lower": lower,
            "transpose_a": left,
            "conjugate_a": False,
            "unit_diagonal": False,
        },
    )
    for left in (True, False)
    for lower in (True, False)
]


# ------------------------------------------------------------------------------------------------ lu


def _lu_abstract(a: ShapedArray) -> list[ShapedArray]:
    if a.ndim < 2:
        raise TypeError(f"lu requires at least two dimensions, got shape {a.shape}")
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    return [a, shaped_array((*lead, min(m, n)), INT32), shaped_array((*lead, m), INT32)]


def _lu_jvp(primals: Sequence[Value], tangents: Sequence[Any]) -> tuple[list[Value], list[Any]]:
    """Square matrices: with F = L^-1 P dA U^-1, dL = L tril(F, -1) and dU = triu(F) U."""
    from ..numpy.creation import eye
    from ..numpy.selection import take_along_axis

    (a,) = primals
    packed, pivots, permutation = lu_p.bind(a)
    shape = get_aval(a).shape
    if shape[-1] != shape[-2]:
        raise NotImplementedError(
            "the derivative of LU decompositions of matrices that are not square is not available"
        )
    order = _spread_rows(permutation, shape)
    moved = take_along_axis(tangents[0], order, axis=-2)
    lower = add(_triangle(packed, True, True), _spread(eye(shape[-1], dtype=get_aval(a).dtype), shape))
    upper = _triangle(packed, False)
    left = solve_triangular(lower, moved, left=True, lower=True, unit=True)
    both = solve_triangular(upper, left, left=False, lower=False)
    tangent = add(matmul(lower, _triangle(both, True, True)), matmul(_triangle(both, False), upper))
    return [packed, pivots, permutation], [tangent, zero_of(pivots), zero_of(permutation)]


def _spread_rows(permutation: Value, shape: Shape) -> Value:
    rank = len(shape)
    return _spread(expand_dims(permutation, (rank - 1,)), (*shape[:-1], shape[-1]))


lu_p = _decomposition("lu", "lu", _lu_abstract)
lu_p.jvp = _lu_jvp
lu_p.examples = [((_SQUARE,), {})]


def _permutation_abstract(pivots: ShapedArray, *, permutation_size: int) -> ShapedArray:
    return shaped_array((*pivots.shape[:-1], permutation_size), INT32)


lu_pivots_to_permutation_p = _decomposition(
    "lu_pivots_to_permutation", "lu_pivots_to_permutation", _permutation_abstract, multiple=False
)


# ------------------------------------------------------------------------------------------------ qr, eigh, svd, eig


def _qr_abstract(
    a: ShapedArray, *, pivoting: bool, full_matrices: bool, use_magma: Any = None
) -> list[ShapedArray]:
    if a.ndim < 2:
        raise TypeError(f"qr requires at least two dimensions, got shape {a.shape}")
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    k = m if full_matrices else min(m, n)
    factors = [
        shaped_array((*lead, m, k), a.dtype, a.weak_type),
        shaped_array((*lead, k, n), a.dtype, a.weak_type),
    ]
    return [*factors, shaped_array((*lead, n), INT32)] if pivoting else factors


def _qr_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], **params: Any
) -> tuple[list[Value], list[Any]]:
    """dQ and dR from X = Q^H dA R^-1 (Walter & Lehmann, 2018)."""
    shape = get_aval(primals[0]).shape
    if params["pivoting"]:
        raise NotImplementedError("Differentiation of pivoted QR decompositions is not implemented")
    if shape[-2] < shape[-1] or (params["full_matrices"] and shape[-2] != shape[-1]):
        raise NotImplementedError("Unimplemented case of QR decomposition derivative")
    q, r = qr_p.bind(*primals, **params)
    scaled = solve_triangular(r, tangents[0], left=False, lower=False)
    core = matmul(adjoint(q), scaled)
    lower = _triangle(core, True, True)
    omega = sub(lower, adjoint(lower))
    if get_aval(core).dtype.kind == "c":
        omega = add(omega, sub(_diagonal_part(core), _diagonal_part(adjoint(core))))
    t_q = add(matmul(q, sub(omega, core)), scaled)
    return [q, r], [t_q, matmul(sub(core, omega), r)]


qr_p = _decomposition("qr", "qr_factors", _qr_abstract)
qr_p.jvp = _qr_jvp
qr_p.examples = [((_SQUARE,), {"pivoting": False, "full_matrices": False, "use_magma": None})]


def _eigh_abstract(
    a: ShapedArray, *, lower: bool, sort_eigenvalues: bool, **params: Any
) -> list[ShapedArray]:
    _check_square("eigh", a)
    return [a, shaped_array(a.shape[:-1], real_dtype(a.dtype), a.weak_type)]


def _column(w: Value, shape: Shape, axis: int) -> Value:
    """A vector of each matrix repeated along its rows (axis -2) or columns (axis -1)."""
    return _spread(expand_dims(w, (len(shape) + axis,)), shape)


def _reciprocal_gaps(w: Value, shape: Shape) -> Value:
    """1 / (w_j - w_i), with 0 on the diagonal."""
    from ..numpy.creation import eye

    gaps = sub(_column(w, shape, -2), _column(w, shape, -1))
    identity = _spread(eye(shape[-1], dtype=get_aval(w).dtype), shape)
    ones = _spread(number(1, w), shape)
    return sub(div(ones, add(gaps, identity)), identity)


def _eigh_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], **params: Any
) -> tuple[list[Value], list[Any]]:
    """dw = diag(V^H dA V), dV = V (F * V^H dA V), F the reciprocal gaps of eigenvalues."""
    v, w = eigh_p.bind(*primals, **params)
    shape = get_aval(v).shape
    middle = matmul(matmul(adjoint(v), _symmetric(tangents[0])), v)
    gaps = _as(_reciprocal_gaps(w, shape), get_aval(v).dtype)
    from ..numpy.rearranging import diagonal
    from ..numpy.ufuncs import real

    return [v, w], [matmul(v, mul(gaps, middle)), real(diagonal(middle, 0, -2, -1))]


def _symmetric(x: Value) -> Value:
    half = add(x, adjoint(x))
    return mul(half, _spread(number(0.5, half), get_aval(half).shape))


def _as(x: Value, dtype: Any) -> Value:
    from .conversion import convert

    return convert(x, dtype)


eigh_p = _decomposition("eigh", "eigh_pair", _eigh_abstract)
eigh_p.jvp = _eigh_jvp
eigh_p.examples = [
    ((_SPD,), {"lower": True, "sort_eigenvalues": True, "subset_by_index": None, "algorithm": None})
]


def _svd_abstract(
    a: ShapedArray, *, full_matrices: bool, compute_uv: bool, **params: Any
) -> list[ShapedArray]:
    if a.ndim < 2:
        raise TypeError(f"Input 0 to svd must have rank at least 2, but got shape={a.shape}")
    lead, (m, n) = a.shape[:-2], a.shape[-2:]
    k = min(m, n)
    s = shaped_array((*lead, k), real_dtype(a.dtype), a.weak_type)
    if not compute_uv:
        return [s]
    return [
        s,
        shaped_array((*lead, m, m if full_matrices else k), a.dtype, a.weak_type),
        shaped_array((*lead, n if full_matrices else k, n), a.dtype, a.weak_type),
    ]


def _svd_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], *, full_matrices: bool, compute_uv: bool, **params: Any
) -> tuple[list[Value], list[Any]]:
    """The derivative of the thin decomposition (Townsend, "Differentiating the singular value decomposition", 2016)."""
    shape = get_aval(primals[0]).shape
    m, n = shape[-2:]
    if compute_uv and full_matrices and m != n:
        raise NotImplementedError("Singular value decomposition JVP not implemented for full matrices")
    s, u, vt = svd_p.bind(*primals, full_matrices=False, compute_uv=True, **params)
    from ..numpy.rearranging import diagonal
    from ..numpy.ufuncs import real

    dtype, k = get_aval(u).dtype, min(m, n)
    core = matmul(matmul(adjoint(u), tangents[0]), adjoint(vt))
    t_s = real(diagonal(core, 0, -2, -1))
    if not compute_uv:
        return [s], [t_s]
    square = (*shape[:-2], k, k)
    row = _as(_column(s, square, -2), dtype)
    column = _as(_column(s, square, -1), dtype)
    gaps = _as(_reciprocal_gaps(mul(s, s), square), dtype)
    left = mul(gaps, add(mul(core, row), adjoint(mul(core, row))))
    right = mul(gaps, add(mul(column, core), adjoint(mul(column, core))))
    t_u, t_v = matmul(u, left), matmul(adjoint(vt), right)
    if m > k:
        rest = matmul(tangents[0], adjoint(vt))
        t_u = add(
            t_u,
            div(
                sub(rest, matmul(u, matmul(adjoint(u), rest))),
                _as(_column(s, (*shape[:-2], m, k), -2), dtype),
            ),
        )
    if n > k:
        rest = matmul(adjoint(tangents[0]), u)
        v = adjoint(vt)
        t_v = add(
            t_v, div(sub(rest, matmul(v, matmul(vt, rest))), _as(_column(s, (*shape[:-2], n, k), -2), dtype))
        )
    return [s, u, vt], [t_s, t_u, adjoint(t_v)]


svd_p = _decomposition("svd", "svd_parts", _svd_abstract)
svd_p.jvp = _svd_jvp
svd_p.examples = [
    ((_SQUARE,), {"full_matrices": False, "compute_uv": uv, "subset_by_index": None, "algorithm": None})
    for uv in (True, False)
]


def _eig_abstract(
    a: ShapedArray, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **params: Any
) -> list[ShapedArray]:
    _check_square("eig", a)
    wide = complex_dtype(a.dtype)
    vectors = [shaped_array(a.shape, wide, a.weak_type)] * (
        compute_left_eigenvectors + compute_right_eigenvectors
    )
    return [shaped_array(a.shape[:-1], wide, a.weak_type), *vectors]


def _eig_jvp(
    primals: Sequence[Value], tangents: Sequence[Any], **params: Any
) -> tuple[list[Value], list[Any]]:
    """dw = diag(X) and, if asked for, dV = V (F * X), with X = V^-1 dA V and F the reciprocal gaps of eigenvalues."""
    left, right = params["compute_left_eigenvectors"], params["compute_right_eigenvectors"]
    if left or (right and not params["enable_eigvec_derivs"]):
        raise NotImplementedError(
            "The derivatives of non-symmetric eigenvectors are only implemented for right eigenvectors, "
            "and if enable_eigvec_derivs=True."
        )
    from ..numpy import linalg
    from ..numpy.reductions import sum as total

    w, v = eig_p.bind(*primals, **{**params, "compute_right_eigenvectors": True})
    moved = matmul(_as(instantiate(tangents[0]), get_aval(v).dtype), v)
    inverse = linalg.inv(v)
    by_value = total(mul(inverse, swap(moved)), -1)
    if not right:
        return [w], [by_value]
    shape = get_aval(v).shape
    change = matmul(v, mul(_reciprocal_gaps(w, shape), matmul(inverse, moved)))
    return [w, v], [by_value, _tangent_of_unit_vectors(v, change)]


def _tangent_of_unit_vectors(v: Any, change: Any) -> Any:
    """The changes of columns, which keep length 1 and a real largest element."""
    from .. import numpy as jnp

    along = jnp.sum(jnp.real(jnp.conj(v) * change), -2, keepdims=True)
    change = change - v * along
    largest = jnp.argmax(jnp.abs(v), -2, keepdims=True)
    turn = jnp.take_along_axis(change, largest, -2).imag / jnp.take_along_axis(v, largest, -2).real
    return change - 1j * v * turn


eig_p = _decomposition("eig", "eig_parts", _eig_abstract)
eig_p.jvp = _eig_jvp
