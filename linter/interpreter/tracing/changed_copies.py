"""Copies that traces change: what the caller passed stays as it was, which shows where the caller looks into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import Box, Value
from ...events import Discarded

if TYPE_CHECKING:
    from ..machine import Interpreter


@dataclass(slots=True, eq=False)
class ChangedCopies:
    """The changes that traces made to their copies, and that are not seen outside."""

    unseen: dict[Box, dict[int, tuple[str | None, Discarded]]] = field(default_factory=dict)
    # By the node that changes the copy: the attribute, None of containers

    def changed(
        self, interp: Interpreter, box: Box, key: str | None, value: Value, node: cst.CSTNode
    ) -> None:
        """A trace changes its copy of a container, or the attribute `key` of its copy of an object, that the caller keeps."""
        called = interp.trace is not None and interp.trace.entry.transform in ("jit", "vmap", "pmap")
        if box.origin is not None and called and interp.trace is not None and interp.certain:
            event = Discarded(
                node=node, source=interp.source, entry=interp.trace.entry, statement=interp.frame.statement,
                value=value, how="argument",
            )  # fmt: skip
            self.unseen.setdefault(box.origin, {})[id(node)] = key, event

    def looked_at(self, interp: Interpreter, box: Box, key: str | None = None) -> None:
        """The caller looks into its own container, or at an attribute of its object: the change is not to be seen there."""
        if interp.trace is None and box in self.unseen and not interp.lifetimes.frozen.running:
            changes = self.unseen[box]
            for place in [place for place, (changed, _) in changes.items() if changed == key]:
                interp.listener(changes.pop(place)[1])
