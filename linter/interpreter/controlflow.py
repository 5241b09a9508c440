"""Functions that trace their callables at once: structured control flow, differentiation, trees, callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    Entry,
    ExternalValue,
    FunctionValue,
    Level,
    ListValue,
    MethodValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    join,
    members,
    roots_of,
    trail_of,
)
from ..events import ControlFlow, StaticParameter
from .arrays import array_result
from .boundaries import check_operand, check_result, first_of_pair
from .calls import call
from .carries import compare_carry, differs, shown
from .containers import items_of, row, sequence_of
from .copies import fresh_copy
from .differentiation import differentiated, gradient
from .entries import root_for, traced
from .functions import positional_names, underlying
from .library import Call, argument, flattened
from .reverse import check_reversible, marked, one_way
from .scanned import sliceable
from .traces import Trace, level_of, number_dtype
from .transforms import enter, leave, outside_level
from .trees import run_tree_map, run_tree_reduce

if TYPE_CHECKING:
    from .machine import Interpreter


def entry_of(call_: Call, function: Value, transform: str) -> Entry:
    """The entry point that a control-flow function makes of a callable."""
    inner = underlying(function)
    name = inner.name if isinstance(inner, FunctionValue) else "a function"
    return Entry(
        name, transform, call_.node, call_.interp.source, inner if isinstance(inner, FunctionValue) else None
    )


def staged(
    call_: Call, function: Value, transform: str, args: list[Value], plain: list[Value] | None = None
) -> Value:
    """Runs a callable whose arguments are all traced; `plain` are what was given for them, before any slicing."""
    interp = call_.interp
    entry = entry_of(call_, function, transform)
    names = positional_names(function)
    inside = []
    for position, value in enumerate(args):
        name = names[position] if position < len(names) else f"args[{position}]"
        origin = plain[position] if plain is not None else value
        inside.append(
            traced(
                interp,
                value,
                root_for(interp, entry, function, name, origin),
                Level.ABSTRACT,
                None,
                call_.node,
            )
        )
    if arity(call_, function, len(args), transform):
        return TAINTED
    if call_.name.startswith("jax.") and any(check_operand(interp, a, transform, call_.node) for a in args):
        return TAINTED
    reverse = bool(interp.trace and interp.trace.reverse)
    with interp.doubting(interp.jit_disabled):
        result = enter(interp, Trace(entry, True, interp.trace, reverse), function, inside, {}, call_.node)
        check_result(interp, result, transform, call_.node)
    return result


def arity(call_: Call, function: Value, count: int, transform: str) -> bool:
    """Whether a callable cannot take the arguments that it is given, which is told."""
    if not isinstance(function, FunctionValue):
        return False
    params = function.node.params
    positional = [*params.posonly_params, *params.params]
    required = sum(1 for p in positional if p.default is None)
    if count < required or (count > len(positional) and not isinstance(params.star_arg, cst.Param)):
        takes = (
            f"takes {required}" if required == len(positional) else f"takes {required} to {len(positional)}"
        )
        call_.interp.tell(
            ControlFlow, call_.node, function=transform, problem="arity",
            detail=f"{function.name} {takes} argument{'s' if required != 1 else ''}, {transform} gives it {count}", error="TypeError",
        )  # fmt: skip
        return True
    return False


# --- loops -----------------------------------------------------------------------------------------------------


def as_arrays(interp: Interpreter, value: Value) -> Value:
    """A tree with its Python numbers as the arrays that tracing makes of them."""

    def leaf(item: Value) -> Value:
        dtype = number_dtype(item)
        return Array(Level.CONCRETE, (), dtype, True) if dtype is not None else item

    return fresh_copy(interp, value, leaf, None)


def _scan(call_: Call) -> Value:
    interp = call_.interp
    function, init, xs = argument(call_, "f"), argument(call_, "init"), call_.bound.get("xs", NONE)
    if not sliceable(call_, xs, "scan"):
        return TAINTED
    element = _slice(interp, xs)
    carry = as_arrays(interp, init)
    result = staged(call_, function, "scan", [carry, element], [init, xs])
    outer = outside_level(interp, [init, xs])
    if isinstance(result, TupleValue) and result.rest is None and len(result.items) == 2:
        after, y = result.items
        compare_carry(call_, carry, after, "scan")
        carried = leave(interp, join_carry(carry, after), outer, call_.node)
        return TupleValue((carried, stacked(interp, leave(interp, y, outer, call_.node), xs, outer)))
    if isinstance(result, Array | TupleValue) and not (
        isinstance(result, TupleValue) and result.rest is not None
    ):
        interp.tell(
            ControlFlow, call_.node, function="scan", problem="arity", error="TypeError",
            detail="the body must return a pair (carry, y)",
        )  # fmt: skip
    tree = leave(interp, _as_tree(result), outer, call_.node)
    return TupleValue((tree, tree))


def join_carry(before: Value, after: Value) -> Value:
    """The carry after the loop: what the body gives."""
    return after if not isinstance(after, Unknown) else before


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
    index = Array(Level.CONCRETE, (), "int32", True)
    concrete = all(
        not any(isinstance(m, Array | Tree) and m.traced for m in members(v)) for v in (lower, upper)
    )
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
    mark = (
        None if concrete else one_way(call_, "fori_loop", "its bounds are traced", TupleValue((lower, upper)))
    )
    result = staged(call_, body, "fori_loop", [index, carry], [index, init])
    compare_carry(call_, carry, result, "fori_loop")
    outcome = leave(
        interp, join_carry(carry, result), outside_level(interp, [lower, upper, init]), call_.node
    )
    return marked(interp, outcome, mark)


def _while_loop(call_: Call) -> Value:
    interp = call_.interp
    cond, body, init = argument(call_, "cond_fun"), argument(call_, "body_fun"), argument(call_, "init_val")
    carry = as_arrays(interp, init)
    mark = one_way(call_, "while_loop", "the number of its steps is not known")
    test = staged(call_, cond, "while_loop", [carry], [init])
    _predicate(call_, test, "while_loop", "cond_fun")
    result = staged(call_, body, "while_loop", [carry], [init])
    compare_carry(call_, carry, result, "while_loop")
    return marked(
        interp, leave(interp, join_carry(carry, result), outside_level(interp, [init]), call_.node), mark
    )


def _predicate(call_: Call, value: Value, function: str, what: str) -> None:
    """Tells of a predicate that is no scalar, or for `while_loop` no boolean."""
    if isinstance(value, Array) and value.sure and value.shape not in (None, ()):
        call_.interp.tell(
            ControlFlow, call_.node, function=function, problem="predicate", error="TypeError",
            detail=f"{what} has shape {shown(value.shape or ())}",
        )  # fmt: skip
    elif (
        function == "while_loop"
        and isinstance(value, Array)
        and value.sure
        and value.dtype not in (None, "bool")
    ):
        call_.interp.tell(
            ControlFlow,
            call_.node,
            function=function,
            problem="predicate",
            error="TypeError",
            detail=f"{what} gives {value.dtype}, not bool",
        )


# --- branches --------------------------------------------------------------------------------------------------


def _cond(call_: Call) -> Value:
    pred = argument(call_, "pred")
    rest = call_.args[1:]
    functions = [call_.bound.get(name) for name in ("true_fun", "false_fun")]
    operands = list(rest[2:]) if len(rest) > 2 else []
    if "operand" in call_.kwargs:
        operands = [call_.kwargs["operand"]]
    if (len(rest) == 4 and not callable_value(rest[1]) and callable_value(rest[2])) or (
        len(rest) == 4 and callable_value(rest[1]) and callable_value(rest[3]) and not callable_value(rest[0])
    ):  # cond(pred, x, f, y, g)
        results = [staged(call_, rest[1], "cond", [rest[0]]), staged(call_, rest[3], "cond", [rest[2]])]
        operands = [rest[0], rest[2]]
    else:
        results = [staged(call_, f, "cond", operands) for f in functions if f is not None]
    _predicate(call_, pred, "cond", "the predicate")
    return _branches(call_, results, [pred, *operands], "cond")


def callable_value(value: Value) -> bool:
    """Whether a value is some function."""
    return (
        isinstance(value, FunctionValue | MethodValue | TransformedValue | ExternalValue)
        or type(value).__name__ == "PartialValue"
    )


def _switch(call_: Call) -> Value:
    interp = call_.interp
    index, branches = argument(call_, "index"), argument(call_, "branches")
    operands = [*call_.args[2:], *([call_.kwargs["operand"]] if "operand" in call_.kwargs else [])]
    functions = items_of(interp, branches) or [sequence_of(interp, branches).rest or UNKNOWN]
    results = [staged(call_, f, "switch", operands) for f in functions]
    return _branches(call_, results, [index, *operands], "switch")


def _branches(call_: Call, results: list[Value], inputs: list[Value], function: str) -> Value:
    interp = call_.interp
    if not results:
        return TAINTED
    for other in results[1:]:
        difference = differs(interp, results[0], other, carry=False)
        if difference:
            interp.tell(
                ControlFlow,
                call_.node,
                function=function,
                problem="branches",
                detail=difference,
                error="TypeError",
            )
            break
    value = results[0]
    for other in results[1:]:
        value = join(value, other)
    outer = outside_level(interp, inputs)
    pred = inputs[0]

    def leaf(item: Value) -> Value:
        dtype = number_dtype(item)
        if isinstance(item, Array) or dtype is not None:
            array = item if isinstance(item, Array) else Array(Level.ABSTRACT, (), dtype, True)
            roots = roots_of([array, pred]) if outer else ()
            return Array(
                outer, array.shape, array.dtype, array.weak, True, roots, array.trail or trail_of([pred])
            )
        return item

    return leave(interp, fresh_copy(interp, value, leaf, call_.node), outer, call_.node)


def _map(call_: Call) -> Value:
    interp = call_.interp
    function, xs = argument(call_, "f"), argument(call_, "xs")
    if not sliceable(call_, xs, "map"):
        return TAINTED
    result = staged(call_, function, "map", [_slice(interp, xs)], [xs])
    outer = outside_level(interp, [xs])
    return stacked(interp, leave(interp, result, outer, call_.node), xs, outer)


def _associative_scan(call_: Call) -> Value:
    elems = argument(call_, "elems")
    interp = call_.interp
    with_level = as_arrays(interp, elems)
    call(interp, argument(call_, "fn"), [with_level, with_level], {}, call_.node)
    return leave(interp, elems, outside_level(interp, [elems]), call_.node) if interp.trace is None else elems


def _reduce_like(call_: Call) -> Value:
    array = array_result(call_.interp, [flattened(call_.interp, v) for v in call_.inputs], call_.node)
    return Tree(array.level, array.sure, array.roots, array.trail)


# --- differentiation -------------------------------------------------------------------------------------------


def _primals(call_: Call) -> tuple[Value, list[Value]]:
    function = call_.first()
    given_primals = call_.bound.get("primals")
    if isinstance(given_primals, TupleValue | ListValue):
        return function, list(sequence_of(call_.interp, given_primals).items)
    return function, list(call_.args[1:])


def _forward(call_: Call, name: str, reverse: bool, abstract: bool = False) -> tuple[Value, list[Value]]:
    interp = call_.interp
    function, primals = _primals(call_)
    entry = entry_of(call_, function, name)
    names = positional_names(function)
    inside = []
    for k, value in enumerate(primals):
        root = root_for(interp, entry, function, names[k] if k < len(names) else f"args[{k}]", value)
        inside.append(
            traced(interp, value, root, Level.ABSTRACT, None, call_.node)
            if abstract
            else differentiated(interp, value, root, call_.node)
        )
    if any(check_operand(interp, value, name, call_.node) for value in primals):
        return UNKNOWN, primals
    result = enter(interp, Trace(entry, False, interp.trace, reverse), function, inside, {}, call_.node)
    aux = call_.bound.get("has_aux") == Const(True)
    check_result(interp, first_of_pair(result) if aux else result, name, call_.node)
    if reverse:
        check_reversible(interp, first_of_pair(result) if aux else result)
    return leave(interp, result, outside_level(interp, primals), call_.node), primals


def _jvp(call_: Call) -> Value:
    result, _ = _forward(call_, "jvp", False)
    return TupleValue((result, result))


def _vjp(call_: Call) -> Value:
    result, primals = _forward(call_, "vjp", True)
    level = outside_level(call_.interp, primals)
    cotangents = TupleValue(tuple(gradient(call_.interp, p, level, call_.node) for p in primals))
    pullback = _Constant(call_.interp, cotangents)
    if (
        call_.bound.get("has_aux") == Const(True)
        and isinstance(result, TupleValue)
        and len(result.items) == 2
    ):
        return TupleValue((result.items[0], pullback, result.items[1]))
    return TupleValue((result, pullback))


def _Constant(interp: Interpreter, value: Value) -> Value:
    """A function of which only the result is known."""
    return MethodValue(ExternalValue("constant.result"), value)


def _linearize(call_: Call) -> Value:
    result, _ = _forward(call_, "linearize", False)
    return TupleValue((result, _Constant(call_.interp, result)))


def _linear_transpose(call_: Call) -> Value:
    """Its function sees abstract values, though nothing else is staged."""
    _, primals = _forward(call_, "linear_transpose", False, abstract=True)
    return _Constant(call_.interp, TupleValue(tuple(primals)))


# --- no trace, or none of ours ---------------------------------------------------------------------------------


def _eval_shape(call_: Call) -> Value:
    staged(call_, call_.first(), "eval_shape", list(call_.args[1:]))
    return Static("ShapeDtypeStruct")


def _host_callback(call_: Call) -> Value:
    """A callback runs on the host, outside every trace, with NumPy arrays."""
    interp = call_.interp
    function = argument(call_, "callback")
    start = 1 if call_.name.endswith("debug.callback") else 2
    args: list[Value] = [Static("ndarray", None, getattr(a, "shape", None)) for a in call_.args[start:]]
    outer, interp.trace = interp.trace, None
    try:
        call(interp, function, args, {}, call_.node)
    finally:
        interp.trace = outer
    if start == 1:
        return NONE
    if argument(call_, "result_shape_dtypes") == NONE:
        return NONE
    array = array_result(interp, call_.inputs[1:], call_.node, name=call_.name)
    return Tree(array.level, True, array.roots, array.trail)


TRACES: dict[str, Callable[[Call], Value]] = {
    "scan": _scan,
    "cond": _cond,
    "switch": _switch,
    "while_loop": _while_loop,
    "fori_loop": _fori_loop,
    "map": _map,
    "associative_scan": _associative_scan,
    "reduce": _reduce_like,
    "reduce_window": _reduce_like,
    "jvp": _jvp,
    "vjp": _vjp,
    "linearize": _linearize,
    "linear_transpose": _linear_transpose,
    "eval_shape": _eval_shape,
    "pure_callback": _host_callback,
    "io_callback": _host_callback,
    "debug_callback": _host_callback,
    "tree_map": run_tree_map,
    "tree_map_with_path": run_tree_map,
    "tree_reduce": run_tree_reduce,
    "at_apply": _reduce_like,
}
