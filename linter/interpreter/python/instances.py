"""What `isinstance` answers for abstract values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import (
    Array,
    ClassValue,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    PartialValue,
    RangeValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    Wrapper,
)
from .classes import ancestors, has_base, open_ended

if TYPE_CHECKING:
    from ..machine import Interpreter


PYTHON_KINDS = {
    "int": {"int", "bool"}, "float": {"float"}, "bool": {"bool"}, "str": {"str"}, "bytes": {"bytes"},
    "complex": {"complex"}, "list": {"list"}, "tuple": {"tuple"}, "dict": {"dict"}, "set": {"set"}, "frozenset": {"frozenset"}, "range": {"range"},
}  # fmt: skip


def is_instance(interp: Interpreter, value: Value, kind: Value) -> bool | None:
    """Whether a value is an instance of a class, or of one of a tuple of classes; None where that is not known."""
    if isinstance(kind, TupleValue):
        answers = [is_instance(interp, value, one) for one in kind.items]
        return True if True in answers else None if None in answers or kind.rest is not None else False
    if isinstance(value, Unknown):
        return None
    if isinstance(kind, ClassValue):
        if isinstance(value, InstanceValue):
            return _is_subclass(interp, value.cls, kind)
        if isinstance(value, TupleValue) and isinstance(value.cls, ClassValue):
            return _is_subclass(interp, value.cls, kind)
        return None if isinstance(value, Tree) else False
    if not isinstance(kind, ExternalValue):
        return None
    name = interp.catalogue.canonical(kind.name)
    short = name.removeprefix("builtins.")
    if short in PYTHON_KINDS:
        if isinstance(value, Tree):
            return None if short in ("list", "tuple", "dict") else False
        actual = _python_kind(interp, value)
        return None if actual is None else actual in PYTHON_KINDS[short]
    if isinstance(value, Array):
        if name == "jax.core.Tracer":
            return value.traced
        if name in ("jax.Array", "jax.typing.ArrayLike"):
            return True
        if name.startswith("numpy."):
            return False
        return False if name.startswith(("typing.", "collections.", "numbers.")) and name.rsplit(".", 1)[-1] in (
            "Sequence", "Mapping", "Number", "Real", "Integral", "Callable", "Iterable"
        ) and name.rsplit(".", 1)[-1] != "Iterable" else None  # fmt: skip
    if isinstance(value, Tree):
        return None if name in ("jax.Array", "jax.core.Tracer") or not name.startswith("numpy.") else False
    if name in ("jax.Array", "jax.core.Tracer", "numpy.ndarray") and _is_no_array(interp, value):
        return False
    if name in ("jax.Array", "jax.core.Tracer"):
        return False if isinstance(value, Static) and value.kind is not None else None
    if isinstance(value, Static) and value.kind == "ndarray" and name == "numpy.ndarray":
        return None if value.shape == () else True
    return False if isinstance(value, Const) and name.startswith(("numpy.", "jax.")) else None


def _is_no_array(interp: Interpreter, value: Value) -> bool:
    """Whether a value surely is a constant, a container, a function, a class or an object of the analysed code."""
    if isinstance(value, ExternalValue):
        return value.name.startswith("builtins.") or interp.catalogue.function(value.name) is not None
    if isinstance(value, InstanceValue):
        return not has_base(value.cls, ("numpy.ndarray",))
    return isinstance(
        value, Const | TupleValue | ListValue | DictValue | RangeValue | FunctionValue | Wrapper | ClassValue
    )


def _python_kind(interp: Interpreter, value: Value) -> str | None:
    match value:
        case Const() | Static():
            return value.kind
        case TupleValue():
            return value.kind
        case ListValue():
            return value.kind if value.kind in ("set", "frozenset", "deque") else "list"
        case DictValue():
            return "dict"
        case RangeValue():
            return "range"
        case Array() | FunctionValue() | ClassValue() | TransformedValue() | PartialValue() | ModuleValue():
            return "object"
        case InstanceValue() if isinstance(value.cls, ClassValue) and not open_ended(interp, value.cls):
            return "object"
        case _:
            return None


def _is_subclass(interp: Interpreter, cls: Value, kind: ClassValue) -> bool | None:
    found = list(ancestors(cls))
    if any(isinstance(one, ClassValue) and one.node is kind.node for one in found):
        return True
    return None if any(not isinstance(one, ClassValue) for one in found) else False
