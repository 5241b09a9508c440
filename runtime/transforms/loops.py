"""``scan``, ``while_loop`` and ``fori_loop``: loops whose body is traced once."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ..config import state
from ..core import ShapedArray, Tracer, Value, current_trace, get_aval, literal
from ..dtypes import promote
from ..errors import ConcretizationTypeError
from ..jitting.static import hashable_int, require_hashable
from ..primitives.apply import add, convert_element_type, lt
from ..pytree.definition import PyTreeDef, tree_flatten, treedef_tuple
from ..pytree.kinds import LIST, TUPLE
from ..pytree.mapping import tree_map
from .functions import Traced, check_argument, trace_function
from .rearrange import reorder
from .scan import bind_scan
from .signatures import leaf_names
from .structure import check_carry, same_type
from .while_loop import while_p


def flat_arguments(tree: Any) -> tuple[list[Value], PyTreeDef]:
    leaves, treedef = tree_flatten(tree)
    for leaf in leaves:
        check_argument(leaf)
    return leaves, treedef


def promote_weak_carry(init: Sequence[Value], outs: Sequence[ShapedArray]) -> tuple[list[Value], bool]:
    """Weakly typed initial values, converted to the type that they have after a step: 0 becomes 0.0. And if any was."""
    converted, changed = [], False
    for value, out in zip(init, outs, strict=False):
        aval = get_aval(value)
        if aval.weak_type and not same_type(aval, out):
            dtype, _ = promote(aval.dtype, True, out.dtype, out.weak_type)
            value = convert_element_type(value, new_dtype=dtype, weak_type=False, sharding=None)
            changed = True
        converted.append(value)
    return converted, changed


def _first_parameter(body: Any, count: int) -> str:
    """What the body calls its carry."""
    return leaf_names(body, [0] * count, {})[0]


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    _split_transpose: bool = False,
) -> tuple[Any, Any]:
    """Carry a value through ``carry, y = f(carry, x)`` for each x along the leading axis of `xs`.

    Returns the last carry and the y's, stacked.

    Raises:
        TypeError: if `f` returns no pair, or a carry of another structure, shape or dtype than it takes.
        ValueError: if leading axes differ in size, or neither `xs` nor `length` says how long they are.
    """
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    leaves, xs_tree = flat_arguments(xs)
    carry, carry_tree = flat_arguments(init)
    count = scan_length(leaves, length)
    if state.disable_jit and not any(isinstance(v, Tracer) for v in (*leaves, *carry)):
        return _scan_in_python(f, init, leaves, xs_tree, count, reverse)
    xs_avals = [aval.update(shape=aval.shape[1:]) for aval in map(get_aval, leaves)]
    in_tree = treedef_tuple((carry_tree, xs_tree))
    traced = trace_function(f, in_tree, [*map(get_aval, carry), *xs_avals], "scan", (init, xs))
    num_carry = _pair_split(traced)
    carry, changed = promote_weak_carry(carry, traced.out_avals[:num_carry])
    if changed:
        traced = trace_function(f, in_tree, [*map(get_aval, carry), *xs_avals], "scan", (init, xs))
        num_carry = _pair_split(traced)
    out_carry_tree, ys_tree = traced.out_tree.children()
    check_carry(
        "scan body",
        _first_parameter(f, 2),
        carry_tree,
        [get_aval(v) for v in carry],
        out_carry_tree,
        traced.out_avals[:num_carry],
    )
    steps = _steps_together(unroll, count)
    require_hashable("reverse of lax.scan", reverse)
    # What the body hands on from `xs` as it is need not be stacked again.
    jaxpr = traced.jaxpr
    scanned = dict(zip(jaxpr.invars[len(traced.consts) + num_carry :], leaves, strict=True))
    ys = jaxpr.outvars[num_carry:]
    made = [num_carry + i for i, var in enumerate(ys) if var not in scanned]
    body = reorder(traced.closed(), None, [*range(num_carry), *made])
    outs = bind_scan(body, traced.consts, carry, leaves, length=count, reverse=bool(reverse), unroll=steps)
    stacked = iter(outs[num_carry:])
    stage = current_trace().stage_value
    return carry_tree.unflatten(outs[:num_carry]), ys_tree.unflatten(
        [stage(scanned[var]) if var in scanned else next(stacked) for var in ys]
    )


def _steps_together(unroll: Any, count: int) -> int:
    """How many steps `unroll` makes one. Raises ConcretizationTypeError, TypeError or ValueError if it is not static."""
    if isinstance(unroll, Tracer) and unroll.to_concrete_value() is None:
        raise ConcretizationTypeError(
            unroll, "The `unroll` argument to `scan` expects a concrete `int` or `bool` value."
        )
    if isinstance(unroll, bool):
        return max(count, 1) if unroll else 1
    if unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")
    return max(1, hashable_int("unroll of lax.scan", unroll))


def _pair_split(traced: Traced) -> int:
    """How many of the results are the carry. Raises TypeError if the body returned no pair."""
    tree = traced.out_tree
    if tree.kind not in (TUPLE, LIST) or len(tree.children()) != 2:
        shown = tree.unflatten(traced.out_avals)
        if isinstance(shown, ShapedArray):
            shown = ("~" if shown.weak_type else "") + shown.str_short()
        raise TypeError(f"scan body output must be a pair, got {shown}.")
    return tree.children()[0].num_leaves


def scan_length(leaves: Sequence[Value], length: Any) -> int:
    sizes = []
    for leaf in leaves:
        shape = get_aval(leaf).shape
        if not shape:
            shown = ", ".join(str(leaf) for leaf in leaves)
            # JAX tells Python scalars from arrays without axes here, by the class of the error.
            kind = ValueError if isinstance(leaf, (bool, int, float, complex)) else IndexError
            raise kind(f"scan got value with no leading axis to scan over: {shown}.")
        sizes.append(shape[0])
    if length is not None:
        if isinstance(length, Tracer) and length.to_concrete_value() is None:
            raise ConcretizationTypeError(
                length,
                "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a dynamic "
                "length, use `while_loop` or `fori_loop`.",
            )
        wanted = int(length)
        if any(size != wanted for size in sizes):
            raise ValueError(
                f"scan got `length` argument of {length} which disagrees with leading axis sizes {sizes}."
            )
        return max(0, wanted)
    distinct = sorted(set(sizes))
    if len(distinct) > 1:
        raise ValueError(f"scan got values with different leading axis sizes: {', '.join(map(str, sizes))}.")
    if not distinct:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    return distinct[0]


def _scan_in_python(
    f: Callable[..., Any], carry: Any, leaves: Sequence[Value], xs_tree: PyTreeDef, length: int, reverse: bool
) -> tuple[Any, Any]:
    ys = []
    for i in reversed(range(length)) if reverse else range(length):
        carry, y = f(carry, xs_tree.unflatten([leaf[i] for leaf in leaves]))
        ys.append(y)
    if reverse:
        ys.reverse()
    if not ys:
        raise ValueError(
            "zero-length scan is not supported in disable_jit() mode because the output type is unknown."
        )
    from ..numpy import stack

    return carry, tree_map(lambda *column: stack(column), *ys)


def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """Repeat ``value = body_fun(value)`` as long as ``cond_fun(value)``.

    Raises:
        TypeError: if the condition is no boolean scalar, or the body changes structure, shape or dtype of the value.
    """
    if not (callable(body_fun) and callable(cond_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    carry, carry_tree = flat_arguments(init_val)
    if state.disable_jit and not any(isinstance(v, Tracer) for v in carry):
        value = init_val
        while cond_fun(value):
            value = body_fun(value)
        return value
    in_tree = treedef_tuple((carry_tree,))
    cond = trace_function(cond_fun, in_tree, list(map(get_aval, carry)), "while_cond", (init_val,))
    body = trace_function(body_fun, in_tree, list(map(get_aval, carry)), "while_body", (init_val,))
    carry, changed = promote_weak_carry(carry, body.out_avals)
    if changed:
        cond = trace_function(cond_fun, in_tree, list(map(get_aval, carry)), "while_cond", (init_val,))
        body = trace_function(body_fun, in_tree, list(map(get_aval, carry)), "while_body", (init_val,))
    _check_condition(cond)
    check_carry(
        "while_loop body",
        _first_parameter(body_fun, 1),
        carry_tree,
        [get_aval(v) for v in carry],
        body.out_tree,
        body.out_avals,
    )
    outs = while_p.bind(
        *cond.consts,
        *body.consts,
        *carry,
        cond_jaxpr=cond.closed(),
        cond_nconsts=len(cond.consts),
        body_jaxpr=body.closed(),
        body_nconsts=len(body.consts),
    )
    return carry_tree.unflatten(outs)


def _check_condition(cond: Traced) -> None:
    if cond.out_tree.kind is not None:
        raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {cond.out_tree}.")
    aval = cond.out_avals[0]
    if aval.shape or aval.dtype.kind != "b":
        raise TypeError(f"cond_fun must return a boolean scalar, but got output type(s) {cond.out_avals}.")


def fori_loop(
    lower: Any,
    upper: Any,
    body_fun: Callable[[Any, Any], Any],
    init_val: Any,
    *,
    unroll: int | bool | None = None,
) -> Any:
    """``value = body_fun(i, value)`` for each i from `lower` up to `upper`.

    With bounds that are known while tracing it is a `scan`, and can be differentiated in reverse; else a `while_loop`.

    Raises:
        TypeError: if the bounds are not of one type, or the body changes structure, shape or dtype of the value.
    """
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    lower, upper = _common_bounds(lower, upper)
    start, stop = _static(lower), _static(upper)
    if start is not None and stop is not None:
        if state.disable_jit:
            for i in range(start, stop):
                init_val = body_fun(i, init_val)
            return init_val
        length = max(0, stop - start)
        (_, result), _ = scan(
            _functions_of(body_fun).step,
            (start, init_val),
            None,
            length=length,
            unroll=1 if unroll is None else unroll,
        )
        return result
    if unroll not in (None, False, 1):
        raise ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.")
    return while_loop(_going, _functions_of(body_fun).advance, (lower, upper, init_val))[2]


class _Counted:
    """The bodies of the loops that count for a ``fori_loop``. There is one for each of its bodies, so it is traced once."""

    def __init__(self, body_fun: Callable[[Any, Any], Any]) -> None:
        # The body keeps its functions alive, not the other way round.
        try:
            body: Callable[[], Any] = weakref.ref(body_fun)
        except TypeError:
            body = lambda: body_fun

        def step(loop_carry: Any, _: Any) -> tuple[Any, None]:
            i, value = loop_carry
            return (_next(i), body()(i, value)), None

        def advance(loop_carry: Any) -> Any:
            i, end, value = loop_carry
            return _next(i), end, body()(i, value)

        self.step, self.advance = step, advance


_counted: weakref.WeakKeyDictionary[Any, _Counted] = weakref.WeakKeyDictionary()


def _functions_of(body_fun: Callable[[Any, Any], Any]) -> _Counted:
    try:
        found = _counted.get(body_fun)
        if found is None:
            found = _counted[body_fun] = _Counted(body_fun)
        return found
    except TypeError:  # Not hashable, or without weak references.
        return _Counted(body_fun)


def _next(i: Value) -> Value:
    aval = get_aval(i)
    return add(i, literal(1, aval.dtype, aval.weak_type))


def _going(loop_carry: Any) -> Any:
    return lt(loop_carry[0], loop_carry[1])


def _common_bounds(lower: Any, upper: Any) -> tuple[Any, Any]:
    low, high = get_aval(lower), get_aval(upper)
    dtype, _ = promote(low.dtype, low.weak_type, high.dtype, high.weak_type)
    one_is_weak = low.weak_type != high.weak_type and low.dtype.kind == high.dtype.kind == "i"
    if low.dtype is not high.dtype and not one_is_weak:
        raise TypeError(
            f"lower and upper arguments to fori_loop must have equal types, got {low.dtype} and {high.dtype}"
        )
    for bound in (lower, upper):
        limit = 1 << (8 * dtype.itemsize - 1)
        if type(bound) is int and not -limit <= bound < limit:
            raise OverflowError(
                f"Python integer {bound}, a bound of fori_loop, is too large to convert to {dtype}"
            )
    return tuple(
        value
        if aval.dtype is dtype
        else convert_element_type(value, new_dtype=dtype, weak_type=False, sharding=None)
        for value, aval in ((lower, low), (upper, high))
    )


def _static(bound: Any) -> int | None:
    """The value of a bound that is known while tracing; of floats, what Python's `int` makes of them."""
    if isinstance(bound, Tracer):
        concrete = bound.to_concrete_value()
        if concrete is None:
            return None
        bound = concrete
    try:
        return int(bound)
    except TypeError:  # No scalar, or a complex one: the comparison of the bounds tells.
        return None
