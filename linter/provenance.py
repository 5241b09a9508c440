"""Why a value is traced: the entry points and parameters that tracedness comes from, and the way it took."""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

from .records import record

if TYPE_CHECKING:
    import libcst as cst

    from .domain import FunctionValue, Value
    from .files.source import SourceFile


class Level(IntEnum):
    """How much of an array's value Python can see."""

    CONCRETE = 0  # a jax.Array that holds its value
    DUAL = 1  # a tracer over a known value: `grad`, `jvp` without `jit`
    ABSTRACT = 2  # a tracer that knows shape and dtype only: `jit`, `vmap`, `scan`, ...


@record(frozen=True, slots=True, eq=False)
class Trail:
    """One step on the way of a traced value, newest first."""

    message: str
    node: cst.CSTNode = field(repr=False)
    source: SourceFile = field(repr=False)
    previous: Trail | None = None

    def steps(self) -> list[Trail]:
        """The chain from the outermost cause to here."""
        chain: list[Trail] = []
        step: Trail | None = self
        while step is not None:
            chain.append(step)
            step = step.previous
        return chain[::-1]


@record(frozen=True, slots=True, eq=False)
class Entry:
    """A function as some transform traces it; `node` is where the transform is applied."""

    name: str
    transform: str
    node: cst.CSTNode = field(repr=False)
    source: SourceFile = field(repr=False)
    function: FunctionValue | None = None
    options: tuple[tuple[str, Value], ...] = ()


@record(frozen=True, slots=True, eq=False)
class Root:
    """Where tracedness enters: a parameter of an entry point, or an operation that a trace stages.

    `configuration` is evidence that the value is a setting and no array (annotation `int`, `bool`, `str`; such a
    default; such an argument at a call), so that it could be made static; None where nothing is known.
    `origins` are the roots of the argument that was passed, when the entry point stands inside another trace.
    """

    kind: Literal["parameter", "operation", "constant"]
    name: str
    entry: Entry | None
    node: cst.CSTNode = field(repr=False)
    source: SourceFile = field(repr=False)
    configuration: bool | None = None
    origins: tuple[Root, ...] = ()
