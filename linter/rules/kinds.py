"""What an abstract value is, in words: `a string`, `a list`, `an Environment object`."""

from __future__ import annotations

from ..domain import (
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Value,
)

NAMES = {
    "str": "a string",
    "bytes": "bytes",
    "dtype": "a dtype",
    "ndarray": "a NumPy array",
    "type": "a class",
}


def kind_of(value: Value | None, unknown: str = "an object") -> str:
    """A noun with its article; `unknown` where nothing is known."""
    match value:
        case Const(value=str() as text) if len(text) <= 20:
            return f"the string {text!r}"
        case Const():
            return NAMES.get(type(value.value).__name__, f"{value.value!r}")
        case Static(kind=str() as kind):
            return NAMES.get(kind, f"of type {kind}")
        case Array():
            return "a tracer" if value.traced else "an array"
        case Tree():
            return "a pytree of tracers" if value.traced else "a pytree of arrays"
        case FunctionValue():
            return "a lambda" if value.name == "<lambda>" else f"the function {value.name}"
        case MethodValue() | PartialValue() | TransformedValue():
            return "a function"
        case ExternalValue():
            return f"the function {value.name.replace('jax.numpy.', 'jnp.')}"
        case ClassValue():
            return f"the class {value.name}"
        case ModuleValue():
            return "a module"
        case InstanceValue():
            name = getattr(value.cls, "name", "").rsplit(".", 1)[-1]
            return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name} object" if name else "an object"
        case ListValue():
            return f"a {value.kind}"
        case DictValue():
            return f"a {value.kind}"
        case TupleValue(kind="tuple" | "generator" as kind):
            return f"a {kind}"
        case TupleValue():
            return f"of type {value.kind}"
        case _:
            return unknown
