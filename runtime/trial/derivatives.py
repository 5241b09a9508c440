"""Do the derivatives of two functions agree?  Reverse mode where both have it, forward mode otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy

from .agreement import close, leaves
from .arguments import Call
from .sandbox import TimeLimit, time_limit

_MOST = 6  # so many inputs are differentiated
_SECONDS = 5.0


class Derivatives:
    """Compares derivatives at a few inputs."""

    def __init__(self) -> None:
        self.left = _MOST

    def difference(
        self, original: Callable[..., Any], call: Call, rewritten: Callable[..., Any], other: Call
    ) -> str:
        """Why they do not agree; empty if they do, or if the original has none there."""
        positions = [n for n, argument in enumerate(call[0]) if _is_float(argument)]
        if not positions or not self.left:
            return ""
        self.left -= 1
        for mode in (_reverse, _forward):
            expected = mode(original, call, positions)
            if expected is None or not all(numpy.isfinite(part).all() for part in expected):
                continue
            found = mode(rewritten, other, positions)
            if found is None:
                continue
            for one, two in zip(expected, found, strict=True):
                if not close(one, two):
                    return f"{two.ravel()[:4]} instead of {one.ravel()[:4]}"
            return ""
        return ""


def _is_float(value: Any) -> bool:
    return (
        hasattr(value, "shape")
        and not isinstance(value, numpy.ndarray)
        and str(getattr(value, "dtype", "")).startswith(("float", "bfloat"))
    )


def _total(function: Callable[..., Any], call: Call, positions: list[int]) -> Callable[..., Any]:
    """The sum of all float results as a function of the float arguments."""

    def total(*values: Any) -> Any:
        arguments = list(call[0])
        for position, value in zip(positions, values, strict=True):
            arguments[position] = value
        jnp = sys.modules["jax.numpy"]
        parts = [leaf for _, leaf in leaves(function(*arguments, **call[1])) if _is_float(leaf)]
        return sum((jnp.sum(part) for part in parts), jnp.zeros(()))

    return total


def _reverse(function: Callable[..., Any], call: Call, positions: list[int]) -> list[Any] | None:
    jax: Any = sys.modules["jax"]
    values = [call[0][position] for position in positions]
    numbers = tuple(range(len(values)))
    return _tried(lambda: jax.grad(_total(function, call, positions), argnums=numbers)(*values))


def _forward(function: Callable[..., Any], call: Call, positions: list[int]) -> list[Any] | None:
    jax: Any = sys.modules["jax"]
    jnp: Any = sys.modules["jax.numpy"]
    values = [call[0][position] for position in positions]
    tangents = [
        jnp.asarray((1.0 + numpy.arange(value.size) / 4).reshape(value.shape), dtype=value.dtype)
        for value in values
    ]
    return _tried(lambda: [jax.jvp(_total(function, call, positions), values, tangents)[1]])


def _tried(derive: Callable[[], Any]) -> list[Any] | None:
    """The derivatives as arrays; None if the function has none in this mode."""
    try:
        with time_limit(_SECONDS):
            return [numpy.asarray(part) for part in derive()]
    except (Exception, TimeLimit):  # noqa: BLE001 (no derivative, no comparison)
        return None
