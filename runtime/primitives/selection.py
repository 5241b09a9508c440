"""Choosing elements: `select_n` and `clamp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from .apply import and_, gt, lt, number, where
from .family import ANY, Kernel, Rule, check_same_dtypes, nary
from .linear import Zero, instantiate, is_undefined_primal, zero_of, zeros_like_aval
from .lowering import rule
from .shape import batch_to_front, broadcast_in_dim_p

select_n_p = Primitive("select_n")


def _select_abstract_eval(which: ShapedArray, *cases: ShapedArray) -> ShapedArray:
    if not cases:
        raise TypeError("select_n must have at least one case")
    if which.dtype.kind != "b" and which.dtype.name != "int32":
        raise TypeError(f"select `which` must be boolean or integer type, got {which.dtype}")
    if which.dtype.kind == "b" and len(cases) > 2:
        raise TypeError(f"with boolean which, select_n expects at most two cases but got {len(cases)}")
    shape = cases[0].shape
    if any(case.shape != shape for case in cases):
        raise TypeError(
            f"select cases must have the same shapes, got [{', '.join(str(c.shape) for c in cases)}]"
        )
    if which.shape and which.shape != shape:
        raise TypeError(
            "select `which` must be scalar or have the same shape as cases, "
            f"got `which` shape {which.shape} but case shape {shape}"
        )
    check_same_dtypes("select", cases)
    return shaped_array(shape, cases[0].dtype, all(case.weak_type for case in cases))


def _select_batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any
) -> tuple[Value, int]:
    which, *cases = args
    rank = get_aval(cases[0]).ndim - (dims[1] is not None)
    if dims[0] is None and not get_aval(which).shape:
        moved = [batch_to_front(case, dim, size) for case, dim in zip(cases, dims[1:])]
        return select_n_p.bind(which, *moved), 0
    moved = [batch_to_front(arg, dim, size) for arg, dim in zip(args, dims)]
    if get_aval(moved[0]).ndim == 1 and rank:
        shape = get_aval(moved[1]).shape
        moved[0] = broadcast_in_dim_p.bind(moved[0], shape=shape, broadcast_dimensions=(0,), sharding=None)
    return select_n_p.bind(*moved), 0


def _select_jvp(primals: Sequence[Value], tangents: Sequence[Any]) -> tuple[Value, Any]:
    which, *cases = primals
    out = select_n_p.bind(which, *cases)
    if all(type(t) is Zero for t in tangents[1:]):
        return out, zero_of(out)
    return out, select_n_p.bind(which, *map(instantiate, tangents[1:]))


def _select_transpose(ct: Value, which: Value, *cases: Value) -> list[Any]:
    zero = zeros_like_aval(get_aval(ct))
    cts = [
        select_n_p.bind(which, *[ct if j == i else zero for j in range(len(cases))])
        if is_undefined_primal(case)
        else None
        for i, case in enumerate(cases)
    ]
    return [None, *cts]


select_n_p.abstract_eval = _select_abstract_eval
select_n_p.impl = Kernel("selection_kernels:select_n")
select_n_p.lower = rule("select_n")
select_n_p.batch = _select_batch
select_n_p.jvp = _select_jvp
select_n_p.transpose = _select_transpose
select_n_p.examples = [
    (([True, False, True], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), {}),
    ((True, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), {}),
    (([2, 0, 1], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]), {}),
]


def _clamp_abstract_eval(low: ShapedArray, x: ShapedArray, high: ShapedArray) -> ShapedArray:
    for name, bound in (("min", low), ("max", high)):
        if bound.shape and bound.shape != x.shape:
            raise TypeError(
                f"clamp requires {name}.shape == operand.shape or {name}.shape == (), got {name}.shape="
                f"{bound.shape}, operand.shape={x.shape}."
            )
    check_same_dtypes("clamp", (low, x, high))
    return shaped_array(x.shape, x.dtype, low.weak_type and x.weak_type and high.weak_type)


def _clamp_batch(size: int, args: Sequence[Value], dims: Sequence[int | None]) -> tuple[Value, int]:
    front = batch_to_front(args[1], dims[1], size)
    shape = get_aval(front).shape
    bounds = []
    for bound, dim in ((args[0], dims[0]), (args[2], dims[2])):
        if dim is not None or get_aval(bound).shape:
            moved = batch_to_front(bound, dim, size)
            kept = tuple(range(get_aval(moved).ndim))
            bounds.append(
                broadcast_in_dim_p.bind(moved, shape=shape, broadcast_dimensions=kept, sharding=None)
            )
        else:
            bounds.append(bound)
    return clamp_p.bind(bounds[0], front, bounds[1]), 0


def _of_bound(chosen: Callable[[Value, Value, Value], Value]) -> Rule:
    """The tangent due to a bound, where it is chosen."""

    def rule_of(t: Value, out: Value, low: Value, x: Value, high: Value) -> Value:
        if get_aval(t).shape != get_aval(out).shape:
            # As in JAX, scalars may bound arrays, but have no derivatives then.
            raise TypeError(
                f"select cases must have the same shapes, got [{get_aval(out).shape}, {get_aval(t).shape}]."
            )
        return where(chosen(low, x, high), t, number(0, out))

    return rule_of


clamp_p = nary(
    "clamp",
    accepts=ANY,
    impl="selection_kernels:clamp",
    lower=rule("clamp"),
    jvps=(
        _of_bound(lambda low, x, high: gt(low, x)),
        lambda t, out, low, x, high: where(and_(gt(x, low), lt(x, high)), t, number(0, out)),
        _of_bound(lambda low, x, high: lt(high, x)),
    ),
    examples=((-1.0, [0.5, -1.5, 2.0], 1.0), ([0.0, 0.0, 0.0], [0.5, -1.5, 2.0], [1.0, 1.0, 1.0])),
)
clamp_p.abstract_eval = _clamp_abstract_eval
clamp_p.batch = _clamp_batch
