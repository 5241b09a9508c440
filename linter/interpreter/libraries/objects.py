"""Objects of libraries: layers with parameters, variables, solvers, kernels; they remember what they were made with.

Such an object is an instance of an external class.  The slots of its box are the arguments that it was made with, and
beside them what no argument can be called: which type of the tables has its methods, and its own parameters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    MethodValue,
    Static,
    Tree,
    TupleValue,
    Value,
)
from ...knowledge import Result
from ..arrays.operators import array_result
from ..arrays.shape_rules import dtype_rule, shape_rule
from ..calls import call as run
from ..python.attributes import attribute
from ..python.copies import fresh_copy
from .haiku_parameters import note_made
from .library import dtype_name, flattened
from .variables import FUNCTION, KIND, VALUE, content_of_variable, kind_of_object

if TYPE_CHECKING:
    from ..machine import Interpreter
    from .library import Call

PARAMETERS = "<parameters>"
NAMES_OF_PARAMETERS = frozenset(("weight", "bias", "kernel", "embedding", "scale"))


def make_object(call: Call, result: Result) -> Value:
    """`object[KIND]`: a new object of this type; `object[KIND, own]`: with parameters of its own, which are arrays.

    A third argument names a function among its leaves: what is given for this parameter, or a library's.
    """
    made = new_object(
        call.interp, call.name, result.argument(0), dict(call.bound), call.node, bool(result.argument(1))
    )
    held = result.argument(2)
    if held:
        made.box.slots[FUNCTION] = call.bound.get(held, ExternalValue(held))
    return made


def new_object(
    interp: Interpreter, name: str, kind: str, slots: dict[str, Value], site: object, own: bool = False
) -> InstanceValue:
    """An object of a library's class."""
    box = interp.new_box(name.rsplit(".", 1)[-1], site=site)
    box.slots.update(slots)
    box.slots[KIND] = Const(kind)
    if own:
        box.slots[PARAMETERS] = Array(Level.CONCRETE)
    return InstanceValue(ExternalValue(name), box)


def object_method(interp: Interpreter, value: InstanceValue, name: str) -> MethodValue | None:
    """A method of an object, where the tables know it."""
    kind = kind_of_object(value)
    if kind is None or interp.catalogue.method(kind, name) is None:
        return None
    return MethodValue(ExternalValue(f"{kind}.{name}"), value)


def object_attribute(interp: Interpreter, value: InstanceValue, name: str, node: cst.CSTNode) -> Value:
    """An attribute of an object that is none of the arguments that it was made with."""
    method = object_method(interp, value, name)
    if method is not None:
        return method
    word = interp.catalogue.attribute(kind_of_object(value) or "", name) or ""
    if word:
        return value if word == "same" else Static(word.removeprefix("static:"))
    content = content_of_variable(interp, value)
    if content is not None:
        return content if name in ("raw_value", "get_value") else attribute(interp, content, name, node)
    return _parameter(interp, value, name, node) if name in NAMES_OF_PARAMETERS else UNKNOWN


def _parameter(interp: Interpreter, value: InstanceValue, name: str, node: cst.CSTNode) -> Value:
    """A parameter of a layer; it has none where an option says so.  Those of nnx are variables."""
    own = interp.state.read(value.box, PARAMETERS)
    if not isinstance(own, Array):
        return UNKNOWN if own is None else own
    left_out = any(f"{option}_{name}" in value.box.slots for option in ("use", "with"))
    own = replace(own, sure=own.sure and not left_out, shape=None)
    if not isinstance(value.cls, ExternalValue) or not value.cls.name.startswith("flax.nnx."):
        return own
    variable = new_object(interp, "flax.nnx.Param", "Variable", {VALUE: own}, node)
    interp.state.write(value.box, name, variable)
    return variable


def variable(call: Call, result: Result) -> Value:
    """`variable[PARAMETER]`: an object that holds an array, the argument's or one made by an initialiser."""
    given = call.bound.get(result.argument(0)) if result.argument(0) else None
    content = given if given is not None else initialised(call, result)
    if isinstance(content, Const | Static) and content != NONE:
        content = array_result(call.interp, [content], call.node, name=call.name)
    options = {key: call.kwargs[key] for key in ("ref",) if key in call.kwargs}
    return new_object(call.interp, call.name, "Variable", {VALUE: content, **options}, call.node)


def initialised(call: Call, result: Result) -> Value:
    """`Module.param(name, init_fn, *init_args)`: what the user's function gives, as parameters; else an array."""
    interp, function = call.interp, call.bound.get("init_fn", UNKNOWN)
    given = call.bound.get("init_args")
    args = list(given.items) if isinstance(given, TupleValue) else []
    array = layer(call, result)
    if not isinstance(array, Array):
        return array
    if isinstance(function, FunctionValue | InstanceValue | ExternalValue):
        first = [] if call.name.endswith("variable") else [array_result(interp, [], call.node, (), "key")]

        def leaf(item: Value) -> Value:
            return replace(array, shape=item.shape, dtype=item.dtype) if isinstance(item, Array) else item

        return fresh_copy(interp, run(interp, function, [*first, *args], {}, call.node), leaf, call.node)
    return array if args else Tree(array.level, array.sure, array.roots, array.trail)


def site_parameter(call: Call) -> Value:
    """`numpyro.param(name, init_value)`: an array where it starts as a number or an array."""
    start = call.bound.get("init_value", UNKNOWN)
    if isinstance(start, Array) or (isinstance(start, Const) and isinstance(start.value, int | float)):
        return layer(call, Result("layer"))
    return TAINTED if call.interp.trace is not None else UNKNOWN


def layer(call: Call, result: Result) -> Value:
    """`layer[SHAPE, DTYPE]`: an array that depends on the parameters too, those of the object or those threaded through."""
    interp = call.interp
    receiver = call.bound.get("self")
    slots = receiver.box.slots if isinstance(receiver, InstanceValue) else {}
    known = {**{key: value for key, value in slots.items() if isinstance(key, str)}, **call.bound}
    shape = shape_rule(interp, result.argument(0), known) if call.bound and result.argument(0) else None
    inputs = [*(value for value in call.inputs if value is not receiver), interp.parameters]
    if PARAMETERS in slots:
        inputs.append(slots[PARAMETERS])
    rule = result.argument(1)
    dtype = dtype_rule(interp, rule, known, dtype_name)[0] if rule else None
    name = str(getattr(receiver.cls, "name", call.name)) if isinstance(receiver, InstanceValue) else call.name
    flat = [flattened(interp, value) for value in inputs]
    array = array_result(interp, flat, call.node, shape, dtype, False, name.rsplit(".", 1)[-1])
    note_made(call, array)
    return array if result.count == 1 else TupleValue((array,) * result.count)
