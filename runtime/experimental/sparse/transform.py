"""`sparsify`: functions written for dense arrays, on sparse ones. Their jaxpr is evaluated by rules that keep zeros out."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...core import ClosedJaxpr, Jaxpr, Var, primitives
from ...tracing.inspection import ShapeDtypeStruct, make_jaxpr
from ...tree_util import tree_flatten, tree_structure, tree_unflatten
from . import elements, functions
from .base import JAXSparse
from .bcoo import BCOO
from .bcsr import BCSR

Rule = Callable[..., Any]

#: What makes 0 of 0. The first are linear: elements at the same place may stay apart.
_LINEAR = "conj copy imag neg real"
_ZERO_PRESERVING = (
    "abs asin asinh atan atanh bessel_i1e convert_element_type expm1 log1p sign sin sinh sqrt square tan tanh"
)
_DENSIFYING = frozenset("acos acosh bessel_i0e cos cosh eq exp ge gt le lt log ne xor".split())


def sparsify(f: Callable[..., Any], use_tracer: bool = False) -> Callable[..., Any]:
    """`f`, which is written for dense arrays, for `BCOO` and `BCSR` arrays too; results are sparse where they can be.

    The function that it returns raises NotImplementedError for operations that would make dense arrays of sparse ones.
    """
    del use_tracer  # Both ways give the same.

    @functools.wraps(f)
    def sparsified(*args: Any, **kwargs: Any) -> Any:
        leaves, tree = tree_flatten(args, is_leaf=_is_sparse)
        stand_ins = [ShapeDtypeStruct(v.shape, v.dtype) if _is_sparse(v) else v for v in leaves]
        closed, shapes = make_jaxpr(functools.partial(f, **kwargs), return_shape=True)(
            *tree_unflatten(tree, stand_ins)
        )
        values = [v.to_bcoo() if isinstance(v, BCSR) else v for v in leaves]
        return tree_unflatten(tree_structure(shapes), _evaluate(closed, values))

    return sparsified


def _is_sparse(value: Any) -> bool:
    return isinstance(value, JAXSparse)


def _evaluate(closed: ClosedJaxpr, args: Sequence[Any]) -> list[Any]:
    """The results of a program on arrays that may be sparse."""
    jaxpr: Jaxpr = closed.jaxpr
    env: dict[Var, Any] = dict(zip(jaxpr.constvars, closed.consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Any) -> Any:
        return env[atom] if isinstance(atom, Var) else jnp.asarray(atom)

    for eqn in jaxpr.eqns:
        operands, name = [read(atom) for atom in eqn.invars], eqn.primitive.name
        rule: Rule = eqn.primitive.bind
        if any(map(_is_sparse, operands)):
            rule = _RULES.get(name) or _unknown(name)
        result = rule(*operands, **eqn.params)
        env.update(zip(eqn.outvars, result if eqn.primitive.multiple_results else [result]))
    return [read(atom) for atom in jaxpr.outvars]


def _unknown(name: str) -> Rule:
    why = (
        " because it would result in dense output: sparse.todense() makes dense arrays of the arguments"
        if name in _DENSIFYING
        else ""
    )
    raise NotImplementedError(f"sparse rule for {name} is not implemented{why}.")


# ------------------------------------------------------------------------------------------------ elementwise


def _elementwise(name: str, *, linear: bool) -> Rule:
    def rule(x: BCOO, **params: Any) -> BCOO:
        alone = x if linear or x.unique_indices else x.sum_duplicates(nse=x.nse)
        return alone._with(primitives[name].bind(alone.data, **params))

    return rule


def _integer_pow(x: BCOO, *, y: int) -> BCOO:
    if y <= 0:
        raise NotImplementedError(
            f"sparse rule for integer_pow with the exponent {y} is not implemented because it would result in dense output."
        )
    return _elementwise("integer_pow", linear=False)(x, y=y)


def _sub(x: Any, y: Any) -> BCOO:
    if not (_is_sparse(x) and _is_sparse(y)):
        raise NotImplementedError("Subtraction between sparse and dense array.")
    return x + -y


def _mul(x: Any, y: Any) -> BCOO:
    both = isinstance(x, BCOO) and isinstance(y, BCOO)
    if both and x.indices is y.indices and x.unique_indices:
        return x._with(x.data * y.data)
    return x * y


# ------------------------------------------------------------------------------------------------ shape


def _reduce_sum(x: BCOO, *, axes: Sequence[int], **params: Any) -> Any:
    out = functions.bcoo_reduce_sum(x, axes=axes)
    return out.data.sum() if isinstance(out, BCOO) and not out.shape else out


def _stack(*parts: BCOO, axis: int) -> BCOO:
    one = [elements.unsqueezed(part.elements, axis) for part in map(_sparse, parts)]
    return BCOO._of(elements.joined(one, axis))


def _sparse(x: Any) -> BCOO:
    """Dense parts are few: they come as sparse arrays that have all their elements."""
    return x if isinstance(x, BCOO) else BCOO.fromdense(x, nse=x.size)


def _concatenate(*parts: Any, dimension: int) -> BCOO:
    return functions.bcoo_concatenate(list(map(_sparse, parts)), dimension=dimension)


def _dynamic_slice(x: BCOO, *start: Any, slice_sizes: Sequence[int]) -> BCOO:
    return functions.bcoo_dynamic_slice(x, start, slice_sizes)


def _gather(x: BCOO, starts: Any, *, dimension_numbers: Any, slice_sizes: Any, **params: Any) -> BCOO:
    if _is_sparse(starts):
        raise NotImplementedError("sparse rule for gather with sparse indices is not implemented.")
    return functions.bcoo_gather(x, starts, dimension_numbers, slice_sizes)


def _broadcast(x: BCOO, *, shape: Any, broadcast_dimensions: Any, **params: Any) -> BCOO:
    return functions.bcoo_broadcast_in_dim(x, shape=shape, broadcast_dimensions=broadcast_dimensions)


def _dot_general(
    x: Any, y: Any, *, dimension_numbers: Any, preferred_element_type: Any, **params: Any
) -> Any:
    return functions.bcoo_dot_general(
        x, y, dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type
    )


# ------------------------------------------------------------------------------------------------ control flow


def _call(name: str) -> Rule:
    def rule(*args: Any, **params: Any) -> list[Any]:
        if params.get("name") == functions.dense_in_programs.__name__:
            return [functions.todense(arg) for arg in args]
        return _evaluate(params[name], args)

    return rule


def _while(
    *args: Any, cond_jaxpr: Any, cond_nconsts: int, body_jaxpr: Any, body_nconsts: int, **params: Any
) -> Any:
    first = cond_nconsts + body_nconsts
    tested, used, start = args[:cond_nconsts], args[cond_nconsts:first], args[first:]
    return lax.while_loop(
        lambda carry: _evaluate(cond_jaxpr, [*tested, *carry])[0],
        lambda carry: _evaluate(body_jaxpr, [*used, *carry]),
        list(start),
    )


def _cond(index: Any, *operands: Any, branches: Sequence[Any], **params: Any) -> Any:
    def chosen(branch: ClosedJaxpr) -> Callable[..., Any]:
        return lambda *args: _evaluate(branch, args)

    return lax.switch(index, [chosen(branch) for branch in branches], *operands)


def _scan(*args: Any, jaxpr: Any, num_consts: int, num_carry: int, **params: Any) -> Any:
    first = num_consts + num_carry
    if len(args) > first:
        raise NotImplementedError("sparse rule for scan with x values.")

    def step(carry: list[Any], _: None) -> tuple[list[Any], list[Any]]:
        outs = _evaluate(jaxpr, [*args[:num_consts], *carry])
        return outs[:num_carry], outs[num_carry:]

    options = {name: params[name] for name in ("length", "reverse", "unroll")}
    carry, outs = lax.scan(step, list(args[num_consts:]), None, **options)
    return [*carry, *outs]


_RULES: dict[str, Rule] = {
    **{name: _elementwise(name, linear=True) for name in _LINEAR.split()},
    **{name: _elementwise(name, linear=False) for name in _ZERO_PRESERVING.split()},
    "integer_pow": _integer_pow,
    "add": operator.add,
    "sub": _sub,
    "mul": _mul,
    "div": operator.truediv,
    "reduce_sum": _reduce_sum,
    "stack": _stack,
    "concatenate": _concatenate,
    "broadcast_in_dim": _broadcast,
    "dot_general": _dot_general,
    "dynamic_slice": _dynamic_slice,
    "gather": _gather,
    "reshape": functions.bcoo_reshape,
    "rev": functions.bcoo_rev,
    "slice": functions.bcoo_slice,
    "squeeze": functions.bcoo_squeeze,
    "transpose": functions.bcoo_transpose,
    "jit": _call("jaxpr"),
    "custom_jvp_call": _call("call_jaxpr"),
    "while": _while,
    "cond": _cond,
    "scan": _scan,
}
