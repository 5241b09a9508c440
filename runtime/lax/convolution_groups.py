"""Groups of features and of examples in a convolution."""

from __future__ import annotations

from ..core import Array
from ..primitives.convolution import ConvDimensionNumbers


def check_groups(x: Array, k: Array, numbers: ConvDimensionNumbers, groups: int, batches: int) -> None:
    """Features and batch fit the groups. Raises ValueError in JAX's words."""
    features, outputs = x.shape[numbers.lhs_spec[1]], k.shape[numbers.rhs_spec[0]]
    inputs, batch = k.shape[numbers.rhs_spec[1]], x.shape[numbers.lhs_spec[0]]
    wrong = ""
    if groups <= 0:
        wrong = f"feature_group_count must be a positive integer, got {groups}."
    elif features % groups:
        wrong = (
            "feature_group_count must divide lhs feature dimension size, but "
            f"{groups} does not divide {features}."
        )
    elif features // groups != inputs:
        wrong = (
            "lhs feature dimension size divided by feature_group_count must equal the rhs input feature dimension "
            f"size, but {features} // {groups} != {inputs}."
        )
    elif outputs % groups:
        wrong = (
            "rhs output feature dimension size must be a multiple of feature_group_count, but "
            f"{outputs} is not a multiple of {groups}."
        )
    elif batches <= 0:
        wrong = f"batch_group_count must be a positive integer, got {batches}."
    elif batch % batches:
        wrong = (
            f"batch_group_count must divide lhs batch dimension size, but {batches} does not divide {batch}."
        )
    elif outputs % batches:
        wrong = (
            "rhs output feature dimension size must be a multiple of batch_group_count, but "
            f"{outputs} is not a multiple of {batches}."
        )
    if wrong:
        raise ValueError(f"conv_general_dilated {wrong}")


def as_feature_groups(
    x: Array, k: Array, numbers: ConvDimensionNumbers, groups: int, batches: int
) -> tuple[Array, int]:
    """Parts of the batch that meet kernels of their own, laid side by side as groups of features."""
    if groups > 1:
        raise ValueError(
            f"At most one of batch_group_count and feature_group_count may be > 1, got batch_group_count={batches} and "
            f"feature_group_count={groups}"
        )
    batch, feature = numbers.lhs_spec[:2]
    front = x.transpose((batch, feature, *numbers.lhs_spec[2:]))
    n, c, *space = front.shape
    split = front.reshape((batches, n // batches, c, *space)).swapaxes(0, 1)
    merged = split.reshape((n // batches, batches * c, *space))
    order = (batch, feature, *numbers.lhs_spec[2:])
    return merged.transpose(tuple(sorted(range(len(order)), key=order.__getitem__))), batches
