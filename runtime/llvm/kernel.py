"""A flat jaxpr as one function: its LLVM IR, and the memory that it needs besides its arguments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from .builder import Module
from .control import Loop
from .engine import attributes
from .flat import Flat, Var
from .invariant import hoisted
from .loops import Frame
from .node import Leaf
from .product import Product
from .scope import NestStep, Scope
from .types import element

#: Elements of a loop nest.
_LONG = 1 << 16
#: So many elements are gone through before better code would have saved the time that it takes to make: both the loss
#: an element and the time to compile grow with the number of operations.
_WORTH = 1 << 19
_FEWEST_TRIALS, _MOST_TRIALS = 8, 4096
#: From how many additions on, about a millisecond, a nest is divided between threads.
_DIVIDED = 1 << 25
SYMBOL = "tracetrap_entry"
#: ``void part(object*, begin, end)`` does some iterations of a program that can be divided.
PART_SYMBOL = "tracetrap_part"


class Division(NamedTuple):
    """How a program that is one nest can be divided between threads.

    The outermost loop has so many `iterations`, of which `grain` belong together; all of them take `effort` additions.
    """

    iterations: int
    grain: int
    effort: int


class Kernel(NamedTuple):
    """``void entry(object*)`` over a table of NumPy arrays: inputs, constants, outputs, scratch."""

    ir: str
    scratch_bytes: int
    constants: tuple[Var, ...]
    scope: Scope
    division: Division | None
    #: How often this code should run before it is worth making better code; 0 if this is the better one.
    trials: int

    @property
    def is_long(self) -> bool:
        """Whether a call takes so long that other threads should run meanwhile."""
        return any(math.prod(domain) >= _LONG for domain in _domains(self.scope))


def build(flat: Flat, data_offset: int, *, quick: bool = False) -> Kernel:
    """Plans and emits ``flat``. ``data_offset`` is where an array object keeps the pointer to its data.

    With `quick`, programs that do little become code that is compiled sooner, for the first calls; its results are the same.
    """
    flat = hoisted(flat)
    module = Module()
    constants = tuple(sorted(flat.free(), key=lambda v: v.id))
    arguments = [*flat.inputs, *constants]
    bindings = {v: Leaf(f"in{k}", v.shape, element(v.dtype), f"%in{k}") for k, v in enumerate(arguments)}
    scope = Scope(module, flat, bindings)
    scope.plan()
    scope.resolve()
    scope.finish([Leaf(f"out{k}", a.shape, element(a.dtype), f"%out{k}") for k, a in enumerate(flat.outputs)])
    frame = Frame(module, "start")
    division = _division(scope)
    trials = _trials(scope) if quick and division is None else 0
    module.quick = trials > 0
    scope.emit(frame)
    names = (
        [f"in{k}" for k in range(len(arguments))]
        + [f"out{k}" for k in range(len(flat.outputs))]
        + ["scratch"]
    )
    entry: list[str] = []
    for k, name in enumerate(names):
        entry.append(f"  %{name}.slot = getelementptr ptr, ptr %table, i64 {k}")
        entry.append(f"  %{name}.object = load ptr, ptr %{name}.slot")
        entry.append(f"  %{name}.field = getelementptr i8, ptr %{name}.object, i64 {data_offset}")
        entry.append(f"  %{name} = load ptr, ptr %{name}.field")
    body = "\n".join([*entry, *module.entry, "  br label %start", "start:", *frame.lines, "  ret void"])
    functions = [f"define void @{SYMBOL}(ptr %table) #0 {{\n{body}\n}}"]
    if division is not None:
        whole = f"  call void @{PART_SYMBOL}(ptr %table, i64 0, i64 {division.iterations})\n  ret void"
        functions = [
            f"define void @{PART_SYMBOL}(ptr %table, i64 %begin, i64 %end) #0 {{\n{body}\n}}",
            f"define void @{SYMBOL}(ptr %table) #0 {{\n{whole}\n}}",
        ]
    return Kernel(module.text([*functions, attributes()]), scope.bytes, constants, scope, division, trials)


def _trials(scope: Scope) -> int:
    count = _WORTH // max(scope.work, 1)
    return min(count, _MOST_TRIALS) if count >= _FEWEST_TRIALS else 0


def _division(scope: Scope) -> Division | None:
    if len(scope.steps) != 1:
        return None
    (nest,) = scope.steps
    if not isinstance(nest, NestStep) or nest.effort < _DIVIDED:
        return None
    found = nest.division(Frame(Module(), "start"))
    if found is None:
        return None
    nest.part = ("%begin", "%end")
    return Division(*found, nest.effort)


def _domains(scope: Scope) -> Iterator[tuple[int, ...]]:
    for step in scope.steps:
        if isinstance(step, NestStep):
            yield step.domain
        elif isinstance(step, Product):
            yield (step.work,)
        elif isinstance(step, Loop):
            yield (_LONG,)
