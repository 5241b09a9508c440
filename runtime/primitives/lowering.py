"""How the code generator computes the elements of a result, declared beside what else is known of a primitive.

A lowering takes a builder of instructions, the operands and the parameters of an equation. A primitive may bring any
such function; those here are written in `runtime.llvm`, which is imported when something is compiled.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]


class Lowering:
    """A rule that is looked up when it is first needed. `cost` is what an element takes, in additions."""

    __slots__ = ("_find", "_rule", "cost")

    def __init__(self, find: Callable[[], Rule], cost: int) -> None:
        self._find, self.cost = find, cost
        self._rule: Rule | None = None

    def __call__(self, builder: Any, *operands: Any, **params: Any) -> Any:
        if self._rule is None:
            self._rule = self._find()
        return self._rule(builder, *operands, **params)


def _from(module: str, name: str) -> Rule:
    found: Rule = getattr(importlib.import_module(f"...llvm.{module}", __name__), name)
    return found


def instruction(name: str, *, cost: int = 1) -> Lowering:
    """The builder's method `name`: one instruction, or few."""
    return Lowering(lambda: lambda builder, *operands, **_: getattr(builder, name)(*operands), cost)


def rule(name: str, *, cost: int = 1) -> Lowering:
    """The rule `name` of `llvm.elementwise`."""
    return Lowering(lambda: _from("elementwise", name), cost)


def function(where: str, *, cost: int, shared: bool = False) -> Lowering:
    """An elementary function of floats: ``"exponential:tanh"`` of `llvm.vmath`, a function of its own if `shared`."""
    module, name = where.split(":")

    def find() -> Rule:
        approximation = _from(f"vmath.{module}", name)
        return lambda builder, *operands, **_: builder.function(name, approximation, *operands, shared=shared)

    return Lowering(find, cost)


def cost_of(lower: Rule | None) -> int:
    """What an element takes, in additions: 1 where nothing else is said."""
    return getattr(lower, "cost", 1)
