"""Python functions of trees as jaxprs: flattening, naming arguments, checking what goes in and what comes out."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..config import state
from ..core import ClosedJaxpr, Jaxpr, ShapedArray, Tracer, Value, get_aval
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.keys import keystr
from ..pytree.paths import tree_leaves_with_path
from ..staging import DebugInfo, trace_to_jaxpr


def name_of(function: Any) -> str:
    """The function's name, also through partials and bound methods."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def source_of(function: Any) -> str:
    """``f at FILE:LINE``."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            break
    code = getattr(function, "__code__", None) or getattr(getattr(function, "__func__", None), "__code__", None)
    if code is None:
        return name_of(function)
    return f"{name_of(function)} at {code.co_filename}:{code.co_firstlineno}"


def parameter_names(function: Any, count: int) -> list[str]:
    """The names of the first `count` positional parameters; ``args[i]`` for those without one."""
    if type(function) is FunctionType and not hasattr(function, "__wrapped__"):
        code = function.__code__
        names = list(code.co_varnames[: min(code.co_argcount, count)])
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 4 else "args"
    else:
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [f"args[{i}]" for i in range(count)]
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        names = [p.name for p in parameters if p.kind in positional][:count]
        variadic = [p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL]
        rest = variadic[0] if variadic else "args"
    return names + [f"{rest}[{i}]" for i in range(count - len(names))]


def argument_names(function: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> list[str]:
    """The names of the leaves of the arguments: ``x``, ``params['w'][0]``."""
    leaves = [
        f"{name}{keystr(path)}"
        for name, arg in zip(parameter_names(function, len(args)), args, strict=True)
        for path, _ in tree_leaves_with_path(arg)
    ]
    for path, _ in tree_leaves_with_path(kwargs or {}):
        leaves.append(f"{path[0].key}{keystr(path[1:])}")
    return leaves


def debug_info(traced_for: str, function: Any, args: Sequence[Any]) -> DebugInfo:
    """What errors say of `function`, traced for `traced_for` on arguments like `args`."""
    return DebugInfo(traced_for, source_of(function), tuple(argument_names(function, args)))


def check_argument(value: Any) -> None:
    """Raises TypeError for a leaf that no transform takes, as for a string."""
    try:
        get_aval(value)
    except TypeError:
        raise TypeError(f"Argument '{value}' of type {type(value)} is not a valid JAX type") from None


def check_callable(function: Any) -> None:
    """Raises TypeError for what cannot be called, or whose calls do not return their result."""
    if not callable(function):
        raise TypeError(f"Expected a callable value, got {function}")
    if inspect.isgeneratorfunction(function):
        raise TypeError(f"Expected a function, got a generator function: {function}")


class Traced(NamedTuple):
    """A traced function: `jaxpr` takes the closed-over values, which are `consts`, before its arguments."""

    jaxpr: Jaxpr
    consts: list[Value]
    out_tree: PyTreeDef

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [var.aval for var in self.jaxpr.outvars]

    def closed(self) -> ClosedJaxpr:
        """The jaxpr, closed over nothing, for equations that pass `consts` as operands."""
        return ClosedJaxpr(self.jaxpr)


_cache: WeakKeyDictionary[Any, dict[Any, Traced]] = WeakKeyDictionary()


class AxisEnvironment(threading.local):
    """The named axes that ``vmap`` maps in this thread, and their sizes."""

    def __init__(self) -> None:
        self.sizes: dict[Any, int] = {}


axes_in_scope = AxisEnvironment()


def trace_function(
    function: Callable[..., Any], in_tree: PyTreeDef, avals: Sequence[ShapedArray], info: DebugInfo
) -> Traced:
    """Trace a function of trees, once for each structure and avals of its arguments `in_tree`.

    Raises:
        TypeError: if it returns something that is no tree of arrays.
    """
    key = (in_tree, tuple(avals), info.traced_for, state.key, tuple(axes_in_scope.sizes.items()))
    try:
        known = _cache.setdefault(function, {})
        if key in known:
            return known[key]
    except TypeError:
        known = {}
    out_tree: PyTreeDef | None = None

    def flat(*leaves: Value) -> list[Value]:
        nonlocal out_tree
        result = function(*in_tree.unflatten(leaves))
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_result(out, result, info)
        return outs

    jaxpr, consts = trace_to_jaxpr(flat, avals, info)
    assert out_tree is not None
    hoisted = jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars])
    traced = Traced(hoisted, consts, out_tree)
    if not any(isinstance(const, Tracer) for const in consts):
        known[key] = traced
    return traced


def check_result(out: Any, result: Any, info: DebugInfo) -> None:
    """Raises TypeError if `out`, a leaf of `result`, is no array."""
    try:
        get_aval(out)
    except TypeError:
        paths = [path for path, leaf in tree_leaves_with_path(result) if leaf is out]
        where = f" at output component {keystr(paths[0])}" if paths and paths[0] else ""
        raise TypeError(
            f"function {info.func_src_info} traced for {info.traced_for} returned a value of type {type(out)}{where}, "
            "which is not a valid JAX type"
        ) from None
