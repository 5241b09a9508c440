"""A call of what a transform returned, as the functions that run such calls take it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from ...domain import TransformedValue, Value
from ...records import record
from ..functions import argument_names, positional_names

if TYPE_CHECKING:
    from ..machine import Interpreter


@record(frozen=True, slots=True)
class TransformedCall:
    """What is called, with which arguments, and where; `spread` stands for more of them, their number unknown."""

    interp: Interpreter
    transformed: TransformedValue
    args: list[Value]
    kwargs: dict[str, Value]
    node: cst.CSTNode
    spread: Value | None = None

    @property
    def function(self) -> Value:
        """The function that was transformed."""
        return self.transformed.function

    @property
    def inputs(self) -> list[Value]:
        """All arguments that are known."""
        return [*self.args, *self.kwargs.values()]

    @property
    def names(self) -> list[str]:
        """What the arguments by position are called."""
        return argument_names(self.function, len(self.args))


BY_POSITION = frozenset(("grad", "value_and_grad", "vmap", "pmap"))
"""The kinds of transforms that `nnx` gives arguments by name in the places of their parameters."""


def by_position(
    function: Value, args: list[Value], kwargs: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """Arguments with those by name in the places of their parameters, as far as these follow on one another."""
    following = takewhile(lambda name: name in kwargs, positional_names(function)[len(args) :])
    placed = {name: kwargs[name] for name in following}
    return [*args, *placed.values()], {name: v for name, v in kwargs.items() if name not in placed}


Runner: TypeAlias = Callable[[TransformedCall], Value]
"""What calling the result of one kind of transform does."""
