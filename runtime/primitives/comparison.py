"""Comparisons of corresponding elements: booleans, with no derivative."""

from __future__ import annotations

from ..core import Primitive
from .family import ANY, ORDERED, Kernel, boolean, nary
from .lowering import rule

_EXAMPLES = (([0.5, 2.0, -1.0], [0.5, 1.0, 3.0]), ([1, 2, 3], [3, 2, 1]))


def _comparison(name: str, kernel: str, accepts: str) -> Primitive:
    return nary(
        name,
        accepts=accepts,
        impl=Kernel(kernel),
        lower=rule(name),
        jvps=(None, None),
        result=boolean,
        examples=_EXAMPLES,
    )


eq_p = _comparison("eq", "elementwise_kernels:equal", ANY + "k")
ne_p = _comparison("ne", "elementwise_kernels:not_equal", ANY + "k")
lt_p = _comparison("lt", "np:less", ORDERED)
le_p = _comparison("le", "np:less_equal", ORDERED)
gt_p = _comparison("gt", "np:greater", ORDERED)
ge_p = _comparison("ge", "np:greater_equal", ORDERED)


def _total_order(name: str, kernel: str) -> Primitive:
    return nary(
        name,
        accepts="f",
        impl=f"elementwise_kernels:{kernel}",
        jvps=(None, None),
        result=boolean,
        examples=_EXAMPLES[:1],
    )


eq_to_p = _total_order("eq_to", "equal_total")
lt_to_p = _total_order("lt_to", "less_total")
le_to_p = _total_order("le_to", "less_equal_total")
