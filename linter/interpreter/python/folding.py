"""Python's operators where both operands are known: the result, unless it would be large."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...domain import (
    UNKNOWN,
    Const,
    Static,
    Value,
)

MAX_BITS = 4096  # of an integer that is kept as a constant
MAX_LENGTH = 10_000  # of a string

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Subtract": operator.sub,
    "Multiply": operator.mul,
    "Divide": operator.truediv,
    "FloorDivide": operator.floordiv,
    "Modulo": operator.mod,
    "Power": operator.pow,
    "MatrixMultiply": operator.matmul,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LeftShift": operator.lshift,
    "RightShift": operator.rshift,
    "Equal": operator.eq,
    "NotEqual": operator.ne,
    "LessThan": operator.lt,
    "LessThanEqual": operator.le,
    "GreaterThan": operator.gt,
    "GreaterThanEqual": operator.ge,
}

SYMBOLS = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%", "Power": "**",
    "MatrixMultiply": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^", "LeftShift": "<<", "RightShift": ">>",
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">", "GreaterThanEqual": ">=",
}  # fmt: skip

SIGNS: dict[str, Callable[[Any], Any]] = {
    "Minus": operator.neg,
    "Plus": operator.pos,
    "BitInvert": operator.invert,
}

DUNDERS = {
    "Add": "add", "Subtract": "sub", "Multiply": "mul", "Divide": "truediv", "FloorDivide": "floordiv", "Modulo": "mod",
    "Power": "pow", "MatrixMultiply": "matmul", "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LeftShift": "lshift",
    "RightShift": "rshift", "Equal": "eq", "NotEqual": "ne", "LessThan": "lt", "LessThanEqual": "le", "GreaterThan": "gt",
    "GreaterThanEqual": "ge",
}  # fmt: skip

COMPARISONS = frozenset(("Equal", "NotEqual", "LessThan", "LessThanEqual", "GreaterThan", "GreaterThanEqual"))


def fold(name: str, left: Any, right: Any) -> Value:
    """What an operator makes of two constants: a constant, only its type where that would be long, or unknown."""
    if not _is_small(name, left, right):
        return Static(
            type(left).__name__
            if name != "Multiply" or not isinstance(right, str | bytes)
            else type(right).__name__
        )
    try:
        result = OPERATORS[name](left, right)
    except (ArithmeticError, TypeError, ValueError, MemoryError):
        return UNKNOWN
    return Const(result) if isinstance(result, int | float | complex | str | bytes | bool) else UNKNOWN


def _is_small(name: str, left: Any, right: Any) -> bool:
    """Whether the result of an operator is a constant worth computing."""
    if isinstance(left, str | bytes) or isinstance(right, str | bytes):
        if name == "Modulo":  # a width may ask for any number of blanks
            return isinstance(left, str) and not any(sign.isdigit() or sign == "*" for sign in left)
        sizes = [
            len(v) if isinstance(v, str | bytes) else v
            for v in (left, right)
            if isinstance(v, int | str | bytes)
        ]
        return len(sizes) < 2 or (sizes[0] * sizes[1] if name == "Multiply" else sum(sizes)) <= MAX_LENGTH
    if isinstance(left, int) and isinstance(right, int):
        if name == "LeftShift":
            return abs(right) <= MAX_BITS
        if name == "Power":
            return left.bit_length() * abs(right) <= MAX_BITS
        return left.bit_length() <= MAX_BITS and right.bit_length() <= MAX_BITS
    return True
