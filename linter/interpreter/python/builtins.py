"""Python's builtin functions and types on abstract values."""

from __future__ import annotations

import builtins as python
from typing import TYPE_CHECKING, Any

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    ModuleValue,
    RangeValue,
    Static,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
    surely_traced,
)
from ...events import ArrayMutation, Converted, Effect, Formatted, Iterated, OutsideKind
from ...joins import join
from ..arrays.operators import array_result, binary
from ..calls import call, opaque
from ..libraries.handling import Handler
from ..loops import note_iteration
from ..stores import note_escape
from ..tracing.callables import is_callable
from ..truth import truth
from .attributes import attribute
from .classes import find_member
from .containers import (
    SETS,
    held_by,
    length_of,
    mapping_of,
    needs_hash,
    new_dict,
    new_list,
    range_length,
    sequence_of,
)
from .conversion import convert
from .indexing import SliceValue
from .inheritance import super_value
from .instances import is_instance
from .iterables import (
    run_enumerate,
    run_filter,
    run_iter,
    run_map,
    run_next,
    run_range,
    run_reversed,
    run_zip,
)
from .keys import known_key
from .members import attributes_of
from .orderings import run_any_all, run_extreme, run_sorted, run_sum
from .texts import note_text

if TYPE_CHECKING:
    from ..machine import Interpreter

BUILTINS = {
    name: ExternalValue(f"builtins.{name}")
    for name in ("__file__", "__import__", "__name__", *(name for name in vars(python) if name[0] != "_"))
}


def call_builtin(
    interp: Interpreter,
    name: str,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value | None:
    """The result of a builtin, or None where the tables speak of it."""
    handler = HANDLERS.get(name)
    if handler is None:
        return None
    if spread is not None and not args:
        args = [spread]
    return handler(interp, args, kwargs, node)


def _number(function: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        if not args:
            return Const(0)
        if isinstance(args[0], InstanceValue):
            own = (find_member(interp, args[0].cls, name) for name in (f"__{function}__", "__index__"))
            method = next((found for found in own if found is not None), None)
            given = UNKNOWN if method is None else call(interp, MethodValue(method, args[0]), [], {}, node)
            return given if isinstance(given, Const) else Static(function)
        return convert(interp, function, args[0], node)

    return run


def _bool(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if not args:
        return Const(False)
    known = truth(interp, args[0], node, "builtin", "bool")
    return Static("bool") if known is None else Const(known)


def _len(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if not args:
        return UNKNOWN
    value = args[0]
    if isinstance(value, Array):
        if value.traced and value.shape == ():
            interp.emit(Iterated, node, value, how="len")
        if value.shape and value.shape[0] is not None:
            return Const(value.shape[0])
        return Static("int")
    if isinstance(value, Const) and isinstance(value.value, str | bytes):
        return Const(len(value.value))
    if isinstance(value, InstanceValue):
        method = find_member(interp, value.cls, "__len__")
        if method is not None:
            counted = call(interp, MethodValue(method, value), [], {}, node)
            return counted if isinstance(counted, Const) else convert(interp, "operator.index", counted, node)
        value = held_by(interp, value) or UNKNOWN
    if isinstance(value, RangeValue):
        length = range_length(value)
        return Static("int") if length is None else Const(length)
    known = length_of(interp, value) if not isinstance(value, Union) else None
    return Static("int") if known is None else Const(known)


def _isinstance(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) != 2:
        return Static("bool")
    answers = {is_instance(interp, member, args[1]) for member in members(args[0])}
    answer = answers.pop() if len(answers) == 1 else None
    if answer is None and all(isinstance(member, Array) for member in members(args[0])):
        return Static("bool", Const(False))  # few classes but jax's own have arrays as instances
    if answer is None and interp.trace is not None and args[1] == ExternalValue("numpy.ndarray"):
        return Static("bool", Const(False))  # of what is not known, in a trace
    if answer is None and interp.trace is not None and args[1] == ExternalValue("jax.core.Tracer"):
        return Static("bool", Const(True))  # who asks has another way for what is no tracer
    return Static("bool") if answer is None else Const(answer)


def _print(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    interp.lifetimes.asked(interp, args, node)
    for arg in args:
        if isinstance(arg, ListValue | DictValue):
            interp.lifetimes.copies.looked_at(interp, arg.box)
    if interp.trace is not None:
        shown = [a for a in args if any(isinstance(m, Arrays) and m.traced for m in members(a))]
        certain = next(filter(surely_traced, shown), None)
        if shown:
            interp.emit(Formatted, node, certain or shown[0], how="print")
        if certain is None:  # otherwise that says it all
            once = interp.staging
            interp.tell(Effect, node, once, function="print", kind="print", arguments=tuple(args))
    return NONE


def _text(function: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        specified = function == "format" and len(args) > 1 and args[1] != Const("")
        for value in args[:1]:
            note_text(interp, value, node, function, specified)
        if args and isinstance(args[0], Const) and function == "str":
            return Const(str(args[0].value))
        if args and isinstance(args[0], Static) and args[0].kind == "dtype" and function == "str":
            return args[0].likely or Static("str")
        return Static("str")

    return run


def _sequence(kind: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        content = TupleValue(())
        if args:
            note_iteration(interp, args[0], node, kind)
            if isinstance(args[0], Unknown):
                content = TupleValue((), args[0])
            else:
                content = sequence_of(interp, args[0], node)
        if kind == "tuple":
            return TupleValue(content.items, content.rest, count=content.count)
        if kind in SETS:
            for item in content.items:
                needs_hash(interp, item, node, "set member")
        return new_list(interp, content, node, kind)

    return run


def _dict(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    items: list[tuple[Any, Value]] = []
    rest: Value | None = None
    if args:
        given = held_by(interp, args[0]) or args[0]
        if isinstance(given, DictValue):
            mapping = mapping_of(interp, given)
            items, rest = list(mapping.items), mapping.rest
        else:
            content = sequence_of(interp, given, node)
            for pair in (*content.items, *((content.rest,) if content.rest is not None else ())):
                if isinstance(pair, TupleValue) and len(pair.items) == 2:
                    key, value = pair.items
                    known = known_key(key)
                    needs_hash(interp, key, node, "dict key")
                    if known is not None and pair is not content.rest:
                        items.append((known.value, value))
                    else:
                        rest = value if rest is None else join(rest, value)
                else:
                    rest = UNKNOWN
    items = [(k, v) for k, v in items if k not in kwargs] + list(kwargs.items())
    return new_dict(interp, Mapping(tuple(items), rest), node)


def _getattr(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) < 2 or not (isinstance(args[1], Const) and isinstance(args[1].value, str)):
        return opaque(interp, args[:1], {})
    name = args[1].value
    if len(args) == 2:
        return attribute(interp, args[0], name, node)

    flag = isinstance(args[2], Const) and isinstance(args[2].value, bool | str)

    def one(member: Value) -> Value:
        if lacks(interp, member, name):
            return args[2]
        if flag and isinstance(member, Tree):
            return UNKNOWN  # a setting of an object that is no array
        value = attribute(interp, member, name, node)
        return value if isinstance(member, ExternalValue) else join(value, args[2])

    return interp.each(args[0], one)


def lacks(interp: Interpreter, value: Value, name: str) -> bool:
    """Whether a tracer has no such attribute, where a concrete array, or a number in its place, has it."""
    if not isinstance(value, Arrays) or not value.traced:
        return False
    method = interp.catalogue.method("Array", name)
    if method is not None and method.result.word == "concrete":
        return method.result.argument(0) == "AttributeError"
    return (interp.catalogue.attribute("Array", name) or "").startswith("concrete:AttributeError")


def _setattr(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) == 3 and isinstance(args[0], Array) and args[0].traced:
        interp.tell(ArrayMutation, node, args[0].sure, value=args[0], how="attribute", error="AttributeError")
    if len(args) == 3 and isinstance(args[0], InstanceValue | ClassValue | ModuleValue):
        name = str(args[1].value) if isinstance(args[1], Const) else None
        kind: OutsideKind = "attribute" if isinstance(args[0], InstanceValue) else "class"
        note_escape(interp, args[0].box, args[2], node, "setattr(...)", kind, key=name)
        if name is not None:
            interp.lifetimes.frozen.written(interp, args[0].box, name, args[2], node)
            interp.state.write(args[0].box, name, args[2])
    return NONE


def _new(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    """`object.__new__(cls)`: an object without attributes."""
    if not args or not isinstance(args[0], ClassValue):
        return UNKNOWN
    return InstanceValue(args[0], interp.new_box(args[0].name, site=node))


def _vars(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    """The attributes of an object as they are now."""
    if len(args) == 1 and isinstance(args[0], InstanceValue):
        return attributes_of(interp, args[0], node)
    return TAINTED


def _hasattr(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) == 2 and isinstance(args[0], Array) and isinstance(args[1], Const):
        name = str(args[1].value)
        if lacks(interp, args[0], name):
            return Const(False)
        found = interp.catalogue.attribute("Array", name) or interp.catalogue.method("Array", name)
        if found:
            return Const(True)
    if len(args) == 2 and isinstance(args[0], ExternalValue) and isinstance(args[1], Const):
        if str(args[1].value).startswith("_"):
            return Static("bool", Const(False))  # what somebody sets there while something is tried out
    return Static("bool")


def _callable(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    answers = {is_callable(interp, member) for member in members(args[0])} if args else {None}
    answer = answers.pop() if len(answers) == 1 else None
    return Static("bool") if answer is None else Const(answer)


def _abs(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    def one(value: Value) -> Value:
        if isinstance(value, Arrays):
            shape, dtype = (value.shape, value.dtype) if isinstance(value, Array) else (None, None)
            return array_result(interp, (value,), node, shape, dtype, False, "abs", (value,))
        if isinstance(value, Const) and isinstance(value.value, int | float):
            return Const(abs(value.value))
        method = find_member(interp, value.cls, "__abs__") if isinstance(value, InstanceValue) else None
        if method is not None:
            return call(interp, MethodValue(method, value), [], {}, node)
        return value if isinstance(value, Static) else opaque(interp, [value], {})

    return interp.each(args[0], one) if args else UNKNOWN


def _round(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if args and isinstance(args[0], Const) and all(isinstance(a, Const) for a in args):
        try:
            return Const(round(*(a.value for a in args if isinstance(a, Const))))
        except (TypeError, ValueError, OverflowError):
            return UNKNOWN
    if args and isinstance(args[0], Array):
        if interp.trace is None and args[0].shape is None and args[0].dtype is None:
            # What an annotation alone calls an array, and is rounded to a count, may be NumPy's or a plain number
            return Array(Level.CONCRETE, sure=False)
        return call(interp, attribute(interp, args[0], "__round__", node), args[1:], kwargs, node)
    return _abs(interp, args, kwargs, node) if not (args and isinstance(args[0], Static)) else Static()


def _operator(name: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        if len(args) < 2:
            return UNKNOWN
        if name == "divmod":
            return TupleValue(
                (
                    binary(interp, "FloorDivide", args[0], args[1], node),
                    binary(interp, "Modulo", args[0], args[1], node),
                )
            )
        return binary(interp, name, args[0], args[1], node)

    return run


def _integer_text(function: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        for member in members(args[0]) if args else ():
            if isinstance(member, Array) and member.level is Level.ABSTRACT:
                interp.emit(Converted, node, member, surely_traced(args[0]), function=function)
        return Static("str")

    return run


def _hash(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if args:
        needs_hash(interp, args[0], node, "hash")
    return Static("int")


def _type(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    if len(args) == 1 and isinstance(args[0], InstanceValue):
        return args[0].cls
    return Static("type")


def _decorated(kind: str) -> Handler:
    def run(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
        if not args:
            return UNKNOWN
        return MethodValue(ExternalValue(f"descriptor.{kind}"), args[0])

    return run


def _slice(interp: Interpreter, args: list[Value], kwargs: dict[str, Value], node: cst.CSTNode) -> Value:
    bounds = [NONE, args[0], NONE] if len(args) == 1 else [*args, *([NONE] * (3 - len(args)))]
    if all(isinstance(bound, Const) for bound in bounds):
        return Const(slice(*(bound.value for bound in bounds if isinstance(bound, Const))))
    return SliceValue(tuple(bounds))


def _exception(kind: str) -> Handler:
    """An exception is an object like another as long as nobody raises it."""
    return lambda interp, args, kwargs, node: Static(kind)


EXCEPTIONS = {
    name: _exception(name)
    for name, value in vars(python).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}

HANDLERS: dict[str, Handler] = {
    **EXCEPTIONS,
    "int": _number("int"),
    "float": _number("float"),
    "complex": _number("complex"),
    "bool": _bool,
    "len": _len,
    "range": run_range,
    "enumerate": run_enumerate,
    "zip": run_zip,
    "reversed": run_reversed,
    "min": run_extreme("min"),
    "max": run_extreme("max"),
    "sorted": run_sorted,
    "any": run_any_all("any"),
    "all": run_any_all("all"),
    "sum": run_sum,
    "isinstance": _isinstance,
    "print": _print,
    "str": _text("str"),
    "repr": _text("repr"),
    "format": _text("format"),
    "tuple": _sequence("tuple"),
    "list": _sequence("list"),
    "set": _sequence("set"),
    "frozenset": _sequence("frozenset"),
    "dict": _dict,
    "map": run_map,
    "filter": run_filter,
    "getattr": _getattr,
    "setattr": _setattr,
    "object.__setattr__": _setattr,
    "object.__new__": _new,
    "hasattr": _hasattr,
    "abs": _abs,
    "round": _round,
    "pow": _operator("Power"),
    "divmod": _operator("divmod"),
    "hex": _integer_text("hex"),
    "oct": _integer_text("oct"),
    "bin": _integer_text("bin"),
    "chr": _integer_text("chr"),
    "bytes": _integer_text("bytes"),
    "hash": _hash,
    "next": run_next,
    "iter": run_iter,
    "type": _type,
    "slice": _slice,
    "staticmethod": _decorated("staticmethod"),
    "classmethod": _decorated("classmethod"),
    "property": _decorated("property"),
    "callable": _callable,
    "issubclass": lambda interp, args, kwargs, node: Static("bool"),
    "id": lambda interp, args, kwargs, node: Static("int"),
    "ord": lambda interp, args, kwargs, node: Static("int"),
    "object": lambda interp, args, kwargs, node: Static("object"),
    "super": lambda interp, args, kwargs, node: super_value(interp, args),
    "vars": _vars,
    "globals": lambda interp, args, kwargs, node: UNKNOWN,
}
