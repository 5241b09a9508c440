"""``jacfwd``, ``jacrev`` and ``hessian``: whole matrices of derivatives."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from ..core import get_aval
from ..pytree.definition import tree_flatten, tree_structure
from ..pytree.mapping import tree_map, tree_transpose
from .differentiation import jvp, vjp
from .functions import check_argument
from .grad import _argument_numbers, argument_positions
from .signatures import check_function
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


def _check_inputs(name: str, args: Any, holomorphic: bool, allow_int: bool) -> None:
    for leaf in tree_flatten(args)[0]:
        check_argument(leaf)
        dtype = get_aval(leaf).dtype
        if holomorphic and dtype.kind != "c":
            raise TypeError(
                f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype}."
            )
        if not holomorphic and dtype.kind not in ("f" if name == "jacfwd" else "fc") and not allow_int:
            kinds = "real-valued inputs (input dtype that is a sub-dtype of np.floating)"
            if name == "jacrev":
                kinds = "real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact)"
            raise TypeError(f"{name} requires {kinds}, but got {dtype}.")


def _check_outputs(name: str, result: Any, holomorphic: bool) -> None:
    for leaf in tree_flatten(result)[0]:
        dtype = get_aval(leaf).dtype
        if holomorphic and dtype.kind != "c":
            raise TypeError(
                f"{name} with holomorphic=True requires outputs with complex dtype, but got {dtype}."
            )
        if not holomorphic and name == "jacrev" and dtype.kind != "f":
            raise TypeError(
                f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {dtype}."
            )


def _basis(tree: Any) -> Any:
    """The standard basis of a tree's space: a tree like it, each leaf with a leading axis that counts basis vectors."""
    from ..numpy import concatenate, eye, reshape, zeros

    leaves, treedef = tree_flatten(tree)
    sizes = [math.prod(get_aval(leaf).shape) for leaf in leaves]
    total, before = sum(sizes), 0
    vectors = []
    for leaf, size in zip(leaves, sizes, strict=True):
        aval = get_aval(leaf)
        after = total - before - size
        rows = [zeros((count, size), aval.dtype) if count else None for count in (before, after)]
        parts = [part for part in (rows[0], eye(size, dtype=aval.dtype), rows[1]) if part is not None]
        block = parts[0] if len(parts) == 1 else concatenate(parts)
        vectors.append(reshape(block, (total, *aval.shape)))
        before += size
    return treedef.unflatten(vectors)


def _unravelled(tree: Any, array: Any, axis: int) -> Any:
    """`array`, whose `axis` counts the elements of a tree, as a tree of arrays."""
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
            reshape(part, (*array.shape[:axis], *shape, *array.shape[axis + 1 :]))
            for part, shape in zip(parts, shapes, strict=True)
        ]
    )


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

    @functools.wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = (wanted,) if isinstance(wanted, int) else wanted
        chosen = tuple(args[n] for n in argument_positions(wanted, numbers, len(args)))
        partial = _selected(fun, numbers, args, kwargs)
        _check_inputs("jacfwd", chosen, holomorphic, allow_int=False)

        def push(tangents: Any) -> Any:
            return jvp(partial, chosen, tangents, has_aux)

        axes = (None, -1, None) if has_aux else (None, -1)
        value, columns, *aux = vmap(push, out_axes=axes)(_basis(chosen))
        _check_outputs("jacfwd", value, holomorphic)
        example = chosen[0] if isinstance(wanted, int) else chosen
        result = tree_map(lambda column: _unravelled(example, column, -1), columns)
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

    @functools.wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = (wanted,) if isinstance(wanted, int) else wanted
        chosen = tuple(args[n] for n in argument_positions(wanted, numbers, len(args)))
        partial = _selected(fun, numbers, args, kwargs)
        _check_inputs("jacrev", chosen, holomorphic, allow_int)
        value, pull, *aux = vjp(partial, *chosen, has_aux=has_aux)
        _check_outputs("jacrev", value, holomorphic)
        rows = vmap(pull)(_basis(value))
        if isinstance(wanted, int):
            rows = rows[0]
            chosen = chosen[0]
        by_argument = tree_map(lambda row: _unravelled(value, row, 0), rows)
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
