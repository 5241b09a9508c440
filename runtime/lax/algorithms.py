"""How products are computed, by name: `DotAlgorithm` and its presets, of which a CPU has some."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from ..dtypes import BFLOAT16, FLOAT16
from . import types

__all__ = ["DotAlgorithm", "DotAlgorithmPreset"]


class DotAlgorithm(NamedTuple):
    """The types of operands and of sums, and of how many parts operands are put together."""

    lhs_precision_type: Any
    rhs_precision_type: Any
    accumulation_type: Any
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


class DotAlgorithmPreset(enum.Enum):
    """Algorithms by the types of left operand, right operand, and sums."""

    DEFAULT = enum.auto()
    ANY_F8_ANY_F8_F32 = enum.auto()
    ANY_F8_ANY_F8_F32_FAST_ACCUM = enum.auto()
    ANY_F8_ANY_F8_ANY = enum.auto()
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = enum.auto()
    F16_F16_F16 = enum.auto()
    F16_F16_F32 = enum.auto()
    BF16_BF16_BF16 = enum.auto()
    BF16_BF16_F32 = enum.auto()
    BF16_BF16_F32_X3 = enum.auto()
    BF16_BF16_F32_X6 = enum.auto()
    BF16_BF16_F32_X9 = enum.auto()
    TF32_TF32_F32 = enum.auto()
    TF32_TF32_F32_X3 = enum.auto()
    F32_F32_F32 = enum.auto()
    F64_F64_F64 = enum.auto()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    @property
    def supported_lhs_types(self) -> tuple[Any, ...] | None:
        """The types that operands may have; None for any."""
        import numpy as np

        if self.name.startswith(("ANY", "DEFAULT")):
            return None
        first, _, _, *parts = self.name.split("_")
        if first == "BF16" and not parts:
            return BFLOAT16.type, np.float32
        return ({"F16": np.float16, "F64": np.float64}.get(first, np.float32),)

    supported_rhs_types = supported_lhs_types

    @property
    def accumulation_type(self) -> Any:
        """The type of sums; None for that of the operands."""
        import numpy as np

        if self.name.startswith("DEFAULT") or "F8_ANY" in self.name.removeprefix("ANY_F8_ANY"):
            return None
        sums = self.name.removeprefix("ANY_F8_").split("_")[1 if self.name.startswith("ANY") else 2]
        return {"F16": np.float16, "BF16": BFLOAT16.type, "F64": np.float64}.get(sums, np.float32)


_ON_CPU = frozenset(
    "DEFAULT F16_F16_F16 BF16_BF16_F32 BF16_BF16_F32_X3 BF16_BF16_F32_X6 F32_F32_F32 F64_F64_F64".split()
)


def algorithm(precision: Any) -> DotAlgorithmPreset | DotAlgorithm | None:
    """The algorithm that a precision names; None if it names none."""
    if isinstance(precision, str):
        return DotAlgorithmPreset.__members__.get(precision)
    return precision if isinstance(precision, (DotAlgorithmPreset, DotAlgorithm)) else None


def operands(precision: DotAlgorithmPreset | DotAlgorithm, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The operands as an algorithm takes them, and the type of the result if that is another.

    Raises ValueError for an algorithm that a CPU does not have.
    """
    if isinstance(precision, DotAlgorithm) or precision.name not in _ON_CPU:
        raise ValueError(f"The precision '{precision}' is not supported by dot_general on CPU")
    if precision is DotAlgorithmPreset.F16_F16_F16 and types.dtype(x).kind == "f":
        return x.astype(FLOAT16), y.astype(FLOAT16), types.dtype(x)
    return x, y, None
