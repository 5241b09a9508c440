"""`grad` and its kin: tracers over values that stay known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Entry,
    Level,
    Root,
    SequenceValue,
    Shape,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    roots_of,
)
from ...events import ControlFlow, TracedCall
from ..arrays import shapes
from ..arrays.precision import default_dtype
from ..libraries.library import flattened
from ..python.copies import fresh_copy
from ..python.signatures import spreads
from .boundaries import (
    check_differentiable,
    check_inexact,
    check_scalar,
    first_of_pair,
    may_be_differentiated,
)
from .entries import root_for, traced
from .jitting import call_refused
from .named_arguments import constants
from .reverse import check_reversible
from .traces import Trace, level_of, number_dtype
from .transformed_calls import TransformedCall
from .transforms import enter, entry_for, leave, outside_level, shown_module, shown_name
from .trees import surely_empty

if TYPE_CHECKING:
    from ..machine import Interpreter


def run_grad(called: TransformedCall) -> Value:
    """`grad`, `value_and_grad` and the Jacobians: what `argnums` picks is differentiated."""
    interp, transformed, node = called.interp, called.transformed, called.node
    args, kwargs, spread = called.args, called.kwargs, called.spread
    numbers = constants(transformed.option("argnums"), int)
    if spread is None:
        placed = bool(kwargs) and shown_module(transformed) == "flax"  # by name, in places that are not known
        if not placed and _not_passed(interp, transformed, numbers, len(args), node):
            return UNKNOWN
        if call_refused(interp, transformed, args, list(kwargs), node):
            return UNKNOWN
    picked = {0} if numbers == [] else set(range(len(args)))
    if numbers:
        picked = {n % max(len(args), 1) for n in numbers}
    elif numbers is None:
        picked = {k for k in picked if may_be_differentiated(interp, args[k])}
    shown = shown_name(transformed)
    if transformed.kind == "jacobian" and _empty(called, [args[k] for k in sorted(picked) if k < len(args)]):
        return UNKNOWN
    entry = entry_for(interp, transformed, shown)
    pushed = _pushed(called, picked) if shown == "hessian" else None
    if pushed is None and shown == "hessian":
        return UNKNOWN
    with interp.tracing(interp.trace if pushed is None else pushed[0]):
        inside = _inside(called if pushed is None else replace(called, args=pushed[1]), entry, picked)
        if inside is None:
            return UNKNOWN
        forward = shown == "jacfwd"
        trace = Trace(entry, False, interp.trace, not forward, forward, derivative=True)
        interp.differentiating.append((node, interp.source))
        try:
            result = enter(interp, trace, called.function, inside, dict(kwargs), node, spread)
        finally:
            interp.differentiating.pop()
        if pushed is not None:
            result = leave(interp, result, Level.DUAL, node)
    outer = outside_level(interp, called.inputs)
    aux = transformed.option("has_aux") == Const(True)
    if _check_result(called, result, aux):
        return UNKNOWN
    chosen = [args[k] for k in sorted(picked) if k < len(args)]
    several = isinstance(transformed.option("argnums"), SequenceValue)
    output = leave(interp, result, outer, node)
    roots = roots_of(flattened(interp, value) for value in (*args, *kwargs.values(), output))

    def rows(of: Value) -> Value:
        if of == NONE:
            return NONE
        before = shapes.shape_of(of) if transformed.kind == "jacobian" else ()
        gradients = [gradient(interp, value, outer, node, roots, before) for value in chosen]
        return TupleValue(tuple(gradients)) if several else gradients[0] if gradients else UNKNOWN

    grad = first_of_pair(output) if aux else output
    if transformed.kind != "jacobian":
        grad = rows(grad)
    else:  # its structure is that of the result, each leaf of it a tree like the argument
        for _ in range(2 if shown == "hessian" else 1):
            grad = fresh_copy(interp, grad, rows, node)
    if transformed.kind == "value_and_grad":
        return TupleValue((output, grad))
    if aux:
        extra = output.items[1] if isinstance(output, TupleValue) and len(output.items) == 2 else UNKNOWN
        return TupleValue((grad, extra))
    return grad


def _empty(called: TransformedCall, values: list[Value]) -> bool:
    """Tells of arguments, or a result, without any array: a Jacobian has nothing to put into rows."""
    if not values or not surely_empty(called.interp, values):
        return False
    called.interp.tell(
        TracedCall, called.node, transformed=called.transformed, problem="arity", error="ValueError",
        detail=f"there is no array in it, and {shown_name(called.transformed)} makes arrays of rows",
    )  # fmt: skip
    return True


def _pushed(called: TransformedCall, picked: set[int]) -> tuple[Trace, list[Value]] | None:
    """The forward derivative that `hessian` takes of the reverse one, and the arguments inside it."""
    interp = called.interp
    entry = entry_for(interp, called.transformed, "jacfwd")
    args = _inside(called, entry, picked)
    return None if args is None else (Trace(entry, False, interp.trace, False, True, derivative=True), args)


def _inside(called: TransformedCall, entry: Entry, picked: set[int]) -> list[Value] | None:
    """The arguments as the function sees them; None where one cannot be differentiated, which is told."""
    interp, transformed, args, node = called.interp, called.transformed, called.args, called.node
    any_dtype = transformed.option("allow_int") is not None or shown_module(transformed) == "equinox"
    shown, refusals = shown_name(transformed), interp.refusals
    inside: list[Value] = []
    for position, (name, value) in enumerate(zip(called.names, args, strict=True)):
        if position not in picked:
            inside.append(value)
            continue
        if not any_dtype and check_differentiable(interp, value, shown, name, transformed, node):
            return None
        root = root_for(interp, entry, called.function, name, value)
        inside.append(differentiated(interp, value, root, node, transformed))
    if interp.refusals > refusals:
        return None
    if transformed.option("holomorphic") == Const(True) and _real(interp, transformed, args, picked, node):
        return None
    return inside


def _check_result(called: TransformedCall, result: Value, aux: bool) -> bool:
    """Tells of a result that cannot be differentiated; whether it is no pair, though one is asked for."""
    interp, transformed, node = called.interp, called.transformed, called.node
    shown = shown_name(transformed)
    if aux and no_pair(result):
        interp.tell(
            ControlFlow, node, function=shown, problem="arity", error="TypeError",
            detail="with has_aux=True it must return a pair (value, auxiliary data)",
        )  # fmt: skip
        return True
    holomorphic = transformed.option("holomorphic") not in (None, Const(False))
    if transformed.option("has_aux") in (None, Const(True), Const(False)) and not holomorphic:
        if transformed.kind != "jacobian":
            check_scalar(interp, result, shown, aux, node)
        elif shown in ("jacrev", "jacobian") and isinstance(result, Array):
            check_inexact(interp, result, shown, node)
        elif shown != "jacfwd" and _empty(called, [first_of_pair(result) if aux else result]):
            return True
    check_reversible(interp, first_of_pair(result) if aux else result, node)
    return False


def _real(
    interp: Interpreter, transformed: TransformedValue, args: list[Value], picked: set[int], node: cst.CSTNode
) -> bool:
    """Tells of a real argument of a holomorphic derivative; whether there is one."""
    for position in sorted(picked & set(range(len(args)))):
        value = args[position]
        dtype = value.dtype if isinstance(value, Array) and value.sure else number_dtype(value)
        if dtype is not None and shapes.kind_of(dtype) == "f":
            interp.tell(
                TracedCall, node, transformed=transformed, problem="not-differentiable", error="TypeError",
                parameter=f"args[{position}]", value=value,
                detail=f"it is of dtype {dtype}, and with holomorphic=True {shown_name(transformed)} needs a complex one",
            )  # fmt: skip
            return True
    return False


def differentiated(
    interp: Interpreter,
    value: Value,
    root: Root,
    node: cst.CSTNode,
    transformed: TransformedValue | None = None,
) -> Value:
    """An argument that is differentiated: a tracer over a value that stays known."""
    return traced(interp, value, root, max(Level.DUAL, level_of(value)), transformed, node)


def gradient(
    interp: Interpreter,
    value: Value,
    level: Level,
    node: cst.CSTNode,
    others: tuple[Root, ...] = (),
    rows: Shape = (),
) -> Value:
    """A gradient: as its argument; `others` are the roots of what else goes into it, `rows` the shape of a Jacobian's."""
    root = Root("operation", "a gradient", interp.trace.entry if interp.trace else None, node, interp.source)
    roots = (others or (root,)) if level else ()

    def leaf(item: Value) -> Value:
        lengths = shapes.shape_of(item)
        shape = None if rows is None or lengths is None else (*rows, *lengths)
        if isinstance(item, Array):
            own = {id(root) for root in item.roots}
            both = (*item.roots, *(root for root in roots if id(root) not in own))
            return Array(level, shape, item.dtype, False, True, both, item.trail)
        if isinstance(item, Const | Static) and item != NONE:
            return Array(level, shape, default_dtype("float32"), False, True, roots)
        if isinstance(item, Unknown):
            return Tree(level, True, roots)
        return item

    return fresh_copy(interp, value, leaf, node)


def _not_passed(
    interp: Interpreter,
    transformed: TransformedValue,
    numbers: list[int] | None,
    count: int,
    node: cst.CSTNode,
) -> bool:
    """Tells of an argument to differentiate that the call does not pass by position; whether there is one."""
    chosen = transformed.option("argnums")
    detail = ""
    if isinstance(chosen, Const) and isinstance(chosen.value, str | float):
        detail = f"argnums is {chosen.value!r}, not a position or a sequence of them"
    for number in numbers or ([0] if numbers is not None and chosen is None else []):
        if not detail and not spreads(node) and not -count <= number < count:
            detail = f"argnums is {number}, but the call passes {count} argument{'s' if count != 1 else ''} by position"
    if detail:
        scalar = transformed.kind != "jacobian" and "argnums is -" not in detail
        interp.tell(
            TracedCall, node, transformed=transformed, problem="arity", detail=detail,
            error="TypeError" if scalar else "ValueError",
        )  # fmt: skip
    return bool(detail)


def no_pair(result: Value) -> bool:
    """Whether a result surely is no pair."""
    if isinstance(result, TupleValue):
        return result.rest is None and len(result.items) != 2
    return (isinstance(result, Array) and result.sure) or isinstance(result, Const)
