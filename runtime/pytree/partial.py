"""`Partial`: a `functools.partial` that is a tree of its arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .kinds import KINDS, NodeKind, flat_index_keys

if TYPE_CHECKING:
    from typing import Self


class _HashableCallable:
    """Compares and hashes as the function that it calls: stands in for a partial inside a `Partial`."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _HashableCallable) and bool(self.function == other.function)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)


class Partial(functools.partial[Any]):
    """A function with some arguments bound, to be passed through transforms: the arguments are leaves.

    The function is metadata, so two of them have the same structure if they bind the same function.
    """

    def __new__(cls, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Self:
        # functools.partial would merge nested partials, which would move inner arguments among the leaves.
        if isinstance(func, functools.partial):
            func = _HashableCallable(func)
        return super().__new__(cls, func, *args, **kwargs)

    def __repr__(self) -> str:
        bound = [repr(self.func), *map(repr, self.args), *(f"{k}={v!r}" for k, v in self.keywords.items())]
        return f"Partial({', '.join(bound)})"


KINDS[Partial] = NodeKind(
    Partial,
    "custom",
    lambda p: ((p.args, p.keywords), p.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
    flat_index_keys,
)
