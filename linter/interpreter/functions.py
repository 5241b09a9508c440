"""Functions of the analysed code: defining them, binding arguments to parameters, running their bodies."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Array,
    Arrays,
    Const,
    DictValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    Mapping,
    MethodValue,
    PartialValue,
    Static,
    TransformedValue,
    Tree,
    TupleValue,
    Union,
    Unknown,
    Value,
    Wrapper,
)
from ..joins import join
from ..syntax.memo import NodeMemo
from ..syntax.statements import LaterBlock
from ..syntax.walk import children
from .arrays.precision import is_wide
from .calls import callee, decorate
from .generators import generator_of
from .machine import MAX_DEPTH, MAX_SAME, Frame
from .polyvariance import share_of
from .python.containers import EMPTY, new_dict, new_list
from .remembered import again, remembered
from .tracing.buffers import new_buffer
from .tracing.traces import level_of, with_step

if TYPE_CHECKING:
    from .machine import Interpreter
    from .state import Delta

WRAPPED = "__wrapped__"
_DECORATORS = 20  # around each other


def define_function(interp: Interpreter, node: cst.FunctionDef) -> Value:
    """Runs a `def`: defaults, then decorators from the inside out."""
    outer = interp.frame
    scope = outer.scope.parent if outer.is_class and outer.scope.parent is not None else outer.scope
    function = FunctionValue(
        node,
        node.name.value,
        scope,
        interp.source,
        _defaults(interp, node.params),
        outer.receiver if outer.is_class else None,
        node.asynchronous is not None,
    )
    interp.repetition.made(interp, function)
    interp.defined.setdefault(id(node), (function, function.owner))
    value: Value = function
    for decorator in reversed(node.decorators):
        wrap = interp.evaluate(decorator.decorator)
        value = decorate(interp, wrap, value, decorator.decorator)
        if isinstance(value, Unknown):
            value = function if not isinstance(wrap, Unknown) else UNKNOWN
        if isinstance(wrap, ExternalValue) and _may_choose(interp, wrap, node):
            value = UNKNOWN
    return value


def _may_choose(interp: Interpreter, wrap: ExternalValue, node: cst.FunctionDef) -> bool:
    """Whether a library's decorator may choose, by the arguments, among all that it is given by one name."""
    if interp.catalogue.function(wrap.name) is not None:
        return False
    before = interp.state.read(interp.home_of(node.name.value), node.name.value)
    return before is not None and getattr(underlying(before), "node", None) is not node


def define_lambda(interp: Interpreter, node: cst.Lambda) -> FunctionValue:
    """A lambda with the scope that it closes over."""
    function = FunctionValue(
        node, "<lambda>", interp.frame.scope, interp.source, _defaults(interp, node.params)
    )
    interp.repetition.made(interp, function)
    return function


def _defaults(interp: Interpreter, params: cst.Parameters) -> tuple[tuple[str, Value], ...]:
    found = []
    for param in (*params.posonly_params, *params.params, *params.kwonly_params):
        if param.default is not None:
            found.append((param.name.value, interp.evaluate(param.default)))
    return tuple(found)


def is_stub(node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether a body says nothing of what the function does: a docstring, `...` or `pass` alone."""
    for line in node.body.body if type(node) is cst.FunctionDef else ():
        for small in line.body if type(line) is cst.SimpleStatementLine else (line,):
            if type(small) is cst.Pass:
                continue
            if type(small) is cst.Expr and isinstance(
                small.value, cst.Ellipsis | cst.SimpleString | cst.ConcatenatedString
            ):
                continue
            return False
    return type(node) is cst.FunctionDef


def is_generator(function: FunctionValue) -> bool:
    """Whether calling the function gives a generator: there is a `yield` in its own body."""
    return type(function.node) is cst.FunctionDef and _contains_yield(function.node)


@NodeMemo
def _contains_yield(node: cst.FunctionDef) -> bool:
    if isinstance(node.body, LaterBlock) and "yield" not in node.body.text:
        return False
    stack: list[cst.CSTNode] = children(node.body)
    while stack:
        item = stack.pop()
        if isinstance(item, cst.Yield):
            return True
        if not isinstance(item, cst.FunctionDef | cst.Lambda | cst.ClassDef):
            stack.extend(children(item))
    return False


def underlying(function: Value) -> Value:
    """The function inside partials, bound methods and transforms."""
    while isinstance(function, Wrapper):
        function = function.function
    return function


def parameters(function: FunctionValue) -> list[cst.Param]:
    """The positional parameters, then the keyword-only ones."""
    params = function.node.params
    return [*params.posonly_params, *params.params, *params.kwonly_params]


def argument_names(function: Value, count: int) -> list[str]:
    """What so many arguments by position are called: as the parameters that they go to, or `args[2]`."""
    names = positional_names(function)[:count]
    return [*names, *(f"args[{position}]" for position in range(len(names), count))]


def positional_names(function: Value) -> list[str]:
    """The names of the parameters that arguments by position go to, of the callable as it is called."""
    match function:
        case FunctionValue():
            params = function.node.params
            return [p.name.value for p in (*params.posonly_params, *params.params)]
        case MethodValue():
            return positional_names(function.function)[1:]
        case PartialValue():
            bound = {name for name, _ in function.kwargs}
            # One that is bound by name cannot be passed over
            return [
                *takewhile(
                    lambda n: n not in bound, positional_names(function.function)[len(function.args) :]
                )
            ]
        case InstanceValue():
            return []
        case _:
            return positional_names(function.function) if isinstance(function, TransformedValue) else []


def parameter_names(function: Value) -> tuple[list[str], bool, bool] | None:
    """All parameter names, and whether there are `*args` and `**kwargs`; None for what is no analysed function."""
    match function:
        case FunctionValue():
            params = function.node.params
            names = [p.name.value for p in parameters(function)]
            return names, type(params.star_arg) is cst.Param, params.star_kwarg is not None
        case MethodValue():
            inner = parameter_names(function.function)
            return (inner[0][1:], inner[1], inner[2]) if inner else None
        case PartialValue():
            inner = parameter_names(function.function)
            if inner is None:
                return None
            return inner[0][len(function.args) :], inner[1], inner[2]
        case TransformedValue():
            return parameter_names(function.function)
        case _:
            return None


def shown_by(function: Value, depth: int = 0) -> Value:
    """The callable whose signature `inspect` tells: of a function that `functools.wraps` decorates, what it wraps."""
    if depth > _DECORATORS:
        return function
    if isinstance(function, FunctionValue):
        wrapped = function.scope.slots.get((function.node, WRAPPED))
        return function if wrapped is None else shown_by(wrapped, depth + 1)
    if isinstance(function, MethodValue | PartialValue | TransformedValue):
        inner = shown_by(function.function, depth + 1)
        return function if inner is function.function else replace(function, function=inner)
    return function


def positional_only(function: Value) -> list[str]:
    """The parameters of a function that no keyword reaches."""
    if not isinstance(function, FunctionValue):
        return []
    return [p.name.value for p in function.node.params.posonly_params]


def find_parameter(function: Value, name: str) -> cst.Param | None:
    """The parameter of this name."""
    while isinstance(function, Wrapper):
        function = function.function
    if isinstance(function, FunctionValue):
        for param in parameters(function):
            if param.name.value == name:
                return param
        params = function.node.params
        for star in (params.star_arg, params.star_kwarg):
            if type(star) is cst.Param and star.name.value == name:
                return star
    return None


def annotation_of(param: cst.Param | None) -> cst.BaseExpression | None:
    """How a parameter is annotated, if it is."""
    return param.annotation.annotation if param is not None and param.annotation is not None else None


def bind(
    interp: Interpreter,
    function: FunctionValue,
    args: list[Value],
    kwargs: Dictionary[str, Value],
    spread: Value | None,
) -> dict[str, Value]:
    """What each parameter is bound to; `spread` stands for arguments of unknown number or name."""
    params = function.node.params
    defaults = dict(function.defaults)
    positional = [*params.posonly_params, *params.params]
    bound: dict[str, Value] = {}
    rest = dict(kwargs)
    for position, param in enumerate(positional):
        name = param.name.value
        if position < len(args):
            bound[name] = args[position]
        elif name in rest:
            bound[name] = rest.pop(name)
        elif spread is not None:
            bound[name] = _perhaps_given(spread, defaults[name]) if name in defaults else spread
        else:
            bound[name] = defaults.get(name, UNKNOWN)
    for param in params.kwonly_params:
        name = param.name.value
        bound[name] = (
            rest.pop(name) if name in rest else defaults.get(name, spread if spread is not None else UNKNOWN)
        )
    if type(params.star_arg) is cst.Param:
        bound[params.star_arg.name.value] = TupleValue(tuple(args[len(positional) :]), spread)
    if params.star_kwarg is not None:
        content = Mapping(tuple(rest.items()), spread)
        bound[params.star_kwarg.name.value] = new_dict(interp, content, params.star_kwarg)
    return bound


def _perhaps_given(spread: Value, default: Value) -> Value:
    """A parameter with a default among arguments of unknown number or name: a flag is likely not among them."""
    if spread == UNKNOWN and isinstance(default, Const) and isinstance(default.value, bool):
        return Static("bool", default)
    return join(spread, default)


def fingerprint(value: Value, depth: int = 0) -> Any:
    """A hashable summary of a value that decides whether a call must be run again."""
    match value:
        case Array():
            return (
                "A",
                value.level,
                value.shape,
                value.dtype,
                value.weak,
                value.sure,
                id(value.donated),
                tuple(map(id, value.roots)),
            )
        case Tree():
            return ("T", value.level, value.sure, tuple(map(id, value.roots)))
        case TupleValue():
            return (
                "t",
                tuple(fingerprint(i, depth + 1) for i in value.items),
                value.rest and fingerprint(value.rest, depth + 1),
                value.fields,
                value.count,
            )
        case ListValue() | DictValue() | InstanceValue():
            return ("b", value.box.serial, value.box.version)
        case Union():
            return ("u", tuple(fingerprint(m, depth + 1) for m in value.members))
        case MethodValue():
            return ("m", fingerprint(value.function, depth + 1), fingerprint(value.receiver, depth + 1))
        case PartialValue():
            return (
                "p",
                fingerprint(value.function, depth + 1),
                tuple(fingerprint(i, depth + 1) for i in value.args),
                tuple((k, fingerprint(v, depth + 1)) for k, v in value.kwargs),
            )
        case Const():
            return ("c", type(value.value), repr(value.value))
        case _:
            return id(value) if type(value).__hash__ is object.__hash__ else value


def run_function(
    interp: Interpreter,
    function: FunctionValue,
    args: list[Value],
    kwargs: Dictionary[str, Value],
    spread: Value | None = None,
    receiver: Value | None = None,
) -> Value:
    """The result of calling a function, remembered for the same arguments in the same trace."""
    same = [
        frame
        for frame in interp.frames
        if frame.function is not None and frame.function.node is function.node
    ]
    if len(interp.frames) >= MAX_DEPTH:
        interp.not_followed = interp.not_followed or function.name
        return TAINTED
    if len(same) >= MAX_SAME:
        return TAINTED
    interp.run_nodes.add(id(function.node))
    key = (
        id(function.node),
        function.scope.serial,
        id(interp.trace),
        level_of(interp.parameters),
        interp.certain and not interp.swallowed,
        interp.caught,
        is_wide(),
        tuple(fingerprint(a) for a in args),
        tuple((k, fingerprint(v)) for k, v in kwargs.items()),
        None if spread is None else fingerprint(spread),
    )
    kept = interp.memo.get(key)
    if kept is not None and kept.watch.still_true():
        return again(interp, kept)
    if any(frame.key == key for frame in same):
        return TAINTED  # it calls itself with the same arguments: what it gives is what its other ways give
    arguments: dict[int | str, Value] = dict(enumerate(args))
    arguments.update(kwargs)
    share = share_of(interp, function, arguments)
    if share.taken:
        share.forget(arguments, interp.state)
        return TAINTED
    scope, buffers = interp.new_box(function.name, function.scope, function.node), new_buffer()
    watch = interp.state.watch(scope.serial, buffers)
    before, mark = interp.budget.steps, interp.state.mark()

    def lost(changed: Delta) -> None:
        share.note_changes(arguments, changed, scope.serial)
        share.forget(arguments, interp.state)

    try:
        value = interp.run_abroad(
            function.source,
            lambda: _run_body(interp, function, args, kwargs, spread, receiver, scope, key),
            lost,
        )
    finally:
        share.take(before - interp.budget.steps)
    interp.state.unwatch(watch)
    if watch.pure:
        interp.memo[key] = remembered(interp, value, watch, scope.serial, buffers, (*args, *kwargs.values()))
    else:
        share.note_changes(arguments, interp.state.delta(mark), scope.serial)
    return value


def _run_body(
    interp: Interpreter,
    function: FunctionValue,
    args: list[Value],
    kwargs: Dictionary[str, Value],
    spread: Value | None,
    receiver: Value | None,
    scope: Any,
    key: Any,
) -> Value:
    bound = bind(interp, function, args, kwargs, spread)
    for name, value in bound.items():
        if isinstance(value, Arrays) and value.trail is not None:
            node = find_parameter(function, name) or function.node
            if value.trail.node is not node:
                value = with_step(value, f"passed to {function.name} as {name}", node, function.source)
        scope.slots[name] = value
        if interp.observer is not None and (param := find_parameter(function, name)) is not None:
            interp.observer(param.name, value, "parameter")
    frame = Frame(scope, function.source, function, receiver, mark=interp.state.mark(), key=key)
    if is_generator(function) and not function.asynchronous:
        frame.produced = new_list(interp, EMPTY, function.node, "iterator")
    depth = len(interp.frames)
    interp.enter_frame(frame)
    outer_loop, certain = interp.in_loop, interp.certain
    try:
        node = function.node
        if not isinstance(node, cst.FunctionDef):
            return interp.evaluate(node.body)
        reached = interp.execute(node.body)
        result = _result(interp, frame, function, reached)
        if frame.produced is not None:
            return generator_of(interp, frame, function, tuple(bound.items()), frame.produced)
        return result
    finally:
        interp.leave_frames(depth)
        interp.in_loop, interp.certain = outer_loop, certain


def _result(interp: Interpreter, frame: Frame, function: FunctionValue, reached: bool) -> Value:
    """Joins the ways on which a function ends: each `return`, and its end."""
    ends = list(frame.returns)
    if reached:
        ends.append((UNKNOWN if is_stub(function.node) else NONE, interp.state.delta(frame.mark)))
    if not ends:
        return UNKNOWN  # it never returns
    interp.state.rollback(frame.mark)
    interp.state.merge([delta for _, delta in ends])
    value = ends[0][0]
    for other, _ in ends[1:]:
        value = join(value, other)
    interp.lifetimes.frozen.kept(interp, frame, value, frame.statement)
    return Static("coroutine") if function.asynchronous else value


@callee(FunctionValue)
def _call_function(
    interp: Interpreter,
    function: FunctionValue,
    args: list[Value],
    kwargs: Dictionary[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    result = run_function(interp, function, args, kwargs, spread)
    stands_in = spread is not None and parameter_names(function) == ([], False, False)
    return UNKNOWN if stands_in else result


@callee(FunctionValue, of_method=True)
def _call_bound(
    interp: Interpreter,
    method: MethodValue,
    args: list[Value],
    kwargs: Dictionary[str, Value],
    node: cst.CSTNode,
    spread: Value | None,
) -> Value:
    function, receiver = method.function, method.receiver
    assert isinstance(function, FunctionValue)
    return run_function(interp, function, [receiver, *args], kwargs, spread, receiver)
