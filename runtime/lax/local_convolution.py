"""Convolutions with a kernel for each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Array
from .contraction import dot_general
from .convolution import ConvDimensionNumbers, conv_dimension_numbers, conv_general_dilated_patches
from .elementwise import as_array
from .shaping import transpose

__all__ = ["conv_general_dilated_local"]


def conv_general_dilated_local(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    filter_shape: Sequence[int],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    precision: Any = None,
) -> Array:
    """A convolution whose kernels are not shared: `rhs` has one for each place, flat, as patches are laid out."""
    x, kernels = as_array(lhs), as_array(rhs)
    numbers = conv_dimension_numbers(x.shape, kernels.shape, dimension_numbers)
    # Patches as in the default layout: batch, features, places.
    plain = tuple(range(x.ndim))
    patches = conv_general_dilated_patches(
        x,
        filter_shape,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        ConvDimensionNumbers(numbers.lhs_spec, plain, plain),
    )
    flat = transpose(kernels, numbers.rhs_spec)
    places = plain[2:]
    product = dot_general(patches, flat, (((1,), (1,)), (places, places)), precision)
    # The places, the batch and the features are put where the result has them.
    count = len(places)
    order = [0] * x.ndim
    for place, axis in enumerate(numbers.out_spec):
        order[axis] = (count, count + 1, *range(count))[place]
    return transpose(product, order)
