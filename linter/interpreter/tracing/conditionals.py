"""`cond` and `switch`: branches that are all traced, and must give results of one type."""

from __future__ import annotations

from collections.abc import Callable

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    ExternalValue,
    FunctionValue,
    Level,
    MethodValue,
    PartialValue,
    TransformedValue,
    Value,
    roots_of,
    trail_of,
)
from ...events import ControlFlow
from ...joins import join
from ..arrays import shapes
from ..arrays.operators import array_result
from ..libraries.library import Call, argument
from ..python.containers import items_of, sequence_of
from ..python.copies import fresh_copy
from .carries import differs, shown
from .controlflow import staged
from .traces import number_dtype
from .transforms import leave, outside_level


def _predicate(call_: Call, value: Value) -> bool:
    """Whether the predicate of `cond` is no boolean or number, or no scalar, which is told."""
    detail = ""
    if isinstance(value, Array) and value.sure and value.shape not in (None, ()):
        detail = f"the predicate has shape {shown(value.shape or ())}"
    elif isinstance(value, Const) and (value == NONE or isinstance(value.value, str)):
        detail = f"the predicate is {value.value!r}"
    elif isinstance(value, FunctionValue):
        detail = "the predicate is a function"
    return _told(call_, "cond", detail)


def _index(call_: Call, value: Value) -> bool:
    """Whether the index of `switch` is no integer, or no scalar, which is told."""
    detail = ""
    dtype = shapes.dtype_of(value)[0]
    surely = not isinstance(value, Array) or value.sure
    if isinstance(value, Array) and value.sure and value.shape not in (None, ()):
        detail = f"the index has shape {shown(value.shape or ())}"
    elif surely and dtype is not None and shapes.kind_of(dtype) not in "iu":
        detail = f"the index is of dtype {dtype}, not an integer"
    return _told(call_, "switch", detail)


def _told(call_: Call, function: str, detail: str) -> bool:
    """Tells what is wrong with what chooses the branch, if anything is."""
    if detail:
        call_.interp.tell(
            ControlFlow, call_.node, function=function, problem="predicate", error="TypeError", detail=detail
        )
    return bool(detail)


def _cond(call_: Call) -> Value:
    pred = argument(call_, "pred")
    rest = call_.args[1:]
    functions = [call_.bound.get(name) for name in ("true_fun", "false_fun")]
    operands = list(rest[2:]) if len(rest) > 2 else []
    if "operand" in call_.kwargs:
        operands = [call_.kwargs["operand"]]
    if _predicate(call_, pred):
        return TAINTED
    if len(rest) == 2 and any(isinstance(f, Array) and f.sure for f in functions):
        call_.interp.tell(
            ControlFlow, call_.node, function="cond", problem="arity", error="TypeError",
            detail="a branch is an array, where functions are expected (to choose between values: jnp.where)",
        )  # fmt: skip
        return TAINTED
    if (len(rest) == 4 and not callable_value(rest[1]) and callable_value(rest[2])) or (
        len(rest) == 4 and callable_value(rest[1]) and callable_value(rest[3]) and not callable_value(rest[0])
    ):  # cond(pred, x, f, y, g)
        results = [staged(call_, rest[1], "cond", [rest[0]]), staged(call_, rest[3], "cond", [rest[2]])]
        operands = [rest[0], rest[2]]
    else:
        results = [staged(call_, f, "cond", operands) for f in functions if f is not None]
    return _branches(call_, results, [pred, *operands], "cond")


def callable_value(value: Value) -> bool:
    """Whether a value is some function."""
    return isinstance(value, FunctionValue | MethodValue | TransformedValue | ExternalValue | PartialValue)


def _switch(call_: Call) -> Value:
    interp = call_.interp
    index, branches = argument(call_, "index"), argument(call_, "branches")
    operands = [*call_.args[2:], *([call_.kwargs["operand"]] if "operand" in call_.kwargs else [])]
    if _index(call_, index):
        return TAINTED
    if items_of(interp, branches) == []:
        interp.tell(  # where nobody is seen to call it, an empty list may be a default that they replace
            ControlFlow, call_.node, interp.seen_from_module, function="switch", problem="arity",
            error="ValueError", detail="there are no branches",
        )  # fmt: skip
        return TAINTED
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
                error="TypeError",
                detail=difference,
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


def _select(call_: Call) -> Value:
    """`lax.select`, which promotes no dtypes and broadcasts nothing, unlike `jnp.where`."""
    interp = call_.interp
    chosen, other = argument(call_, "on_true"), argument(call_, "on_false")
    surely = all(not isinstance(value, Array) or value.sure for value in (chosen, other))
    difference = differs(interp, chosen, other, carry=False) if surely else ""
    if difference:
        interp.tell(
            ControlFlow, call_.node, function="select", problem="branches", error="TypeError",
            detail=difference,
        )  # fmt: skip
        return TAINTED
    shape = shapes.shape_of(chosen) or shapes.shape_of(other)
    dtype = shapes.dtype_of(chosen)[0] or shapes.dtype_of(other)[0]
    return array_result(interp, call_.inputs, call_.node, shape, dtype, False, call_.name)


BRANCHES: dict[str, Callable[[Call], Value]] = {"cond": _cond, "switch": _switch, "select": _select}
