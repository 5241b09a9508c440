"""``cond`` and ``switch``: choosing a branch while tracing all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..config import state
from ..core import ClosedJaxpr, Jaxpr, Tracer, Value, Var, current_trace, get_aval, literal
from ..primitives.apply import clamp, convert_element_type, ne
from ..pytree.definition import tree_flatten
from .cond import cond_p
from .functions import Traced, check_argument, trace_function
from .linearize import identity
from .signatures import source_of
from .structure import check_branches

_ABSENT: Any = object()


def cond(
    pred: Any,
    true_fun: Callable[..., Any],
    false_fun: Callable[..., Any],
    *operands: Any,
    operand: Any = _ABSENT,
) -> Any:
    """``true_fun(*operands)`` if `pred`, else ``false_fun(*operands)``. Both are traced; one runs.

    The old form with an operand for each function, ``cond(pred, x, f, y, g)``, still works.

    Raises:
        TypeError: if `pred` is no scalar, or the functions return different structures, shapes or dtypes.
    """
    operands = _operands(operands, operand)
    if len(operands) == 2 and not callable(true_fun) and callable(false_fun) and callable(operands[1]):
        x, f, y, g = true_fun, false_fun, operands[0], operands[1]
        return cond(pred, lambda both: f(both[0]), lambda both: g(both[1]), (x, y))
    if not (callable(true_fun) and callable(false_fun)):
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    check_predicate(pred)
    if state.disable_jit and not isinstance(pred, Tracer):
        return true_fun(*operands) if pred else false_fun(*operands)
    branches = _trace_branches("cond", [true_fun, false_fun], ["true_fun", "false_fun"], operands)
    branches.reverse()
    dtype = get_aval(pred).dtype
    if dtype.kind != "b":
        pred = ne(pred, literal(0, dtype, get_aval(pred).weak_type))
    if type(pred) in (bool, int, float):
        index: Value = literal(int(bool(pred)), "int32")
    else:
        index = convert_element_type(
            pred, new_dtype=literal(0, "int32").aval.dtype, weak_type=False, sharding=None
        )
    return _apply(index, branches, operands)


def _operands(operands: tuple[Any, ...], operand: Any) -> tuple[Any, ...]:
    """The operands, given one by one or, in the old form, as the only one by keyword."""
    if operand is _ABSENT:
        return operands
    if operands:
        raise TypeError(
            "if 'operand' keyword is passed then no positional operands can be passed, got "
            f"operand={operand} and positional operands {operands}"
        )
    return (operand,)


def check_predicate(pred: Any) -> None:
    """Raises TypeError unless `pred` is a scalar of numeric or boolean type."""
    if pred is None:
        raise TypeError("cond predicate is None")
    try:
        aval = get_aval(pred)
    except TypeError:
        raise TypeError(f"Pred must be a scalar, got {pred} of type {type(pred)}") from None
    if aval.shape:
        raise TypeError(f"Pred must be a scalar, got {pred} of shape {aval.shape}.")
    if aval.dtype.kind not in "biuf":
        raise TypeError(f"Pred type must be either boolean or number, got {aval.dtype}.")


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = _ABSENT) -> Any:
    """``branches[index](*operands)``, the index clamped to the branches that there are.

    Raises:
        TypeError: if `index` is no integer scalar, or the branches return different structures, shapes or dtypes.
        ValueError: if there are no branches.
    """
    operands = _operands(operands, operand)
    branches = tuple(branches)
    if not all(callable(branch) for branch in branches):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    try:
        aval = get_aval(index)
    except TypeError:
        raise TypeError(f"Index type must be an integer, got {index}.") from None
    if aval.shape:
        raise TypeError(f"Branch index must be scalar, got {index} of shape {aval.shape}.")
    if aval.dtype.kind not in "iu":
        raise TypeError(f"Index type must be an integer, got {index} as {aval.dtype}")
    if not branches:
        raise ValueError("Empty branch sequence")
    if len(branches) == 1:
        return branches[0](*operands)
    if state.disable_jit and not isinstance(index, Tracer):
        return branches[max(0, min(int(index), len(branches) - 1))](*operands)
    labels = ["branch 0", *[f"branch{i}" for i in range(1, len(branches))]]
    traced = _trace_branches("switch", branches, labels, operands)
    int32 = literal(0, "int32").aval.dtype
    index = convert_element_type(index, new_dtype=int32, weak_type=False, sharding=None)
    index = clamp(literal(0, "int32"), index, literal(len(branches) - 1, "int32"))
    return _apply(index, traced, operands)


def _trace_branches(
    name: str, functions: Sequence[Callable[..., Any]], labels: Sequence[str], operands: Sequence[Any]
) -> list[Traced]:
    leaves, in_tree = tree_flatten(tuple(operands))
    for leaf in leaves:
        check_argument(leaf)
    avals = [get_aval(leaf) for leaf in leaves]
    traced = [trace_function(f, in_tree, avals, name, operands) for f in functions]
    check_branches(
        name,
        labels,
        [source_of(f) for f in functions],
        [t.out_tree for t in traced],
        [t.out_avals for t in traced],
    )
    return traced


def _apply(index: Value, branches: Sequence[Traced], operands: Sequence[Any]) -> Any:
    leaves = tree_flatten(tuple(operands))[0]
    consts, jaxprs = _shared_consts(branches)
    given = [*consts, *leaves]
    passed = [_passed_on(jaxprs, k) for k in range(len(jaxprs[0].jaxpr.outvars))]
    outs = iter(cond_p.bind(index, *given, branches=tuple(_without(closed, passed) for closed in jaxprs)))
    stage = current_trace().stage_value
    return branches[0].out_tree.unflatten([next(outs) if i is None else stage(given[i]) for i in passed])


def _passed_on(branches: Sequence[ClosedJaxpr], k: int) -> int | None:
    """The operand that every branch returns as its result `k`; it need not pass through the branches."""
    places = {
        next((i for i, var in enumerate(b.jaxpr.invars) if var is b.jaxpr.outvars[k]), None) for b in branches
    }
    return places.pop() if len(places) == 1 else None


def _without(closed: ClosedJaxpr, passed: Sequence[int | None]) -> ClosedJaxpr:
    jaxpr = closed.jaxpr
    kept = [var for var, place in zip(jaxpr.outvars, passed, strict=True) if place is None]
    return ClosedJaxpr(jaxpr.replace(outvars=kept), closed.consts)


def _shared_consts(branches: Sequence[Traced]) -> tuple[list[Value], list[ClosedJaxpr]]:
    """What branches close over, each value once, and the branches as functions of all of it."""
    consts: dict[int, Value] = {}
    for branch in branches:
        for const in branch.consts:
            consts.setdefault(identity(const), const)
    jaxprs = []
    for branch in branches:
        jaxpr, count = branch.jaxpr, len(branch.consts)
        own = {identity(const): var for const, var in zip(branch.consts, jaxpr.invars, strict=False)}
        invars = [own[key] if key in own else Var(get_aval(const)) for key, const in consts.items()]
        jaxprs.append(
            ClosedJaxpr(Jaxpr([], invars + jaxpr.invars[count:], jaxpr.outvars, jaxpr.eqns, jaxpr.debug_info))
        )
    return list(consts.values()), jaxprs
