"""Loops as text: frames of instructions, one inside the other, that know what has been computed in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .builder import Builder, Module, Value
from .engine import host
from .types import BOOL, I32, I64


class Frame:
    """The body of one loop (or of the function): its lines, the block they end in, the values they computed."""

    def __init__(self, module: Module, label: str) -> None:
        self.module = module
        self.lines: list[str] = []
        self.label = label
        self.memo: dict[Any, Value] = {}
        self.position: Value | None = None  # the loop's variable

    def builder(self, width: int = 1) -> Builder:
        return Builder(self.module, self.lines, width)

    def start_block(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: Value, yes: str, no: str) -> None:
        self.lines.append(f"  br i1 {condition.name}, label %{yes}, label %{no}")


Body = Callable[[Frame, list[Value]], list[Value]]
#: What a loop that carries nothing does at a position.
Visit = Callable[[Frame, Value], None]


def loop(
    parent: Frame,
    count: int,
    step: int,
    carried: list[Value],
    body: Body,
    *,
    clamp: int | None = None,
    part: tuple[str, str] | None = None,
) -> list[Value]:
    """Runs ``body`` for 0, step, 2 step, ... below ``count``; returns what it carries out.

    With ``clamp``, the position never exceeds it: the last iteration overlaps the one before. ``count`` > 0.
    With ``part``, the names of the values between which to run, it does only that part of the iterations.
    """
    module = parent.module
    begin, end = part or ("0", str(count))
    if count <= step and part is None:
        return once(parent, 0, carried, body)
    head, leave = module.label(), module.label()
    counter = module.fresh()
    frame = Frame(module, head)
    phis = [Value(module.fresh(), v.elem, v.width) for v in carried]
    frame.position = Value(counter, I64, 1)
    if clamp is not None:
        bound = frame.builder()
        frame.position = bound.intrinsic("umin", frame.position, bound.const(I64, clamp))
    results = body(frame, phis)
    after = module.fresh()
    frame.lines.append(f"  {after} = add nuw nsw i64 {counter}, {step}")
    again = frame.builder().emit(f"icmp ult i64 {after}, {end}", BOOL)
    frame.branch(again, head, leave)
    parent.jump(head)
    parent.lines.append(f"{head}:")
    parent.lines.append(f"  {counter} = phi i64 [ {begin}, %{parent.label} ], [ {after}, %{frame.label} ]")
    for phi, before, result in zip(phis, carried, results, strict=True):
        parent.lines.append(
            f"  {phi.name} = phi {phi.type} [ {before.name}, %{parent.label} ], "
            f"[ {result.name}, %{frame.label} ]"
        )
    parent.lines.extend(frame.lines)
    parent.start_block(leave)
    return results


def each(parent: Frame, count: int, body: Visit, step: int = 1) -> None:
    """Runs ``body`` for 0, ``step``, ... below ``count`` > 0; nothing is carried."""
    loop(parent, count, step, [], _visiting(body))


def between(parent: Frame, begin: Value, end: Value, body: Visit, step: int = 1) -> None:
    """Runs ``body`` for each position from ``begin`` to below ``end``, if there is any."""
    module = parent.module
    some, done = module.label(), module.label()
    parent.branch(parent.builder().cmp("lt", begin, end), some, done)
    parent.start_block(some)
    loop(parent, 1, step, [], _visiting(body), part=(begin.name, end.name))
    parent.jump(done)
    parent.start_block(done)


def _visiting(visit: Visit) -> Body:
    def body(frame: Frame, _: list[Value]) -> list[Value]:
        assert frame.position is not None
        visit(frame, frame.position)
        return []

    return body


def in_blocks(
    parent: Frame,
    count: int,
    step: int,
    block: int,
    carried: list[Value],
    neutral: list[Value],
    body: Body,
    combine: Callable[[list[Value], list[Value], Frame], list[Value]],
) -> list[Value]:
    """Like `loop`, but each ``block`` iterations start from ``neutral``, and what they carry out is combined."""

    def blockwise(frame: Frame, totals: list[Value]) -> list[Value]:
        assert frame.position is not None
        b = frame.builder()
        end = b.intrinsic("umin", b.add(frame.position, b.const(I64, block * step)), b.const(I64, count))
        partial = loop(frame, count, step, neutral, body, part=(frame.position.name, end.name))
        return combine(totals, partial, frame)

    return loop(parent, count, block * step, carried, blockwise)


def once(parent: Frame, position: int, carried: list[Value], body: Body) -> list[Value]:
    """One iteration, at a place that is known."""
    frame = Frame(parent.module, parent.label)
    frame.position = Value(str(position), I64, 1)
    results = body(frame, carried)
    parent.lines.extend(frame.lines)
    parent.label = frame.label
    return results


#: The bits of the x86 control register for which subnormal operands and results are zero.
_FLUSH = 0x8040


def flushing(frame: Frame, emit: Callable[[], None]) -> None:
    """What `emit` writes takes subnormal numbers as zero, as all code of XLA does for a CPU.

    They are rare, but a product that meets some takes many times as long. Other processors than x86 lose no time.
    """
    if not host().triple.startswith("x86_64"):
        emit()
        return
    module = frame.module
    for verb in ("st", "ld"):
        module.declare(f"llvm.x86.sse.{verb}mxcsr", f"void @llvm.x86.sse.{verb}mxcsr(ptr)")
    before, during = module.fresh(), module.fresh()
    module.entry.extend(f"  {name} = alloca i32" for name in (before, during))
    b = frame.builder()
    frame.lines.append(f"  call void @llvm.x86.sse.stmxcsr(ptr {before})")
    held = b.emit(f"load i32, ptr {before}", I32)
    changed = b.or_(held, b.const(I32, _FLUSH))
    frame.lines.append(f"  store i32 {changed.name}, ptr {during}")
    frame.lines.append(f"  call void @llvm.x86.sse.ldmxcsr(ptr {during})")
    emit()
    frame.lines.append(f"  call void @llvm.x86.sse.ldmxcsr(ptr {before})")
