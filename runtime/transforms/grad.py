"""``grad`` and ``value_and_grad``: the gradient of a scalar function, by reverse-mode differentiation."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..core import Value, current_trace, get_aval, literal
from ..dtypes import DType, float0
from ..primitives.linear import instantiate
from ..pytree.definition import tree_flatten
from ..tracing.references import Ref
from .functions import check_argument
from .linearize import linearize_flat
from .signatures import check_function, wraps
from .transpose import backward


def _argument_numbers(argnums: int | Sequence[int]) -> int | tuple[int, ...]:
    if isinstance(argnums, (str, bytes)):
        raise TypeError(f"{type(argnums).__name__!r} object cannot be interpreted as an integer")
    if hasattr(argnums, "__index__"):
        return operator.index(argnums)
    return tuple(map(operator.index, argnums))


def argument_positions(wanted: Any, numbers: Sequence[int], count: int) -> list[int]:
    """The positions among `count` arguments to differentiate by.

    Raises TypeError if there are too few arguments, or one is named twice, and ValueError if none is, or for a number
    that counts back too far.
    """
    if not numbers:
        raise ValueError("argnums is empty: there is no argument to differentiate by")
    if max(numbers) >= count:
        raise TypeError(
            f"differentiating with respect to argnums={wanted} requires at least {max(numbers) + 1} positional arguments "
            f"to be passed by the caller, but got only {count} positional arguments."
        )
    if min(numbers) < -count:
        raise ValueError(
            "Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to -len(args) "
            f"and less than len(args), but got value {min(numbers)} for len(args) == {count}."
        )
    positions = [n % count for n in numbers]
    if len(set(positions)) != len(positions):
        raise TypeError(
            f"argnums={wanted} names an argument twice, and its derivative cannot be in two places"
        )
    return positions


def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Callable[..., tuple[Any, Any]]:
    """A function that returns the value of `fun` and its gradient with respect to the arguments `argnums`.

    The gradient is a tree like the argument, or a tuple of trees if `argnums` is a sequence. With `has_aux`, `fun`
    returns a pair whose second element is handed on.

    Raises, when called:
        TypeError: if the result is no real scalar, or an argument to differentiate is not of floating point type.
    """
    check_function(fun)
    wanted = _argument_numbers(argnums)

    @wraps(fun)
    def with_gradient(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        numbers = (wanted,) if isinstance(wanted, int) else wanted
        positions = argument_positions(wanted, numbers, len(args))
        leaves, in_tree = tree_flatten(tuple(args[p] for p in positions))
        for leaf in leaves:
            check_input("grad", leaf, holomorphic, allow_int)
        aux: list[Any] = []

        def flat(*values: Value) -> list[Value]:
            given = list(args)
            for position, value in zip(positions, in_tree.unflatten(values), strict=True):
                given[position] = value
            result = fun(*given, **kwargs)
            if has_aux:
                result = _without_aux(result, aux)
            _check_output(result, holomorphic)
            return [result, *(aux and tree_flatten(aux[0])[0])]

        float_like = [get_aval(leaf).dtype.kind in "fc" for leaf in leaves]
        outs, linear = linearize_flat(flat, leaves, float_like)
        value = outs[0]
        aval = get_aval(value)
        seed = literal(1, aval.dtype, aval.weak_type)
        found = iter(backward(linear._replace(results=linear.results[:1]), [seed]))
        stage = current_trace().stage_value
        gradients = [
            stage(instantiate(next(found))) if live else integer_zeros(leaf)
            for leaf, live in zip(leaves, float_like, strict=True)
        ]
        trees = in_tree.unflatten(gradients)
        gradient = trees[0] if isinstance(wanted, int) else trees
        value = stage(value)
        if has_aux:
            return (value, tree_flatten(aux[0])[1].unflatten(outs[1:])), gradient
        return value, gradient

    return with_gradient


def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Callable[..., Any]:
    """The gradient of a scalar function: see `value_and_grad`. With `has_aux`, a pair of gradient and aux."""
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int, reduce_axes)

    @wraps(fun)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, result = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return gradient


def integer_zeros(value: Value) -> Any:
    """The tangent of an integer: zeros of type float0."""
    import numpy

    return numpy.zeros(get_aval(value).shape, float0)


def _without_aux(result: Any, aux: list[Any]) -> Any:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise TypeError(
            f"expected function with aux output to return a two-element tuple, but got type {type(result)} with value "
            f"{result!r}"
        )
    aux.append(result[1])
    return result[0]


def refuse_reference(value: Value) -> None:
    """Raises ValueError for a reference: reverse mode has no cotangent for it."""
    if isinstance(value, Ref):
        raise ValueError(
            f"Expected cotangent type {value.aval.str_short()} but got {value.aval.inner_aval.str_short()}"
        )


def check_input(name: str, value: Value, holomorphic: bool, allow_int: bool) -> None:
    """Raises TypeError for what is not differentiated in reverse."""
    check_argument(value)
    refuse_reference(value)
    dtype = get_aval(value).dtype
    if holomorphic:
        if dtype.kind != "c":
            raise TypeError(
                f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype}."
            )
    elif dtype.kind == "k" or (dtype.kind not in "fc" and not allow_int):
        raise TypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
            f"{dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
        )


def _check_output(value: Any, holomorphic: bool) -> None:
    try:
        aval = get_aval(value)
    except TypeError:
        raise TypeError(f"Gradient only defined for scalar-output functions. Output was {value}.") from None
    if aval.shape:
        raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}.")
    check_output("grad", aval.dtype, holomorphic)


def check_output(name: str, dtype: DType, holomorphic: bool) -> None:
    """Raises TypeError for results of types that are not differentiated in reverse."""
    if holomorphic:
        if dtype.kind != "c":
            raise TypeError(
                f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype}."
            )
    elif dtype.kind != "f":
        advice = (
            "For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions "
            "involving complex outputs, use jax.vjp directly."
            if dtype.kind == "c"
            else "For differentiation of functions with integer outputs, use jax.vjp directly."
        )
        raise TypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
            f"{dtype}. {advice}"
        )


def fwd_and_bwd(
    fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True
) -> tuple[Callable[..., Any], Callable[[Any, Any], Any]]:
    """`fun` with what its backward pass needs, and this pass as a function of that and of a cotangent.

    The second is always the same function, unlike that which `vjp` gives, and so is compiled once.
    """
    from ..jitting.jit import jit
    from .differentiation import vjp

    check_function(fun)
    wanted = _argument_numbers(argnums)
    numbers = (wanted,) if isinstance(wanted, int) else wanted

    def fwd(*args: Any) -> Any:
        count = len(args)
        if any(not -count <= n < count for n in numbers):
            raise ValueError(f"argnums={wanted} names an argument that is not among the {count} given")
        positions = [n % count for n in numbers]

        def of_chosen(*values: Any) -> Any:
            given = list(args)
            for position, value in zip(positions, values, strict=True):
                given[position] = value
            return fun(*given)

        return vjp(of_chosen, *[args[position] for position in positions], has_aux=has_aux)

    def bwd(residuals: Any, cotangent: Any) -> Any:
        found = residuals(cotangent)
        return found[0] if isinstance(wanted, int) else found

    return (jit(fwd), jit(bwd)) if jitted else (fwd, bwd)
