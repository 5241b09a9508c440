"""Arrays in the metadata of pytrees, which the caches of compiled functions compare: several elements have no one truth.

Measured on JAX: the hash of a structure does not ask for its metadata.  So a first call goes well, and so does one with the
very same array or with leaves of other shapes; the others compare the two arrays and raise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...domain import (
    Array,
    Box,
    Const,
    DictValue,
    InstanceValue,
    Level,
    SequenceValue,
    Shape,
    Static,
    TransformedValue,
    Value,
)
from ...events import TracedCall
from ..python.containers import items_of, mapping_of
from ..python.flattening import metadata_fields, pytree_fields

if TYPE_CHECKING:
    import libcst as cst

    from ..machine import Interpreter

_DEPTH = 3  # containers inside each other


@dataclass(slots=True, eq=False)
class Metadata:
    """Which arrays the calls of compiled functions have had in the metadata of their arguments."""

    last: dict[int, Box] = field(default_factory=dict)  # of each function, a slot for each field
    arrays: list[Array] = field(default_factory=list)  # those that have a number

    def passed(
        self, interp: Interpreter, transformed: TransformedValue, given: Iterable[Value], node: cst.CSTNode
    ) -> bool:
        """A compiled function is called with these arguments; whether JAX refuses it, which is told of."""
        for value in given:
            for instance in _instances(interp, value):
                shapes = _shapes(interp, instance)
                for name in metadata_fields(interp, instance.cls) if shapes is not None else ():
                    held = interp.state.read(instance.box, name)
                    if held is not None and self._refused(interp, transformed, instance, name, held, shapes):
                        interp.tell(
                            TracedCall, node, interp.seen_from_module, transformed=transformed,
                            problem="metadata", parameter=f"{instance.box.name}.{name}", value=held, error="ValueError",
                        )  # fmt: skip
                        return True
        return False

    def _refused(
        self,
        interp: Interpreter,
        transformed: TransformedValue,
        instance: InstanceValue,
        name: str,
        held: Value,
        shapes: object,
    ) -> bool:
        number = self._number(held)
        if number is None:
            return False
        box = self.last.setdefault(transformed.serial, Box("metadata"))
        key = (instance.cls, name, shapes)
        before = interp.state.read(box, key)
        if before is None and interp.certain:
            interp.state.write(box, key, Const(number))
        return isinstance(before, Const) and before != Const(number)

    def _number(self, value: Value) -> int | None:
        """What tells an array of several elements from others; None for anything else, or where it is not known."""
        if isinstance(value, Static) and value.kind == "ndarray" and _several(value.shape):
            return value.buffer or None
        if (
            isinstance(value, Array)
            and value.level is Level.CONCRETE
            and value.sure
            and _several(value.shape)
        ):
            known = next((k for k, one in enumerate(self.arrays) if one is value), len(self.arrays))
            if known == len(self.arrays):
                self.arrays.append(value)
            return -1 - known  # buffers of NumPy have the positive ones
        return None


def _several(shape: Shape) -> bool:
    """Whether an array of this shape surely has more than one element."""
    return shape is not None and math.prod(length or 0 for length in shape) > 1


def _instances(interp: Interpreter, value: Value, depth: int = _DEPTH) -> Iterator[InstanceValue]:
    """The pytree objects among an argument and what it contains."""
    if depth == 0:
        return
    if isinstance(value, InstanceValue):
        if isinstance(pytree_fields(interp, value.cls), set):
            yield value
    elif isinstance(value, SequenceValue):
        for item in items_of(interp, value) or ():
            yield from _instances(interp, item, depth - 1)
    elif isinstance(value, DictValue):
        for _, item in mapping_of(interp, value).items:
            yield from _instances(interp, item, depth - 1)


def _shapes(interp: Interpreter, instance: InstanceValue) -> tuple[object, ...] | None:
    """Shape and dtype of each leaf of an object; None where one is not known."""
    fields = pytree_fields(interp, instance.cls)
    found = []
    for name in sorted(fields) if isinstance(fields, set) else ():
        value = interp.state.read(instance.box, name)
        if isinstance(value, Array | Static) and value.shape is not None:
            found.append((value.shape, getattr(value, "dtype", None)))
        elif not isinstance(value, Const):
            return None
    return tuple(found)
