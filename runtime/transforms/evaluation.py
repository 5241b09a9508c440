"""Control flow evaluated with NumPy: the reference that compiled loops are tested against."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import ClosedJaxpr
from ..jaxprs.evaluate import eval_closed_jaxpr

Values = np.ndarray[Any, Any]


def run_call(*args: Values, jaxpr: ClosedJaxpr, **params: Any) -> list[Values]:
    """A jaxpr, applied."""
    return eval_closed_jaxpr(jaxpr, *args)


def run_cond(index: Values, *operands: Values, branches: tuple[ClosedJaxpr, ...]) -> list[Values]:
    """The branch that `index` chooses."""
    return eval_closed_jaxpr(branches[max(0, min(int(index), len(branches) - 1))], *operands)


def run_while(
    *args: Values, cond_jaxpr: ClosedJaxpr, cond_nconsts: int, body_jaxpr: ClosedJaxpr, body_nconsts: int
) -> list[Values]:
    """The carry, once the condition fails."""
    cond_consts, rest = args[:cond_nconsts], args[cond_nconsts:]
    body_consts, carry = rest[:body_nconsts], list(rest[body_nconsts:])
    while eval_closed_jaxpr(cond_jaxpr, *cond_consts, *carry)[0]:
        carry = eval_closed_jaxpr(body_jaxpr, *body_consts, *carry)
    return carry


def run_scan(
    *args: Values,
    jaxpr: ClosedJaxpr,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    **params: Any,
) -> list[Values]:
    """The last carry, and what each step gave, stacked."""
    consts, carry, xs = args[:num_consts], list(args[num_consts:][:num_carry]), args[num_consts + num_carry :]
    ys = [np.empty((length, *aval.shape), aval.dtype.storage) for aval in jaxpr.out_avals[num_carry:]]
    for i in reversed(range(length)) if reverse else range(length):
        outs = eval_closed_jaxpr(jaxpr, *consts, *carry, *[x[i] for x in xs])
        carry = outs[:num_carry]
        for y, out in zip(ys, outs[num_carry:], strict=True):
            y[i] = out
    return carry + ys
