"""Programs with references as programs without: what they refer to goes in, and what is there in the end comes out.

This is done to programs before they run, and to control flow wherever it is not merely written down: see `references`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias
from weakref import WeakKeyDictionary

from ..arrays.avals import AbstractRef
from ..core import (
    ClosedJaxpr,
    Jaxpr,
    Params,
    Primitive,
    ShapedArray,
    Trace,
    Tracer,
    Value,
    current_trace,
    get_aval,
    set_current_trace,
)
from ..primitives.references import RefPrimitive
from ..tracing.references import Ref, is_staging, read, write
from ..tracing.staging import DebugInfo, trace_to_jaxpr
from .jaxpr import sub_jaxprs
from .replay import jaxpr_as_values

Places: TypeAlias = tuple[int | None, ...]
"""For each operand the number of the reference that it is, None for those that are none."""
Mask: TypeAlias = tuple[bool, ...]


class DischargingTrace(Trace):
    """Hands everything on; it holds the references."""

    __slots__ = ("parent",)

    def __init__(self, parent: Trace) -> None:
        self.parent = parent

    def stage_value(self, value: Value) -> Value:
        return value if isinstance(value, Tracer) else self.parent.stage_value(value)

    def process_primitive(self, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
        params = {name: _without_references(value) for name, value in params.items()}
        with set_current_trace(self.parent):
            return self.parent.process_primitive(primitive, args, params)


def _without_references(value: Any) -> Any:
    if isinstance(value, ClosedJaxpr):
        return without_own_references(value)
    return tuple(map(_without_references, value)) if type(value) is tuple else value


def uses_references(jaxpr: Jaxpr) -> bool:
    """Whether references are made or used in a jaxpr, or in one inside it."""
    return any(
        isinstance(eqn.primitive, RefPrimitive) or any(map(uses_references, sub_jaxprs(eqn)))
        for eqn in jaxpr.eqns
    )


_cache: WeakKeyDictionary[ClosedJaxpr, dict[Any, tuple[ClosedJaxpr, Mask]]] = WeakKeyDictionary()


def discharged(
    closed: ClosedJaxpr, places: Places, refs: Sequence[ShapedArray], wanted: Mask | None = None
) -> tuple[ClosedJaxpr, Mask]:
    """A jaxpr that takes the values of references, of the avals `refs`, and then the other arguments.

    It returns the results, and then the last values of the references that it may have written to, or that are `wanted`
    in any case. The mask tells which.
    """
    count = len(refs)
    wanted = wanted or (False,) * count
    known = _cache.setdefault(closed, {})
    key = places, tuple(refs), wanted
    if key in known:
        return known[key]
    avals = [*refs, *[aval for aval, place in zip(closed.in_avals, places) if place is None]]
    written: Mask = ()

    def function(*values: Value) -> list[Value]:
        nonlocal written
        trace = DischargingTrace(current_trace())
        held = [Ref(trace, value) for value in values[:count]]
        others = iter(values[count:])
        with set_current_trace(trace):
            args = [next(others) if place is None else held[place] for place in places]
            outs = jaxpr_as_values(closed.jaxpr, closed.consts, *args)
        written = tuple(w or ref._load() is not v for ref, v, w in zip(held, values, wanted))
        return outs + [ref._load() for ref, on in zip(held, written) if on]

    jaxpr, consts = trace_to_jaxpr(function, avals, closed.jaxpr.debug_info)
    known[key] = result = ClosedJaxpr(jaxpr, consts), written
    return result


def without_own_references(closed: ClosedJaxpr) -> ClosedJaxpr:
    """A jaxpr that takes no references, without those that it makes itself."""
    if not uses_references(closed.jaxpr) or any(isinstance(aval, AbstractRef) for aval in closed.in_avals):
        return closed
    return discharged(closed, (None,) * len(closed.in_avals), ())[0]


class HigherOrderPrimitive(Primitive):
    """A primitive that runs jaxprs, and may be given references.

    `discharge(values, args, places, **params)` applies it to their `values` in their place: it returns the results, and
    for each reference its last value, or None if it was not written to.
    """

    discharge: Callable[..., tuple[list[Value], list[Value | None]]] | None = None

    def bind(self, *args: Value, **params: Any) -> Any:
        for arg in args:
            if isinstance(arg, Ref):
                if is_staging(current_trace()):
                    break
                return self._on_values(args, params)
        return current_trace().process_primitive(self, args, params)

    def _on_values(self, args: Sequence[Value], params: Params) -> list[Value]:
        if self.discharge is None:
            self._refuse_references()
        refs: list[Ref] = []
        places: list[int | None] = []
        for arg in args:
            if not isinstance(arg, Ref):
                places.append(None)
                continue
            known = [i for i, ref in enumerate(refs) if ref is arg]
            places.append(known[0] if known else len(refs))
            if not known:
                refs.append(arg)
        values = [read(ref) for ref in refs]
        outs, lasts = self.discharge(values, args, tuple(places), **params)
        for ref, last in zip(refs, lasts, strict=True):
            if last is not None:
                write("a set/swap", ref, last)
        return outs

    def _refuse_references(self) -> NoReturn:
        raise NotImplementedError(f"references as arguments of {self.name!r} are not implemented")


def lasts(outs: Sequence[Value], written: Mask) -> list[Value | None]:
    """The last value of each reference, from those of the ones that were written to."""
    given = iter(outs)
    return [next(given) if on else None for on in written]


def discharge_call(primitive: Primitive) -> Callable[..., Any]:
    """The rule of a primitive that runs one jaxpr, its parameter ``jaxpr``, once."""

    def discharge(
        values: Sequence[Value], args: Sequence[Value], places: Places, *, jaxpr: ClosedJaxpr, **params: Any
    ) -> tuple[list[Value], list[Value | None]]:
        pure, written = discharged(jaxpr, places, list(map(get_aval, values)))
        others = [arg for arg, place in zip(args, places) if place is None]
        if "donated_invars" in params:
            params["donated_invars"] = (False,) * (len(values) + len(others))
        outs = primitive.bind(*values, *others, jaxpr=pure, **params)
        count = len(jaxpr.jaxpr.outvars)
        return outs[:count], lasts(outs[count:], written)

    return discharge


# ------------------------------------------------------------------------------------------------ arguments of jit


def references_as_arguments(jaxpr: Jaxpr, consts: Sequence[Value]) -> tuple[Jaxpr, list[Value], list[Value]]:
    """The jaxpr with the references among its constants as first arguments; the other constants; and the references."""
    pairs = list(zip(jaxpr.constvars, consts))
    refs = [(var, const) for var, const in pairs if isinstance(const, Ref)]
    others = [(var, const) for var, const in pairs if not isinstance(const, Ref)]
    moved = jaxpr.replace(
        constvars=[var for var, _ in others], invars=[*[var for var, _ in refs], *jaxpr.invars]
    )
    return moved, [const for _, const in others], [ref for _, ref in refs]


def check_references_differ(
    leaves: Sequence[Value], names: Sequence[str] | None, info: DebugInfo, consts: Sequence[Value] = ()
) -> None:
    """Raises ValueError when one reference is passed twice, or passed and closed over."""
    places: dict[int, int] = {}
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, Ref):
            continue
        first = places.setdefault(id(leaf), i)
        if first != i:
            where = f"at both {names[first]} and {names[i]}" if names else "twice"
            raise ValueError(
                "only one reference to a mutable array may be passed as an argument to a function, but when tracing "
                f"{info.func_src_info} for {info.traced_for} the mutable array reference of type {leaf.aval} appeared "
                f"{where}."
            )
    for const in consts:
        if id(const) in places:
            name = f" {names[places[id(const)]]}" if names else ""
            raise ValueError(
                f"when tracing {info.func_src_info} for {info.traced_for}, a mutable array reference of type "
                f"{const.aval} was both closed over and passed as the argument{name}"
            )
