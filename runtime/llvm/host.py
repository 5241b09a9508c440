"""The steps that NumPy or BLAS take: matrix products, control flow around uncompiled code, reference evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..blas import matmul
from ..jaxprs.evaluate import in_memory, kernel
from .flat import Eqn, Flat
from .types import NotLowered

HostStep = Callable[[Sequence[Any]], list[Any]]
Compile = Callable[[Flat], Callable[[Sequence[Any]], list[Any]]]


def storage(dtype: Any) -> np.dtype[Any]:
    """The NumPy dtype of the arrays that hold values of an element type."""
    held: np.dtype[Any] = np.dtype(getattr(dtype, "storage", dtype))
    return held


def host_step(eqn: Eqn, compile_flat: Compile) -> HostStep:
    """A function from the operands of an equation to its results."""
    if eqn.name == "dot_general" and str(eqn.outputs[0].dtype) in ("float32", "float64"):
        product = _product(eqn)
        if product is not None:
            return product
    if eqn.bodies and not any(body.free() for body in eqn.bodies):
        return _CONTROL[eqn.name](eqn, [compile_flat(body) for body in eqn.bodies])
    return _reference(eqn)


def _reference(eqn: Eqn) -> HostStep:
    """The NumPy evaluation that stands with the primitive."""
    primitive, params = eqn.primitive, eqn.params
    evaluate = kernel(primitive, eqn.outputs[0].dtype) if eqn.outputs else primitive.impl
    many = bool(primitive.multiple_results)
    types = [v.dtype for v in eqn.outputs]

    def run(operands: Sequence[Any]) -> list[Any]:
        with np.errstate(all="ignore"):
            try:
                result = evaluate(*operands, **params)
            except NotImplementedError:
                raise NotLowered(eqn.name) from None
        results = result if many else [result]
        return [in_memory(r, dtype) for r, dtype in zip(results, types, strict=True)]

    return run


def _product(eqn: Eqn) -> HostStep | None:
    """dot_general by one product of (batches of) matrices: operands are moved to (batch, rows, contracted) x (batch, contracted, columns)."""
    left, right = eqn.inputs
    out = eqn.outputs[0]
    if {str(left.dtype), str(right.dtype)} != {str(out.dtype)}:
        return None
    (contract_l, contract_r), (batch_l, batch_r) = eqn.params["dimension_numbers"]
    rows = [d for d in range(len(left.shape)) if d not in (*contract_l, *batch_l)]
    columns = [d for d in range(len(right.shape)) if d not in (*contract_r, *batch_r)]
    order_l = (*batch_l, *rows, *contract_l)
    order_r = (*batch_r, *contract_r, *columns)
    batch = tuple(left.shape[d] for d in batch_l)
    m, n, k = (
        int(np.prod([shape[d] for d in dims]))
        for shape, dims in ((left.shape, rows), (right.shape, columns), (left.shape, contract_l))
    )
    shape_l, shape_r, shape_out = (*batch, m, k), (*batch, k, n), (*batch, m, n)
    dtype = storage(out.dtype)
    if (
        (order_l, left.shape) == (tuple(range(len(shape_l))), shape_l)
        and out.shape == shape_out
        and ((order_r, right.shape) == (tuple(range(len(shape_r))), shape_r))
    ):
        return lambda operands: [matmul(*operands)]

    def run(operands: Sequence[Any]) -> list[Any]:
        x, y = operands
        result = np.empty(out.shape, dtype)
        matmul(
            x.transpose(order_l).reshape(shape_l),
            y.transpose(order_r).reshape(shape_r),
            result.reshape(shape_out),
        )
        return [result]

    return run


def _scan(eqn: Eqn, bodies: list[Any]) -> HostStep:
    (body,) = bodies
    consts, carried = eqn.params["num_consts"], eqn.params["num_carry"]
    length, backwards = int(eqn.params["length"]), bool(eqn.params["reverse"])
    stacks = [(v.shape, storage(v.dtype)) for v in eqn.outputs[carried:]]

    def run(operands: Sequence[Any]) -> list[Any]:
        fixed, carry = list(operands[:consts]), list(operands[consts : consts + carried])
        sequences = operands[consts + carried :]
        ys = [np.empty(shape, dtype) for shape, dtype in stacks]
        for i in range(length - 1, -1, -1) if backwards else range(length):
            results = body([*fixed, *carry, *(np.asarray(s[i]) for s in sequences)])
            carry = list(results[:carried])
            for y, value in zip(ys, results[carried:], strict=True):
                y[i] = value
        return [*carry, *ys]

    return run


def _while(eqn: Eqn, bodies: list[Any]) -> HostStep:
    condition, body = bodies
    n, m = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]

    def run(operands: Sequence[Any]) -> list[Any]:
        for_condition, for_body, carry = (
            list(operands[:n]),
            list(operands[n : n + m]),
            list(operands[n + m :]),
        )
        while condition([*for_condition, *carry])[0]:
            carry = body([*for_body, *carry])
        return carry

    return run


def _cond(eqn: Eqn, bodies: list[Any]) -> HostStep:
    last = len(bodies) - 1

    def run(operands: Sequence[Any]) -> list[Any]:
        index, *rest = operands
        results: list[Any] = bodies[min(max(int(index), 0), last)](rest)
        return results

    return run


_CONTROL: dict[str, Callable[[Eqn, list[Any]], HostStep]] = {"scan": _scan, "while": _while, "cond": _cond}
