"""What gather and scatter are told of their dimensions, and of places outside of the operand."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple


class GatherScatterMode(enum.Enum):
    """What happens to windows that are not inside the operand."""

    CLIP = 0
    FILL_OR_DROP = 1
    PROMISE_IN_BOUNDS = 2
    ONE_HOT = 3

    @staticmethod
    def from_any(mode: str | GatherScatterMode | None) -> GatherScatterMode:
        """The mode of a name. Raises ValueError for an unknown one."""
        if isinstance(mode, GatherScatterMode):
            return mode
        if mode is None or mode in ("fill", "drop"):
            return GatherScatterMode.FILL_OR_DROP
        if mode == "clip":
            return GatherScatterMode.CLIP
        if mode == "promise_in_bounds":
            return GatherScatterMode.PROMISE_IN_BOUNDS
        if mode == "one_hot":
            return GatherScatterMode.ONE_HOT
        raise ValueError(f'Unknown gather mode "{mode}"')


class GatherDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and result a gather connects."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and updates a scatter connects."""

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


def clips(mode: GatherScatterMode) -> bool:
    # A promise that is broken reads a clamped window, as XLA does.
    return mode is not GatherScatterMode.FILL_OR_DROP


def plus_one(dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(d + 1 for d in dims)


def default_fill(dtype: Any) -> Any:
    """What an out-of-bounds read gives: NaN, the lowest signed integer, the highest unsigned one, True."""
    if dtype.kind in "fc":
        return float("nan")
    bits = dtype.itemsize * 8
    return {"i": -(1 << (bits - 1)), "u": (1 << bits) - 1, "b": True}.get(dtype.kind, 0)


def scatter_dims_of(dn: GatherDimensionNumbers) -> ScatterDimensionNumbers:
    """The scatter that writes where the gather reads."""
    return ScatterDimensionNumbers(
        dn.offset_dims,
        dn.collapsed_slice_dims,
        dn.start_index_map,
        dn.operand_batching_dims,
        dn.start_indices_batching_dims,
    )


def gather_dims_of(
    dn: ScatterDimensionNumbers, operand: Sequence[int], updates: Sequence[int]
) -> dict[str, Any]:
    """The parameters of the gather that reads where the scatter writes."""
    window = iter([updates[d] for d in dn.update_window_dims])
    gone = (*dn.inserted_window_dims, *dn.operand_batching_dims)
    return {
        "dimension_numbers": GatherDimensionNumbers(
            tuple(dn.update_window_dims),
            tuple(dn.inserted_window_dims),
            tuple(dn.scatter_dims_to_operand_dims),
            tuple(dn.operand_batching_dims),
            tuple(dn.scatter_indices_batching_dims),
        ),
        "slice_sizes": tuple(1 if d in gone else next(window) for d in range(len(operand))),
    }
