"""Primitives that users define: `jax.extend.core.Primitive`, and the tables of `jax.interpreters` that take their rules.

A rule in these tables has JAX's signature; it is kept at the primitive itself, as the rules of all primitives are.
What JAX lowers to MLIR by `lower_fun` runs here as the function that it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..arrays.array import asarray, from_numpy
from ..core import Literal, Value, eval_trace, primitives, set_current_trace
from ..core import Primitive as CorePrimitive
from ..primitives.linear import Zero, instantiate, zero_of
from ..transforms.batching import MappedAxis, to_front

__all__ = [
    "Primitive",
    "axis_batchers",
    "batchers",
    "defjvp",
    "deflinear",
    "deflinear2",
    "defvectorized",
    "fancy_batchers",
    "jvps",
    "lower_fun",
    "register_lowering",
    "transposes",
]

Rule = Callable[..., Any]


class ExtendedDType:
    """The base of element types that libraries define. They can be defined; no array has one."""


class Effect:
    """The base of effects that libraries define. They can be defined; no primitive has one."""


class Primitive(CorePrimitive):
    """A primitive of the user's, told apart from all others by its identity, not by its name.

    Classes derived from it may define ``multiple_results``, ``impl`` and ``abstract_eval``, which gives the types and the
    effects.
    """

    def __init__(self, name: str) -> None:
        known = dict.get(primitives, name)
        super().__init__(name, multiple_results=bool(getattr(type(self), "multiple_results", False)))
        del primitives[name]
        if known is not None:
            primitives[name] = known
        self.impl = self._run_lowered
        self.eager = self._missing_impl
        self.abstract_eval = self._missing_abstract_eval
        self._lowered: Rule | None = None
        self._impl: Rule | None = None
        self.refuse = self._run_lowered  # Until there is a lowering, programs with it are refused.
        for attribute, define in (
            ("impl", self.def_impl),
            ("abstract_eval", self.def_effectful_abstract_eval),
        ):
            rule = getattr(type(self), attribute, None)
            if rule is not None:
                define(rule.__get__(self))

    def def_impl(self, impl: Rule) -> Rule:
        """How it is computed outside of traces: Arrays to an Array, or to a sequence of them."""
        self.eager, self._impl = self._checked(impl), impl
        return impl

    def def_abstract_eval(self, rule: Rule) -> Rule:
        """The types of the results from the types of the arguments."""
        self.abstract_eval = rule
        return rule

    def def_effectful_abstract_eval(self, rule: Rule) -> Rule:
        """As `def_abstract_eval`, of a rule that gives a pair: the types, and the effects."""
        self.abstract_eval = lambda *avals, **params: rule(*avals, **params)[0]
        return rule

    def _missing_abstract_eval(self, *avals: Any, **params: Any) -> NoReturn:
        raise NotImplementedError(f"Abstract evaluation for '{self.name}' not implemented")

    def _missing_impl(self, *args: Value, **params: Any) -> NoReturn:
        raise NotImplementedError(f"Evaluation rule for '{self.name}' not implemented")

    def _checked(self, impl: Rule) -> Rule:
        def eager(*args: Value, **params: Any) -> Any:
            with set_current_trace(eval_trace):
                return impl(*map(_arrays, args), **params)

        return eager

    def _run_lowered(self, *operands: Any, **params: Any) -> Any:
        """What compiled programs compute: the function that was registered as its lowering."""
        if self._lowered is None:
            raise NotImplementedError(
                f"MLIR translation rule for primitive '{self.name}' not found for platform cpu"
            )
        with set_current_trace(eval_trace):
            result = self._lowered(*(from_numpy(np.asarray(x)) for x in operands), **params)
        return list(map(np.asarray, result)) if self.multiple_results else np.asarray(result)


def _arrays(values: Any) -> Any:
    """The operands of a rule of the user's: no literals of jaxprs, but Arrays."""
    if isinstance(values, Literal):
        return asarray(values)
    return [_arrays(v) for v in values] if isinstance(values, (list, tuple)) else values


def _on_arrays(rule: Rule) -> Rule:
    return lambda *args, **params: rule(*map(_arrays, args), **params)


class _Rules:
    """A table from primitives to rules, which are kept at the primitives, as `attribute`."""

    def __init__(self, attribute: str, adapt: Callable[[Rule], Rule] = _on_arrays) -> None:
        self._attribute, self._adapt = attribute, adapt
        self._given: dict[CorePrimitive, Rule] = {}

    def __setitem__(self, primitive: CorePrimitive, rule: Rule) -> None:
        self._given[primitive] = rule
        setattr(primitive, self._attribute, self._adapt(rule))

    def __getitem__(self, primitive: CorePrimitive) -> Rule:
        return self._given[primitive]

    def __contains__(self, primitive: CorePrimitive) -> bool:
        return primitive in self._given or getattr(primitive, self._attribute) is not None

    def get(self, primitive: CorePrimitive, default: Any = None) -> Any:
        return self._given.get(primitive, default)


class AxisData(NamedTuple):
    """What a batching rule is told of the mapped axis."""

    name: Any
    size: int


def _of_size(rule: Rule) -> Rule:
    def batch(axis: MappedAxis, args: Sequence[Value], dims: Sequence[Any], **params: Any) -> Any:
        return rule(AxisData(getattr(axis, "name", None), int(axis)), args, dims, **params)

    return batch


def _of_axis(rule: Rule) -> Rule:
    def batch(axis: MappedAxis, args: Sequence[Value], dims: Sequence[Any], **params: Any) -> Any:
        return rule(int(axis), getattr(axis, "name", None), None, args, dims, **params)

    return batch


jvps = _Rules("jvp")
transposes = _Rules("transpose")
batchers = _Rules("batch", lambda rule: lambda size, args, dims, **params: rule(args, dims, **params))
axis_batchers = _Rules("batch", _of_axis)
fancy_batchers = _Rules("batch", _of_size)


def defjvp(primitive: CorePrimitive, *rules: Rule | None) -> None:
    """One rule for each argument: ``rule(tangent, *primals, **params)`` is its part of the tangent of the result."""

    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        parts = [
            rule(t, *primals, **params)
            for rule, t in zip(rules, tangents, strict=True)
            if rule is not None and type(t) is not Zero
        ]
        total: Any = parts[0] if parts else zero_of(out)
        for part in parts[1:]:
            total = total + part
        return out, total

    jvps[primitive] = jvp


def deflinear2(primitive: CorePrimitive, transpose: Rule) -> None:
    """A primitive that is linear in all its arguments; `transpose(ct, *args, **params)` gives their cotangents."""

    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        return out, primitive.bind(*map(instantiate, tangents), **params)

    jvps[primitive] = jvp
    transposes[primitive] = lambda ct, *args, **params: (
        [None] * len(args) if type(ct) is Zero else transpose(ct, *args, **params)
    )


def deflinear(primitive: CorePrimitive, transpose: Rule) -> None:
    """As `deflinear2`, for a rule that is not given the arguments."""
    deflinear2(primitive, lambda ct, *args, **params: transpose(ct, **params))


def defvectorized(primitive: CorePrimitive) -> None:
    """A primitive that works on each element: arguments that are mapped, are mapped along one axis."""

    def batch(
        axis: MappedAxis, args: Sequence[Value], dims: Sequence[Any], **params: Any
    ) -> tuple[Value, int]:
        fronts = [
            arg if dim is None else to_front(arg, dim, axis) for arg, dim in zip(args, dims, strict=True)
        ]
        return primitive.bind(*fronts, **params), 0

    primitive.batch = batch


class _Lowering:
    """The lowering that `lower_fun` makes of a function."""

    def __init__(self, function: Rule) -> None:
        self.function = function


def lower_fun(fun: Rule, multiple_results: bool = True) -> _Lowering:
    """A lowering that does what a function of Arrays does."""
    return _Lowering(fun)


def register_lowering(
    primitive: CorePrimitive, rule: Any = None, platform: str | None = None, **options: Any
) -> Any:
    """Keep what `lower_fun` made as what compiled programs run.

    Rules that build MLIR cannot run here: in their place does what the primitive computes outside of traces, if that is
    known.
    """
    if rule is None:
        return lambda given: register_lowering(primitive, given, platform, **options)
    if platform in (None, "cpu") and isinstance(primitive, Primitive):
        lowered = rule.function if isinstance(rule, _Lowering) else primitive._impl
        if lowered is not None:
            primitive._lowered, primitive.refuse = lowered, None
    return rule
