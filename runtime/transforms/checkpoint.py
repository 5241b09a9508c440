"""``checkpoint`` (``remat``): a function whose intermediate values are computed again for its gradient, not kept."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core import ClosedJaxpr, ShapedArray, Value, get_aval
from ..jaxprs.discharge import HigherOrderPrimitive, discharge_call
from ..jaxprs.replay import jaxpr_as_values
from ..primitives.linear import UndefinedPrimal, Zero
from ..pytree.definition import tree_flatten
from .calls import install_call_rules
from .functions import check_argument, trace_function
from .linearize import TangentTrace, split_jaxpr
from .rearrange import keep_results
from .running import kernel, run_compiled
from .signatures import check_function, wraps
from .transpose import transpose_jaxpr

remat_p = HigherOrderPrimitive("remat2", multiple_results=True)


def checkpoint(
    fun: Callable[..., Any],
    *,
    prevent_cse: bool = True,
    policy: Callable[..., bool] | None = None,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    concrete: bool = False,
) -> Callable[..., Any]:
    """`fun`, traced abstractly and differentiated without keeping its intermediate values.

    `policy` may allow some of them to be kept; here everything is computed again, with the same results. As in JAX,
    keyword arguments are always traced, those named by `static_argnames` too.

    Raises, when called:
        ValueError: if one of `static_argnums` is not passed by position.
    """
    check_function(fun)
    numbers = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)

    @wraps(fun)
    def rematerialized(*args: Any, **kwargs: Any) -> Any:
        if not all(-len(args) <= n < len(args) for n in numbers):
            raise ValueError(
                "the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only take integer values greater than "
                "or equal to `-len(args)` and less than `len(args)`, where `args` is the tuple of positional arguments, "
                f"but got {static_argnums}, while `len(args)` is {len(args)}"
            )
        static = {n % len(args): args[n % len(args)] for n in numbers}
        traced = tuple(arg for i, arg in enumerate(args) if i not in static)
        target = functools.partial(_with_static, fun, static, len(args)) if static or kwargs else fun
        given = traced if target is fun else (traced, kwargs)
        leaves, in_tree = tree_flatten(given)
        for leaf in leaves:
            check_argument(leaf)
        result = trace_function(
            target, in_tree, [get_aval(leaf) for leaf in leaves], "checkpoint / remat", given
        )
        outs = remat_p.bind(
            *result.consts,
            *leaves,
            jaxpr=result.closed(),
            prevent_cse=prevent_cse,
            differentiated=False,
            policy=policy,
        )
        return result.out_tree.unflatten(outs)

    return rematerialized


def _with_static(
    fun: Callable[..., Any],
    static: dict[int, Any],
    count: int,
    traced: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    rest = iter(traced)
    return fun(*[static[i] if i in static else next(rest) for i in range(count)], **kwargs)


def _abstract_eval(*avals: ShapedArray, jaxpr: ClosedJaxpr, **params: Any) -> list[ShapedArray]:
    return jaxpr.out_avals


def _partial_eval(
    trace: TangentTrace, unknown: Sequence[bool], args: Sequence[Value], *, jaxpr: ClosedJaxpr, **params: Any
) -> list[Value]:
    part = split_jaxpr(jaxpr, unknown)
    count = len(part.unknown_out) - sum(part.unknown_out)
    known = keep_results(part.known, [i < count for i in range(len(part.known.jaxpr.outvars))])
    known_args = [arg for arg, hidden in zip(args, unknown, strict=True) if not hidden]
    outs = iter(jaxpr_as_values(known.jaxpr, known.consts, *known_args))
    # Nothing is kept but the arguments: what is unknown contains the computation of what it needs.
    later = keep_results(jaxpr, part.unknown_out)
    recorded = iter(trace.record(remat_p, args, {"jaxpr": later, **params}))
    return [next(recorded) if hidden else next(outs) for hidden in part.unknown_out]


def _transpose(cts: Sequence[Any], *args: Any, jaxpr: ClosedJaxpr, **params: Any) -> list[Any]:
    linear = tuple(type(arg) is UndefinedPrimal for arg in args)
    reverse, live = transpose_jaxpr(jaxpr, linear, tuple(type(ct) is not Zero for ct in cts))
    known = [arg for arg in args if type(arg) is not UndefinedPrimal]
    operands = [*known, *[ct for ct in cts if type(ct) is not Zero]]
    outs = iter(remat_p.bind(*operands, jaxpr=reverse, **{**params, "differentiated": True}))
    flags = iter(live)
    return [next(outs) if undefined and next(flags) else None for undefined in linear]


remat_p.abstract_eval = _abstract_eval
remat_p.impl = kernel("run_call")
run_compiled(remat_p, lambda params: params["jaxpr"])
install_call_rules(remat_p)
remat_p.partial_eval = _partial_eval
remat_p.discharge = discharge_call(remat_p)
remat_p.transpose = _transpose


def _policy(name: str, keeps: bool) -> Callable[..., bool]:
    def policy(*args: Any, **params: Any) -> bool:
        return keeps

    policy.__name__ = policy.__qualname__ = name
    return policy


class checkpoint_policies:
    """``jax.checkpoint_policies``: what `checkpoint` may keep."""

    everything_saveable = staticmethod(_policy("everything_saveable", True))
    nothing_saveable = staticmethod(_policy("nothing_saveable", False))
    dots_saveable = checkpoint_dots = staticmethod(_policy("dots_saveable", True))
    dots_with_no_batch_dims_saveable = staticmethod(_policy("dots_with_no_batch_dims_saveable", True))
    checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable

    @staticmethod
    def save_only_these_names(*names: str) -> Callable[..., bool]:
        return _policy("save_only_these_names", True)

    @staticmethod
    def save_any_names_but_these(*names: str) -> Callable[..., bool]:
        return _policy("save_any_names_but_these", True)

    save_anything_except_these_names = save_any_names_but_these

    @staticmethod
    def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Callable[..., bool]:
        return _policy("offload_dot_with_no_batch_dims", True)

    @staticmethod
    def save_and_offload_only_these_names(
        *,
        names_which_can_be_saved: Sequence[str],
        names_which_can_be_offloaded: Sequence[str],
        offload_src: str,
        offload_dst: str,
    ) -> Callable[..., bool]:
        return _policy("save_and_offload_only_these_names", True)

    @staticmethod
    def save_from_both_policies(
        first: Callable[..., bool], second: Callable[..., bool]
    ) -> Callable[..., bool]:
        return _policy("save_from_both_policies", True)
