"""The code that is given a class as it is made or called: its metaclass, `__new__`, and the `__init_subclass__` of a base."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...domain import TAINTED, ClassValue, Const, ExternalValue, FunctionValue, MethodValue
from ...syntax.walk import in_order
from ..calls import call
from .classes import ancestors
from .flattening import HEIRS

if TYPE_CHECKING:
    from ..machine import Interpreter

PLAIN = (ExternalValue("builtins.type"), ExternalValue("abc.ABCMeta"))
"""Metaclasses that leave alone how instances flatten."""


def run_hooks(interp: Interpreter, cls: ClassValue) -> None:
    """Runs the `__init_subclass__` that a base has; other code that is given the class may do anything to it."""
    options = {k.keyword.value: interp.evaluate(k.value) for k in cls.node.keywords if k.keyword is not None}
    metaclass = options.pop("metaclass", PLAIN[0])
    if metaclass not in PLAIN or _hands_on(cls, "__new__"):
        cls.box.slots["__open__"] = Const(True)
    if _hands_on(cls, "__init_subclass__"):
        cls.box.slots[HEIRS] = Const(True)
    for one in list(ancestors(cls))[1:] if cls.bases else ():
        hook = interp.state.read(one.box, "__init_subclass__") if isinstance(one, ClassValue) else None
        if isinstance(hook, MethodValue):  # `@classmethod`, which it is anyway
            hook = hook.receiver
        if isinstance(hook, FunctionValue):
            if call(interp, MethodValue(hook, cls), [], options, cls.node) == TAINTED:
                cls.box.slots[HEIRS] = Const(True)  # it was not followed to its end
            return


def _hands_on(cls: ClassValue, method: str) -> bool:
    """Whether `__new__` or `__init_subclass__` gives the class to anything but a base's: it may be registered there."""
    maker = cls.box.slots.get(method)
    maker = maker.receiver if isinstance(maker, MethodValue) else maker
    if not isinstance(maker, FunctionValue) or not maker.node.params.params:
        return False
    name = maker.node.params.params[0].name.value
    return any(
        type(node) is cst.Call
        and not (type(node.func) is cst.Attribute and node.func.attr.value == method)
        and not (type(node.func) is cst.Name and node.func.value == "super")
        and any(type(given.value) is cst.Name and given.value.value == name for given in node.args)
        for node in in_order(maker.node.body)
    )
