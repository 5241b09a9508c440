"""Values of one execution of a module as values of another: instances of its classes get their counterparts."""

from __future__ import annotations

import copy
import enum
from types import FunctionType, ModuleType
from typing import Any

from .targets import resolve


def carried(value: Any, module: ModuleType) -> Any:
    """A deep copy of `value` whose user classes and functions are those of `module`; arrays are shared."""
    cls = type(value)
    if cls is list:
        return [carried(item, module) for item in value]
    if cls is dict:
        return {carried(key, module): carried(item, module) for key, item in value.items()}
    if cls is tuple:
        return tuple(carried(item, module) for item in value)
    if isinstance(value, (type, FunctionType)):
        return _counterpart(value, module)
    if isinstance(value, enum.Enum):
        return _counterpart(cls, module)[value.name]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _counterpart(cls, module)(*(carried(item, module) for item in value))
    if cls.__module__ == "__main__":
        return _instance(value, _counterpart(cls, module), module)
    if cls.__module__ == "numpy":
        return copy.copy(value)
    return value


def _counterpart(definition: Any, module: ModuleType) -> Any:
    if definition.__module__ != "__main__":
        return definition
    found = resolve(module, definition.__qualname__)
    return definition if found is None else found


def _instance(value: Any, cls: Any, module: ModuleType) -> Any:
    made = object.__new__(cls)
    slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ())]
    state = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    for name, item in {**state, **getattr(value, "__dict__", {})}.items():
        object.__setattr__(made, name, carried(item, module))
    return made
