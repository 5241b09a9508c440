"""Whether two values are one object, as `is` asks; None where that is not known."""

from __future__ import annotations

from ...domain import (
    NONE,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    Static,
    Tree,
    Unknown,
    Value,
    members,
)
from .enumerations import EnumMember


def identical(left: Value, right: Value) -> bool | None:
    """Whether `left is right`, of every pair of what they may be."""
    answers: set[bool | None] = set()
    for a in members(left):
        for b in members(right):
            if isinstance(a, Unknown) or isinstance(b, Unknown):
                if not ((a == NONE and _is_true(b)) or (b == NONE and _is_true(a))):
                    return None
                answers.add(False)
            elif isinstance(a, Const) and isinstance(b, Const):
                answers.add(
                    a == b
                    if a.value is None or b.value is None or isinstance(a.value, bool | EnumMember)
                    else None
                )
            elif isinstance(a, Tree) or isinstance(b, Tree):
                other = b if isinstance(a, Tree) else a
                answers.add(False if isinstance(other, Const) and other.value is not None else None)
            elif (isinstance(a, Static) and a.kind in (None, "bool")) or (
                isinstance(b, Static) and b.kind in (None, "bool")
            ):
                answers.add(None)
            elif type(a) is not type(b):
                answers.add(False)
            else:
                answers.add(True if a is b else _same_object(a, b))
    return answers.pop() if len(answers) == 1 else None


def _is_true(value: Value) -> bool:
    return isinstance(value, Unknown) and value.true


def _same_object(left: Value, right: Value) -> bool | None:
    """Whether two modules, library's objects, functions or classes are one; None where that is not known."""
    if isinstance(left, ExternalValue) and isinstance(right, ExternalValue):
        if left.name == right.name:
            return True
        one, two = left.name.split(".", 1)[0], right.name.split(".", 1)[0]
        return False if one != two else None  # a library may have two names for one object
    if isinstance(left, ClassValue) and isinstance(right, ClassValue):
        return left.node is right.node
    if isinstance(left, FunctionValue) and isinstance(right, FunctionValue) and left.node is not right.node:
        return False
    return None
