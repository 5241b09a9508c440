"""Names in `jax.lax` by which libraries annotate and choose: types of arguments, precisions, algorithms, tokens."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from .convolution import ConvDimensionNumbers
from .elementwise import Precision

DotDimensionNumbers: TypeAlias = tuple[
    tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]
]
ConvGeneralDilatedDimensionNumbers: TypeAlias = tuple[str, str, str] | ConvDimensionNumbers | None
PrecisionLike: TypeAlias = str | Precision | tuple[str, str] | tuple[Precision, Precision] | None


class AccuracyMode(enum.Enum):
    """How accurate elementary functions are to be; without effect here."""

    HIGHEST = 1
    DEFAULT = 2


class Tolerance(NamedTuple):
    """Errors that elementary functions may have; without effect here."""

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0


class RandomAlgorithm(enum.IntEnum):
    """Generators for `rng_bit_generator`."""

    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2


class Token:
    """What orders effects; here they are in order anyway."""


def create_token(_: Any = None) -> Token:
    """A token."""
    return Token()


def after_all(*operands: Token) -> Token:
    """A token after all others."""
    return Token()
