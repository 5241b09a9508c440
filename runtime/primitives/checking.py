"""``check``: a condition that must hold while a program runs, for `jax.experimental.checkify`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..core import Primitive, ShapedArray, Value, literal

__all__ = ["JaxRuntimeError", "check_p", "description"]

check_p = Primitive("check", multiple_results=True)


class JaxRuntimeError(ValueError):
    """A check failed."""


def description(values: Sequence[Any], message: str, tree: Any) -> str:
    """What a failed check says, with the values that it was given."""
    args, kwargs = tree.unflatten(values)
    return f"{message.format(*args, **kwargs)} (`check` failed)"


def _abstract_eval(*avals: ShapedArray, **params: Any) -> list[ShapedArray]:
    return []


def _eager(pred: Value, *values: Value, message: str, tree: Any, debug: bool) -> list[Value]:
    if not debug and not pred:
        raise JaxRuntimeError(description(values, message, tree))
    return []


def _impl(*args: Any, debug: bool, **params: Any) -> list[Any]:
    if not debug:
        _refuse()
    return []


def _refuse() -> NoReturn:
    raise ValueError(
        "Cannot abstractly evaluate a checkify.check which was not functionalized. This probably means you tried to "
        "stage (jit/scan/pmap/...) a `check` without functionalizing it through `checkify.checkify`."
    )


def _batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any
) -> tuple[list[Value], list[int | None]]:
    """One check of all examples, with the values of the last one that fails."""
    from ..lax import argmax, dynamic_index_in_dim, reduce_and, rev
    from .shape import move_axis

    pred, *values = args
    dim, *value_dims = dims
    place: Any = size - 1
    if dim is not None:
        place = literal(size - 1, "int32") - argmax(rev(~pred, (0,)), 0, "int32")
        pred = reduce_and(pred, (0,))
    chosen = [
        value if d is None else dynamic_index_in_dim(move_axis(value, d, 0), place, 0, keepdims=False)
        for value, d in zip(values, value_dims, strict=True)
    ]
    check_p.bind(pred, *chosen, **params)
    return [], []


def _jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[list[Value], list[Any]]:
    check_p.bind(*primals, **params)
    return [], []


check_p.abstract_eval, check_p.eager, check_p.impl = _abstract_eval, _eager, _impl
check_p.batch, check_p.jvp = _batch, _jvp
check_p.effectful = True
