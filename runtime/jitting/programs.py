"""The programs that a jitted function was compiled to, and how a call finds its own quickly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..arrays.avals import AbstractRef
from ..config import state
from ..core import ClosedJaxpr, Value
from ..jaxprs.execution import executable
from ..primitives.call import jit_p
from ..pytree.definition import LEAF, PyTreeDef
from ..pytree.kinds import TUPLE
from .misses import Signature

if TYPE_CHECKING:
    from ..jaxprs.execution import Executable
    from ..llvm.dispatch import Bound


def _declines(*leaves: Value) -> Any:
    """What stands where no builtin function does."""
    return NotImplemented


class Program:
    """One traced specialisation of a function: its jaxpr, the tracers it closes over, and how to build its result.

    `builtin` is the fastest way to run it, for Arrays alone: see `Executable.builtin`. It returns what `finish`, unless
    that is None, makes the result of.
    """

    __slots__ = (
        "_bound",
        "_executable",
        "builtin",
        "closed",
        "donated",
        "finish",
        "in_tree",
        "name",
        "out_tree",
        "positional",
        "refers",
        "run",
        "slow_hits",
        "tracers",
    )

    def __init__(
        self,
        closed: ClosedJaxpr,
        tracers: list[Value],
        signature: Signature,
        out_tree: PyTreeDef,
        name: str,
        donated: tuple[bool, ...],
    ) -> None:
        self.closed, self.tracers, self.out_tree, self.name = closed, tracers, out_tree, name
        self.in_tree = signature.tree
        self.refers = any(isinstance(aval, AbstractRef) for aval in signature.avals)
        self.donated = donated if any(donated) else ()
        self.slow_hits = 0
        self.positional = _only_positional_leaves(signature)
        self.finish = _finish(out_tree)
        self.run: Callable[[Sequence[Value]], list[Value]] = self._first_run
        self.builtin: Callable[..., Any] | None = None
        self._executable: Executable | None = None
        self._bound: Bound | None = None

    @property
    def hits(self) -> int:
        """How many calls have found the program made."""
        executable = self._executable
        return (
            self.slow_hits
            + (self._bound.calls if self._bound is not None else 0)
            + (executable.direct_calls if executable is not None else 0)
        )

    def _first_run(self, leaves: Sequence[Value]) -> list[Value]:
        self.run = self._executable = executable(self.closed)
        return self.run(leaves)

    def make_builtin(self) -> Callable[..., Any]:
        """`builtin`: made when the program runs for the second time, and again, of better code, when it is spent."""
        executable, before = self._executable, self._bound
        if executable is None or self.donated:
            self.builtin = _declines
            return self.builtin
        if before is not None:
            self.slow_hits += before.calls
        self._bound = executable.builtin(better=before is not None)
        self.builtin = executable.direct if self._bound is None else self._bound.call
        return self.builtin

    def call(self, leaves: Sequence[Value]) -> Any:
        """The result of a call with concrete values, by `builtin` if that can be."""
        builtin = self.builtin or self.make_builtin()
        result = builtin(*leaves)
        if result is NotImplemented:
            if self._executable is not None and not self.donated:
                arrays = self._executable.arrays(leaves)
                result = builtin(*arrays)
                if result is NotImplemented and self._bound is not None and self._bound.is_spent:
                    result = self.make_builtin()(*arrays)
            if result is NotImplemented:
                self.slow_hits += 1
                return self.out_tree.unflatten(self.apply(leaves))
        return result if self.finish is None else self.finish(result)

    def apply(self, leaves: Sequence[Value]) -> list[Value]:
        """The leaves of the result of a call with concrete values."""
        if self.donated:
            from .donation import run_donating

            return run_donating(self.run, leaves, self.donated, self.closed.out_avals)
        return self.run(leaves)

    def bind(self, leaves: Sequence[Value], inline: bool) -> list[Value]:
        """Apply the program under the current trace."""
        if inline:
            from ..jaxprs.replay import jaxpr_as_values

            return jaxpr_as_values(self.closed.jaxpr, self.closed.consts, *self.tracers, *leaves)
        donated = self.donated or (False,) * len(leaves)
        return jit_p.bind(
            *self.tracers,
            *leaves,
            jaxpr=self.closed,
            name=self.name,
            donated_invars=(False,) * len(self.tracers) + donated,
            inline=inline,
            keep_unused=False,
        )


class Cache:
    """The programs of one function under one set of options.

    For calls with arrays and scalars, under the configuration `config`, there are shortcuts: `latest` is the builtin
    function of the program that ran last, and the `finish` of that program; `quick` holds programs by `call_keys`.
    """

    __slots__ = ("__weakref__", "config", "latest", "programs", "quick")

    def __init__(self) -> None:
        self.programs: dict[Signature, Program] = {}
        self.forget_shortcuts()

    def forget_shortcuts(self) -> None:
        self.config = state.key
        self.quick: dict[tuple[Any, ...], Program] = {}
        self.latest: tuple[Callable[..., Any], Callable[[Any], Any] | None] = (_declines, None)

    def clear(self) -> None:
        self.programs.clear()
        self.forget_shortcuts()


def _only_positional_leaves(signature: Signature) -> bool:
    """Whether the leaves of the traced arguments are the arguments of a call."""
    args, keywords = signature.tree.children()
    return (
        not signature.static and keywords.num_leaves == 0 and all(child is LEAF for child in args.children())
    )


def _finish(out_tree: PyTreeDef) -> Callable[[Any], Any] | None:
    """What makes a result of the only Array, or of the list of Arrays, that a program returns; None for an Array itself."""
    if out_tree.num_leaves == 1:
        return None if out_tree.kind is None else lambda only: out_tree.unflatten([only])
    flat = out_tree.kind is TUPLE and all(child is LEAF for child in out_tree.children())
    return tuple if flat else out_tree.unflatten
