"""Calls of library functions, by what the knowledge tables say of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    Shape,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Value,
    join,
    members,
)
from ..events import ArrayMutation, DynamicShape, Effect, HostCall, StaticParameter
from ..knowledge import Parameter, Result, Signature
from ..knowledge.schema import parse_result
from . import shapes
from .arrays import array_result
from .calls import opaque
from .containers import contents, dict_method, list_method, sequence_of
from .shape_rules import dtype_rule, shape_rule
from .traces import level_of, map_leaves

if TYPE_CHECKING:
    from .machine import Interpreter

Bound = dict[str, Value]
PYTHON_TYPES = ("list", "dict", "set", "tuple", "range", "str", "bytes", "int", "float", "bool", "complex")


def call_external(
    interp: Interpreter,
    function: ExternalValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
    decorating: bool = False,
) -> Value:
    """The result of calling a library's object by its canonical name."""
    name = function.name
    if name.startswith("builtins."):
        from .builtins import call_builtin

        handled = call_builtin(interp, name.removeprefix("builtins."), args, kwargs, node, spread)
        if handled is not None:
            return handled
    if name == "tracetrap.identity" and args:
        return args[0]
    if name == "tracetrap.cached" and args:
        return MethodValue(ExternalValue("cached.call"), args[0])
    if name in ("functools.cached_property", "jax.util.cached_property") and args:
        return MethodValue(ExternalValue("descriptor.cached_property"), args[0])
    signature = interp.catalogue.function(name)
    if signature is None:
        word = interp.catalogue.object(name) or ""
        if word == "dtype" or word.startswith("dtype"):
            return _cast(interp, name, args, node)
        if decorating and len(args) == 1 and not kwargs:
            return args[0]
        return opaque(interp, args, kwargs, spread)
    return apply(interp, signature, name, args, kwargs, node, spread)


def call_method(
    interp: Interpreter,
    method: MethodValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """The result of calling a method of an array, a container or another known object."""
    assert isinstance(method.function, ExternalValue)
    kind, _, name = method.function.name.partition(".")
    receiver = method.receiver
    if kind == "At" and isinstance(receiver, TupleValue):
        return call_at(interp, receiver, name, args, kwargs, node)
    if kind in ("property", "constant"):
        return receiver
    if kind in ("getter", "cached", "namedtuple"):
        return _made_callable(interp, kind, name, receiver, args, kwargs, node)
    if kind == "instance" and isinstance(receiver, InstanceValue):
        return _replaced(interp, receiver, kwargs)
    if kind == "transformed":
        from .transforms import transformed_method

        assert isinstance(receiver, TransformedValue)
        return transformed_method(interp, receiver, name, args, kwargs, node)
    if isinstance(receiver, ListValue):
        return list_method(interp, receiver, name, args, node)
    if isinstance(receiver, DictValue):
        return dict_method(interp, receiver, name, args, kwargs, node)
    if kind == "tree":
        return _tree_method(interp, receiver, name)
    if kind == "tuple" and name in ("index", "count"):
        return Static("int")
    if kind in PYTHON_TYPES:
        return _python_method(interp, kind, name, receiver, args, kwargs, node)
    if kind == "ndarray" and name in ("fill", "sort", "put", "resize", "itemset", "partition"):
        return NONE
    signature = interp.catalogue.method(kind, name)
    if signature is not None:
        return apply(interp, signature, f"{kind}.{name}", args, kwargs, node, spread, receiver)
    return opaque(interp, [receiver, *args], kwargs, spread)


def call_at(
    interp: Interpreter, receiver: TupleValue, name: str, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> Value:
    """`x.at[index].name(...)`."""
    from .indexing import apply_at

    return apply_at(interp, receiver, name, args, node)


def bind(
    signature: Signature, args: list[Value], kwargs: dict[str, Value], receiver: Value | None = None
) -> tuple[Bound, list[tuple[Parameter, Value]]]:
    """The arguments by parameter name, and each with its parameter."""
    positional, named = signature.bind(len(args), tuple(kwargs))
    bound: Bound = {} if receiver is None else {"self": receiver}
    pairs: list[tuple[Parameter, Value]] = []
    for parameter, value in zip(positional, args, strict=True):
        if parameter is None:
            continue
        pairs.append((parameter, value))
        if parameter.kind == "args":
            before = bound.get(parameter.name)
            items = before.items if isinstance(before, TupleValue) else ()
            bound[parameter.name] = TupleValue((*items, value))
        else:
            bound[parameter.name] = value
    for (key, value), parameter in zip(kwargs.items(), named, strict=True):
        if parameter is not None:
            pairs.append((parameter, value))
            bound[key if parameter.kind == "kwargs" else parameter.name] = value
    return bound, pairs


def apply(
    interp: Interpreter,
    signature: Signature,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
    receiver: Value | None = None,
) -> Value:
    """Calls a function of the tables: static parameters are checked, then its result is computed."""
    bound, pairs = bind(signature, args, kwargs, receiver)
    for parameter, value in pairs:
        if parameter.category is not None and not any(given(bound.get(other)) for other in parameter.unless):
            check_static(interp, parameter, value, name, node)
    call = Call(interp, name, bound, args, kwargs, node, spread, signature)
    if name in ALIASING and args and isinstance(args[0], Static) and args[0].buffer and "copy" not in kwargs:
        interp.lifetimes.aliased[args[0].buffer] = node
    return call.result(signature.result)


def given(value: Value | None) -> bool:
    """Whether an argument was given and is not None."""
    return value is not None and value != NONE


def check_static(interp: Interpreter, parameter: Parameter, value: Value, name: str, node: cst.CSTNode) -> None:
    """Tells of a tracer given for a parameter that must be static."""
    parts = [value]
    for _ in range(2):  # pairs of widths and the like
        parts = [
            item
            for part in parts
            for item in (sequence_of(interp, part).items if isinstance(part, TupleValue | ListValue) else (part,))
        ]
    for part in parts:
        for member in members(part):
            if isinstance(member, Array | Tree) and member.level is Level.ABSTRACT:
                if parameter.scalar and isinstance(member, Array) and member.shape not in (None, ()):
                    continue
                sure = len(members(part)) == 1 and (getattr(member, "shape", None) is not None or not parameter.scalar)
                interp.emit(
                    StaticParameter, node, member, sure,
                    function=name, parameter=parameter.name, category=parameter.category, error=parameter.error,
                )  # fmt: skip
                return


def holds_tracer(value: Value, level: Level = Level.DUAL, depth: int = 0) -> Array | Tree | None:
    """A tracer of at least this level in the value, containers included."""
    for member in members(value):
        if isinstance(member, Array | Tree) and member.level >= level:
            return member
        if depth < 4:
            parts: list[Value] = []
            if isinstance(member, TupleValue):
                parts = [*member.items, *((member.rest,) if member.rest is not None else ())]
            elif isinstance(member, ListValue | DictValue):
                parts = list(contents(member))
            for part in parts:
                found = holds_tracer(part, level, depth + 1)
                if found is not None:
                    return found
    return None


ALIASING = frozenset(("jax.device_put", "jax.numpy.asarray", "jax.numpy.from_dlpack"))


class Call:
    """One call of a library function, on its way to a result."""

    def __init__(
        self,
        interp: Interpreter,
        name: str,
        bound: Bound,
        args: list[Value],
        kwargs: dict[str, Value],
        node: cst.CSTNode,
        spread: Value | None,
        signature: Signature,
    ) -> None:
        self.interp = interp
        self.name = name
        self.bound = bound
        self.args = args
        self.kwargs = kwargs
        self.node = node
        self.spread = spread
        self.signature = signature

    @property
    def inputs(self) -> list[Value]:
        """All arguments, the receiver first."""
        receiver = self.bound.get("self")
        found = [*self.args, *self.kwargs.values()]
        if receiver is not None:
            found.insert(0, receiver)
        if self.spread is not None:
            found.append(self.spread)
        return found

    def first(self) -> Value:
        """The first argument, or the receiver of a method."""
        inputs = self.inputs
        return inputs[0] if inputs else UNKNOWN

    def result(self, result: Result) -> Value:
        """The value that a result word of the tables stands for."""
        run = _WORDS.get(result.word)
        return run(self, result) if run is not None else opaque(self.interp, self.inputs, {})

    def array(self, shape: str, dtype: str) -> Array:
        """A jax array whose shape and dtype follow from rules."""
        rule = shape_rule(self.interp, shape, self.bound) if shape else None
        name, weak = dtype_rule(self.interp, dtype, self.bound, dtype_name) if dtype else (None, False)
        short = self.name.rsplit(".", 1)[-1]
        flat = [flattened(self.interp, value) for value in self.inputs]
        receiver = self.bound.get("self")
        operands = None if receiver is None else (receiver,)
        return array_result(self.interp, flat, self.node, rule, name, weak, _short(self.name) or short, operands)


def _short(name: str) -> str:
    """How people write a function: `jnp.zeros`."""
    return name.replace("jax.numpy.", "jnp.").removeprefix("Array.")


def flattened(interp: Interpreter, value: Value, depth: int = 0) -> Value:
    """A container's content as a tuple, so that tracers inside are seen."""
    if isinstance(value, ListValue | DictValue | InstanceValue) and depth < 3:
        return TupleValue(tuple(flattened(interp, item, depth + 1) for item in list(contents(value))[:32]))
    return value


def dtype_name(value: Value) -> str | None:
    """The dtype that an argument names: `jnp.float32`, `"float32"`, `x.dtype`, `int`."""
    if isinstance(value, ExternalValue):
        last = value.name.rsplit(".", 1)[-1].rstrip("_")
        return {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}.get(last, last)
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value
    if isinstance(value, Static) and value.kind == "dtype" and value.likely is not None:
        return str(value.likely.value)
    return None


def _cast(interp: Interpreter, name: str, args: list[Value], node: cst.CSTNode) -> Value:
    """Calling a scalar type: `jnp.float32(x)` makes an array, `np.float32(x)` wants a value."""
    value = args[0] if args else Const(0)
    if name.startswith("jax."):
        shape, _, _ = shapes.nested(interp, value)
        return array_result(interp, args, node, shape, dtype_name(ExternalValue(name)), False, _short(name))
    tracer = holds_tracer(value)
    if tracer is not None:
        interp.tell(
            HostCall, node, len(members(value)) == 1 and tracer.sure, value=tracer, function=name,
            error="TracerArrayConversionError", replacement=name.replace("numpy.", "jax.numpy."),
        )  # fmt: skip
        return TAINTED
    return Static("ndarray", None, ())


# --- result words ----------------------------------------------------------------------------------------------


def _array(call: Call, result: Result) -> Value:
    value = call.array(result.argument(0), result.argument(1))
    return value if result.count == 1 else TupleValue((value,) * result.count)


def _list(call: Call, result: Result) -> Value:
    return TupleValue((), call.array(result.argument(0), result.argument(1)))


def _dynamic(call: Call, result: Result) -> Value:
    names, _, error = result.argument(0).partition(":")
    parameters = [name for name in names.split("|") if name]
    sized = any(given(call.bound.get(name)) for name in parameters)
    if not sized:
        arrays = [call.bound[p.name] for p in call.signature.parameters if p.category is None and p.name in call.bound]
        tracer = next((found for value in arrays if (found := holds_tracer(value, Level.ABSTRACT)) is not None), None)
        constant = [m for v in call.inputs for m in members(v) if isinstance(m, Array)]
        if tracer is None and call.interp.staging and constant:
            tracer = array_result(call.interp, constant, call.node, name=_short(call.name))
        if tracer is not None:
            sure = len(members(call.first())) == 1 and tracer.sure
            call.interp.tell(
                DynamicShape, call.node, sure, value=tracer, function=call.name,
                parameter=parameters[0] if parameters else "", error=error or "ConcretizationTypeError",
            )  # fmt: skip
    inner = result.argument(1)
    value = call.result(parse_result(inner)) if inner else call.array("", "")
    return value if sized else map_leaves(value, _unsized)


def _unsized(value: Value) -> Value:
    """An array whose lengths depend on values."""
    return replace(value, shape=None) if isinstance(value, Array) else value


def _refused(call: Call, twin: str, error: str) -> Value | None:
    """Tells of a tracer given to a function that needs concrete values; None where there is none."""
    for value in call.inputs:
        tracer = holds_tracer(value)
        if tracer is not None:
            sure = len(members(value)) == 1 and tracer.sure and not isinstance(value, DictValue)
            call.interp.tell(
                HostCall, call.node, sure, value=tracer, function=call.name, error=error, replacement=twin
            )
            return TAINTED
    return None


def _when(call: Call, result: Result) -> Value:
    flags = [call.bound.get(name) for name in result.argument(0).split("|")]
    chosen = any(given(flag) and flag != Const(False) for flag in flags)
    return call.result(parse_result(result.argument(1 if chosen else 2)))


def _host(call: Call, result: Result) -> Value:
    twin, _, error = result.argument(0).partition(":")
    refused = _refused(call, twin, error or "TracerArrayConversionError")
    if refused is not None:
        return refused
    kind = result.argument(2, "ndarray")
    if call.name.startswith("math.") and call.args and all(isinstance(arg, Const) for arg in call.args):
        return _math_constant(call, kind)
    own = result.argument(1)
    shape = shape_rule(call.interp, own, call.bound) if own else _twin_shape(call, twin)
    return Static(kind, None, shape, buffer=_buffer(call) if kind == "ndarray" else 0)


_buffers = count(1)
VIEWS = frozenset("view reshape ravel transpose squeeze swapaxes asarray asanyarray ascontiguousarray atleast_1d".split())


def _buffer(call: Call) -> int:
    """The buffer of a NumPy result: that of the array it views, or a new one."""
    first = call.first()
    if call.name.rsplit(".", 1)[-1] in VIEWS and isinstance(first, Static) and first.buffer:
        return first.buffer
    return next(_buffers)


def _math_constant(call: Call, kind: str) -> Value:
    import math

    function = getattr(math, call.name.rsplit(".", 1)[-1], None)
    try:
        value = function(*(arg.value for arg in call.args if isinstance(arg, Const))) if function else None
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    return Const(value) if isinstance(value, int | float | bool) else Static(kind)


def _twin_shape(call: Call, twin: str) -> Shape:
    signature = call.interp.catalogue.function(twin) if twin else None
    if signature is None or signature.result.word != "array":
        return None
    bound, _ = bind(signature, call.args, call.kwargs)
    return shape_rule(call.interp, signature.result.argument(0), bound)


def _delegate(call: Call, result: Result) -> Value:
    twin = result.argument(0)
    if any(holds_tracer(value) is not None and isinstance(value, Array | Tree | Union) for value in call.inputs[:1]):
        signature = call.interp.catalogue.function(twin)
        if signature is not None:
            return apply(call.interp, signature, call.name, call.args, call.kwargs, call.node, call.spread)
        return array_result(call.interp, call.inputs, call.node, name=_short(call.name))
    for value in call.inputs[:1]:
        tracer = holds_tracer(value)
        if tracer is not None and not isinstance(value, Array | Tree):
            call.interp.tell(
                HostCall, call.node, tracer.sure and not isinstance(value, DictValue), value=tracer, function=call.name,
                error="TracerArrayConversionError", replacement=twin,
            )  # fmt: skip
            return TAINTED
    if any(isinstance(m, Array) for v in call.inputs[:1] for m in members(v)):
        return array_result(call.interp, call.inputs, call.node, name=_short(call.name))
    return Static("ndarray", None, _twin_shape(call, twin))


def _static(call: Call, result: Result) -> Value:
    kind = result.argument(0) or None
    return Static(kind, buffer=_buffer(call) if kind == "ndarray" else 0)


def _same(call: Call, result: Result) -> Value:
    return call.bound.get(result.argument(0) or "", call.first())


def _like(call: Call, result: Result) -> Value:
    from .containers import fresh_copy

    def leaf(value: Value) -> Value:
        if isinstance(value, Array):
            return array_result(call.interp, (value,), call.node, value.shape, value.dtype, value.weak, _short(call.name))
        return value

    return fresh_copy(call.interp, call.bound.get(result.argument(0), call.first()), leaf, call.node)


def _tree(call: Call, result: Result) -> Value:
    array = array_result(call.interp, [flattened(call.interp, v) for v in call.inputs], call.node, name=_short(call.name))
    return Tree(array.level, array.sure, array.roots, array.trail)


def _taint(call: Call, result: Result) -> Value:
    tainted = call.interp.staging or any(level_of(value) for value in call.inputs)
    return TAINTED if tainted else opaque(call.interp, call.inputs, {})


def _mutate(call: Call, result: Result) -> Value:
    receiver = call.first()
    call.interp.tell(
        ArrayMutation, call.node, getattr(receiver, "sure", True), value=receiver, how=result.argument(0), error="AttributeError"
    )
    return UNKNOWN


def _concrete(call: Call, result: Result) -> Value:
    refused = _refused(call, "", result.argument(0)) if call.inputs[:1] and holds_tracer(call.first()) else None
    return refused if refused is not None else call.result(parse_result(result.argument(1)))


def _convert(call: Call, result: Result) -> Value:
    from .builtins import convert

    return convert(call.interp, result.argument(0), call.first(), call.node)


def _effect(call: Call, result: Result) -> Value:
    interp = call.interp
    kind, _, error = result.argument(0).partition(":")
    if error:
        refused = _refused(call, "", error)
        if refused is not None:
            return refused
    if interp.trace is not None:
        interp.tell(Effect, call.node, function=call.name, kind=kind, arguments=tuple(call.inputs))
    own = result.argument(1)
    return call.result(parse_result(own)) if own else Static()


def _transform(call: Call, result: Result) -> Value:
    from .transforms import apply_transform

    return apply_transform(call, result.argument(0))


def _trace(call: Call, result: Result) -> Value:
    from .controlflow import TRACES

    run = TRACES.get(result.argument(0))
    return run(call) if run is not None else opaque(call.interp, call.inputs, {})


def _model(call: Call, result: Result) -> Value:
    from .models import MODELS

    run = MODELS.get(result.argument(0))
    return run(call) if run is not None else opaque(call.interp, call.inputs, {})


_WORDS: dict[str, Callable[[Call, Result], Value]] = {
    "array": _array,
    "list": _list,
    "dynamic": _dynamic,
    "when": _when,
    "host": _host,
    "delegate": _delegate,
    "static": _static,
    "none": lambda call, result: NONE,
    "same": _same,
    "like": _like,
    "tree": _tree,
    "taint": _taint,
    "unknown": lambda call, result: opaque(call.interp, call.inputs, {}),
    "mutate": _mutate,
    "concrete": _concrete,
    "convert": _convert,
    "effect": _effect,
    "transform": _transform,
    "trace": _trace,
    "model": _model,
}


# --- methods of Python's own types -----------------------------------------------------------------------------


def _made_callable(
    interp: Interpreter, kind: str, name: str, receiver: Value, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> Value:
    """Calls what a model of the standard library has made: a getter, a cached function, a namedtuple class."""
    from . import python_models

    place = Call(interp, f"{kind}.{name}", {}, args, kwargs, node, None, Signature(name, (), Result("unknown")))
    if kind == "cached":
        return python_models.call_cached(place, receiver, args, kwargs)
    assert isinstance(receiver, TupleValue)
    if kind == "namedtuple":
        return python_models.call_named_tuple(receiver, args, kwargs)
    return python_models.call_getter(place, name, receiver, args[0] if args else UNKNOWN)


def _replaced(interp: Interpreter, receiver: InstanceValue, kwargs: dict[str, Value]) -> Value:
    """A copy of an instance with some fields replaced."""
    box = interp.new_box(receiver.box.name, site=receiver.box.site)
    box.slots.update(receiver.box.slots)
    box.slots.update(kwargs)
    return InstanceValue(receiver.cls, box)


def _tree_method(interp: Interpreter, receiver: Value, name: str) -> Value:
    assert isinstance(receiver, Tree)
    if name == "keys":
        return TupleValue((), Static())
    if name == "values":
        return TupleValue((), receiver)
    if name == "items":
        return TupleValue((), TupleValue((Static(), receiver)))
    if name in ("get", "pop"):
        return join(receiver, NONE) if name == "get" else receiver
    return receiver


def _python_method(
    interp: Interpreter, kind: str, name: str, receiver: Value, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode
) -> Value:
    from ..events import Formatted

    if kind in ("str", "bytes"):
        if name in ("format", "join", "format_map"):
            for value in (*args, *kwargs.values()):
                for member in members(value):
                    if isinstance(member, Array) and member.level is Level.ABSTRACT and name == "format":
                        interp.emit(Formatted, node, member, how="format", error=None)
        constants: list[Any] = [arg.value for arg in args if isinstance(arg, Const)]
        if isinstance(receiver, Const) and len(constants) == len(args) and not kwargs:
            try:
                result = getattr(receiver.value, name)(*constants)
            except (AttributeError, LookupError, OverflowError, TypeError, ValueError):
                return UNKNOWN
            if isinstance(result, str | bytes | int | bool):
                return Const(result)
            if isinstance(result, list | tuple) and len(result) <= 32:
                return TupleValue(tuple(Const(item) for item in result))
        if name in ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isidentifier"):
            return Static("bool")
        if name in ("split", "rsplit", "splitlines", "partition"):
            return TupleValue((), Static("str"))
        return Static("int") if name in ("find", "index", "count", "rfind") else Static("str")
    if name in ("bit_length", "bit_count"):
        return Static("int")
    return Static("bool") if name == "is_integer" else Static()
