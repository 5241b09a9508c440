"""Callbacks: functions that run on the host, outside every trace, with NumPy arrays.

What a callback may give is measured: as many leaves as `result_shape_dtypes` has, whatever the containers around them, each
of the shape and the dtype that stands there; the structure is that of `result_shape_dtypes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import NONE, TAINTED, Array, Const, Static, Tree, Value
from ...events import ControlFlow
from ..arrays import shapes
from ..arrays.operators import array_result
from ..calls import call
from ..libraries.library import Call, argument, flattened, given
from ..python.hashing import without_hash
from .boundaries import check_operand
from .callables import not_callable
from .carries import shown
from .reverse import FORWARD, REVERSE, depends_on
from .trees import leaves_of
from .untraceable import untraceable

if TYPE_CHECKING:
    from ..machine import Interpreter

_SOME = Static("ndarray")
"""What a function of NumPy gives, of which only the tables tell: it may be several arrays."""
MAPS = frozenset(("vmap", "pmap"))
RUN = frozenset(("jit", "checkpoint"))
"""The transforms inside which a callback surely runs."""


def debug_callback(call_: Call) -> Value:
    """`jax.debug.callback`: nothing comes back, and anything may be passed."""
    _run(call_, 1)
    return NONE


def value_callback(call_: Call) -> Value:
    """`pure_callback` and `io_callback`: what the callback gives comes back as arrays."""
    interp = call_.interp
    name = call_.name.rsplit(".", 1)[-1]
    passed = [*call_.args[2:], *(call_.kwargs[key] for key in call_.kwargs if key not in _OPTIONS)]
    own = call_.name.startswith("jax.")  # filtered twins leave alone what is no array
    if own and any(check_operand(interp, value, name, call_.node) for value in passed):
        return TAINTED
    function = argument(call_, "callback")
    if without_hash(interp, function) is not None:
        _told(call_, name, "the callback has no hash, and so cannot be kept", "TypeError")
        return TAINTED
    _check_transforms(call_, name, passed)
    expected = argument(call_, "result_shape_dtypes")
    result = _run(call_, 2)
    trace, runs = interp.trace, True
    while trace is not None:
        runs, trace = runs and trace.entry.transform in RUN, trace.parent
    if runs and not (name == "pure_callback" and expected == NONE):
        detail = (
            "cannot be called" if not_callable(interp, function) else _wrong_result(interp, expected, result)
        )
        _told(call_, name, f"the callback {detail}" if detail else "", "JaxRuntimeError")
    if expected == NONE:
        return NONE
    array = array_result(interp, call_.inputs[1:], call_.node, name=call_.name)
    return Tree(array.level, True, array.roots, array.trail)


_OPTIONS = frozenset(("callback", "result_shape_dtypes", "sharding", "vmap_method", "ordered", "vectorized"))


def _run(call_: Call, start: int) -> Value:
    """What the callback gives."""
    interp = call_.interp
    args: list[Value] = [Static("ndarray", None, getattr(a, "shape", None)) for a in call_.args[start:]]
    outer, interp.trace = interp.trace, None
    try:
        return call(interp, argument(call_, "callback"), args, {}, call_.node)
    finally:
        interp.trace = outer


def _told(call_: Call, name: str, detail: str, error: str) -> bool:
    """Tells what is wrong, if anything is."""
    if detail:
        call_.interp.tell(ControlFlow, call_.node, function=name, problem="arity", detail=detail, error=error)
    return bool(detail)


def _check_transforms(call_: Call, name: str, passed: list[Value]) -> None:
    """Tells of callbacks that are differentiated, or mapped though nothing says how."""
    interp = call_.interp
    trace = interp.trace
    if trace is None:
        return
    parts = [flattened(interp, value) for value in passed]
    real = [
        value for value in parts if isinstance(value, Array) and shapes.kind_of(value.dtype or "i") == "f"
    ]
    if (trace.reverse or trace.forward) and depends_on(real, REVERSE | FORWARD):
        detail = "a derivative goes through it, and it has none (jax.custom_jvp gives it one)"
        if any(
            frame.function and id(frame.function.node) in interp.wrapped_unseen for frame in interp.frames
        ):
            return  # the decorator may give it one
        _told(call_, name, detail, "ValueError")
    elif "custom_vmap" not in interp.source.text and depends_on(parts, MAPS):
        if name == "io_callback" and call_.bound.get("ordered") == Const(True):
            _told(call_, name, "it is mapped, which an ordered one cannot be", "ValueError")
        elif name == "pure_callback" and not given(call_.bound.get("vmap_method")) and not call_.spread:
            detail = "it is mapped, and no vmap_method says how the callback does that"
            _told(call_, name, detail, "NotImplementedError")


def _wrong_result(interp: Interpreter, expected: Value, result: Value) -> str:
    """How what the callback gives differs from what is expected, in words; empty if it may fit."""
    found = untraceable(interp, result)
    if found is not None:
        return "gives what is no array and no pytree of arrays"
    wanted, given_ = leaves_of(interp, expected), leaves_of(interp, result)
    if wanted is None or given_ is None or any(leaf == _SOME for leaf in given_):
        return ""
    if len(wanted) != len(given_):
        return f"gives {len(given_)} arrays, and result_shape_dtypes has {len(wanted)}"
    for one, other in zip(wanted, given_, strict=True):
        shape, returned = _shape(one), _shape(other)
        if (
            shape is not None
            and returned is not None
            and None not in (*shape, *returned)
            and shape != returned
        ):
            return f"gives shape {shown(returned)}, and result_shape_dtypes has {shown(shape)}"
        dtype, actual = _dtype(one), _dtype(other)
        if dtype is not None and actual is not None and dtype != actual:
            return f"gives {actual}, and result_shape_dtypes has {dtype}"
    return ""


def _shape(value: Value) -> tuple[int | None, ...] | None:
    return (
        value.shape
        if isinstance(value, Static) and value.kind == "ShapeDtypeStruct"
        else shapes.shape_of(value)
    )


def _dtype(value: Value) -> str | None:
    if isinstance(value, Static) and value.kind == "ShapeDtypeStruct":
        return str(value.likely.value) if value.likely is not None else None
    return shapes.dtype_of(value)[0]
