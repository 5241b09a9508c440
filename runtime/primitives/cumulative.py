"""Cumulative sums, products, maxima, minima and log-sum-exps along one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import Primitive, ShapedArray, Value
from .apply import add, eq, exp, gt, is_finite, log, max_, min_, mul, number, rev, sub, where
from .family import NUMERIC, Kernel, accepted_kinds
from .linear import Zero, zero_of

Pair = tuple[Value, Value]


def _cumulative(name: str) -> Primitive:
    primitive = Primitive(name)

    def abstract_eval(x: ShapedArray, *, axis: int, reverse: bool) -> ShapedArray:
        if not 0 <= axis < x.ndim:
            raise ValueError(f"axis {axis} is out of bounds for array of shape {x.shape}")
        if x.dtype.kind not in NUMERIC:
            raise TypeError(
                f"{name} does not accept dtype {x.dtype}. Accepted dtypes are subtypes of {accepted_kinds(NUMERIC)}."
            )
        return x

    def batch(
        size: int, args: Sequence[Value], dims: Sequence[Any], *, axis: int, reverse: bool
    ) -> tuple[Value, int]:
        (x,), (dim,) = args, dims
        return primitive.bind(x, axis=axis + (dim <= axis), reverse=reverse), dim

    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(f"cumulative_kernels:{name}")
    primitive.batch = batch
    matrix = [[0.5, 2.0, -1.0, 3.0], [1.5, -0.5, 2.5, 1.0]]
    primitive.examples = [
        ((matrix,), {"axis": axis, "reverse": reverse}) for axis in (0, 1) for reverse in (False, True)
    ]
    return primitive


cumsum_p, cumprod_p, cummax_p, cummin_p, cumlogsumexp_p = (
    _cumulative(name) for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
)

for _primitive in (cumsum_p, cumprod_p, cumlogsumexp_p):
    _primitive.narrow_impl = Kernel(f"cumulative_kernels:narrow_{_primitive.name}")


def _cumsum_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    out = cumsum_p.bind(*primals, **params)
    return out, zero_of(out) if type(tangents[0]) is Zero else cumsum_p.bind(*tangents, **params)


cumsum_p.jvp = _cumsum_jvp
cumsum_p.transpose = lambda ct, x, *, axis, reverse: [cumsum_p.bind(ct, axis=axis, reverse=not reverse)]


def _product(first: Pair, second: Pair) -> Pair:
    (a, ta), (b, tb) = first, second
    return mul(a, b), add(mul(ta, b), mul(a, tb))


def _extreme(largest: bool) -> Callable[[Pair, Pair], Pair]:
    def combine(first: Pair, second: Pair) -> Pair:
        (a, ta), (b, tb) = first, second
        newer = gt(b, a) if largest else gt(a, b)
        mean = mul(add(ta, tb), number(0.5, a))
        return (max_ if largest else min_)(a, b), where(eq(a, b), mean, where(newer, tb, ta))

    return combine


def _log_sum_exp(first: Pair, second: Pair) -> Pair:
    (a, ta), (b, tb) = first, second
    top = max_(a, b)
    safe = where(is_finite(top), top, number(0, top))

    total = add(log(add(exp(sub(a, safe)), exp(sub(b, safe)))), safe)
    return total, add(mul(ta, exp(sub(a, total))), mul(tb, exp(sub(b, total))))


def _scanned_jvp(primitive: Primitive, combine: Callable[[Pair, Pair], Pair]) -> Callable[..., Any]:
    """Scan pairs of value and tangent as ``associative_scan`` does, whose order decides what ties give."""

    def jvp(
        primals: Sequence[Value], tangents: Sequence[Any], *, axis: int, reverse: bool
    ) -> tuple[Value, Any]:
        from ..transforms.associative import prefixes

        out = primitive.bind(*primals, axis=axis, reverse=reverse)
        if type(tangents[0]) is Zero:
            return out, zero_of(out)
        pair: Sequence[Value] = (primals[0], tangents[0])
        if reverse:
            pair = (rev(pair[0], dimensions=(axis,)), rev(pair[1], dimensions=(axis,)))
        pair = prefixes(lambda first, second: list(combine(tuple(first), tuple(second))), pair, axis)
        return out, rev(pair[1], dimensions=(axis,)) if reverse else pair[1]

    return jvp


cumprod_p.jvp = _scanned_jvp(cumprod_p, _product)
cummax_p.jvp = _scanned_jvp(cummax_p, _extreme(True))
cummin_p.jvp = _scanned_jvp(cummin_p, _extreme(False))
cumlogsumexp_p.jvp = _scanned_jvp(cumlogsumexp_p, _log_sum_exp)
