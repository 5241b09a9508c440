"""Abstract values in words, in the notation of jaxprs and jaxtyping: `traced f32[3]`, `static int`, `list of 3`."""

from __future__ import annotations

from .domain import (
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    ImportedValue,
    InstanceValue,
    Level,
    ListValue,
    Mapping,
    MethodValue,
    ModuleValue,
    PartialValue,
    RangeValue,
    Shape,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    members,
)
from .records import record

MAX_TEXT = 24  # characters of a constant
MAX_WAYS = 3  # alternatives that are told apart

_SHORT = {"bfloat16": "bf16", "bool": "bool"}
_LETTERS = {"float": "f", "int": "i", "uint": "u", "complex": "c"}


@record(frozen=True, slots=True)
class Contents(Value):
    """What a list, set, deque or dict held at one moment; the container itself may have changed since."""

    kind: str
    items: TupleValue | Mapping


def describe(value: Value) -> str:
    """A value in a few words."""
    ways = tuple(dict.fromkeys(_describe(member) for member in members(value)))
    if len(ways) > MAX_WAYS:
        return f"{' or '.join(ways[:MAX_WAYS])} or others"
    return " or ".join(ways)


def dtype_text(dtype: str | None) -> str:
    """`f32` for `float32`; `array` where it is not known."""
    if dtype is None:
        return "array"
    letters = dtype.rstrip("0123456789")
    return _SHORT.get(dtype) or f"{_LETTERS.get(letters, letters)}{dtype[len(letters) :]}"


def array_text(dtype: str | None, shape: Shape) -> str:
    """`f32[3,?]`: a question mark for a length that is not known, `[...]` for an unknown rank."""
    if shape is None:
        return dtype_text(dtype) if dtype is None else f"{dtype_text(dtype)}[...]"
    return f"{dtype_text(dtype)}[{','.join('?' if length is None else str(length) for length in shape)}]"


def _describe(value: Value) -> str:
    match value:
        case Array():
            binding = "concrete" if value.level is Level.CONCRETE else "traced"
            return f"{'' if value.sure else 'perhaps '}{binding} {array_text(value.dtype, value.shape)}"
        case Tree():
            binding = "concrete" if value.level is Level.CONCRETE else "traced"
            return f"{'' if value.sure else 'perhaps '}{binding} pytree"
        case Const(None):
            return "None"
        case Const():
            return f"static {value.kind} {_shortened(repr(value.value))}"
        case Static():
            kind = f"static {value.kind}" if value.kind else "static"
            return (
                kind
                if value.shape is None
                else f"{kind}{array_text(None, value.shape).removeprefix('array')}"
            )
        case Unknown():
            return "unknown, perhaps traced" if value.may_trace else "unknown"
        case _:
            return _object(value)


def _object(value: Value) -> str:
    match value:
        case TupleValue():
            name = value.cls.name if isinstance(value.cls, ClassValue) else value.kind
            return f"{name}{_length(value)}"
        case Contents():
            return f"{value.kind}{_length(value.items)}"
        case ListValue():
            return value.kind
        case DictValue():
            return "dict"
        case RangeValue():
            return "range"
        case FunctionValue():
            return "lambda" if value.name == "<lambda>" else f"function {value.name}"
        case MethodValue():
            return f"method {name_of(value)}"
        case PartialValue():
            return f"partial of {name_of(value.function)}"
        case TransformedValue():
            return f"{value.kind} of {name_of(value.function)}"
        case ClassValue():
            return f"class {value.name}"
        case InstanceValue():
            return name_of(value.cls)
        case ModuleValue() | ExternalValue():
            return value.name.removeprefix("builtins.")
        case ImportedValue():
            return value.module if value.name is None else f"{value.module}.{value.name}"
        case _:
            return type(value).__name__.removesuffix("Value").lower()


def name_of(value: Value) -> str:
    """The name of a callable or class, as a reader would say it."""
    match value:
        case FunctionValue() | ClassValue() | ModuleValue():
            return value.name
        case ExternalValue():
            return value.name.removeprefix("builtins.")
        case MethodValue() | PartialValue() | TransformedValue():
            return name_of(value.function)
        case Union():
            return " or ".join(dict.fromkeys(name_of(member) for member in value.members))
        case _:
            return describe(value)


def _length(items: TupleValue | Mapping) -> str:
    return f" of {len(items.items)}" if items.rest is None else ""


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 3]}..."
