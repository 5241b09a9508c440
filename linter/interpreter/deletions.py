"""`del`: of names, attributes and items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..domain import UNKNOWN, Array, Const, DictValue, InstanceValue, ListValue, members
from .python.containers import needs_integer
from .python.dict_methods import dict_method
from .python.indexing import index_value
from .python.list_methods import list_method
from .stores import mutate_array

if TYPE_CHECKING:
    from .machine import Interpreter


def delete(interp: Interpreter, target: cst.BaseExpression, node: cst.CSTNode) -> None:
    """`del target`."""
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            delete(interp, element.value, node)
    elif type(target) is cst.Attribute:
        for member in members(interp.evaluate(target.value)):
            if isinstance(member, InstanceValue):
                interp.state.write(member.box, target.attr.value, UNKNOWN)
    elif type(target) is cst.Subscript:
        owner = interp.evaluate(target.value)
        if any(isinstance(m, Array) for m in members(owner)):
            mutate_array(interp, owner, target, "delete", node)
        for member in members(owner):
            if isinstance(member, ListValue):
                index = index_value(interp, target)
                needs_integer(interp, index, node)
                how = "pop" if isinstance(index, Const) and isinstance(index.value, int) else "remove"
                list_method(interp, member, how, [index], node)
            elif isinstance(member, DictValue):
                dict_method(interp, member, "pop", [index_value(interp, target), UNKNOWN], {}, node)
