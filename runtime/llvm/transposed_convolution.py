"""Convolutions of an image with gaps, as the derivatives of strided ones are: products first, which are then spread.

Each element of the image is multiplied by the whole kernel, and what comes of that is added where it belongs. So gaps and
edges add nothing, which is what XLA gives where a kernel is infinite; see `window_kernels.conv`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

from ..core import ShapedArray
from ..primitives.convolution import ConvDimensionNumbers, conv_general_dilated_p
from ..primitives.shape import rev_p
from .flat import Atom, Eqn, Flat, Var
from .index import Affine, flatten, identity, zero
from .nest import REDUCERS, Stage
from .product import Matrices, Product
from .scope import Scope

#: Fewer output features than this leave most of a vector empty.
_FEATURES = 4
#: A kernel of more places than this would need as many loops.
_PLACES = 36


class Axis(NamedTuple):
    """One axis of space: elements of the image and how far apart, positions of the result, edges before, a place's number."""

    elements: int
    gap: int
    positions: int
    low: int

    def met(self, place: int) -> tuple[int, int, int]:
        """The first element that meets a position at this place of the kernel, how many do, and the first position."""
        shift = self.low - place
        first = max(0, -(shift // self.gap))
        last = min(self.elements - 1, (self.positions - 1 - shift) // self.gap)
        return first, max(0, last - first + 1), first * self.gap + shift


def is_native(eqn: Eqn) -> bool:
    """Whether there is code for a convolution with gaps, and none of strides, dilated kernels and groups."""
    lhs, rhs = eqn.inputs
    (out,) = eqn.outputs
    params = eqn.params
    numbers = params["dimension_numbers"]
    plain = all(int(d) == 1 for d in (*params["window_strides"], *params["rhs_dilation"]))
    return (
        {str(a.dtype) for a in (lhs, rhs, out)} in ({"float32"}, {"float64"})
        and 0 not in (*lhs.shape, *rhs.shape, *out.shape)
        and plain
        and int(params["feature_group_count"]) == int(params["batch_group_count"]) == 1
        and len(rhs.shape) in (3, 4)
        and out.shape[numbers.out_spec[1]] >= _FEATURES
        and math.prod(rhs.shape[d] for d in numbers.rhs_spec[2:]) <= _PLACES
    )


def with_exchanged_operands(
    flat: Flat, inputs: list[Atom], aval: ShapedArray, params: dict[str, Any]
) -> Atom | None:
    """An image with gaps under a kernel of many places, as the gradient of a transposed convolution by its kernel has it.

    It is the kernel, dilated by the gaps, of a convolution of what was the kernel, whose result is reversed.
    """
    lhs, rhs = inputs
    numbers, gaps = params["dimension_numbers"], [int(d) for d in params["lhs_dilation"]]
    if (
        all(gap == 1 for gap in gaps)
        or any(int(d) != 1 for d in (*params["window_strides"], *params["rhs_dilation"]))
        or not int(params["feature_group_count"]) == int(params["batch_group_count"]) == 1
        or not lhs.dtype is rhs.dtype is aval.dtype
        or 0 in (*lhs.shape, *rhs.shape, *aval.shape)
        or math.prod(rhs.shape[d] for d in numbers.rhs_spec[2:]) <= _PLACES
    ):
        return None
    padding = []
    for x, k, o, gap, (low, _) in zip(
        numbers.lhs_spec[2:], numbers.rhs_spec[2:], numbers.out_spec[2:], gaps, params["padding"], strict=True
    ):
        extent = (lhs.shape[x] - 1) * gap + 1
        padding.append((aval.shape[o] - 1 - int(low), extent - rhs.shape[k] + int(low)))
    batch, features, *space = numbers.out_spec
    exchanged = {
        **params,
        "padding": tuple(padding),
        "lhs_dilation": params["rhs_dilation"],
        "rhs_dilation": tuple(gaps),
        "dimension_numbers": ConvDimensionNumbers(
            tuple(numbers.rhs_spec), tuple(numbers.lhs_spec), (features, batch, *space)
        ),
    }
    result = flat.apply(conv_general_dilated_p, [rhs, lhs], aval, exchanged)
    return flat.apply(rev_p, [result], aval, {"dimensions": tuple(space)})


def plan_transposed(scope: Scope, eqn: Eqn) -> None:
    """Plans what `is_native` allows."""
    lhs, rhs = eqn.inputs
    (out,) = eqn.outputs
    params = eqn.params
    numbers = params["dimension_numbers"]
    axes = [
        Axis(lhs.shape[x], int(gap), out.shape[o], int(low))
        for x, o, gap, (low, _) in zip(
            numbers.lhs_spec[2:],
            numbers.out_spec[2:],
            params["lhs_dilation"],
            params["padding"],
            strict=True,
        )
    ]
    order = (numbers.lhs_spec[0], *numbers.lhs_spec[2:], numbers.lhs_spec[1])
    image = scope.arranged(scope.materialise(lhs), order)
    order = (numbers.rhs_spec[1], *numbers.rhs_spec[2:], numbers.rhs_spec[0])
    kernel = scope.arranged(scope.materialise(rhs), order)
    features, *places, outputs = kernel.shape
    spread = Var((*image.shape[:-1], *places, outputs), out.dtype)
    products = scope.leaves[spread] = scope.new_leaf(spread, f"v{spread.id}")
    rows, columns = math.prod(image.shape[:-1]), math.prod(places) * outputs
    left, right = Matrices(image, 0, features, 1), Matrices(kernel, 0, columns, 1)
    scope.add(Product(left, right, products, (1, rows, columns, features)))

    order = (numbers.out_spec[0], *numbers.out_spec[2:], numbers.out_spec[1])
    shape = tuple(out.shape[d] for d in order)
    result = Var(shape, out.dtype)
    total = scope.leaves[result] = scope.new_leaf(result, f"v{result.id}")
    nodes, _ = scope.domain(shape)
    nothing = nodes.const(0, total.elem)
    scope.place(
        shape, nodes, Stage(total, nothing, flatten(identity(shape), shape, len(shape))), exclusive=True
    )
    for place in itertools.product(*map(range, places)):
        _add(scope, spread, result, axes, place)
    scope.leaves[out] = scope.arranged(total, [order.index(d) for d in range(len(order))])


def _add(scope: Scope, spread: Var, result: Var, axes: list[Axis], place: tuple[int, ...]) -> None:
    """Plans to add the products with one place of the kernel, each to its position."""
    met = [axis.met(k) for axis, k in zip(axes, place, strict=True)]
    domain = (result.shape[0], *(count for _, count, _ in met), result.shape[-1])
    if 0 in domain:
        return
    rank = len(domain)
    nodes, puller = scope.domain(domain)
    example, *elements, output = identity(domain)
    at = [element.plus(first) for element, (first, _, _) in zip(elements, met, strict=True)]
    where: list[Affine] = [zero(rank).plus(k) for k in place]
    root = puller.load(scope.leaves[spread], (example, *at, *where, output))
    positions = [
        element.times(axis.gap).plus(start)
        for element, axis, (_, _, start) in zip(elements, axes, met, strict=True)
    ]
    total = scope.leaves[result]
    target = flatten((example, *positions, output), result.shape, rank)
    scope.place(domain, nodes, Stage(total, root, target, accumulate=REDUCERS["sum"].combine), exclusive=True)
