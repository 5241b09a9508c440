"""Proof of a rewrite outside all functions: both modules bind and print the same."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from .agreement import Agreement, has_numbers
from .execution import Execution

_MOST_NAMES = 200


def module_difference(original: Execution, rewritten: Execution, printed: tuple[list[Any], list[Any]]) -> str:
    """Why two executions do not show the same; empty if they do, and show something."""
    for execution, which in ((original, "undecorated"), (rewritten, "rewritten")):
        if execution.failures:
            return f"{which}, {execution.failures[0][1]}"
    before, after = _results(original.module), _results(rewritten.module)
    shown = {name: value for name, value in before.items() if name in after}
    if not has_numbers([*shown.values(), *printed[0]]):
        return "the module leaves no numbers to compare"
    for name, value in [*shown.items(), ("what is printed", printed[0])]:
        agreement = Agreement()
        agreement.learn(value)
        reason = agreement.difference(value, after[name] if name in shown else printed[1])
        if reason:
            return f"rewritten, {name} is {reason}"
    return ""


def _results(module: ModuleType) -> dict[str, Any]:
    """The numbers, arrays and containers of them that a module binds."""
    named = [(name, value) for name, value in module.__dict__.items() if not name.startswith("__")]
    return {
        name: value
        for name, value in named[:_MOST_NAMES]
        if not callable(value) and not isinstance(value, ModuleType) and has_numbers(value)
    }
