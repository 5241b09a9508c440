"""`lax.custom_linear_solve`: a solver of the user's, whose derivative JAX knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain import TAINTED, Const, Value
from ..libraries.callbacks import answers
from ..libraries.library import argument, given
from .controlflow import arity, staged
from .reverse import marked, one_way
from .transforms import leave, outside_level

if TYPE_CHECKING:
    from ..libraries.library import Call


def run_linear_solve(call: Call) -> Value:
    """The result is as `b`; a backward pass needs `transpose_solve`, or a matrix that is said to be symmetric."""
    matvec, b = argument(call, "matvec"), argument(call, "b")
    one = call.bound.get("symmetric", Const(False)) == Const(False) and not given(
        call.bound.get("transpose_solve")
    )
    mark = None
    if one:
        mark = one_way(
            call, "custom_linear_solve", "it has no transpose_solve, and is not symmetric", error="TypeError"
        )
    product = staged(call, matvec, "custom_linear_solve", [b])
    if not arity(call, argument(call, "solve"), 2, "custom_linear_solve"):
        answers(call, "solve(matvec:own, b)", "traces")
    if call.bound.get("has_aux", Const(False)) != Const(False):
        return TAINTED
    outside = outside_level(call.interp, [b, product])
    return marked(call.interp, leave(call.interp, product, outside, call.node), mark)


SOLVES = {"linear_solve": run_linear_solve}
