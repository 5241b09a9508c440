"""Calls of library functions, by what the knowledge tables say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    BoxedValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    ListValue,
    MethodValue,
    SequenceValue,
    Static,
    Tree,
    TupleValue,
    Value,
    members,
)
from ...events import HostCall, StaticParameter
from ...knowledge import Parameter, Result, Signature
from ...knowledge.schema import parse_result
from ..arrays import shapes
from ..arrays.array_arguments import ARRAYS_ALONE, refuses_batch, refuses_sequence
from ..arrays.operators import array_result
from ..arrays.shape_rules import dtype_rule, shape_rule
from ..calls import callee, opaque
from ..functions import WRAPPED
from ..python.builtins import call_builtin
from ..python.containers import contents, sequence_of
from ..tracing.buffers import note_written

if TYPE_CHECKING:
    from ..machine import Interpreter

Bound = dict[str, Value]


@callee(ExternalValue)
def call_external(
    interp: Interpreter,
    function: ExternalValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """The result of calling a library's object by its canonical name."""
    name = function.name
    if name.startswith("builtins."):
        handled = call_builtin(interp, name.removeprefix("builtins."), args, kwargs, node, spread)
        if handled is not None:
            return handled
    if name == "tracetrap.identity" and args:
        return args[0]
    if name == "tracetrap.wraps" and len(args) == 2:
        wrapped, result = args
        if isinstance(result, FunctionValue):
            interp.state.write(result.scope, (result.node, WRAPPED), wrapped)
        return result
    if name == "tracetrap.cached" and args:
        return MethodValue(ExternalValue("cached.call"), args[0])
    if name in ("functools.cached_property", "jax.util.cached_property") and args:
        return MethodValue(ExternalValue("descriptor.cached_property"), args[0])
    signature = interp.catalogue.function(name)
    if signature is None:
        word = interp.catalogue.object(name) or ""
        if word == "dtype" or word.startswith("dtype"):
            return _cast(interp, name, args, node)
        return opaque(interp, args, kwargs, spread)
    return apply(interp, signature, name, args, kwargs, node, spread)


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
    made = receiver if isinstance(receiver, InstanceValue) else None
    settings = _settings(interp, signature, bound, made) if made is not None else []
    for parameter, value in (*pairs, *settings):
        if parameter.category is not None and not any(given(bound.get(other)) for other in parameter.unless):
            matters = _matters(interp, parameter, bound, made)
            if matters is not False:
                with interp.doubting(matters is None):
                    check_static(interp, parameter, value, _shown(name, made), node)
    if name in ARRAYS_ALONE and refuses_sequence(interp, name, args, node):
        return TAINTED
    if name.startswith("jax.random.") and refuses_batch(interp, name, bound.get("key"), node):
        return TAINTED
    call = Call(interp, name, bound, args, kwargs, node, spread, signature)
    memory = interp.lifetimes.memory
    aliases = name in ALIASING and args and "copy" not in kwargs and interp.trace is None
    if aliases:
        memory.made_of(interp, args[0], node)
    if name in WAITING:
        memory.waited(call.inputs)
    if name in FORGETTING:
        interp.lifetimes.frozen.forget()
    note_written(interp, name, args, kwargs, node)
    result = call.result(signature.result)
    return memory.marked(args[0], result) if aliases else result


def _settings(
    interp: Interpreter, signature: Signature, bound: Bound, made: InstanceValue
) -> list[tuple[Parameter, Value]]:
    """Parameters of an object's method that must be static and are not given: those that it was made with."""
    return [
        (parameter, value)
        for parameter in signature.parameters
        if parameter.category is not None and not given(bound.get(parameter.name))
        if (value := interp.state.read(made.box, parameter.name)) is not None
    ]


def _matters(
    interp: Interpreter, parameter: Parameter, bound: Bound, made: InstanceValue | None
) -> bool | None:
    """Whether the library looks at a parameter at all, as another one is given and not zero; None where that is not known."""
    if not parameter.only:
        return True
    other = bound.get(parameter.only)
    if other is None and made is not None:
        other = interp.state.read(made.box, parameter.only)
    if isinstance(other, Static):
        other = other.likely or other
    if other is None or isinstance(other, Const):
        return other is not None and bool(other.value)
    return None


def _shown(name: str, made: InstanceValue | None) -> str:
    """The name of a function; a layer that is called has its own."""
    if made is not None and name.endswith(".__call__") and isinstance(made.cls, ExternalValue):
        return made.cls.name
    return name


def given(value: Value | None) -> bool:
    """Whether an argument was given and is not None."""
    return value is not None and value != NONE


def chosen_result(signature: Signature, result: Result, bound: Bound) -> Result:
    """The result that is given with these options; False is what an array may be, and a flag that is not set."""
    if result.word != "when":
        return result
    names = result.argument(0).split("|")
    data = {p.name for p in signature.parameters if p.category is None}
    chosen = any(given(bound.get(n)) and (n in data or bound[n] != Const(False)) for n in names)
    return parse_result(result.argument(1 if chosen else 2))


def check_static(
    interp: Interpreter, parameter: Parameter, value: Value, name: str, node: cst.CSTNode
) -> None:
    """Tells of a tracer given for a parameter that must be static."""
    parts = [value]
    for _ in range(2):  # pairs of widths and the like
        parts = [
            item
            for part in parts
            for item in (sequence_of(interp, part).items if isinstance(part, SequenceValue) else (part,))
        ]
    for part in parts:
        for member in members(part):
            if isinstance(member, Arrays) and member.level is Level.ABSTRACT:
                if parameter.scalar and getattr(member, "shape", None) != ():
                    continue  # where any array is taken, it is hardly ever a number
                sure = len(members(part)) == 1
                interp.emit(
                    StaticParameter, node, member, sure,
                    function=name, parameter=parameter.name, category=parameter.category, error=parameter.error,
                )  # fmt: skip
                return


def holds_tracer(value: Value, level: Level = Level.DUAL, depth: int = 0) -> Array | Tree | None:
    """A tracer of at least this level in the value, containers included."""
    for member in members(value):
        if isinstance(member, Arrays) and member.level >= level:
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


WAITING = frozenset(
    ("jax.block_until_ready", "jax.device_get", "jax.effects_barrier", "Array.block_until_ready")
)
FORGETTING = frozenset(("jax.clear_caches", "equinox.clear_caches"))
ALIASING = frozenset(("jax.device_put", "jax.numpy.asarray", "jax.numpy.from_dlpack"))


ALIKE = frozenset(
    f"jax.{name}"
    for name in (
        "numpy.zeros_like",
        "numpy.ones_like",
        "numpy.empty_like",
        "numpy.full_like",
        "lax.full_like",
    )
)
"""Functions that look at the shape and dtype of their first argument alone: a map or a derivative does not trace their result."""


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
        run = self.interp.words.get(result.word)
        return run(self, result) if run is not None else opaque(self.interp, self.inputs, {})

    def array(self, shape: str, dtype: str) -> Array:
        """A jax array whose shape and dtype follow from rules."""
        rule = shape_rule(self.interp, shape, self.bound) if shape else None
        name, weak = dtype_rule(self.interp, dtype, self.bound, dtype_name) if dtype else (None, False)
        short = self.name.rsplit(".", 1)[-1]
        inputs = self.inputs if self.name not in ALIKE else self.inputs[1:]
        flat = [flattened(self.interp, value) for value in inputs]
        receiver = self.bound.get("self")
        operands = None if receiver is None or isinstance(receiver, InstanceValue) else (receiver,)
        return array_result(
            self.interp, flat, self.node, rule, name, weak, short_name(self.name) or short, operands
        )


def short_name(name: str) -> str:
    """How people write a function: `jnp.zeros`."""
    return name.replace("jax.numpy.", "jnp.").removeprefix("Array.")


def flattened(interp: Interpreter, value: Value, depth: int = 0) -> Value:
    """A container's content as a tuple, so that tracers inside are seen."""
    if isinstance(value, BoxedValue) and depth < 3:
        return TupleValue(tuple(flattened(interp, item, depth + 1) for item in list(contents(value))[:32]))
    return value


def dtype_name(value: Value) -> str | None:
    """The dtype that an argument names: `jnp.float32`, `"float32"`, `x.dtype`, `int`."""
    name = None
    if isinstance(value, ExternalValue):
        name = value.name.rsplit(".", 1)[-1].rstrip("_")
    elif isinstance(value, Const) and isinstance(value.value, str):
        name = value.value
    elif isinstance(value, Static) and value.kind == "dtype" and value.likely is not None:
        name = str(value.likely.value)
    return shapes.dtype_named(name) if name is not None else None


def _cast(interp: Interpreter, name: str, args: list[Value], node: cst.CSTNode) -> Value:
    """Calling a scalar type: `jnp.float32(x)` makes an array, `np.float32(x)` wants a value."""
    value = args[0] if args else Const(0)
    if name.startswith("jax."):
        shape, _, _ = shapes.nested(interp, value)
        return array_result(
            interp, args, node, shape, dtype_name(ExternalValue(name)), False, short_name(name)
        )
    tracer = holds_tracer(value)
    if tracer is not None:
        interp.tell(
            HostCall, node, len(members(value)) == 1 and tracer.sure, value=tracer, function=name,
            error="TracerArrayConversionError", replacement=name.replace("numpy.", "jax.numpy."),
        )  # fmt: skip
        return TAINTED
    return Static("ndarray", None, ())


def argument(call_: Call, name: str) -> Value:
    """The argument for a parameter, UNKNOWN where it was not given."""
    return call_.bound.get(name, UNKNOWN)
