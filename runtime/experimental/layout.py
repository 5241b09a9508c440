"""`jax.experimental.layout`: in which order the axes of arrays lie in memory. Here it is always that of C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..arrays.cpu import Sharding
from ..pytree.mapping import tree_map

if TYPE_CHECKING:
    from ..core import Value

__all__ = ["Format", "Layout", "with_layout_constraint"]


class _Auto:
    """Whatever order is best."""

    def __repr__(self) -> str:
        return "AUTO"


@dataclass(frozen=True)
class Layout:
    """An order of axes, the slowest first. Others than the order of C are hints, which change nothing here."""

    major_to_minor: tuple[int, ...]
    tiling: tuple[tuple[int, ...], ...] | None = None
    sub_byte_element_size_in_bits: int = 0

    AUTO: ClassVar[Any] = _Auto()

    @staticmethod
    def of(ndim: int) -> Layout:
        """How an array of that many axes lies in memory."""
        return Layout(tuple(range(ndim)), ())


@dataclass(frozen=True)
class Format:
    """The layout of an array, and where it is."""

    layout: Any = None
    sharding: Any = None

    def __post_init__(self) -> None:
        if not (self.layout is None or isinstance(self.layout, (Layout, _Auto))):
            raise TypeError(f"Invalid value received for the layout argument. Got {self.layout}")
        if not (self.sharding is None or isinstance(self.sharding, Sharding)):
            raise ValueError(f"Invalid value received for the sharding argument. Got {self.sharding}")

    def placed_sharding(self, sharding: Any) -> Any:
        """Where an array is that `jax.device_put` gives this format."""
        return self.sharding


def with_layout_constraint(x: Value, layouts: Any) -> Value:
    """The arrays as they are. Raises ValueError for a layout of another number of axes."""

    def checked(leaf: Any, layout: Any) -> Any:
        if isinstance(layout, Layout) and len(layout.major_to_minor) != leaf.ndim:
            raise ValueError(
                f"Length of major_to_minor and the rank of the value should match. Got major_to_minor="
                f"{layout.major_to_minor} and shape={leaf.shape}"
            )
        return leaf

    if isinstance(layouts, (Layout, Format)):
        one = layouts.layout if isinstance(layouts, Format) else layouts
        return tree_map(lambda leaf: checked(leaf, one), x)
    return tree_map(checked, x, layouts)
