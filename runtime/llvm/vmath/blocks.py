"""Loops and branches within the code of a function. It must be a function of its own: its rule is called ``shared``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..builder import Builder, Rule, Value
from ..engine import host
from ..types import BOOL, F64

Values = list[Value]

#: So many registers of each value, whose computations the processor overlaps.
_REGISTERS = 2


def anywhere(b: Builder, mask: Value) -> Value:
    """Whether any lane of a mask is true."""
    if b.width == 1:
        return mask
    name = f"llvm.vector.reduce.or.v{b.width}i1"
    b.module.declare(name, f"i1 @{name}({mask.type})")
    found = Value(b.module.fresh(), BOOL, 1)
    b.lines.append(f"  {found.name} = call i1 @{name}({mask.type} {mask.name})")
    return found


def iterate(b: Builder, start: Values, body: Callable[[Builder, Values], tuple[Values, Value]]) -> Values:
    """Runs `body`, at least once, until the mask that it returns beside the next values is true in no lane."""
    before, head, last, done = (b.module.label() for _ in range(4))
    now = [Value(b.module.fresh(), v.elem, v.width) for v in start]
    inner = Builder(b.module, [], b.width)
    after, goes_on = body(inner, now)
    again = anywhere(inner, goes_on)
    b.lines.append(f"  br label %{before}\n{before}:\n  br label %{head}\n{head}:")
    for phi, first, following in zip(now, start, after, strict=True):
        b.lines.append(
            f"  {phi.name} = phi {phi.type} [ {first.name}, %{before} ], [ {following.name}, %{last} ]"
        )
    b.lines.extend(inner.lines)
    b.lines.append(
        f"  br label %{last}\n{last}:\n  br i1 {again.name}, label %{head}, label %{done}\n{done}:"
    )
    return after


def where_any(b: Builder, mask: Value, otherwise: Sequence[Value], rule: Callable[[], Values]) -> Values:
    """The values of `rule` if any lane of the mask is true, else others. `rule` appends to the same builder."""
    before, some, last, done = (b.module.label() for _ in range(4))
    found = anywhere(b, mask)
    b.lines.append(
        f"  br label %{before}\n{before}:\n  br i1 {found.name}, label %{some}, label %{done}\n{some}:"
    )
    values = rule()
    b.lines.append(f"  br label %{last}\n{last}:\n  br label %{done}\n{done}:")
    return [
        b.emit(f"phi {x.type} [ {y.name}, %{before} ], [ {x.name}, %{last} ]", x.elem)
        for x, y in zip(values, otherwise, strict=True)
    ]


def in_double(name: str, rule: Rule) -> Rule:
    """A function that computes in double precision, told by `bits` how precise its result must be."""

    def lower(b: Builder, *args: Value) -> Value:
        bits = args[0].elem.bits
        wide = [b.convert(a, F64) for a in args]
        result = in_parts(b, f"{name}_to_{bits}_bits", partial(rule, bits=bits), wide)
        return b.convert(result, args[0].elem)

    return lower


def in_parts(b: Builder, name: str, rule: Rule, args: Values) -> Value:
    """Calls a function for few lanes at a time, which keeps its code short and its loops from running for one lane's sake."""
    if b.width * max(a.elem.bytes for a in args) > _REGISTERS * host().vector_bytes:
        return b.in_halves(lambda half, *parts: in_parts(half, name, rule, list(parts)), *args)
    return b.call(name, rule, *args, shared=True)


def choose(b: Builder, result: Value, *cases: tuple[Value, Any]) -> Value:
    """`result`, or the value of the first case whose mask is true."""
    for mask, value in reversed(cases):
        result = b.select(mask, value if isinstance(value, Value) else b.like(result, value), result)
    return result
