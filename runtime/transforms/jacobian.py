"""``jacfwd``, ``jacrev`` and ``hessian``: whole matrices of derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..core import get_aval
from ..primitives.conversion import convert
from ..pytree.definition import tree_flatten, tree_structure
from ..pytree.mapping import tree_map, tree_transpose
from .differentiation import jvp, vjp
from .functions import check_argument
from .grad import _argument_numbers, argument_positions, check_input, check_output
from .signatures import check_function, wraps
from .vmap import vmap


def _selected(
    fun: Callable[..., Any], numbers: Sequence[int], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """`fun` of the arguments at `numbers`, the others held fixed."""

    def partial(*chosen: Any) -> Any:
        given = list(args)
        for number, value in zip(numbers, chosen, strict=True):
            given[number] = value
        return fun(*given, **kwargs)

    return partial


def _check_forward_input(value: Any, holomorphic: bool) -> None:
    check_argument(value)
    dtype = get_aval(value).dtype
    if holomorphic and dtype.kind != "c":
        raise TypeError(f"jacfwd with holomorphic=True requires inputs with complex dtype, but got {dtype}.")
    if not holomorphic and dtype.kind != "f":
        raise TypeError(
            "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
            f"{dtype}. For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic "
            "functions involving complex inputs or integer inputs, use jax.jvp directly."
        )


def _check_forward_output(value: Any, holomorphic: bool) -> None:
    dtype = get_aval(value).dtype
    if holomorphic and dtype.kind != "c":
        raise TypeError(f"jacfwd with holomorphic=True requires outputs with complex dtype, but got {dtype}.")


def _basis(tree: Any) -> Any:
    """The standard basis of a tree's space: a tree like it, each leaf with a leading axis that counts basis vectors."""
    from ..lax.types import result_type
    from ..numpy import eye

    leaves = tree_flatten(tree)[0]
    total = sum(math.prod(get_aval(leaf).shape) for leaf in leaves)
    return _unravelled(tree, eye(total, dtype=result_type(*leaves)), 1)


def _unravelled(tree: Any, array: Any, axis: int, like: Any = None) -> Any:
    """`array`, whose `axis` counts the elements of a tree, as a tree of arrays of the type of `like`, else of its leaves."""
    from ..numpy import reshape, split

    leaves, treedef = tree_flatten(tree)
    shapes = [get_aval(leaf).shape for leaf in leaves]
    axis %= array.ndim
    ends, end = [], 0
    for shape in shapes[:-1]:
        end += math.prod(shape)
        ends.append(end)
    parts = split(array, ends, axis=axis) if len(shapes) > 1 else [array]
    return treedef.unflatten(
        [
            _of_type(
                reshape(part, (*array.shape[:axis], *shape, *array.shape[axis + 1 :])),
                get_aval(leaf if like is None else like),
            )
            for part, shape, leaf in zip(parts, shapes, leaves, strict=True)
        ]
    )


def _of_type(x: Any, aval: Any) -> Any:
    if x.dtype.kind == "c" and aval.dtype.kind != "c":
        x = x.real
    return convert(x, aval.dtype, aval.weak_type)


def jacfwd(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """The Jacobian of `fun`, column by column, by forward-mode differentiation.

    For each leaf of the result a tree like the argument, of arrays of the result's shape followed by the argument's.
    """
    check_function(fun)
    wanted = _argument_numbers(argnums)

    @wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = (wanted,) if isinstance(wanted, int) else wanted
        chosen = tuple(args[n] for n in argument_positions(wanted, numbers, len(args)))
        partial = _selected(fun, numbers, args, kwargs)
        for leaf in tree_flatten(chosen)[0]:
            _check_forward_input(leaf, holomorphic)

        def push(tangents: Any) -> Any:
            return jvp(partial, chosen, tangents, has_aux)

        axes = (None, -1, None) if has_aux else (None, -1)
        value, columns, *aux = vmap(push, out_axes=axes)(_basis(chosen))
        for leaf in tree_flatten(value)[0]:
            _check_forward_output(leaf, holomorphic)
        example = chosen[0] if isinstance(wanted, int) else chosen
        result = tree_map(lambda y, column: _unravelled(example, column, -1, y), value, columns)
        return (result, aux[0]) if has_aux else result

    return jacobian


def jacrev(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The Jacobian of `fun`, row by row, by reverse-mode differentiation. The result is laid out as that of `jacfwd`."""
    check_function(fun)
    wanted = _argument_numbers(argnums)

    @wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = (wanted,) if isinstance(wanted, int) else wanted
        chosen = tuple(args[n] for n in argument_positions(wanted, numbers, len(args)))
        partial = _selected(fun, numbers, args, kwargs)
        for leaf in tree_flatten(chosen)[0]:
            check_input("jacrev", leaf, holomorphic, allow_int)
        value, pull, *aux = vjp(partial, *chosen, has_aux=has_aux)
        for leaf in tree_flatten(value)[0]:
            check_output("jacrev", get_aval(leaf).dtype, holomorphic)
        rows = vmap(pull)(_basis(value))
        if isinstance(wanted, int):
            rows = rows[0]
            chosen = chosen[0]
        by_argument = tree_map(lambda x, row: _unravelled(value, row, 0, x), chosen, rows)
        result = tree_transpose(tree_structure(chosen), tree_structure(value), by_argument)
        return (result, aux[0]) if has_aux else result

    return jacobian


def hessian(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """The matrix of second derivatives: `jacfwd` of `jacrev`."""
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)
