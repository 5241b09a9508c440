"""Running programs with NumPy: the reference that compiled code is tested against, and the fallback for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, TypeVar, cast

import numpy as np

from ..arrays.array import ArrayImpl
from ..config import state
from ..core import (
    Atom,
    ClosedJaxpr,
    EvalTrace,
    Jaxpr,
    JaxprEqn,
    Literal,
    Params,
    Primitive,
    ShapedArray,
    Tracer,
    Value,
    Var,
    escaped_tracer_error,
    get_aval,
)
from ..dtypes import DType
from ..errors import refuse_out_of_memory
from ..narrow import fitted

Values = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def to_numpy(value: Value) -> Values:
    """The memory behind a concrete value. Raises UnexpectedTracerError for a tracer that has outlived its trace."""
    kind = type(value)
    if kind is ArrayImpl:
        return value._buffer()
    if kind is Literal:
        return np.asarray(value.val, value.aval.dtype.storage)
    if isinstance(value, Tracer):
        raise escaped_tracer_error(value)
    return np.asarray(value, get_aval(value).dtype.storage, order="C")


def without_warnings(function: Function) -> Function:
    """Decorator: NumPy says nothing of overflow and invalid operations while the function runs."""
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        return np.errstate(all="ignore")(function)

    @wraps(function)
    def quiet(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):  # As a decorator it is not to be entered twice in this NumPy.
            return function(*args, **kwargs)

    return cast(Function, quiet)


def finished(value: Any, aval: ShapedArray) -> Values:
    """A kernel's result in contiguous memory, with exactly the type that `aval` promises."""
    return in_memory(value, aval.dtype)


def in_memory(value: Any, dtype: DType) -> Values:
    """A kernel's result in contiguous memory, as values of a type are held there."""
    array = np.asarray(value, dtype.storage, order="C")
    return fitted(array, dtype) if dtype.narrow else array


def kernel(primitive: Primitive, dtype: DType) -> Callable[..., Any]:
    """The NumPy evaluation of a primitive for results of a type."""
    if primitive.narrow_impl is None or not dtype.narrow:
        return primitive.impl
    return partial(primitive.narrow_impl, lambda array: fitted(np.asarray(array), dtype))


def kernel_of(eqn: JaxprEqn) -> Callable[..., Any]:
    """The NumPy evaluation of an equation."""
    return kernel(eqn.primitive, eqn.outvars[0].aval.dtype) if eqn.outvars else eqn.primitive.impl


@without_warnings
def _result(impl: Callable[..., Any], operands: list[Values], params: Params, dtype: DType) -> Values:
    return in_memory(impl(*operands, **params), dtype)


@without_warnings
def _results(
    impl: Callable[..., Any], operands: list[Values], params: Params, avals: Sequence[ShapedArray]
) -> list[Values]:
    return [finished(value, aval) for value, aval in zip(impl(*operands, **params), avals)]


def apply_primitive(trace: EvalTrace, primitive: Primitive, args: Sequence[Value], params: Params) -> Any:
    """One application, computed at once: an Array, or a list of them."""
    del trace
    if primitive.eager is not None:
        return primitive.eager(*args, **params)
    avals = tuple([arg.aval if type(arg) is ArrayImpl else get_aval(arg) for arg in args])
    if params or primitive.multiple_results:
        out = primitive.abstract_eval(*avals, **params)
    else:
        out = primitive.known_avals.get(avals)
        if out is None:
            out = primitive.known_avals[avals] = primitive.abstract_eval(*avals)
    if primitive.refuse is not None:
        primitive.refuse(*avals, **params)
    operands = [arg._buffer() if type(arg) is ArrayImpl else to_numpy(arg) for arg in args]
    impl = primitive.impl if primitive.narrow_impl is None else kernel(primitive, out.dtype)
    try:
        if primitive.multiple_results:
            arrays = [
                ArrayImpl(value, aval) for value, aval in zip(_results(impl, operands, params, out), out)
            ]
        else:
            arrays = [ArrayImpl(_result(impl, operands, params, out.dtype), out)]
    except (MemoryError, ValueError) as error:
        refuse_out_of_memory(error, out if primitive.multiple_results else [out])
        raise
    if state.checks_values:
        from ..tracing.checks import check_values

        check_values([array._value for array in arrays], primitive.name)
    return arrays if primitive.multiple_results else arrays[0]


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Values], *args: Values) -> list[Values]:
    """The results of a jaxpr on NumPy arrays."""
    env: dict[Var, Values] = dict(zip(jaxpr.constvars, consts))
    env.update(zip(jaxpr.invars, args))

    def read(atom: Atom) -> Values:
        return env[atom] if isinstance(atom, Var) else np.asarray(atom.val, atom.aval.dtype.storage)

    with np.errstate(all="ignore"):
        for eqn in jaxpr.eqns:
            result = kernel_of(eqn)(*map(read, eqn.invars), **eqn.params)
            results = result if eqn.primitive.multiple_results else [result]
            for var, value in zip(eqn.outvars, results):
                env[var] = finished(value, var.aval)
    return [read(atom) for atom in jaxpr.outvars]


def eval_closed_jaxpr(closed: ClosedJaxpr, *args: Values) -> list[Values]:
    """`eval_jaxpr` of a closed jaxpr."""
    return eval_jaxpr(closed.jaxpr, [to_numpy(const) for const in closed.consts], *args)
