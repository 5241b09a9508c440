"""``jvp``, ``vjp``, ``linearize`` and ``linear_transpose``: derivatives as linear functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import ClosedJaxpr, ShapedArray, Value, Var, current_trace, get_aval, set_current_trace
from ..dtypes import FLOAT0
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import Zero, instantiate
from ..pytree.definition import PyTreeDef, tree_flatten
from ..pytree.kinds import KINDS, NodeKind, flat_index_keys
from ..tracing.references import Ref
from .functions import check_argument
from .grad import integer_zeros, refuse_reference
from .jvp import JVPTrace, JVPTracer
from .linearize import Linear, LinearEqn, TangentTrace, linearize_flat
from .signatures import check_function, source_of
from .transpose import backward


def _tangent(value: Value | Zero, aval: ShapedArray) -> Value:
    """A tangent as it is given to the user."""
    if aval.dtype.kind not in "fc":
        from types import SimpleNamespace

        return integer_zeros(SimpleNamespace(aval=aval))
    return current_trace().stage_value(instantiate(value))


def _with_aux(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise TypeError(
            f"expected function with aux output to return a two-element tuple, but got type {type(result)} with value "
            f"{result!r}"
        )
    return result[0], result[1]


def jvp(
    fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple[Any, ...]:
    """The value of `fun` at `primals`, and its derivative in the direction `tangents`; and aux, if it has any.

    Raises:
        TypeError: if primals and tangents differ in structure or dtype.
        ValueError: if they differ in shape.
    """
    check_function(fun)
    if not (isinstance(primals, (list, tuple)) and isinstance(tangents, (list, tuple))):
        raise TypeError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{type(primals).__name__} and {type(tangents).__name__}."
        )
    leaves, in_tree = tree_flatten(primals)
    dots, dots_tree = tree_flatten(tangents)
    if in_tree != dots_tree:
        raise TypeError(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
            f"{in_tree} whereas tangents have tree structure {dots_tree}."
        )
    parent = current_trace()
    trace = JVPTrace(parent)
    args = [trace.pair(leaf, _checked_tangent(leaf, dot)) for leaf, dot in zip(leaves, dots, strict=True)]
    with set_current_trace(trace):
        result = fun(*in_tree.unflatten(args))
        result, aux = _with_aux(result) if has_aux else (result, None)
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_argument(out)
    pairs = [trace.split(out) for out in outs]
    value = out_tree.unflatten([parent.stage_value(primal) for primal, _ in pairs])
    derivative = out_tree.unflatten([_tangent(tangent, get_aval(primal)) for primal, tangent in pairs])
    if not has_aux:
        return value, derivative
    aux_leaves, aux_tree = tree_flatten(aux)
    plain = [v.primal if isinstance(v, JVPTracer) and v._trace is trace else v for v in aux_leaves]
    return value, derivative, aux_tree.unflatten(plain)


def _checked_tangent(primal: Value, tangent: Value) -> Value | Zero:
    check_argument(primal)
    check_argument(tangent)
    aval, given = get_aval(primal), get_aval(tangent)
    if isinstance(primal, Ref) and not isinstance(tangent, Ref):
        raise ValueError(f"`get` must be called on `Ref` types: {given}.")
    expected = aval.to_tangent_aval()
    if expected.dtype is not given.dtype:
        raise TypeError(
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal "
            f"dtype the tangent dtype must be float0. Got primal dtype {aval.dtype} and so expected tangent dtype "
            f"{expected.dtype}, but got tangent dtype {given.dtype} instead."
        )
    if aval.shape != given.shape:
        raise ValueError(
            "jvp called with different primal and tangent shapes;"
            f"Got primal shape {aval.shape} and tangent shape as {given.shape}"
        )
    return Zero(expected) if expected.dtype is FLOAT0 else tangent


class InvalidInputException(TypeError):
    """An argument of a function to be differentiated is no array."""


class _LinearFunction:
    """A linear function of trees whose residuals are leaves, so that it can be returned from transformed functions.

    What was made of leaves gives the same tree again, by which compiled functions know it.
    """

    __slots__ = ("in_avals", "in_tree", "linear", "made_of", "out_avals", "out_tree", "source")

    def __init__(
        self,
        linear: Linear,
        in_tree: PyTreeDef,
        in_avals: tuple[ShapedArray, ...],
        out_tree: PyTreeDef,
        out_avals: tuple[ShapedArray, ...],
        source: str,
    ) -> None:
        self.linear, self.in_tree, self.in_avals = linear, in_tree, in_avals
        self.out_tree, self.out_avals, self.source = out_tree, out_avals, source
        self.made_of: tuple[tuple[Value, ...], Any] | None = None

    def static(self) -> tuple[Any, ...]:
        return self.in_tree, self.in_avals, self.out_tree, self.out_avals, self.source


def _flatten_linear(function: _LinearFunction) -> tuple[Sequence[Value], Any]:
    if function.made_of is not None:
        return function.made_of
    linear = function.linear
    live = [type(result) is Var for result in linear.results]
    jaxpr, residuals = linear._replace(results=[r for r in linear.results if type(r) is Var]).to_jaxpr()
    return residuals, (ClosedJaxpr(jaxpr), tuple(live), type(function), function.static())


def _unflatten_linear(data: Any, residuals: tuple[Value, ...]) -> _LinearFunction:
    closed, live, kind, static = data
    jaxpr = closed.jaxpr
    values: dict[Any, Value] = dict(zip(jaxpr.invars, residuals, strict=False))

    tape = [
        LinearEqn(eqn.primitive, eqn.params, [values.get(v, v) for v in eqn.invars], eqn.outvars)
        for eqn in jaxpr.eqns
    ]
    outs = iter([values.get(v, v) for v in jaxpr.outvars])
    results = [next(outs) if on else None for on in live]
    function: _LinearFunction = kind(Linear(jaxpr.invars[len(residuals) :], tape, results), *static)
    function.made_of = residuals, data
    return function


class VJPFunction(_LinearFunction):
    """What `vjp` returns: from the cotangent of the result to a tuple of cotangents of the arguments."""

    __slots__ = ()

    def __call__(self, *cotangents: Any) -> Any:
        if len(cotangents) != 1:
            raise TypeError(
                f"The function returned by `jax.vjp` applied to {self.source} was called with {len(cotangents)} "
                "arguments, but functions returned by `jax.vjp` must be called with a single argument corresponding to "
                "the single value returned by the function being differentiated (even if that returned value is a tuple "
                "or other container)."
            )
        leaves, tree = tree_flatten(cotangents[0])
        if tree != self.out_tree:
            raise ValueError(
                "unexpected tree structure. The argument to a VJP function returned by `jax.vjp` must match the pytree "
                f"structure of the differentiated function {self.source}: expected {self.out_tree}, got {tree}."
            )
        for leaf, aval in zip(leaves, self.out_avals, strict=True):
            check_argument(leaf)
            given, expected = get_aval(leaf), aval.to_tangent_aval()
            fits = given.shape == expected.shape and (
                given.dtype is expected.dtype or expected.dtype is FLOAT0
            )
            if not fits:
                raise ValueError(
                    "unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
                    f"{given.str_short()}, but expected {expected.str_short()} because the corresponding output of the "
                    f"differentiated function had JAX type {aval.str_short()}"
                )
        found = iter(backward(self.linear, leaves))
        return self.in_tree.unflatten(
            [_tangent(next(found) if aval.dtype.kind in "fc" else Zero(aval), aval) for aval in self.in_avals]
        )


class JVPFunction(_LinearFunction):
    """What `linearize` returns: from tangents of the arguments to the tangent of the result."""

    __slots__ = ()

    def __call__(self, *tangents: Any) -> Any:
        leaves, tree = tree_flatten(tangents)
        if tree != self.in_tree:
            raise TypeError(
                f"linearized function called with tangents of structure {tree}, but the primals have {self.in_tree}"
            )
        for leaf, aval in zip(leaves, self.in_avals, strict=True):
            expected, given = aval.to_tangent_aval(), get_aval(leaf)
            if given.shape != expected.shape or given.dtype is not expected.dtype:
                raise ValueError(
                    "linearized function called on tangent values inconsistent with the original primal values: got "
                    f"tangent aval {given.str_short()} for primal aval {aval.str_short()} but expected "
                    f"{expected.str_short()}"
                )
        live = [leaf for leaf, aval in zip(leaves, self.in_avals, strict=True) if aval.dtype.kind in "fc"]
        linear = self.linear
        found = iter(_apply(linear._replace(results=[r for r in linear.results if r is not None]), live))
        return self.out_tree.unflatten(
            [
                _tangent(Zero(aval) if result is None else next(found), aval)
                for result, aval in zip(linear.results, self.out_avals, strict=True)
            ]
        )


def _apply(linear: Linear, tangents: Sequence[Value]) -> list[Value]:
    jaxpr, residuals = linear.to_jaxpr()
    return jaxpr_as_values(jaxpr, [], *residuals, *tangents)


for _kind in (VJPFunction, JVPFunction):
    KINDS[_kind] = NodeKind(_kind, "custom", _flatten_linear, _unflatten_linear, flat_index_keys)


def _linearized(
    fun: Callable[..., Any], primals: Sequence[Any], has_aux: bool, kind: type[_LinearFunction]
) -> tuple[Any, ...]:
    check_function(fun)
    leaves, in_tree = tree_flatten(tuple(primals))
    for leaf in leaves:
        try:
            check_argument(leaf)
        except TypeError as error:
            if kind is JVPFunction:
                raise
            raise InvalidInputException(f"{error}.") from None
        if kind is VJPFunction:
            refuse_reference(leaf)
        elif isinstance(leaf, Ref):
            raise NotImplementedError(
                f"linearize with respect to a reference: {leaf.aval.str_short()}; use jvp"
            )
    trees: list[PyTreeDef] = []
    count = 0

    def flat(*values: Value) -> list[Value]:
        nonlocal count
        result = fun(*in_tree.unflatten(values))
        result, aux = _with_aux(result) if has_aux else (result, ())
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_argument(out)
        aux_leaves, aux_tree = tree_flatten(aux)
        trees.extend((out_tree, aux_tree))
        count = len(outs)
        return outs + aux_leaves

    avals = tuple(get_aval(leaf) for leaf in leaves)
    outs, linear = linearize_flat(flat, leaves, [aval.dtype.kind in "fc" for aval in avals])
    out_tree, aux_tree = trees
    out_avals = tuple(get_aval(out) for out in outs[:count])
    function = kind(
        linear._replace(results=linear.results[:count]), in_tree, avals, out_tree, out_avals, source_of(fun)
    )
    value = out_tree.unflatten([current_trace().stage_value(out) for out in outs[:count]])
    return (value, function, aux_tree.unflatten(outs[count:])) if has_aux else (value, function)


def vjp(
    fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Sequence[Any] = ()
) -> Any:
    """The value of `fun` at `primals`, and the function that pulls cotangents back; and aux, if it has any."""
    return _linearized(fun, primals, has_aux, VJPFunction)


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of `fun` at `primals`, and its derivative there, evaluated once for many tangents."""
    return _linearized(fun, primals, has_aux, JVPFunction)


def linear_transpose(
    fun: Callable[..., Any], *primals: Any, reduce_axes: Sequence[Any] = ()
) -> Callable[[Any], Any]:
    """The transpose of a function that is linear. Of `primals` only shapes and dtypes are used.

    Raises, when called:
        TypeError: if the cotangent is not like the result.
    """
    check_function(fun)
    leaves, in_tree = tree_flatten(tuple(primals))
    avals = [get_aval(leaf) for leaf in leaves]

    # Only what depends on the arguments is traced; other values stay concrete.
    parent = current_trace()
    trace = TangentTrace(parent)
    args = [trace.new_arg(aval) for aval in avals]
    with set_current_trace(trace):
        outs, out_tree = tree_flatten(fun(*in_tree.unflatten(args)))
    out_avals = [get_aval(out) for out in outs]
    results = [out.atom if trace.is_unknown(out) else out for out in outs]
    linear = Linear([arg.atom for arg in args], trace.tape, results)

    def transposed(cotangent: Any) -> Any:
        cts, ct_tree = tree_flatten(cotangent)
        if out_tree != ct_tree:
            raise TypeError(
                f"cotangent tree does not match function output, expected {out_tree} but got {ct_tree}"
            )
        for mine, ct in zip(out_avals, cts, strict=True):
            given = get_aval(ct)
            if (mine.shape, mine.dtype) != (given.shape, given.dtype):
                raise TypeError(
                    f"cotangent type does not match function output, expected {mine.str_short()} but got "
                    f"{given.str_short()}"
                )
        found = backward(linear, cts)
        stage = current_trace().stage_value
        return in_tree.unflatten([stage(instantiate(ct)) for ct in found])

    return transposed
