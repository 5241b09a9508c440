"""Checks made explicit: a program with checks becomes one that also returns which of them failed first.

What is known of failures is a list of values, the state: whether a check failed, the number of the first that did, and
for each check the values that its message needs. Control flow carries the state along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import lax
from .. import numpy as jnp
from ..core import ClosedJaxpr, Jaxpr, JaxprEqn, ShapedArray, Value, Var, get_aval, shaped_array
from ..dtypes import as_dtype
from ..jaxprs.jaxpr import sub_jaxprs
from ..primitives.checking import description
from ..tracing.staging import trace_to_jaxpr
from .scan import bind_scan
from .while_loop import while_p

INT32, BOOL = as_dtype("int32"), as_dtype("bool")

USER, NAN, DIVISION, INDEX = "user", "nan", "division", "index"


class Site(NamedTuple):
    """One check of a program: what it is about, the avals of what its message needs, and the message."""

    category: str
    avals: tuple[ShapedArray, ...]
    message: Callable[[Sequence[Any]], str]


class Failure(NamedTuple):
    """The outcome of a check in one place."""

    site: int
    failed: Value
    values: Sequence[Value]


def _strong(aval: ShapedArray) -> ShapedArray:
    return shaped_array(aval.shape, aval.dtype)


def _index_message(shape: tuple[int, ...]) -> Callable[[Sequence[Any]], str]:
    def message(values: Sequence[Any]) -> str:
        index, axis = (int(v) for v in values)
        return (
            f"out-of-bounds indexing for array of shape {shape}: index {index} is out of bounds for axis {axis} with "
            f"size {shape[axis]}. "
        )

    return message


class Checker:
    """The checks of some categories in a jaxpr."""

    def __init__(self, jaxpr: Jaxpr, categories: frozenset[str]) -> None:
        self.categories = categories
        self.sites: list[Site] = []
        self._places: dict[tuple[int, str], int] = {}
        self._concerned: dict[int, bool] = {}
        self._visit(jaxpr)

    def _visit(self, jaxpr: Jaxpr) -> bool:
        """Whether there are checks in a jaxpr; notes them."""
        known = self._concerned.get(id(jaxpr))
        if known is not None:
            return known
        found = False
        for eqn in jaxpr.eqns:
            for inner in sub_jaxprs(eqn):
                found |= self._visit(inner)
            for category, site in _sites(eqn):
                if category in self.categories:
                    self._places[id(eqn), category] = len(self.sites)
                    self.sites.append(site)
                    found = True
        self._concerned[id(jaxpr)] = found
        return found

    def initial(self) -> list[Value]:
        """The state before anything has failed."""
        values = [jnp.zeros(aval.shape, aval.dtype) for site in self.sites for aval in site.avals]
        return [jnp.asarray(False), jnp.asarray(0, INT32), *values]

    def run(
        self, jaxpr: Jaxpr, consts: Sequence[Value], args: Sequence[Value], state: list[Value]
    ) -> tuple[list[Value], list[Value]]:
        """The results of a jaxpr under the current trace, and the state after it."""
        env: dict[Var, Value] = {**dict(zip(jaxpr.constvars, consts)), **dict(zip(jaxpr.invars, args))}

        def read(atom: Any) -> Value:
            return env[atom] if isinstance(atom, Var) else atom

        for eqn in jaxpr.eqns:
            operands = [read(atom) for atom in eqn.invars]
            name = eqn.primitive.name
            rule = _RULES.get(name)
            if rule is not None and any(self._concerned[id(inner)] for inner in sub_jaxprs(eqn)):
                results, state = rule(self, eqn, operands, state)
            elif name == "check":
                results = []
            else:
                bound = eqn.primitive.bind(*operands, **eqn.params)
                results = bound if eqn.primitive.multiple_results else [bound]
            for category, test in _TESTS.items():
                site = self._places.get((id(eqn), category))
                if site is not None:
                    failed, values = test(eqn, operands, results)
                    state = self._after(state, Failure(site, failed, values))
            env.update(zip(eqn.outvars, results))
        return [read(atom) for atom in jaxpr.outvars], state

    def _after(self, state: list[Value], failure: Failure) -> list[Value]:
        failed, code, *values = state
        first = jnp.logical_and(jnp.logical_not(failed), failure.failed)
        start = sum(len(site.avals) for site in self.sites[: failure.site])
        for k, (value, aval) in enumerate(
            zip(failure.values, self.sites[failure.site].avals, strict=True), start
        ):
            new = lax.convert_element_type(value, aval.dtype)
            values[k] = lax.select_n(first, values[k], new)
        code = lax.select_n(first, code, jnp.asarray(failure.site, INT32))
        return [jnp.logical_or(failed, failure.failed), code, *values]

    def traced(self, closed: ClosedJaxpr, state: Sequence[Value], before: int = 0) -> ClosedJaxpr:
        """A jaxpr with the state, as further operands after the first `before`, and as its first results."""

        def function(*args: Value) -> list[Value]:
            head, given, rest = args[:before], args[before : before + len(state)], args[before + len(state) :]
            results, after = self.run(closed.jaxpr, closed.consts, [*head, *rest], list(given))
            return [*after, *results]

        avals = closed.in_avals
        carried = [_strong(get_aval(value)) for value in state]
        return _closed(function, [*avals[:before], *carried, *avals[before:]])


def _closed(function: Callable[..., Sequence[Value]], avals: Sequence[ShapedArray]) -> ClosedJaxpr:
    jaxpr, consts = trace_to_jaxpr(function, avals)
    return ClosedJaxpr(jaxpr, consts)


# What is checked of an equation.


def _sites(eqn: JaxprEqn) -> list[tuple[str, Site]]:
    """The checks that there can be of an equation."""
    name, params = eqn.primitive.name, eqn.params
    if name == "check":
        avals = tuple(_strong(atom.aval) for atom in eqn.invars[1:])
        text, tree = params["message"], params["tree"]
        return [(USER, Site(USER, avals, lambda values: description(values, text, tree)))]
    found = []
    if name == "div":
        found.append((DIVISION, Site(DIVISION, (), lambda _: "division by zero")))
    if name == "gather" or name.startswith("scatter") or name == "dynamic_slice":
        shape = eqn.invars[0].aval.shape
        if shape:
            message = _index_message(shape)
            found.append((INDEX, Site(INDEX, (shaped_array((), INT32),) * 2, message)))
    if any(var.aval.dtype.kind in "fc" for var in eqn.outvars) and name not in _RULES:
        found.append((NAN, Site(NAN, (), lambda _: f"nan generated by primitive: {name}.")))
    return found


def _check_failed(
    eqn: JaxprEqn, operands: Sequence[Value], results: Sequence[Value]
) -> tuple[Value, Sequence[Value]]:
    return jnp.logical_not(operands[0]), operands[1:]


def _divides_by_zero(eqn: JaxprEqn, operands: Sequence[Value], results: Any) -> tuple[Value, Sequence[Value]]:
    return jnp.any(jnp.equal(operands[1], 0)), ()


def _has_nan(
    eqn: JaxprEqn, operands: Sequence[Value], results: Sequence[Value]
) -> tuple[Value, Sequence[Value]]:
    floats = [x for x in results if get_aval(x).dtype.kind in "fc"]
    found = [jnp.any(jnp.isnan(x)) for x in floats]
    failed = found[0]
    for each in found[1:]:
        failed = jnp.logical_or(failed, each)
    return failed, ()


def _out_of_bounds(eqn: JaxprEqn, operands: Sequence[Value], results: Any) -> tuple[Value, Sequence[Value]]:
    name, params = eqn.primitive.name, eqn.params
    shape = get_aval(operands[0]).shape
    if name == "dynamic_slice":
        indices = jnp.stack([jnp.asarray(i).astype(INT32) for i in operands[1:]])
        axes, windows = tuple(range(len(shape))), params["slice_sizes"]
    else:
        indices, numbers = jnp.asarray(operands[1]), params["dimension_numbers"]
        if name == "gather":
            axes, windows = numbers.start_index_map, params["slice_sizes"]
        else:
            axes = numbers.scatter_dims_to_operand_dims
            skipped = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
            sizes = iter(get_aval(operands[2]).shape[d] for d in numbers.update_window_dims)
            windows = [1 if d in skipped else next(sizes) for d in range(len(shape))]
    if not axes:
        return jnp.asarray(False), (jnp.asarray(0, INT32),) * 2
    limits = jnp.asarray([shape[axis] - windows[axis] for axis in axes], INT32)
    outside = jnp.ravel((indices < 0) | (indices > limits.astype(indices.dtype)))
    place = jnp.argmax(outside)
    axis = jnp.asarray(axes, INT32)[place % len(axes)]
    return jnp.any(outside), (jnp.ravel(indices)[place], axis)


_TESTS: dict[str, Callable[..., tuple[Value, Sequence[Value]]]] = {
    USER: _check_failed,
    DIVISION: _divides_by_zero,
    INDEX: _out_of_bounds,
    NAN: _has_nan,
}


# Equations that hold jaxprs.

_Result = tuple[list[Value], list[Value]]


def _call(name: str) -> Callable[..., _Result]:
    """The rule of an equation that applies the jaxpr in a parameter."""

    def rule(checker: Checker, eqn: JaxprEqn, operands: Sequence[Value], state: list[Value]) -> _Result:
        closed = eqn.params[name]
        return checker.run(closed.jaxpr, closed.consts, operands, state)

    return rule


def _cond(checker: Checker, eqn: JaxprEqn, operands: Sequence[Value], state: list[Value]) -> _Result:
    branches = tuple(checker.traced(branch, state) for branch in eqn.params["branches"])
    results = eqn.primitive.bind(operands[0], *state, *operands[1:], branches=branches)
    return results[len(state) :], results[: len(state)]


def _scan(checker: Checker, eqn: JaxprEqn, operands: Sequence[Value], state: list[Value]) -> _Result:
    params = eqn.params
    consts, start = params["num_consts"], params["num_consts"] + params["num_carry"]
    body = checker.traced(params["jaxpr"], state, consts)
    results = bind_scan(
        body,
        operands[:consts],
        [*state, *operands[consts:start]],
        operands[start:],
        length=params["length"],
        reverse=params["reverse"],
        unroll=params["unroll"],
    )
    return results[len(state) :], results[: len(state)]


def _while(checker: Checker, eqn: JaxprEqn, operands: Sequence[Value], state: list[Value]) -> _Result:
    """Checks of the condition run before each iteration, and once after the last."""
    cond, body = eqn.params["cond_jaxpr"], eqn.params["body_jaxpr"]
    conds, bodies = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
    cond_consts, body_consts, init = (
        operands[:conds],
        operands[conds : conds + bodies],
        operands[conds + bodies :],
    )
    width = len(state)

    def goes_on(*args: Value) -> list[Value]:
        carry = args[conds + width :]
        return checker.run(
            cond.jaxpr, cond.consts, [*args[:conds], *carry], list(args[conds : conds + width])
        )[0]

    def step(*args: Value) -> list[Value]:
        of_cond, of_body = args[:conds], args[conds : conds + bodies]
        given, carry = list(args[conds + bodies : conds + bodies + width]), args[conds + bodies + width :]
        given = checker.run(cond.jaxpr, cond.consts, [*of_cond, *carry], given)[1]
        results, given = checker.run(body.jaxpr, body.consts, [*of_body, *carry], given)
        return [*given, *results]

    carried = [_strong(get_aval(value)) for value in state]
    carry_avals = body.in_avals[bodies:]
    cond_avals, body_avals = cond.in_avals[:conds], body.in_avals[:bodies]
    results = while_p.bind(
        *cond_consts,
        *cond_consts,
        *body_consts,
        *state,
        *init,
        cond_jaxpr=_closed(goes_on, [*cond_avals, *carried, *carry_avals]),
        cond_nconsts=conds,
        body_jaxpr=_closed(step, [*cond_avals, *body_avals, *carried, *carry_avals]),
        body_nconsts=conds + bodies,
    )
    after, carry = results[:width], results[width:]
    after = checker.run(cond.jaxpr, cond.consts, [*cond_consts, *carry], after)[1]
    return carry, after


_RULES: dict[str, Callable[..., _Result]] = {
    "jit": _call("jaxpr"),
    "remat2": _call("jaxpr"),
    "custom_jvp_call": _call("call_jaxpr"),
    "custom_vjp_call": _call("call_jaxpr"),
    "cond": _cond,
    "scan": _scan,
    "while": _while,
}
