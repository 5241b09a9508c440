"""Jaxprs made flat: calls inlined, equal equations merged, unused ones dropped."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..core import ShapedArray
from ..jaxprs.evaluate import in_memory, to_numpy
from .algebra import rewritten
from .builder import Rule

CALLS = frozenset(
    {
        "jit",
        "pjit",
        "closed_call",
        "core_call",
        "custom_jvp_call",
        "custom_linear_solve",
        "custom_vjp_call",
        "custom_vjp_call_jaxpr",
        "custom_vmap_call",
        "checkpoint",
        "remat",
        "composite",
        "remat2",
        "xla_call",
    }
)
_IDENTITIES = frozenset(
    {"stop_gradient", "random_clone", "copy", "copy_p", "optimization_barrier", "name", "sharding_constraint"}
)
_numbers = itertools.count()


class Var:
    """A value of the program."""

    __slots__ = ("dtype", "id", "shape")

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        self.id = next(_numbers)
        self.shape = tuple(shape)
        self.dtype = dtype


class Const:
    """A scalar known when compiling. ``key`` is the same for the same bits of the same type."""

    __slots__ = ("dtype", "key", "shape", "value")

    def __init__(self, value: Any, dtype: Any) -> None:
        self.value = value
        self.dtype = dtype
        self.key: Hashable = ("c", str(dtype), np.asarray(value).tobytes())
        self.shape: tuple[int, ...] = ()


Atom = Var | Const


class Eqn:
    """An equation; ``bodies`` are the jaxprs that it runs, flat, and ``source`` is where it came from."""

    __slots__ = (
        "bodies",
        "effects",
        "inputs",
        "is_complex",
        "name",
        "outputs",
        "params",
        "primitive",
        "rule",
    )

    def __init__(
        self, source: Any, inputs: list[Atom], outputs: list[Var], bodies: list[Flat], effects: bool
    ) -> None:
        self.primitive: Any = source.primitive
        self.name: str = source.primitive.name
        # How to compute one element of an elementwise operation
        self.rule: Rule | None = source.primitive.lower
        # What has a complex operand or result has one in the first place
        self.is_complex = "c" in [a.dtype.kind for a in (*outputs[:1], *inputs[:1])]
        if self.is_complex:
            from .vmath.complex_functions import RULES

            self.rule = RULES.get(self.name)
        self.effects = effects
        self.params: dict[str, Any] = source.params
        self.inputs = inputs
        self.outputs = outputs
        self.bodies = bodies

    def of(self, inputs: list[Atom], outputs: list[Var], bodies: list[Flat]) -> Eqn:
        """The same operation on other values."""
        return Eqn(self, inputs, outputs, bodies, self.effects)


class _Operation:
    """What stands for an equation of the jaxpr."""

    __slots__ = ("effectful", "params", "primitive")

    def __init__(self, primitive: Any, params: dict[str, Any]) -> None:
        self.primitive = primitive
        self.params = params
        self.effectful = False


class Flat:
    """A flat jaxpr; ``constants`` are the arrays that it, and what it calls, closes over."""

    def __init__(self, closed: Any, constants: dict[Var, Any] | None = None) -> None:
        self.constants = {} if constants is None else constants
        self.eqns: list[Eqn] = []
        #: The equations by their results, where these are one.
        self.made: dict[Atom, Eqn] = {}
        self._known: dict[Hashable, list[Var]] = {}
        #: What follows from constants alone.
        self._folded: set[Atom] = set()
        jaxpr = closed.jaxpr
        self.inputs = [Var(v.aval.shape, v.aval.dtype) for v in jaxpr.invars]
        self.outputs = self._inline(closed, list(self.inputs))
        self._drop_unused()

    @classmethod
    def of(cls, eqns: list[Eqn], inputs: list[Var], outputs: list[Atom], constants: dict[Var, Any]) -> Flat:
        """A part of a flat jaxpr as one of its own."""
        self = cls.__new__(cls)
        self.eqns, self.inputs, self.outputs, self.constants = eqns, inputs, outputs, constants
        self.made, self._known, self._folded = {}, {}, set()
        return self

    def _constant(self, value: Any) -> Atom:
        array: Any = np.asarray(value) if not hasattr(value, "dtype") else value
        if np.shape(array) == () and isinstance(array, (np.ndarray, np.generic)):
            return Const(np.asarray(array)[()], array.dtype)
        var = Var(array.shape, array.dtype)
        self.constants[var] = array if isinstance(array, np.ndarray) else to_numpy(array)
        return var

    def _inline(self, closed: Any, arguments: list[Atom]) -> list[Atom]:
        jaxpr = getattr(closed, "jaxpr", closed)
        environment: dict[Any, Atom] = {}
        for v, value in zip(jaxpr.constvars, getattr(closed, "consts", ()), strict=True):
            environment[v] = self._constant(value)
        environment.update(zip(jaxpr.invars, arguments, strict=True))
        literals: dict[Any, Const] = {}

        def read(atom: Any) -> Atom:
            if hasattr(atom, "val"):
                if type(atom.val) is float:
                    key = atom.val.hex(), atom.aval.dtype  # which tells -0 from 0
                    if key not in literals:
                        literals[key] = Const(np.asarray(atom.val).astype(key[1])[()], key[1])
                    return literals[key]
                if np.shape(atom.val) == ():
                    return Const(np.asarray(atom.val).astype(atom.aval.dtype)[()], atom.aval.dtype)
                return self._constant(np.asarray(atom.val))
            return environment[atom]

        for eqn in jaxpr.eqns:
            inputs = [read(a) for a in eqn.invars]
            environment.update(zip(eqn.outvars, self._equation(eqn, inputs), strict=True))
        return [read(a) for a in jaxpr.outvars]

    def _equation(self, eqn: Any, inputs: list[Atom]) -> list[Atom]:
        name = eqn.primitive.name
        if name in CALLS:
            inner = eqn.params.get("jaxpr") or eqn.params.get("call_jaxpr") or eqn.params.get("fun_jaxpr")
            return self._inline(inner, inputs)
        if name in _IDENTITIES:
            return inputs
        if len(eqn.outvars) == 1:
            simpler = rewritten(name, self, inputs, eqn.outvars[0].aval, eqn.params)
            if simpler is not None:
                return [simpler]
        return self._added(eqn, inputs, [v.aval for v in eqn.outvars])

    def apply(
        self, primitive: Any, inputs: list[Atom], aval: ShapedArray, params: dict[str, Any] | None = None
    ) -> Atom:
        """The result of an operation that the jaxpr has not."""
        return self._added(_Operation(primitive, params or {}), inputs, [aval])[0]

    def known(self, value: Any, dtype: Any) -> Atom:
        """An array of a type that is known when compiling."""
        if not value.shape:
            return Const(value[()], dtype)
        var = Var(value.shape, dtype)
        self.constants[var] = value
        return var

    def scalar(self, value: float, dtype: Any) -> Atom:
        """A scalar of a type."""
        return Const(dtype.storage.type(value), dtype)

    def is_computed(self, atom: Atom) -> bool:
        """Whether a value is not known before the program runs."""
        return isinstance(atom, Var) and atom not in self.constants and atom not in self._folded

    def _added(self, eqn: Any, inputs: list[Atom], avals: list[ShapedArray]) -> list[Atom]:
        name = eqn.primitive.name
        effects = eqn.effectful or name == "pure_callback"
        key = None if effects else self._key(eqn, inputs)
        if key is not None and key in self._known:
            return list(self._known[key])
        if len(avals) == 1 and inputs and not effects and all(isinstance(a, Const) for a in inputs):
            folded = _folded(eqn, inputs, avals[0])
            if folded is not None:
                return [folded]
        bodies = [Flat(inner, self.constants) for inner in _inner(eqn)] if eqn.params else []
        outputs = [Var(aval.shape, aval.dtype) for aval in avals]
        self.eqns.append(Eqn(eqn, inputs, outputs, bodies, effects))
        if inputs and not effects and not any(map(self.is_computed, inputs)):
            self._folded.update(outputs)
        if len(outputs) == 1:
            self.made[outputs[0]] = self.eqns[-1]
        if key is not None:
            self._known[key] = outputs
        return list(outputs)

    @staticmethod
    def _key(eqn: Any, inputs: list[Atom]) -> Hashable | None:
        atoms = tuple([a.key if isinstance(a, Const) else a.id for a in inputs])
        if not eqn.params:
            return eqn.primitive.name, atoms
        try:
            key = (eqn.primitive.name, atoms, tuple(sorted(eqn.params.items(), key=lambda item: item[0])))
            hash(key)
        except TypeError:
            return None
        return key

    def _drop_unused(self) -> None:
        used = {a for a in self.outputs if isinstance(a, Var)}
        kept: list[Eqn] = []
        for eqn in reversed(self.eqns):
            if eqn.effects or any(v in used for v in eqn.outputs):
                kept.append(eqn)
                used.update(a for a in eqn.inputs if isinstance(a, Var))
        self.eqns = kept[::-1]
        self._known.clear()
        self._folded.clear()
        self.made.clear()

    def free(self) -> set[Var]:
        """Values defined outside that the equations read (constants)."""
        inside: set[Var] = set(self.inputs)
        outside: set[Var] = set()
        for eqn in self.eqns:
            outside.update(a for a in eqn.inputs if isinstance(a, Var) and a not in inside)
            for body in eqn.bodies:
                outside.update(body.free() - inside)
            inside.update(eqn.outputs)
        outside.update(a for a in self.outputs if isinstance(a, Var) and a not in inside)
        return outside


def _folded(eqn: Any, inputs: Sequence[Atom], aval: ShapedArray) -> Const | None:
    """The integer that follows from constants: code for a known divisor, or a known shift, is far better."""
    if aval.shape or aval.dtype.kind not in "iub" or aval.dtype.narrow or eqn.primitive.lower is None:
        return None
    with np.errstate(all="ignore"):
        value = eqn.primitive.impl(
            *(np.asarray(a.value) for a in inputs if isinstance(a, Const)), **eqn.params
        )
    return Const(in_memory(value, aval.dtype)[()], aval.dtype)


def _inner(eqn: Any) -> list[Any]:
    name, params = eqn.primitive.name, eqn.params
    if name == "cond":
        return list(params["branches"])
    if name == "while":
        return [params["cond_jaxpr"], params["body_jaxpr"]]
    if name == "scan":
        return [params["jaxpr"]]
    return []
