"""Python functions of trees as jaxprs: flattening, naming arguments, checking what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ..config import state
from ..core import ClosedJaxpr, Jaxpr, ShapedArray, Tracer, Value, current_trace, get_aval
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.keys import keystr
from ..pytree.paths import tree_leaves_with_path
from ..tracing.references import Ref
from ..tracing.sources import summarize
from ..tracing.staging import DebugInfo, JaxprTrace, trace_to_jaxpr
from .signatures import leaf_names, source_of


def check_argument(value: Any) -> None:
    """Raises TypeError for a leaf that no transform takes, as for a string."""
    try:
        get_aval(value)
    except TypeError:
        raise TypeError(f"Argument '{value}' of type {type(value)} is not a valid JAX type") from None


class Traced:
    """A traced function: `jaxpr` takes the closed-over values, which are `consts`, before its arguments."""

    __slots__ = ("consts", "jaxpr", "out_tree")

    def __init__(self, jaxpr: Jaxpr, consts: list[Value], out_tree: PyTreeDef) -> None:
        self.jaxpr, self.consts, self.out_tree = jaxpr, consts, out_tree

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [var.aval for var in self.jaxpr.outvars]

    def closed(self) -> ClosedJaxpr:
        """The jaxpr, closed over nothing, for equations that pass `consts` as operands."""
        return ClosedJaxpr(self.jaxpr)


_cache: WeakKeyDictionary[Any, dict[Any, Traced]] = WeakKeyDictionary()


def trace_function(
    function: Callable[..., Any],
    in_tree: PyTreeDef,
    avals: Sequence[ShapedArray],
    traced_for: str,
    args: Sequence[Any],
) -> Traced:
    """Trace a function of trees, once for each structure and avals of its arguments.

    `args` are arguments like those, for their names in errors.

    Raises:
        TypeError: if it returns something that is no tree of arrays.
    """
    key = (in_tree, tuple(avals), traced_for, state.key)
    try:
        known = _cache.setdefault(function, {})
        if key in known:
            return known[key]
    except TypeError:
        known = {}
    out_tree: PyTreeDef | None = None
    info = DebugInfo(traced_for, source_of(function), leaf_names(function, args, {}))

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
    if not any(isinstance(const, (Tracer, Ref)) for const in consts):
        known[key] = traced
    return traced


def check_result(out: Any, result: Any, info: DebugInfo) -> None:
    """Raises TypeError if `out`, a leaf of `result`, is no array, ValueError if it is a reference."""
    if isinstance(out, Ref):
        raise ValueError(_returned_reference(out, result, info))
    try:
        get_aval(out)
    except TypeError:
        paths = [path for path, leaf in tree_leaves_with_path(result) if leaf is out]
        where = f" at output component {keystr(paths[0])}" if paths and paths[0] else ""
        raise TypeError(
            f"function {info.func_src_info} traced for {info.traced_for} returned a value of type {type(out)}{where}, "
            "which is not a valid JAX type"
        ) from None


def _returned_reference(ref: Ref, result: Any, info: DebugInfo) -> str:
    path = next(path for path, leaf in tree_leaves_with_path(result) if leaf is ref)
    where = f" at output tree path result{keystr(path)}" if path else ""
    text = (
        f"function {info.func_src_info} traced for {info.traced_for} returned a mutable array reference of type "
        f"{ref.aval}{where}, but mutable array references cannot be returned."
    )
    trace, var = current_trace(), getattr(ref, "atom", None)
    if isinstance(trace, JaxprTrace) and ref.trace is trace:
        made = next((eqn for eqn in trace.eqns if var in eqn.outvars), None)
        if made is not None:
            return f"{text}\n\nThe returned mutable array was created on line {summarize(made.source)}."
        if info.arg_names is not None:
            name = next(name for name, arg in zip(info.arg_names, trace.invars) if arg is var)
            return f"{text}\n\nThe returned mutable array was passed in as the argument {name}."
    return text
