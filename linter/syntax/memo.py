"""What is worked out of a node once, and remembered for as long as files are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import libcst as cst

MAX_NODES = 4096

NodeT = TypeVar("NodeT", bound="cst.CSTNode")
Result = TypeVar("Result")


class NodeMemo(Generic[NodeT, Result]):
    """A function of nodes that remembers its results by the identity of the nodes, which it keeps alive.

    When there are too many, or `forget_nodes` says so, it begins anew.
    """

    def __init__(self, function: Callable[[NodeT], Result]) -> None:
        self._function = function
        self._known: dict[int, tuple[NodeT, Result]] = {}
        _memos.append(self)

    def __call__(self, node: NodeT) -> Result:
        """The result for this node."""
        known = self._known.get(id(node))
        if known is None:
            if len(self._known) >= MAX_NODES:
                self._known.clear()
            known = self._known[id(node)] = (node, self._function(node))
        return known[1]

    def forget(self) -> None:
        """Lets go of all nodes."""
        self._known.clear()


_memos: list[NodeMemo[Any, Any]] = []


def forget_nodes() -> None:
    """Lets go of all nodes that anything is remembered of: files that are no longer kept would live on by them."""
    for memo in _memos:
        memo.forget()
