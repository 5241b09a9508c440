"""Classes and their instances: definition, construction, attributes, and how instances flatten as pytrees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    ClassValue,
    Const,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Level,
    Mapping,
    MethodValue,
    Static,
    TransformedValue,
    TupleValue,
    Value,
)
from ...syntax.walk import children
from ..calls import call, callee, decorate, opaque
from ..functions import run_function, underlying
from ..imports import dotted
from ..libraries.variables import KIND
from ..machine import Frame
from .containers import new_dict

if TYPE_CHECKING:
    from ..machine import Interpreter

NAMED_TUPLES = ("typing.NamedTuple", "typing_extensions.NamedTuple")
LINEN = ("flax.linen.Module", "flax.linen.RNNCellBase")
LEAVES: dict[str | None, tuple[str, ...]] = {
    "class:pytree": (),
    "class:module": (),
    "class:TrainState": ("step", "params", "opt_state"),
}
"""The words of the tables for classes whose heirs are pytrees, and the leaves that these inherit."""
NO_PYTREES = (*LINEN, "haiku.Module", "haiku.RNNCore")
ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")


def define_class(interp: Interpreter, node: cst.ClassDef) -> Value:
    """Runs a class body and applies its decorators."""
    from .class_hooks import run_hooks
    from .descriptors import set_up_descriptors

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
    _inherit_pytree(interp, cls)
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


def fields_of(cls: Value) -> list[str]:
    """The field names of a dataclass or NamedTuple, those of its bases first."""
    names: list[str] = []
    for one in reversed(list(ancestors(cls))):
        if isinstance(one, ClassValue):
            slot = one.box.slots.get("__fields__")
            for item in slot.items if isinstance(slot, TupleValue) else ():
                if isinstance(item, Const) and item.value not in names:
                    names.append(item.value)
    return names


def ancestors(cls: Value, depth: int = 0) -> Iterator[Value]:
    """The class, then its bases, library classes among them, in the order in which their members are looked up."""
    yield cls
    if isinstance(cls, ClassValue) and depth < 20:
        if len(cls.bases) == 1:
            yield from ancestors(cls.bases[0], depth + 1)
        elif cls.bases:
            yield from _of_several(cls.bases, depth)


def _of_several(bases: tuple[Value, ...], depth: int) -> Iterator[Value]:
    """The ancestors by several bases: one that several lead to comes after all that derive from it."""
    found = [one for base in bases for one in ancestors(base, depth + 1)]
    kept = {one.node if isinstance(one, ClassValue) else one: one for one in reversed(found)}
    return reversed(kept.values())


def find_member(interp: Interpreter, cls: Value, name: str) -> Value | None:
    """What a name means in a class or its bases."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue):
            value = interp.state.read(one.box, name)
            if value is not None:
                return value
    return None


def open_ended(interp: Interpreter, cls: Value) -> bool:
    """Whether a base is a library's class, so that there may be members that are not seen."""
    return any(
        (isinstance(one, ClassValue) and "__open__" in one.box.slots)
        or (
            not isinstance(one, ClassValue)
            and not (
                isinstance(one, ExternalValue)
                and one.name in ("builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic")
            )
        )
        for one in ancestors(cls)
    )


def has_base(cls: Value, names: tuple[str, ...]) -> bool:
    """Whether one of these library classes is a base."""
    return any(isinstance(one, ExternalValue) and one.name in names for one in ancestors(cls))


@callee(ClassValue)
def instantiate(
    interp: Interpreter,
    cls: ClassValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    """A new instance: `__init__`, a dataclass's fields, or a NamedTuple's."""
    if has_base(cls, NAMED_TUPLES):
        return _named_tuple(interp, cls, args, kwargs, spread)
    if has_base(cls, ENUMS):
        from .enumerations import member_with

        return member_with(interp, cls, args[0] if args else UNKNOWN, node)
    box = interp.new_box(cls.name, site=node)
    instance = InstanceValue(cls, box)
    init = find_member(interp, cls, "__init__")
    if isinstance(init, FunctionValue | TransformedValue):
        followed = call(interp, MethodValue(init, instance), args, kwargs, node, spread) != TAINTED
        return instance if followed else TAINTED
    inherited = _made_by_library(interp, cls, args, kwargs, node, spread)
    if inherited is not None:
        return inherited
    names = fields_of(cls)
    if not names:
        return instance
    for position, name in enumerate(names):
        given = kwargs.get(name, args[position] if position < len(args) else None)
        if given is None:
            given = spread if spread is not None else field_default(interp, cls, name)
        box.slots[name] = given if given is not None else UNKNOWN
    after = find_member(interp, cls, "__post_init__")
    if after is not None:
        call(interp, MethodValue(after, instance), [], {}, node)
    return instance


def _made_by_library(
    interp: Interpreter,
    cls: ClassValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value | None:
    """An instance of a class derived from a library's variables (`nnx.Variable`): one of these."""
    for base in ancestors(cls):
        made = interp.catalogue.function(base.name) if isinstance(base, ExternalValue) else None
        if made is not None and made.result.word == "variable":
            variable = call(interp, base, args, kwargs, node, spread)
            return InstanceValue(cls, variable.box) if isinstance(variable, InstanceValue) else None
    return None


def enum_kind(cls: Value) -> str:
    """What the members of an enumeration are besides: numbers, strings, or neither."""
    if has_base(cls, ("enum.IntEnum", "enum.IntFlag")):
        return "int"
    return "str" if has_base(cls, ("enum.StrEnum",)) else "EnumMember"


def field_default(interp: Interpreter, cls: Value, name: str) -> Value | None:
    """A field's default: the value in the class body, or what `field(default=...)` says."""
    value = find_member(interp, cls, name)
    if isinstance(value, MethodValue) and value.function == ExternalValue("descriptor.field"):
        content = value.receiver
        if isinstance(content, TupleValue) and content.items[2] != NONE:
            return call(interp, content.items[2], [], {}, None)
        return content.items[0] if isinstance(content, TupleValue) else None
    return value


def _named_tuple(
    interp: Interpreter, cls: ClassValue, args: list[Value], kwargs: dict[str, Value], spread: Value | None
) -> Value:
    names = fields_of(cls)
    items: list[Value] = []
    for position, name in enumerate(names):
        given = args[position] if position < len(args) else kwargs.get(name)
        default = field_default(interp, cls, name)
        items.append(
            given
            if given is not None
            else spread
            if spread is not None
            else default
            if default is not None
            else UNKNOWN
        )
    return TupleValue(tuple(items), None, tuple(names), cls)


def instance_attribute(interp: Interpreter, value: InstanceValue, name: str, node: cst.CSTNode) -> Value:
    """`instance.name`."""
    stored = interp.state.read(value.box, name)
    if stored is not None:
        if interp.trace is not None:
            interp.lifetimes.frozen.read(interp, value.box, name, stored, node, "attribute")
        elif interp.lifetimes.copies.unseen:
            interp.lifetimes.copies.looked_at(interp, value.box, name)
        return stored
    if name == "__class__":
        return value.cls
    if name == "__dict__":
        return attributes_of(interp, value, node)
    from ..libraries.lifting import lifted, set_up

    member = lifted(value, name, find_member(interp, value.cls, name))
    if member is not None:
        from .binding import bind_member

        return bind_member(interp, member, value, node)
    if has_base(value.cls, LINEN):
        if name in ("apply", "init", "init_with_output"):
            return MethodValue(ExternalValue(f"flax.{name}"), value)
        made = set_up(interp, value, name, node)
        if made is not None:
            return made
    inherited = library_method(interp, value, name)
    if inherited is not None:
        return inherited
    getter = find_member(interp, value.cls, "__getattr__")
    if isinstance(getter, FunctionValue) and not name.startswith("__") and not open_ended(interp, value.cls):
        return call(interp, MethodValue(getter, value), [Const(name)], {}, node)
    if getter is not None:
        return UNKNOWN
    if name in ("replace", "_replace"):
        return MethodValue(ExternalValue("instance.replace"), value)
    from ..libraries.objects import object_attribute

    return object_attribute(interp, value, name, node)


def attributes_of(interp: Interpreter, value: InstanceValue, node: cst.CSTNode) -> Value:
    """The `__dict__` of an instance as it is now; what is put into it later is not seen."""
    items = tuple((key, item) for key, item in value.box.slots.items() if isinstance(key, str))
    return new_dict(interp, Mapping(items, UNKNOWN if open_ended(interp, value.cls) else None), node)


def library_method(interp: Interpreter, value: Value, name: str) -> Value | None:
    """A method that a library's class has for the classes derived from it."""
    for one in ancestors(value.cls if isinstance(value, InstanceValue) else value):
        word = interp.catalogue.object(one.name) if isinstance(one, ExternalValue) else None
        kind = (word or "").removeprefix("class:")
        if kind and interp.catalogue.method(kind, name) is not None:
            return MethodValue(ExternalValue(f"{kind}.{name}"), value)
    return None


def class_attribute(interp: Interpreter, value: ClassValue, name: str) -> Value:
    """`Class.name`."""
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        return Static("str")
    if has_base(value, ENUMS) and not name.startswith("_"):
        from .enumerations import member_of

        found = member_of(interp, value, name)
        if found is not None:
            return found
    member = find_member(interp, value, name)
    if isinstance(member, MethodValue) and isinstance(member.function, ExternalValue):
        if member.function.name == "descriptor.staticmethod":
            return member.receiver
        if member.function.name == "descriptor.classmethod":
            return MethodValue(member.receiver, value)
    if member is None and name == "create":
        member = library_method(interp, value, name)  # an alternative constructor, as of flax's TrainState
    if isinstance(member, Const) and _of_unknown_class(interp, value):
        return UNKNOWN  # a metaclass may give something else, as those of enumerations do
    return member if member is not None else UNKNOWN


def _of_unknown_class(interp: Interpreter, cls: ClassValue) -> bool:
    """Whether a base is a library's class of which no table tells."""
    return any(isinstance(one, ExternalValue) and not _is_known(interp, one.name) for one in ancestors(cls))


def _is_known(interp: Interpreter, name: str) -> bool:
    return name.split(".", 1)[0] in sys.stdlib_module_names or interp.catalogue.object(name) is not None


# --- pytrees ---------------------------------------------------------------------------------------------------


def mark_pytree(cls: Value, dynamic: list[str] | None) -> None:
    """Instances flatten as pytrees: these fields, or all."""
    if isinstance(cls, ClassValue):
        cls.box.slots["__pytree__"] = (
            Const(True) if dynamic is None else TupleValue(tuple(map(Const, dynamic)))
        )


def _inherit_pytree(interp: Interpreter, cls: ClassValue) -> None:
    """A class whose base a table calls a pytree is one: its fields but those marked static."""
    for one in ancestors(cls):
        word = interp.catalogue.object(one.name) if isinstance(one, ExternalValue) else None
        if word in LEAVES:
            mark_pytree(cls, [*LEAVES[word], *dynamic_fields(interp, cls)])
            return


def dynamic_fields(interp: Interpreter, cls: Value) -> list[str]:
    """The fields of a dataclass that are not marked static by `field(metadata={'static': True})` and its like."""
    found = []
    for name in fields_of(cls):
        value = find_member(interp, cls, name)
        if isinstance(value, MethodValue) and value.function == ExternalValue("descriptor.field"):
            content = value.receiver
            if isinstance(content, TupleValue) and len(content.items) > 1 and content.items[1] == Const(True):
                continue
        found.append(name)
    return found


def pytree_fields(interp: Interpreter, cls: Value) -> set[str] | bool | None:
    """The dynamic fields of a pytree class, True for all, None where instances do not flatten."""
    for one in ancestors(cls):
        if isinstance(one, ClassValue):
            mark = one.box.slots.get("__pytree__")
            if isinstance(mark, TupleValue):
                return {item.value for item in mark.items if isinstance(item, Const)}
            if mark is not None:
                return True
    word = interp.catalogue.object(cls.name) if isinstance(cls, ExternalValue) else None
    if word == "class:opaque":
        return None
    if LEAVES.get(word):
        return set(LEAVES[word])
    if not isinstance(cls, ClassValue):
        return True
    if has_base(cls, NO_PYTREES):
        return None
    if open_ended(interp, cls):
        dynamic = dynamic_fields(interp, cls)
        return set(dynamic) if len(dynamic) < len(fields_of(cls)) else True
    return None


def arrays_alone(interp: Interpreter, value: InstanceValue) -> bool:
    """Whether the leaves of an instance are its arrays alone, and numbers its structure: a graph, a library's object."""
    return KIND in value.box.slots or any(
        isinstance(one, ExternalValue) and interp.catalogue.object(one.name) == "class:graph"
        for one in ancestors(value.cls)
    )


def flattened_fields(interp: Interpreter, cls: Value) -> list[str] | None:
    """The fields that a class's `tree_flatten` gives as children, read from its text; None for all."""
    method = find_member(interp, cls, "tree_flatten") or find_member(interp, cls, "tree_flatten_with_keys")
    if not isinstance(method, FunctionValue) or type(method.node) is not cst.FunctionDef:
        return None
    assigned: dict[str, cst.BaseExpression] = {}
    for line in method.node.body.body:
        for small in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(small) is cst.Assign and type(small.targets[0].target) is cst.Name:
                assigned[small.targets[0].target.value] = small.value
            if type(small) is cst.Return and type(small.value) is cst.Tuple and small.value.elements:
                children: cst.CSTNode = small.value.elements[0].value
                if type(children) is cst.Name:
                    children = assigned.get(children.value, children)
                names = _self_attributes(children)
                return names or None
    return None


def _self_attributes(node: cst.CSTNode) -> list[str]:
    found: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is cst.Attribute and type(item.value) is cst.Name and item.value.value == "self":
            found.append(item.attr.value)
        stack.extend(children(item))
    return found


def specimen(interp: Interpreter, cls: ClassValue) -> Value:
    """An instance of which only the class is known, for methods that nobody is seen to call."""
    from ..tracing.entries import unknown_arguments

    kept = interp.specimens.get(id(cls.node))
    if kept is not None:
        return kept
    box = interp.new_box(cls.name, site=cls.node)
    instance: Value = InstanceValue(cls, box)
    interp.specimens[id(cls.node)] = instance
    init = find_member(interp, cls, "__init__")
    fields = pytree_fields(interp, cls)
    if isinstance(init, FunctionValue):
        before = interp.run_nodes.copy()
        run_function(interp, init, *unknown_arguments(interp, init, instance))
        interp.making |= interp.run_nodes - before
    else:
        from ..tracing.entries import by_annotation

        dynamic = fields if isinstance(fields, set) else set()
        for one in ancestors(cls):
            if isinstance(one, ClassValue):
                for name, annotation in annotated(one.node):
                    value = by_annotation(interp, annotation, None)
                    if (
                        name in dynamic
                        and isinstance(value, Static)
                        and value.kind in ("int", "float", "bool")
                    ):
                        # People annotate a number where batches of them pass, too
                        value = Array(Level.CONCRETE, sure=False)
                    box.slots.setdefault(name, value)
    if isinstance(fields, set):
        for name, value in box.slots.items():
            if name not in fields and value == Array(Level.CONCRETE):
                # What is annotated as an array or scalar is hardly one where it is structure, which is compared
                box.slots[name] = UNKNOWN
    return instance


def annotated(node: cst.ClassDef) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The annotated names of a class body."""
    for line in node.body.body:
        for small in line.body if type(line) is cst.SimpleStatementLine else ():
            if type(small) is cst.AnnAssign and type(small.target) is cst.Name:
                yield small.target.value, small.annotation.annotation


@callee(InstanceValue)
def _call_instance(
    interp: Interpreter,
    instance: InstanceValue,
    args: list[Value],
    kwargs: dict[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    from ..libraries.lifting import lifted
    from ..libraries.objects import object_method

    method = lifted(instance, "__call__", find_member(interp, instance.cls, "__call__"))
    own = object_method(interp, instance, "__call__") if method is None else None
    if own is not None:
        return call(interp, own, args, kwargs, node, spread)
    if method is None or isinstance(underlying(method), InstanceValue):  # perhaps one whose class is this one
        return opaque(interp, [instance, *args], kwargs, spread)
    return call(interp, MethodValue(method, instance), args, kwargs, node, spread)
