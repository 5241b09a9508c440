"""Definitions of classes: a class body is run, its fields are noted, hooks and decorators applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    ClassValue,
    Const,
    ExternalValue,
    TupleValue,
    Value,
)
from ..calls import decorate
from ..imports import dotted
from ..machine import Frame
from .class_hooks import run_hooks
from .descriptors import set_up_descriptors
from .flattening import inherit_pytree, mark_heirs

if TYPE_CHECKING:
    from ..machine import Interpreter


def define_class(interp: Interpreter, node: cst.ClassDef) -> Value:
    """Runs a class body and applies its decorators."""
    bases = tuple(interp.evaluate(base.value) for base in node.bases)
    outer = interp.frame.scope
    box = interp.new_box(node.name.value, outer, node)
    cls = ClassValue(node, node.name.value, box, bases, interp.source)
    frame = Frame(box, interp.source, None, cls, is_class=True, mark=interp.state.mark())
    depth = len(interp.frames)
    interp.enter_frame(frame)
    try:
        interp.execute(node.body)
    finally:
        interp.leave_frames(depth)
    inherit_pytree(interp, cls)
    set_up_descriptors(interp, cls)
    run_hooks(interp, cls)
    if "__eq__" in box.slots:
        box.slots.setdefault("__hash__", Const(None))
    value: Value = cls
    for decorator in reversed(node.decorators):
        wrap = interp.evaluate(decorator.decorator)
        result = decorate(interp, wrap, value, decorator.decorator)
        if not isinstance(result, ClassValue) or _unknown_decorator(interp, wrap):
            box.slots["__open__"] = Const(True)
            mark_heirs(cls)  # it may be registered there
        value = result if isinstance(result, ClassValue) else value
    return value


def _unknown_decorator(interp: Interpreter, wrap: Value) -> bool:
    """Whether a class decorator is a library's of which nothing is known: it may do anything to the class."""
    return isinstance(wrap, ExternalValue) and interp.catalogue.function(wrap.name) is None


def note_field(interp: Interpreter, node: cst.AnnAssign) -> None:
    """Remembers an annotated name of a class body as a field, in order; a `ClassVar` is none."""
    assert type(node.target) is cst.Name
    annotation = node.annotation.annotation
    if type(annotation) is cst.Subscript:
        annotation = annotation.value
    if dotted(annotation).rsplit(".", 1)[-1] == "ClassVar":
        return
    box = interp.frame.scope
    before = box.slots.get("__fields__")
    items = before.items if isinstance(before, TupleValue) else ()
    if Const(node.target.value) not in items:
        box.slots["__fields__"] = TupleValue((*items, Const(node.target.value)))
