"""Library functions outside of traces: the operations of a call are written down once, and run from then on.

A function of the library checks and promotes its arguments before it applies a few primitives. For calls with arrays of
the same kinds and the same other arguments that is always the same, so the second such call records its primitives, and
later ones evaluate them, with the same kernels and so the same results to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..arrays.array import ArrayImpl
from ..config import state
from ..core import ClosedJaxpr, Jaxpr, Var
from ..jaxprs.evaluate import finished, in_memory, kernel_of, to_numpy, without_warnings
from ..primitives.family import Kernel
from ..pytree.definition import PyTreeDef
from ..tracing.staging import trace_to_jaxpr
from ..tree_util import tree_flatten

#: Functions that are called with ever new arguments do not keep more recordings than this.
_LIMIT = 256
_CALLS = {"jit": "jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr"}
_STATIC = frozenset((type(None), bool, int, str, type))


class _NotRecordable(Exception):
    """A call whose operations cannot be repeated without Python."""


class Recording:
    """The operations of a call, on numbered slots that hold arrays."""

    def __init__(self, closed: ClosedJaxpr, out_tree: PyTreeDef) -> None:
        self._initial: list[Any] = []
        self._steps: list[
            tuple[Callable[..., Any], dict[str, Any], list[int], list[tuple[int, Any]], bool]
        ] = []
        slots: dict[Var, int] = {}
        for var in closed.jaxpr.invars:
            slots[var] = self._slot(None)
        self._inputs = len(slots)
        outs = self._add(closed.jaxpr, [self._slot(to_numpy(const)) for const in closed.consts], slots)
        self._outs = [(slot, var.aval) for slot, var in zip(outs, closed.jaxpr.outvars)]
        self._others = self._initial[self._inputs :]
        self._finish = None if out_tree.kind is None and out_tree.num_leaves == 1 else out_tree.unflatten

    def _slot(self, value: Any) -> int:
        self._initial.append(value)
        return len(self._initial) - 1

    def _add(self, jaxpr: Jaxpr, consts: Sequence[int], slots: dict[Var, int]) -> list[int]:
        """The slots of the results of a jaxpr, whose steps are added."""
        slots.update(zip(jaxpr.constvars, consts))

        def slot(atom: Any) -> int:
            if isinstance(atom, Var):
                return slots[atom]
            return self._slot(np.asarray(atom.val, atom.aval.dtype.storage))

        for eqn in jaxpr.eqns:
            primitive, operands = eqn.primitive, [slot(atom) for atom in eqn.invars]
            if primitive.name in _CALLS:
                inner: ClosedJaxpr = eqn.params[_CALLS[primitive.name]]
                inside = dict(zip(inner.jaxpr.invars, operands))
                outs = self._add(inner.jaxpr, [self._slot(to_numpy(c)) for c in inner.consts], inside)
                slots.update(zip(eqn.outvars, outs))
                continue
            if primitive.eager is not None or eqn.effectful:
                raise _NotRecordable
            results = []
            for var in eqn.outvars:
                slots[var] = self._slot(None)
                results.append((slots[var], var.aval))
            kernel = kernel_of(eqn)
            found = kernel.function if isinstance(kernel, Kernel) else kernel
            self._steps.append((found, eqn.params, operands, results, primitive.multiple_results))
        return [slot(atom) for atom in jaxpr.outvars]

    @without_warnings
    def run(self, arrays: Sequence[Any]) -> Any:
        """The result of the call for the memory of other arrays."""
        values = [*arrays, *self._others]
        for impl, params, operands, results, multiple in self._steps:
            result = impl(*[values[k] for k in operands], **params)
            if not multiple:
                slot, aval = results[0]
                values[slot] = in_memory(result, aval.dtype)
                continue
            for (slot, aval), value in zip(results, result):
                values[slot] = finished(value, aval)
        outs = [ArrayImpl(values[slot], aval) for slot, aval in self._outs]
        return outs[0] if self._finish is None else self._finish(outs)


class Recorder:
    """The recordings of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        #: None for calls that were made once, False for what cannot be recorded.
        self._recordings: dict[tuple[Any, ...], Recording | bool | None] = {}
        self._config: int | None = None

    def call(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The result of a call outside of traces."""
        key: list[Any] = []
        arrays: list[Any] = []
        if state.checks_values or not _note(args, key, arrays):
            return self._function(*args, **kwargs)
        if kwargs:
            key.append(tuple(kwargs))
            if not _note(kwargs.values(), key, arrays):
                return self._function(*args, **kwargs)
        if self._config != state.key:
            self._recordings.clear()
            self._config = state.key
        where = tuple(key)
        recording = self._recordings.get(where, True)
        if type(recording) is Recording:
            return recording.run(arrays)
        result = self._function(*args, **kwargs)
        if recording is None:
            self._recordings[where] = self._recorded(args, kwargs)
        elif recording and len(self._recordings) < _LIMIT:
            self._recordings[where] = None
        return result

    def _recorded(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Recording | bool:
        out_tree: PyTreeDef | None = None

        def flat(*tracers: Any) -> list[Any]:
            nonlocal out_tree
            given = iter(tracers)
            traced = [next(given) if type(arg) is ArrayImpl else arg for arg in args]
            named = {name: next(given) if type(v) is ArrayImpl else v for name, v in kwargs.items()}
            results, out_tree = tree_flatten(self._function(*traced, **named))
            return results

        avals = [arg.aval for arg in (*args, *kwargs.values()) if type(arg) is ArrayImpl]
        try:
            jaxpr, consts = trace_to_jaxpr(flat, avals)
            assert out_tree is not None
            return Recording(ClosedJaxpr(jaxpr, consts), out_tree)
        except Exception:  # noqa: BLE001  Whatever needs values, or more than kernels, is done anew in each call.
            return False


def _note(values: Any, key: list[Any], arrays: list[Any]) -> bool:
    """Adds to `key` what tells calls apart, and to `arrays` the memory of Arrays; False for what is not told apart."""
    for value in values:
        kind = type(value)
        if kind is ArrayImpl:
            key.append(value.aval)
            memory = getattr(value, "_value", None)
            if memory is None:  # The array was deleted.
                return False
            arrays.append(memory)
        elif kind in _STATIC:
            key += (kind, value)
        elif kind is float:
            key += (kind, value.hex())
        elif kind is tuple and all(type(each) is int for each in value):
            key += (kind, value)
        else:
            return False
    return True
