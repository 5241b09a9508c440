"""What the interpreter remembers across traces, and what becomes of values that are used after one has ended."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import Value
from ...events import Converted, Event, Truth
from .changed_copies import ChangedCopies
from .donation import Donations
from .frozen import FrozenReads
from .leaks import Leaks
from .metadata import Metadata
from .shared_memory import SharedMemory

if TYPE_CHECKING:
    from ..machine import Interpreter


@dataclass(slots=True, eq=False)
class Lifetimes:
    """What outlives a trace, by what may go wrong with it."""

    leaks: Leaks = field(default_factory=Leaks)
    copies: ChangedCopies = field(default_factory=ChangedCopies)
    frozen: FrozenReads = field(default_factory=FrozenReads)
    memory: SharedMemory = field(default_factory=SharedMemory)
    donations: Donations = field(default_factory=Donations)
    metadata: Metadata = field(default_factory=Metadata)

    def used(
        self,
        interp: Interpreter,
        values: Collection[Value],
        node: cst.CSTNode,
        error: str = "UnexpectedTracerError",
    ) -> None:
        """Values take part in an operation: a tracer whose trace has ended is refused, and so is a deleted array."""
        self.donations.used(interp, values, node)
        self.leaks.kept_alive(interp, values, node, error)

    def refused(
        self, interp: Interpreter, event: type[Event], value: Value, node: cst.CSTNode, error: str | None
    ) -> None:
        """Python asks a leaked tracer for its value, which it refuses as it did while it was alive."""
        shaped = getattr(value, "shape", None) not in (None, ())
        if event is Truth:
            error = "ValueError" if shaped else "TracerBoolConversionError"
        elif event is Converted:
            error = error or "ConcretizationTypeError"
        if error is not None:
            self.used(interp, (value,), node, error)

    def asked(self, interp: Interpreter, values: Collection[Value], node: cst.CSTNode) -> None:
        """Python, or another library, asks for the numbers in an array, and waits until they are there."""
        self.donations.used(interp, values, node)
        if self.memory.handed:
            self.memory.waited(values)
