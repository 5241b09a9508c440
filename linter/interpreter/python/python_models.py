"""Models of the standard library's functions on functions and containers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Mapping,
    MethodValue,
    SequenceValue,
    Static,
    TupleValue,
    Value,
    members,
)
from ...events import HostIndex
from ..arrays.operators import binary, compare, concatenated, unary
from ..calls import call as run
from ..calls import opaque
from ..libraries.library import Call, holds_tracer
from ..unrolling import unrolling
from .attributes import attribute
from .builtins import HANDLERS
from .containers import elements, needs_hash, new_dict, new_list, sequence_of
from .copies import fresh_copy
from .indexing import subscript
from .inspected import bound_arguments, defaults_applied
from .selection_models import SELECTIONS

OPERATORS = {
    "add": "Add", "concat": "Add", "sub": "Subtract", "mul": "Multiply", "truediv": "Divide", "floordiv": "FloorDivide",
    "mod": "Modulo", "pow": "Power", "matmul": "MatrixMultiply", "and_": "BitAnd", "or_": "BitOr", "xor": "BitXor",
    "lshift": "LeftShift", "rshift": "RightShift", "lt": "LessThan", "le": "LessThanEqual", "eq": "Equal",
    "ne": "NotEqual", "gt": "GreaterThan", "ge": "GreaterThanEqual",
}  # fmt: skip
UNARY = {"neg": "Minus", "pos": "Plus", "invert": "BitInvert", "inv": "BitInvert"}


def operator(call: Call) -> Value:
    """`operator.add(a, b)` is `a + b`."""
    name = call.name.rsplit(".", 1)[-1]
    plain = name.removeprefix("i") if name not in OPERATORS and name not in UNARY else name
    plain = {"and": "and_", "or": "or_"}.get(plain, plain)
    if plain in OPERATORS and len(call.args) == 2:
        return binary(call.interp, OPERATORS[plain], call.args[0], call.args[1], call.node)
    if name == "contains" and len(call.args) == 2:
        return compare(call.interp, "In", call.args[1], call.args[0], call.node, call.node, call.node)
    if name == "abs" and call.args:
        return HANDLERS["abs"](call.interp, call.args, {}, call.node)
    if plain in UNARY and call.args:
        return unary(call.interp, UNARY[plain], call.args[0], call.node)
    if name == "getitem" and len(call.args) == 2:
        return subscript(call.interp, call.args[0], call.args[1], call.node)
    return TAINTED if any(holds_tracer(v) is not None for v in call.inputs) else UNKNOWN


def getter(kind: str) -> Callable[[Call], Value]:
    """`itemgetter`, `attrgetter`, `methodcaller`: a callable that remembers what to get."""

    def made(call: Call) -> Value:
        return MethodValue(ExternalValue(f"getter.{kind}"), TupleValue(tuple(call.args)))

    return made


def call_getter(call: Call, kind: str, wanted: TupleValue, value: Value) -> Value:
    """What a getter gives for a value."""
    found: list[Value] = []
    for item in wanted.items:
        if kind == "item":
            found.append(subscript(call.interp, value, item, call.node))
        elif isinstance(item, Const):
            for part in str(item.value).split("."):
                value = attribute(call.interp, value, part, call.node)
            if kind == "method":
                return run(call.interp, value, list(wanted.items[1:]), {}, call.node)
            found.append(value)
    return found[0] if len(found) == 1 else TupleValue(tuple(found))


def cached(call: Call) -> Value:
    """`lru_cache`: a function whose arguments must be hashable, and whose results outlive every trace."""
    first = call.args[0] if call.args else None
    if first is None or isinstance(first, Const):
        return ExternalValue("tracetrap.cached")
    return MethodValue(ExternalValue("cached.call"), first)


def call_cached(call: Call, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call through `lru_cache`: tracers are no keys, and a tracer in the result is kept for later calls."""
    interp = call.interp
    for value in (*args, *kwargs.values()):
        tracer = holds_tracer(value)
        if tracer is not None:
            sure = len(members(value)) == 1 and isinstance(tracer, Array) and tracer.sure
            interp.tell(HostIndex, call.node, sure, value=tracer, how="cache key", error="TypeError")
            return TAINTED
    given = (*args, *kwargs.values())
    for value in given:
        needs_hash(interp, value, call.node, "cache key")
    key = (
        (getattr(function, "node", None), given, tuple(kwargs))
        if all(isinstance(v, Const | InstanceValue) for v in given)
        else None
    )
    if key is not None and key in interp.lifetimes.leaks.cached:
        return interp.lifetimes.leaks.cached[key]
    loop, interp.in_loop = interp.in_loop, 0  # it runs once for each key, however often it is called
    try:
        result = run(interp, function, args, kwargs, call.node)
    finally:
        interp.in_loop = loop
    interp.repetition.keep(result)
    if key is not None and interp.trace is None and interp.certain:
        interp.lifetimes.leaks.cached[key] = result
    if interp.trace is not None and isinstance(function, FunctionValue) and holds_tracer(result) is not None:
        home = function.scope
        if home.context is None:
            interp.lifetimes.leaks.stored(
                interp, result, function.node, "cache", function.name, True, function.source
            )
            if key is not None and interp.certain:
                interp.lifetimes.leaks.cached[key] = result
    return result


def chain(call: Call) -> Value:
    """`itertools.chain`."""
    total = TupleValue(())
    for value in call.args:
        total = concatenated(total, sequence_of(call.interp, value))
    return total


def chain_from(call: Call) -> Value:
    """`itertools.chain.from_iterable`."""
    outer = sequence_of(call.interp, call.first())
    total = TupleValue(())
    for value in (*outer.items, *((outer.rest,) if outer.rest is not None else ())):
        part = sequence_of(call.interp, value)
        if value is outer.rest:
            part = TupleValue((), elements(call.interp, part))
        total = concatenated(total, part)
    return total


def multiplied(call: Call) -> Value:
    """`math.prod`, of a tuple or list."""
    factors = call.args[0] if call.args else UNKNOWN
    if not isinstance(factors, SequenceValue):
        return opaque(call.interp, call.inputs, {})
    content = sequence_of(call.interp, factors)
    total = call.bound.get("start", Const(1))
    for factor in content.items:
        total = binary(call.interp, "Multiply", total, factor, call.node)
    if content.rest is None:
        return total
    total = binary(call.interp, "Multiply", total, content.rest, call.node)
    return Static() if isinstance(total, Const) else total


def product(call: Call) -> Value:
    """`itertools.product` and `zip_longest`: a row of one element of each."""
    parts = [sequence_of(call.interp, value) for value in call.args]
    if (
        all(part.rest is None for part in parts)
        and "repeat" not in call.kwargs
        and call.name.endswith("product")
    ):
        count = 1
        for part in parts:
            count *= len(part.items)
        if count <= 32:
            return TupleValue(
                tuple(TupleValue(row) for row in itertools.product(*(part.items for part in parts)))
            )
    row = TupleValue(tuple(elements(call.interp, part) for part in parts))
    lengths = [part.length for part in parts if part.length is not None]
    repeat = call.kwargs.get("repeat", Const(1))
    times = repeat.value if isinstance(repeat, Const) and isinstance(repeat.value, int) else None
    if len(lengths) < len(parts) or times is None or not call.name.endswith("product"):
        return TupleValue((), row)
    return TupleValue((), row, count=math.prod(lengths) ** times)


def pairwise(call: Call) -> Value:
    """`itertools.pairwise`."""
    part = sequence_of(call.interp, call.first())
    if part.rest is None:
        return TupleValue(tuple(map(TupleValue, zip(part.items, part.items[1:], strict=False))))
    element = elements(call.interp, part)
    pair = TupleValue((element, element))
    return TupleValue((), pair, count=None if part.count is None else max(0, part.count - 1))


def repeated(call: Call) -> Value:
    """`itertools.repeat`."""
    times = call.bound.get("times")
    count = times.value if isinstance(times, Const) and isinstance(times.value, int) else None
    if count is not None and 0 <= count <= 32:
        return TupleValue((call.first(),) * count)
    return TupleValue((), call.first(), count=count)


def starmap(call: Call) -> Value:
    """`itertools.starmap`."""
    if len(call.args) < 2:
        return UNKNOWN
    part = sequence_of(call.interp, call.args[1])
    rest = None
    with unrolling(call.interp, call.node, part):
        results = [
            run(call.interp, call.args[0], list(sequence_of(call.interp, row).items), {}, call.node)
            for row in part.items
        ]
        if part.rest is not None:
            items = list(sequence_of(call.interp, part.rest).items)
            rest = run(call.interp, call.args[0], items, {}, call.node)
    return TupleValue(tuple(results), rest, count=part.count)


def copied(call: Call) -> Value:
    """`copy.copy` and `copy.deepcopy`."""
    value = call.first()
    if isinstance(value, InstanceValue):
        box = call.interp.new_box(value.box.name, site=value.box.site)
        box.slots.update(value.box.slots)
        return InstanceValue(value.cls, box)
    return fresh_copy(call.interp, value, lambda item: item, call.node)


def listed(call: Call) -> Value:
    """`collections.deque`, which is no pytree."""
    content = sequence_of(call.interp, call.args[0]) if call.args else TupleValue(())
    return new_list(call.interp, content, call.node, "deque")


def dictionary(call: Call) -> Value:
    """`collections.OrderedDict`."""
    made = HANDLERS["dict"](call.interp, call.args, call.kwargs, call.node)
    return DictValue(made.box, "OrderedDict") if isinstance(made, DictValue) else made


def default_dictionary(call: Call) -> Value:
    """`collections.defaultdict`: an unknown key gives what the factory makes."""
    factory = call.args[0] if call.args else NONE
    made = run(call.interp, factory, [], {}, call.node) if factory != NONE else None
    return new_dict(call.interp, Mapping((), made), call.node, "defaultdict")


def counter(call: Call) -> Value:
    """`collections.Counter`: an unknown key gives a number, 0 where it was never counted."""
    for value in call.args[:1]:
        needs_hash(call.interp, elements(call.interp, value, call.node), call.node, "dict key")
    return new_dict(call.interp, Mapping((), Static("int")), call.node, "Counter")


def named_tuple(call: Call) -> Value:
    """`collections.namedtuple`: a class whose instances are tuples with names."""
    names = (
        call.args[1]
        if len(call.args) > 1
        else call.bound.get("field_names", call.bound.get("fields", UNKNOWN))
    )
    fields: list[str] = []
    if isinstance(names, Const) and isinstance(names.value, str):
        fields = names.value.replace(",", " ").split()
    else:
        for item in sequence_of(call.interp, names).items:
            first = item.items[0] if isinstance(item, TupleValue) and item.items else item
            if isinstance(first, Const):
                fields.append(str(first.value))
    box = call.interp.new_box("namedtuple", site=call.node)
    box.slots["_fields"] = TupleValue(tuple(map(Const, fields)))
    made = InstanceValue(ExternalValue("collections.namedtuple"), box)
    return MethodValue(ExternalValue("namedtuple.new"), made)


def call_named_tuple(cls: InstanceValue, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """An instance of a namedtuple."""
    fields = cls.box.slots["_fields"]
    assert isinstance(fields, TupleValue)
    names = [str(item.value) for item in fields.items if isinstance(item, Const)]
    items = [args[k] if k < len(args) else kwargs.get(name, UNKNOWN) for k, name in enumerate(names)]
    return TupleValue(tuple(items), None, tuple(names), cls)


def replaced(call: Call) -> Value:
    """`dataclasses.replace`."""
    value = call.first()
    if isinstance(value, InstanceValue):
        box = call.interp.new_box(value.box.name, site=value.box.site)
        box.slots.update(value.box.slots)
        box.slots.update(call.kwargs)
        return InstanceValue(value.cls, box)
    if isinstance(value, TupleValue) and value.fields:
        items = tuple(
            call.kwargs.get(name, item) for name, item in zip(value.fields, value.items, strict=False)
        )
        return replace(value, items=items)
    return TAINTED if any(holds_tracer(v) is not None for v in call.inputs) else UNKNOWN


def as_dictionary(call: Call) -> Value:
    """`dataclasses.asdict`."""
    value = call.first()
    if isinstance(value, InstanceValue):
        items = tuple((key, item) for key, item in value.box.slots.items() if isinstance(key, str))
        return new_dict(call.interp, Mapping(items), call.node)
    return UNKNOWN


def as_tuple(call: Call) -> Value:
    """`dataclasses.astuple`."""
    value = call.first()
    if isinstance(value, InstanceValue):
        return TupleValue(tuple(value.box.slots.values()))
    return UNKNOWN


PYTHON_MODELS: dict[str, Callable[[Call], Value]] = {
    "operator": operator,
    "itemgetter": getter("item"),
    "attrgetter": getter("attr"),
    "methodcaller": getter("method"),
    "lru_cache": cached,
    "bound_arguments": bound_arguments,
    "defaults_applied": defaults_applied,
    "chain": chain,
    "chain_from": chain_from,
    "product": product,
    "multiplied": multiplied,
    "pairwise": pairwise,
    "repeat": repeated,
    "count": lambda call: TupleValue((), Static("int")),
    "starmap": starmap,
    "copy": copied,
    "list": listed,
    "dict": dictionary,
    "defaultdict": default_dictionary,
    "counter": counter,
    "namedtuple": named_tuple,
    "replace": replaced,
    "asdict": as_dictionary,
    "astuple": as_tuple,
    **SELECTIONS,
}
