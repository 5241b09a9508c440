"""Arguments at the border of a trace: as tracers, or as what may be assumed where no call is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...domain import (
    NONE,
    UNKNOWN,
    Array,
    Box,
    ClassValue,
    Const,
    DictValue,
    Entry,
    ExternalValue,
    FunctionValue,
    Level,
    ListValue,
    MethodValue,
    ModuleValue,
    PartialValue,
    Root,
    Static,
    Trail,
    TransformedValue,
    Tree,
    TupleValue,
    Unknown,
    Value,
    Wrapper,
    roots_of,
    unsure,
)
from ...events import TracedCall
from ...joins import join
from ..arrays.precision import default_dtype
from ..functions import annotation_of, find_parameter, underlying
from ..imports import dotted
from ..python.construction import specimen
from ..python.copies import fresh_copy
from ..python.flattening import pytree_fields
from ..stores import ARGUMENT
from ..usage import used_as_leaf
from .rebuilding import rebuild
from .traces import NUMBER_DTYPES, Trace, is_configuration, map_leaves, number_dtype, number_shape
from .untraceable import Untraceable, of_module, untraceable, untraceable_leaf

if TYPE_CHECKING:
    from ..machine import Interpreter

ELEMENTS = frozenset(
    "Float Int Integer Bool Num Real Complex Inexact Shaped UInt Key Float32 Float64 Int32".split()
)
"""What the elements of an array are called in annotations: `Float[Array, "n"]`."""
ARRAY_ANNOTATIONS = ELEMENTS | frozenset("Array ndarray ArrayLike DeviceArray PRNGKeyArray Scalar".split())
SETTINGS = {
    "int": "int",
    "bool": "bool",
    "str": "str",
    "float": "float",
    "complex": "complex",
    "bytes": "bytes",
}


def annotation_name(node: cst.BaseExpression | None) -> str:
    """The last name of an annotation: `Array` for `jax.Array` and for `Float[Array, "n"]`."""
    if type(node) is cst.Subscript:
        return annotation_name(node.value)
    if type(node) is cst.SimpleString:
        return node.value.strip("'\"").split("[", 1)[0].rsplit(".", 1)[-1]
    return dotted(node).rsplit(".", 1)[-1] if node is not None else ""


def _stands_alone(node: cst.BaseExpression) -> bool:
    """Whether an annotation is a name without a subscript: `Float`, not `Float[Array, "n"]`."""
    return type(node) is not cst.Subscript and not (type(node) is cst.SimpleString and "[" in node.value)


def alternatives(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The members of `A | B`, `Optional[A]` and `Union[A, B]`."""
    if type(node) is cst.BinaryOperation and type(node.operator) is cst.BitOr:
        return alternatives(node.left) + alternatives(node.right)
    if type(node) is cst.Subscript and annotation_name(node.value) in ("Optional", "Union"):
        inner = [e.slice.value for e in node.slice if type(e.slice) is cst.Index]
        found = [part for item in inner for part in alternatives(item)]
        return [*found, cst.Name("None")] if annotation_name(node.value) == "Optional" else found
    return [node]


def parameter_configuration(
    param: cst.Param | None, default: Value | None, given: Value | None
) -> bool | None:
    """Whether a parameter is a setting: by its annotation, its default, or what a call gives for it."""
    annotation = annotation_of(param)
    if annotation is not None:
        names = {annotation_name(part) for part in alternatives(annotation)} - {"None"}
        if names and names <= {"int", "bool", "str"}:
            return True
        if names & ARRAY_ANNOTATIONS:
            return False
    if isinstance(default, Const) and isinstance(default.value, int | str):
        return True
    if isinstance(given, ListValue | DictValue | TupleValue):
        return False
    if given is not None:
        return is_configuration(given)
    return None


def root_for(interp: Interpreter, entry: Entry, function: Value, name: str, given: Value | None) -> Root:
    """The root of the tracers of one parameter."""
    param = find_parameter(function, name)
    inner = underlying(function)
    default = dict(inner.defaults).get(name) if isinstance(inner, FunctionValue) else None
    source = inner.source if isinstance(inner, FunctionValue) and param is not None else entry.source
    origins = roots_of([given]) if given is not None else ()
    return Root(
        "parameter", name, entry, param if param is not None else entry.node, source,
        parameter_configuration(param, default, given), origins,
    )  # fmt: skip


def traced(
    interp: Interpreter,
    value: Value,
    root: Root,
    level: Level,
    transformed: TransformedValue | None,
    node: cst.CSTNode,
) -> Value:
    """An argument as the traced function sees it: its arrays and numbers tracers, its structure kept."""
    trail = Trail(
        f"{root.name} is traced by {root.entry.transform}" if root.entry else root.name,
        root.node,
        root.source,
    )

    def refuse(found: Untraceable) -> Value:
        name = transformed.option("name") if transformed is not None else None
        if transformed is not None and isinstance(name, Const) and str(name.value).startswith("jax."):
            interp.tell(
                TracedCall,
                node,
                transformed=transformed,
                problem="non-array",
                parameter=root.name,
                value=found.part,
                detail=found.detail,
                error=found.error,
            )
            interp.refusals += 1
        return found.part

    def leaf(item: Value) -> Value:
        if found := untraceable_leaf(interp, item):
            return refuse(found)
        if interp.staging:
            interp.lifetimes.frozen.baked(interp, (item,))
        return _tracer_of(interp, item, root, level, trail, node)

    container = untraceable(interp, value)
    if container is not None and isinstance(container.part, TupleValue | DictValue):
        return refuse(container)
    if root.entry is None:
        return fresh_copy(interp, value, leaf, ARGUMENT)
    rebuild(interp, value, leaf, Trace(root.entry, level is Level.ABSTRACT, interp.trace), node)
    with interp.bearing(Trace(root.entry, True, interp.trace)):
        return fresh_copy(interp, value, leaf, ARGUMENT)


def _tracer_of(
    interp: Interpreter, item: Value, root: Root, level: Level, trail: Trail, node: cst.CSTNode
) -> Value:
    """A leaf of an argument, traced; itself where it is structure."""
    match item:
        case Array():
            return Array(max(level, item.level), item.shape, item.dtype, item.weak, True, (root,), trail)
        case Const() if item.value is None:
            return item
        case Const() | Static() if number_dtype(item) is not None:
            return Array(level, number_shape(item), number_dtype(item), True, True, (root,), trail)
        case Static(kind="ndarray"):
            return Array(level, item.shape, "bool" if item.mask else None, False, True, (root,), trail)
        case Static(kind="ShapeDtypeStruct"):
            dtype = str(item.likely.value) if item.likely is not None else None
            return Array(level, item.shape, dtype, False, True, (root,), trail)
        case Static():
            return Tree(level, False, (root,), trail)
        case Tree():
            return Tree(max(level, item.level), True, (root,), trail)
        case PartialValue(pytree=True):
            return PartialValue(
                item.function,
                tuple(traced(interp, one, root, level, None, node) for one in item.args),
                tuple((key, traced(interp, one, root, level, None, node)) for key, one in item.kwargs),
                True,
            )
        case MethodValue() if of_module(item):
            return MethodValue(item.function, traced(interp, item.receiver, root, level, None, node))
        case Unknown():
            return Tree(level, True, (root,), trail)
        case _:
            return item


def arrays_traced(interp: Interpreter, value: Value, root: Root, site: object) -> Value:
    """An argument as equinox hands it over: its arrays are tracers, all else is the caller's own."""

    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            return Array(Level.ABSTRACT, item.shape, item.dtype, item.weak, item.sure, (root,))
        return Tree(Level.ABSTRACT, False, (root,)) if isinstance(item, Tree | Unknown) else item

    return fresh_copy(interp, value, leaf, site)


def generic(
    interp: Interpreter, function: Value, name: str, root: Root, level: Level, alone: bool = False
) -> Value:
    """What an entry point's parameter is where no call is seen: by annotation, by default, by use.

    `alone`: arrays alone are traced, not numbers.
    """
    annotation = annotation_of(find_parameter(function, name))
    trail = Trail(
        f"{name} is traced by {root.entry.transform}" if root.entry else name, root.node, root.source
    )
    inner = underlying(function)
    default = dict(inner.defaults).get(name) if isinstance(inner, FunctionValue) else None
    value: Value | None = None
    if annotation is not None:
        for part in alternatives(annotation):
            one = _annotated_tracer(interp, part, root, level, trail, function, alone)
            value = one if value is None else join(value, one)
    if value is None:
        leaf = isinstance(inner, FunctionValue) and used_as_leaf(inner.node, name)
        value = (
            Array(level, None, None, False, True, (root,), trail)
            if leaf
            else Tree(level, True, (root,), trail)
        )
    value = _batched(function, value)
    if default is not None:
        value = default if isinstance(default, FunctionValue) else join(unsure(value), default)
    return value


def _batched(function: Value, value: Value) -> Value:
    """A parameter as a function takes it that may be mapped further inside: its annotation is of one row then."""
    while isinstance(function, Wrapper):
        if isinstance(function, TransformedValue) and function.kind in ("vmap", "pmap", "vectorize"):
            return map_leaves(
                value, lambda leaf: replace(leaf, shape=None) if isinstance(leaf, Array) else leaf
            )
        function = function.function
    return value


def _annotated_tracer(
    interp: Interpreter,
    annotation: cst.BaseExpression,
    root: Root,
    level: Level,
    trail: Trail,
    function: Value,
    alone: bool,
) -> Value:
    name = annotation_name(annotation)
    if name == "None":
        return NONE
    if alone and name in SETTINGS:
        return Static(SETTINGS[name])
    if name in NUMBER_DTYPES:
        # People annotate a number where arrays of them pass, too
        shape = () if name in ("int", "bool") else None
        return Array(level, shape, default_dtype(NUMBER_DTYPES[name]), True, True, (root,), trail)
    if name in ("str", "Callable", "bytes", "type", "dtype", "DTypeLike"):
        return UNKNOWN
    if name in ARRAY_ANNOTATIONS:
        return Array(level, None, None, False, True, (root,), trail)
    inner = underlying(function)
    scope = inner.scope if isinstance(inner, FunctionValue) else None
    known = _class_named(interp, annotation, scope)
    if known is not None:
        if alone:
            return arrays_traced(interp, specimen(interp, known), root, annotation)
        if pytree_fields(interp, known) is not None:
            return traced(interp, specimen(interp, known), root, level, None, annotation)
        # an object would be refused: the name stands for something else
        return Tree(level, False, (root,), trail)
    return Tree(level, not alone, (root,), trail)


def _class_named(interp: Interpreter, annotation: cst.BaseExpression, scope: Box | None) -> ClassValue | None:
    value = _meaning(interp, annotation, scope)
    return value if isinstance(value, ClassValue) else None


def _meaning(interp: Interpreter, annotation: cst.BaseExpression, scope: Box | None) -> Value | None:
    """What an annotation names where it stands: a name, or one of a module of the project."""
    if type(annotation) is not cst.Attribute:
        return _named(interp, annotation, scope)
    module = _named(interp, annotation.value, scope)
    return interp.state.read(module.box, annotation.attr.value) if isinstance(module, ModuleValue) else module


def _named(interp: Interpreter, node: cst.BaseExpression, scope: Box | None) -> Value | None:
    """What a name means in a scope."""
    box = scope if type(node) is cst.Name else None
    while box is not None and type(node) is cst.Name:
        value = interp.state.read(box, node.value)
        if value is not None:
            return value
        box = box.parent
    return None


def _array_type(annotation: cst.BaseExpression) -> cst.BaseExpression:
    """What an annotation calls an array: `Array` in `Float[Array, "n"]`."""
    if type(annotation) is cst.Subscript and type(annotation.slice[0].slice) is cst.Index:
        return annotation.slice[0].slice.value
    return annotation


def _is_of_library(interp: Interpreter, value: Value) -> bool:
    module = value.name.split(".", 1)[0] if isinstance(value, ExternalValue) else "typing"
    return module != "typing" and interp.catalogue.knows(module)


def _is_of_numpy(annotation: cst.BaseExpression, meaning: Value | None) -> bool:
    """Whether an annotation names NumPy's arrays: by what its name means, else by how NumPy is called."""
    if isinstance(meaning, ExternalValue):
        return meaning.name.split(".", 1)[0] == "numpy"
    return dotted(annotation).split(".", 1)[0] in ("np", "onp", "numpy")


def by_annotation(
    interp: Interpreter,
    annotation: cst.BaseExpression | None,
    default: Value | None,
    scope: Box | None = None,
) -> Value:
    """A value outside any trace of which only the annotation (or default) is known; `scope` tells what it names."""
    value: Value | None = None
    if annotation is not None:
        for part in alternatives(annotation):
            name = annotation_name(part)
            one: Value = UNKNOWN
            if name == "None":
                one = NONE
            elif name in SETTINGS:
                one = Static(
                    SETTINGS[name],
                    default if isinstance(default, Const) and default.value is not None else None,
                    claimed=True,
                )
            elif name in ELEMENTS and _stands_alone(part):
                one = UNKNOWN  # people call a number so, too
            elif name in ARRAY_ANNOTATIONS and name != "ArrayLike" and not _has_kernels(interp):
                kind = _array_type(part)
                own = _meaning(interp, kind, scope)
                other = _is_of_numpy(kind, own) or not (own is None or _is_of_library(interp, own))
                one = UNKNOWN if other else Array(Level.CONCRETE)  # `Array = Union[...]` is their own word
            elif name not in ("Any", "object"):
                known = _class_named(interp, part, scope)
                structured = known is not None and "__pytree__" in known.box.slots
                one = specimen(interp, known) if known is not None and structured else UNKNOWN
            value = one if value is None else join(value, one)
    if value is not None:
        return value
    if isinstance(default, Const) and default.value is not None:
        return Static(default.kind, default)
    return UNKNOWN


def _has_kernels(interp: Interpreter) -> bool:
    """Whether what is annotated as an array may be a reference to one, as kernels take and write to."""
    return "pallas" in interp.source.text


def unknown_arguments(
    interp: Interpreter, function: FunctionValue, receiver: Value | None = None
) -> tuple[list[Value], dict[str, Value], Value | None]:
    """Arguments for a function that nobody is seen to call, and what stands for those that `*args` and `**kwargs` take."""
    defaults = dict(function.defaults)
    params = function.node.params
    args: list[Value] = []
    for position, param in enumerate((*params.posonly_params, *params.params)):
        if position == 0 and receiver is not None:
            args.append(receiver)
            continue
        args.append(
            by_annotation(interp, annotation_of(param), defaults.get(param.name.value), function.scope)
        )
    kwargs = {
        p.name.value: by_annotation(interp, annotation_of(p), defaults.get(p.name.value), function.scope)
        for p in params.kwonly_params
    }
    takes_more = type(params.star_arg) is cst.Param or params.star_kwarg is not None
    return args, kwargs, UNKNOWN if takes_more else None
