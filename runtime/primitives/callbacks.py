"""Calls back into Python while a program runs: pure ones for their results, others for their effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..arrays.array import from_numpy
from ..core import Primitive, ShapedArray, Value, eval_trace, set_current_trace
from .linear import zero_of

__all__ = ["debug_callback_p", "io_callback_p", "pure_callback_p"]


def _abstract(*avals: ShapedArray, result_avals: tuple[ShapedArray, ...], **params: Any) -> list[ShapedArray]:
    return list(result_avals)


def _call(
    *args: Any, callback: Callable[..., Any], result_avals: tuple[ShapedArray, ...], **params: Any
) -> Any:
    """Run the callback on Arrays, outside of every trace, and check what it returns."""
    import numpy as np

    from ..errors import JaxRuntimeError

    try:
        with set_current_trace(eval_trace):
            results = callback(*(from_numpy(np.asarray(x)) for x in args))
    except Exception as error:
        raise JaxRuntimeError(
            f"INTERNAL: CpuCallback error calling callback: {type(error).__name__}: {error}"
        ) from error
    out: list[Any] = []
    for value, aval in zip(results, result_avals, strict=True):
        host = np.asarray(value)
        if host.shape != aval.shape:
            raise JaxRuntimeError(
                f"Incorrect output shape for return value #{len(out)}: Expected: {aval.shape}, Actual: {host.shape}"
            )
        if host.dtype != aval.dtype.dtype and host.dtype.kind != aval.dtype.kind:
            raise JaxRuntimeError(
                f"Incorrect output dtype for return value #{len(out)}: Expected: {aval.dtype}, Actual: {host.dtype}"
            )
        out.append(host.astype(aval.dtype.storage))
    return out


def _callback(name: str, *, effectful: bool) -> Primitive:
    primitive = Primitive(name, multiple_results=True)
    primitive.abstract_eval = _abstract
    primitive.impl = _call
    primitive.effectful = effectful
    return primitive


pure_callback_p = _callback("pure_callback", effectful=False)
io_callback_p = _callback("io_callback", effectful=True)
debug_callback_p = _callback("debug_callback", effectful=True)


def _pure_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> Any:
    raise ValueError(
        "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients."
    )


def _io_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> Any:
    raise ValueError(
        "IO callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients."
    )


def _debug_jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> Any:
    out = debug_callback_p.bind(*primals, **params)
    return out, [zero_of(v) for v in out]


pure_callback_p.jvp, io_callback_p.jvp, debug_callback_p.jvp = _pure_jvp, _io_jvp, _debug_jvp


def _one_by_one(
    primitive: Primitive, size: int, args: Sequence[Value], dims: Sequence[int | None], params: Any
) -> list[list[Value]]:
    """One application for each example, in order."""
    from .apply import unstack

    columns = [[x] * size if d is None else unstack(x, axis=d) for x, d in zip(args, dims)]
    return [primitive.bind(*row, **params) for row in (zip(*columns) if columns else [()] * size)]


def _sequential_batch(primitive: Primitive) -> Callable[..., Any]:
    def batch(size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any) -> Any:
        from .apply import stack

        rows = _one_by_one(primitive, size, args, dims, params)
        out = [stack(*column, axis=0) for column in zip(*rows)] if params["result_avals"] else []
        return out, [0] * len(out)

    return batch


def _pure_batch(
    size: int,
    args: Sequence[Value],
    dims: Sequence[int | None],
    *,
    vmap_method: str | None,
    result_avals: tuple[ShapedArray, ...],
    **params: Any,
) -> Any:
    from .shape import batch_to_front, expand_dims, move_axis

    if vmap_method is None:
        raise NotImplementedError(
            "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', "
            "'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. Got vmap_method=None."
        )
    if vmap_method in ("sequential", "sequential_unrolled"):
        return _sequential_batch(pure_callback_p)(
            size, args, dims, vmap_method=vmap_method, result_avals=result_avals, **params
        )
    if vmap_method == "broadcast_all":
        moved = [batch_to_front(x, d, size) for x, d in zip(args, dims)]
    elif vmap_method == "expand_dims":
        moved = [expand_dims(x, (0,)) if d is None else move_axis(x, d, 0) for x, d in zip(args, dims)]
    else:
        moved = [x if d is None else move_axis(x, d, 0) for x, d in zip(args, dims)]
    grown = tuple(aval.update(shape=(size, *aval.shape)) for aval in result_avals)
    out = pure_callback_p.bind(*moved, vmap_method=vmap_method, result_avals=grown, **params)
    return out, [0] * len(out)


def _io_batch(size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any) -> Any:
    if params["ordered"]:
        raise ValueError("Cannot `vmap` ordered IO callback.")
    return _sequential_batch(io_callback_p)(size, args, dims, **params)


pure_callback_p.batch = _pure_batch
io_callback_p.batch = _io_batch
debug_callback_p.batch = _sequential_batch(debug_callback_p)
