"""`jax.lax` reductions, cumulative operations, sorting and arg-extrema."""

from __future__ import annotations

import operator as _operator
from collections.abc import Callable, Sequence
from typing import Any

from ..core import Array, Tracer, shaped_array
from ..jitting.static import hashable_int, require_hashable
from ..primitives import cumulative, reductions, sorting
from . import elementwise, types
from .elementwise import FUNCTIONS, as_array, as_operand_of, as_shaped, convert_to


def _axes(x: Any, axes: Any) -> tuple[int, ...]:
    from ..numpy.promotion import canonical_axis

    rank = len(types.shape(x))
    return tuple(
        [
            d
            if type(d) is int and 0 <= d < rank
            else canonical_axis(hashable_int("axes of a reduction", d), rank)
            for d in axes
        ]
    )


def _reduction(name: str, primitive: Any) -> Callable[..., Array]:
    extra = {"out_sharding": None} if name == "reduce_sum" else {}
    logical = name in ("reduce_and", "reduce_or", "reduce_xor")

    def reduce_axes(operand: Any, axes: Sequence[int]) -> Array:
        x = as_array(operand)
        if logical and x.dtype.kind not in "biu":
            raise TypeError(f"logical reduction requires operand dtype bool or int, got {x.dtype}.")
        for d in axes:
            if type(d) is not int:
                require_hashable("axes of a reduction", d)
            if not isinstance(d, Array) and not 0 <= d < x.ndim:
                raise (IndexError if logical and not -x.ndim <= d < 0 else ValueError)(
                    f"reduction axes {tuple(axes)} contains out-of-bounds indices for {x.aval.str_short()}."
                )
        return primitive.bind(x, axes=_axes(x, axes), **extra)

    reduce_axes.__name__ = reduce_axes.__qualname__ = name
    return reduce_axes


reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, reduce_xor = (
    _reduction(name, getattr(reductions, f"{name}_p"))
    for name in ("reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or", "reduce_xor")
)
_reduce_sum = _reduction("reduce_sum", reductions.reduce_sum_p)


def reduce_sum(operand: Any, axes: Sequence[int], *, out_sharding: Any = None) -> Array:
    """Sum over axes."""
    return _reduce_sum(operand, axes)


def argmax(operand: Any, axis: int, index_dtype: Any) -> Array:
    """The place of the first maximum along an axis."""
    return _place(reductions.argmax_p, operand, axis, index_dtype)


def argmin(operand: Any, axis: int, index_dtype: Any) -> Array:
    """The place of the first minimum along an axis."""
    return _place(reductions.argmin_p, operand, axis, index_dtype)


def _place(primitive: Any, operand: Any, axis: Any, index_dtype: Any) -> Array:
    x, dtype = as_array(operand), types.canonical(index_dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"index_dtype must be an integer type, but got {dtype}")
    if type(axis) is int and axis < 0:
        raise ValueError(f"Invalid axis {axis} for operand shape {x.shape}")
    return primitive.bind(x, axes=_axes(x, (axis,)), index_dtype=dtype)


def reduce(
    operands: Any,
    init_values: Any,
    computation: Callable[[Any, Any], Any],
    dimensions: Sequence[int],
    out_sharding: Any = None,
) -> Any:
    """Reduce by any associative computation; known ones use their own primitive."""
    from ..tree_util import tree_flatten, tree_unflatten

    leaves, treedef = tree_flatten(operands)
    starts, _ = tree_flatten(init_values)
    if any(types.shape(start) for start in starts):
        raise ValueError(f"reduce found non-scalar initial value: {[types.shape(start) for start in starts]}")
    dims = _axes(leaves[0], dimensions)
    if len(leaves) == 1:
        x = as_array(leaves[0])
        known = _known(computation, x.aval)
        if known is not None:
            start = elementwise.convert_element_type(starts[0], x.dtype)
            return elementwise.FUNCTIONS[known](start, _KNOWN[known](x, dims))
    return tree_unflatten(treedef, _fold(leaves, starts, computation, dims, treedef))


#: The reductions that have a primitive of their own, which takes sums in higher precision than one step after the other.
_KNOWN = {
    "add": reduce_sum,
    "mul": reduce_prod,
    "max": reduce_max,
    "min": reduce_min,
    "bitwise_and": reduce_and,
    "bitwise_or": reduce_or,
    "bitwise_xor": reduce_xor,
}


def _known(computation: Callable[[Any, Any], Any], aval: Any) -> str | None:
    """Which of them a function is: by its identity, or because it applies one primitive to both of its arguments."""
    for name in _KNOWN:
        if computation is elementwise.FUNCTIONS[name]:
            return name
    if aval.dtype.kind not in "fciu" or not callable(computation):
        return None
    from ..tracing.staging import trace_to_jaxpr
    from ..tree_util import tree_leaves

    scalar = shaped_array((), aval.dtype)
    jaxpr, _ = trace_to_jaxpr(lambda x, y: tree_leaves(computation(x, y)), [scalar, scalar])
    if len(jaxpr.eqns) != 1 or jaxpr.outvars != jaxpr.eqns[0].outvars:
        return None
    eqn = jaxpr.eqns[0]
    name = eqn.primitive.name
    name = f"bitwise_{name}" if name in ("and", "or", "xor") else name
    return name if name in _KNOWN and set(eqn.invars) == set(jaxpr.invars) else None


def _fold(
    leaves: list[Any],
    starts: list[Any],
    computation: Callable[[Any, Any], Any],
    dims: tuple[int, ...],
    treedef: Any,
) -> list[Any]:
    """Fold along the reduced axes with `scan`."""
    import math

    from ..transforms.loops import scan
    from ..tree_util import tree_leaves, tree_unflatten
    from .shaping import broadcast, reshape, transpose

    arrays = [as_array(x) for x in leaves]
    kept = [d for d in range(arrays[0].ndim) if d not in dims]
    shape = tuple(arrays[0].shape[d] for d in kept)
    length = math.prod(arrays[0].shape[d] for d in dims)
    rows = [reshape(transpose(x, [*dims, *kept]), (length, *shape)) for x in arrays]

    def step(carry: Any, row: Any) -> tuple[Any, None]:
        out = computation(tree_unflatten(treedef, carry), tree_unflatten(treedef, row))
        return tree_leaves(out), None

    initial = [broadcast(as_operand_of(s), shape) for s in starts]

    initial = [convert_to(i, x.dtype, False) for i, x in zip(initial, arrays)]
    result: list[Any] = scan(step, initial, rows)[0]
    return result


def _cumulative(name: str, primitive: Any) -> Callable[..., Array]:
    def accumulate(operand: Any, axis: int = 0, reverse: bool = False) -> Array:
        from ..numpy.promotion import canonical_axis, concrete

        x = as_array(operand)
        place = _operator.index(concrete(axis, f"axis argument of lax.{name}"))
        if place < 0:
            raise ValueError("XLA operations do not allow negative axes")
        place = canonical_axis(place, x.ndim)
        if name == "cumlogsumexp" and x.dtype.kind in "iu":
            raise OverflowError("cannot convert float infinity to integer")
        return primitive.bind(x, axis=place, reverse=bool(reverse))

    accumulate.__name__ = accumulate.__qualname__ = name
    return accumulate


cumsum, cumprod, cummax, cummin, cumlogsumexp = (
    _cumulative(name, getattr(cumulative, f"{name}_p"))
    for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
)


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sort one array, or several by the first `num_keys`."""
    from ..numpy.promotion import canonical_axis

    if isinstance(operand, (tuple, list)):
        if not operand:
            raise TypeError("Sort requires at least one operand")
        if not 1 <= num_keys <= len(operand):
            raise ValueError(f"num_keys={num_keys} must be between 1 and len(operand)={len(operand)}")
        arrays = [as_shaped(operand[0]), *map(as_array, operand[1:])]
        place = canonical_axis(dimension, arrays[0].ndim)
        hash(is_stable)
        return tuple(sorting.sort_p.bind(*arrays, dimension=place, is_stable=is_stable, num_keys=num_keys))
    if num_keys != 1:
        raise ValueError(f"num_keys={num_keys} must equal 1 for a single operand.")
    x = as_shaped(operand)
    hash(is_stable)
    return sorting.sort_p.bind(
        x, dimension=canonical_axis(dimension, x.ndim), is_stable=is_stable, num_keys=1
    )[0]


def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> tuple[Array, Array]:
    """Sort keys, and values along with them."""
    k, v = sort((keys, values), dimension, is_stable)
    return k, v


def top_k(operand: Any, k: int, *, axis: int = -1) -> list[Array]:
    """The k largest elements along an axis, and their places."""
    from ..numpy.promotion import canonical_axis

    x = as_array(operand)
    k = k if isinstance(k, Tracer) else _operator.index(k)
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    return list(sorting.top_k_p.bind(x, k=k, axis=canonical_axis(axis, x.ndim)))


def _approximate(largest: bool) -> Callable[..., list[Array]]:
    def select_k(
        operand: Any,
        k: int,
        reduction_dimension: int = -1,
        recall_target: float = 0.95,
        reduction_input_size_override: int = -1,
        aggregate_to_topk: bool = True,
    ) -> list[Array]:
        """Exact on a CPU, as in JAX."""
        for value in (recall_target, aggregate_to_topk):
            hash(value)
        count, axis = (
            hashable_int(f"{name} of lax.{select_k.__name__}", value)
            for name, value in (("k", k), ("reduction_dimension", reduction_dimension))
        )
        hashable_int("reduction_input_size_override", reduction_input_size_override)
        values, places = top_k(operand if largest else FUNCTIONS["neg"](operand), count, axis=axis)
        return [values if largest else FUNCTIONS["neg"](values), places]

    select_k.__name__ = select_k.__qualname__ = "approx_max_k" if largest else "approx_min_k"
    return select_k


approx_max_k, approx_min_k = _approximate(True), _approximate(False)
