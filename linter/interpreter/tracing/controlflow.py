"""Functions that trace their callables at once: structured control flow, differentiation, trees, callbacks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from ...domain import (
    NONE,
    TAINTED,
    Array,
    Arrays,
    Const,
    DictValue,
    Entry,
    FunctionValue,
    Level,
    ListValue,
    Static,
    Tree,
    TupleValue,
    Unknown,
    Value,
    members,
)
from ...events import ControlFlow, StaticParameter
from ..arrays import shapes
from ..arrays.described import described
from ..arrays.operators import array_result
from ..arrays.precision import default_dtype
from ..calls import call
from ..functions import argument_names, underlying
from ..libraries.library import Call, argument, flattened
from ..python.containers import row
from ..python.copies import fresh_copy
from ..python.signatures import spreads
from .boundaries import check_operand, check_result
from .callables import unfit
from .carries import compare_carry, shown
from .entries import root_for, traced
from .host_callbacks import debug_callback, value_callback
from .reverse import UNSTORED, marked, one_way
from .scanned import sliceable
from .traces import inner_trace, level_of, number_dtype, number_shape
from .transforms import enter, leave, outside_level
from .trees import run_tree_map, run_tree_reduce, surely_empty

if TYPE_CHECKING:
    from ..machine import Interpreter


def entry_of(call_: Call, function: Value, transform: str) -> Entry:
    """The entry point that a control-flow function makes of a callable."""
    inner = underlying(function)
    name = inner.name if isinstance(inner, FunctionValue) else "a function"
    return Entry(
        name, transform, call_.node, call_.interp.source, inner if isinstance(inner, FunctionValue) else None
    )


def staged(
    call_: Call,
    function: Value,
    transform: str,
    args: list[Value],
    plain: list[Value] | None = None,
    named: dict[str, Value] | None = None,
) -> Value:
    """Runs a callable whose arguments are all traced; `plain` are what was given for them, before any slicing.

    `named` are arguments that are passed by name.
    """
    interp = call_.interp
    if interp.in_loop and interp.trace is None and transform != "eval_shape":
        interp.repetition.staged(interp, function, transform, call_.node)
    entry = entry_of(call_, function, transform)
    inside = []
    for position, (name, value) in enumerate(zip(argument_names(function, len(args)), args, strict=True)):
        root = root_for(interp, entry, function, name, plain[position] if plain is not None else value)
        inside.append(traced(interp, value, root, Level.ABSTRACT, None, call_.node))
    keywords = {
        name: traced(
            interp, value, root_for(interp, entry, function, name, value), Level.ABSTRACT, None, call_.node
        )
        for name, value in (named or {}).items()
    }
    if arity(call_, function, len(args), transform, keywords):
        return TAINTED
    given = (*args, *(named or {}).values())
    if call_.name.startswith("jax.") and any(check_operand(interp, a, transform, call_.node) for a in given):
        return TAINTED
    trace = inner_trace(entry, True, interp.trace)
    with interp.doubting(interp.jit_disabled):
        result = enter(interp, trace, function, inside, keywords, call_.node)
        check_result(interp, result, transform, call_.node)
    return result


def arity(call_: Call, function: Value, count: int, transform: str, keywords: Collection[str] = ()) -> bool:
    """Whether a callable cannot take the arguments that it is given, which is told."""
    detail = "" if spreads(call_.node) else unfit(call_.interp, function, count, transform, keywords)
    if detail:
        call_.interp.tell(
            ControlFlow, call_.node, function=transform, problem="arity", detail=detail, error="TypeError"
        )
    return bool(detail)


# --- loops -----------------------------------------------------------------------------------------------------


def as_arrays(interp: Interpreter, value: Value) -> Value:
    """A tree with its Python numbers as the arrays that tracing makes of them."""

    def leaf(item: Value) -> Value:
        dtype = number_dtype(item)
        return (
            Array(Level.CONCRETE, number_shape(item), dtype, dtype != "bool") if dtype is not None else item
        )

    return fresh_copy(interp, value, leaf, None)


def _scan(call_: Call) -> Value:
    interp = call_.interp
    function, init, xs = argument(call_, "f"), argument(call_, "init"), call_.bound.get("xs", NONE)
    if not sliceable(call_, xs, "scan"):
        return TAINTED
    if call_.bound.get("length", NONE) == NONE and not call_.spread and _nothing_in(call_, xs, "scan"):
        return TAINTED
    element = _slice(interp, xs)
    carry = as_arrays(interp, init)
    result = staged(call_, function, "scan", [carry, element], [init, xs])
    outer = outside_level(interp, [init, xs])
    if isinstance(result, TupleValue) and result.rest is None and len(result.items) == 2:
        after, y = result.items
        compare_carry(call_, carry, after, "scan")
        carried = leave(interp, join_carry(interp, carry, after), outer, call_.node)
        return TupleValue((carried, stacked(interp, leave(interp, y, outer, call_.node), xs, outer)))
    if (isinstance(result, Array | TupleValue) or result == NONE) and not (
        isinstance(result, TupleValue) and result.rest is not None
    ):
        interp.tell(
            ControlFlow, call_.node, function="scan", problem="arity", error="TypeError",
            detail="the body must return a pair (carry, y)",
        )  # fmt: skip
    tree = leave(interp, _as_tree(result), outer, call_.node)
    return TupleValue((tree, tree))


def _nothing_in(call_: Call, xs: Value, transform: str) -> bool:
    """Tells of what is scanned over without any array in it, so that nothing tells the number of steps."""
    if not (xs == NONE and transform == "scan") and not surely_empty(call_.interp, [xs]):
        return False
    length = ", and no length is given" if transform == "scan" else ""
    call_.interp.tell(
        ControlFlow, call_.node, function=transform, problem="lengths", error="ValueError",
        detail=f"there is no array to go along{length}",
    )  # fmt: skip
    return True


def join_carry(interp: Interpreter, before: Value, after: Value) -> Value:
    """The carry after the loop: what the body gives; of numbers that start it, an unknown body may choose the dtype."""
    if not isinstance(after, Unknown):
        return after

    def leaf(item: Value) -> Value:
        return replace(item, dtype=None, weak=False) if isinstance(item, Array) and item.weak else item

    return fresh_copy(interp, before, leaf, None)


def _as_tree(value: Value) -> Value:
    return TAINTED if isinstance(value, Unknown) else value


def _slice(interp: Interpreter, xs: Value) -> Value:
    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            return row(item)
        if isinstance(item, Static) and item.kind == "ndarray":
            return Static("ndarray", None, item.shape[1:] if item.shape else None, mask=item.mask)
        return item

    return fresh_copy(interp, xs, leaf, None)


def _length(interp: Interpreter, xs: Value) -> int | None:
    leaves = flattened(interp, xs)
    for member in (xs, *(leaves.items if isinstance(leaves, TupleValue) else ())):
        if isinstance(member, Array) and member.shape:
            return member.shape[0]
    return None


def stacked(interp: Interpreter, y: Value, xs: Value, level: Level) -> Value:
    """What each step gives, with a leading axis as long as that of what is scanned over."""
    length = _length(interp, xs)

    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            shape = None if item.shape is None else (length, *item.shape)
            return Array(max(level, item.level), shape, item.dtype, False, True, item.roots, item.trail)
        dtype = number_dtype(item)
        return Array(level, (length,), dtype) if dtype is not None else item

    return fresh_copy(interp, y, leaf, None)


def _fori_loop(call_: Call) -> Value:
    interp = call_.interp
    lower, upper = argument(call_, "lower"), argument(call_, "upper")
    body, init = argument(call_, "body_fun"), argument(call_, "init_val")
    carry = as_arrays(interp, init)
    index = Array(Level.CONCRETE, (), default_dtype("int32"), True)
    concrete = all(not any(isinstance(m, Arrays) and m.traced for m in members(v)) for v in (lower, upper))
    if not concrete and call_.bound.get("unroll", NONE) not in (NONE, Const(False), Const(True), Const(1)):
        name, bound = ("upper", upper) if level_of(upper) else ("lower", lower)
        interp.emit(
            StaticParameter,
            call_.node,
            bound,
            function=call_.name,
            parameter=name,
            category="other",
            error="ValueError",
        )
    if _bounds(call_, lower, upper):
        return TAINTED
    mark = (
        None
        if concrete
        else one_way(call_, "fori_loop", f"its bounds are traced{UNSTORED}", TupleValue((lower, upper)))
    )
    result = staged(call_, body, "fori_loop", [index, carry], [index, init])
    compare_carry(call_, carry, result, "fori_loop")
    outcome = leave(
        interp, join_carry(interp, carry, result), outside_level(interp, [lower, upper, init]), call_.node
    )
    return marked(interp, outcome, mark)


def _bounds(call_: Call, lower: Value, upper: Value) -> bool:
    """Whether the bounds of `fori_loop` are not two integer scalars of one type, which is told."""
    detail = ""
    for value in (lower, upper):
        if isinstance(value, Array) and value.sure and value.shape not in (None, ()):
            detail = f"a bound has shape {shown(value.shape or ())}"
    (one, weak), (two, weak_two) = shapes.dtype_of(lower), shapes.dtype_of(upper)
    surely = all(not isinstance(value, Array) or value.sure for value in (lower, upper))
    if not detail and surely and one is not None and two is not None and one != two:
        same_kind = shapes.kind_of(one) == shapes.kind_of(two) or {one, two} <= {"int32", "uint32", "uint8"}
        if not (same_kind and (weak or weak_two)):
            detail = f"its bounds are of different types, {one} and {two}"
    if detail:
        call_.interp.tell(
            ControlFlow,
            call_.node,
            function="fori_loop",
            problem="predicate",
            error="TypeError",
            detail=detail,
        )
    return bool(detail)


def _while_loop(call_: Call) -> Value:
    interp = call_.interp
    cond, body, init = argument(call_, "cond_fun"), argument(call_, "body_fun"), argument(call_, "init_val")
    carry = as_arrays(interp, init)
    mark = one_way(call_, "while_loop", f"the number of its steps is not known{UNSTORED}")
    test = staged(call_, cond, "while_loop", [carry], [init])
    if _test(call_, test):
        return TAINTED
    result = staged(call_, body, "while_loop", [carry], [init])
    compare_carry(call_, carry, result, "while_loop")
    return marked(
        interp,
        leave(interp, join_carry(interp, carry, result), outside_level(interp, [init]), call_.node),
        mark,
    )


def _test(call_: Call, value: Value) -> bool:
    """Whether the condition of `while_loop` gives no boolean scalar, which is told."""
    detail = ""
    if isinstance(value, Array) and value.sure:
        if value.shape not in (None, ()):
            detail = f"cond_fun has shape {shown(value.shape or ())}"
        elif value.dtype not in (None, "bool"):
            detail = f"cond_fun gives {value.dtype}, not bool"
    elif value == NONE:
        detail = "cond_fun gives None, not a boolean"
    elif isinstance(value, TupleValue | ListValue | DictValue):
        detail = f"cond_fun gives a {value.kind}, not a boolean"
    if detail:
        call_.interp.tell(
            ControlFlow,
            call_.node,
            function="while_loop",
            problem="predicate",
            error="TypeError",
            detail=detail,
        )
    return bool(detail)


def _map(call_: Call) -> Value:
    interp = call_.interp
    function, xs = argument(call_, "f"), argument(call_, "xs")
    if not sliceable(call_, xs, "map") or _nothing_in(call_, xs, "map"):
        return TAINTED
    result = staged(call_, function, "map", [_slice(interp, xs)], [xs])
    outer = outside_level(interp, [xs])
    return stacked(interp, leave(interp, result, outer, call_.node), xs, outer)


def _associative_scan(call_: Call) -> Value:
    interp, function, elems = call_.interp, argument(call_, "fn"), argument(call_, "elems")
    if isinstance(function, Array) or arity(call_, function, 2, "associative_scan"):
        if isinstance(function, Array) and function.sure:
            interp.tell(
                ControlFlow, call_.node, function="associative_scan", problem="arity", error="TypeError",
                detail="its first argument is an array, where a function is expected",
            )  # fmt: skip
        return TAINTED
    if call_.bound.get("axis", Const(0)) == Const(0) and not sliceable(call_, elems, "associative_scan"):
        return TAINTED
    with_level = as_arrays(interp, elems)
    call(interp, function, [with_level, with_level], {}, call_.node)
    return leave(interp, elems, outside_level(interp, [elems]), call_.node) if interp.trace is None else elems


def _reduce_like(call_: Call) -> Value:
    array = array_result(call_.interp, [flattened(call_.interp, v) for v in call_.inputs], call_.node)
    return Tree(array.level, array.sure, array.roots, array.trail)


# --- no trace, or none of ours ---------------------------------------------------------------------------------


def _eval_shape(call_: Call) -> Value:
    """What stands for the arrays of the result."""

    def leaf(item: Value) -> Value:
        if item == NONE:
            return item
        dtype = shapes.dtype_of(item)[0]
        return Static("ShapeDtypeStruct", Const(dtype) if dtype else None, shapes.shape_of(item))

    own = {parameter.name for parameter in call_.signature.parameters}
    interp, node = call_.interp, call_.node
    args = [described(interp, value, node) for value in call_.args[1:]]
    named = {key: described(interp, value, node) for key, value in call_.kwargs.items() if key not in own}
    result = staged(call_, call_.first(), "eval_shape", args, named=named)
    return fresh_copy(interp, result, leaf, node)


TRACES: dict[str, Callable[[Call], Value]] = {
    "scan": _scan,
    "while_loop": _while_loop,
    "fori_loop": _fori_loop,
    "map": _map,
    "associative_scan": _associative_scan,
    "reduce": _reduce_like,
    "reduce_window": _reduce_like,
    "eval_shape": _eval_shape,
    "pure_callback": value_callback,
    "io_callback": value_callback,
    "debug_callback": debug_callback,
    "tree_map": run_tree_map,
    "tree_map_with_path": run_tree_map,
    "tree_reduce": run_tree_reduce,
    "at_apply": _reduce_like,
}
