"""A step length that satisfies the strong Wolfe conditions (Nocedal & Wright, 2006, algorithms 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ... import lax
from ... import numpy as jnp
from ...core import Array
from ...transforms.grad import value_and_grad

_DECREASE, _CURVATURE = 1e-4, 0.9
_ZOOMS = 30


class Point(NamedTuple):
    """A step length, with the function's value, its slope along the line, and its gradient there."""

    step: Array
    value: Array
    slope: Array
    gradient: Array


class Found(NamedTuple):
    """The step that was found, how many times the function was evaluated, and whether the search failed."""

    point: Point
    evaluations: Array
    failed: Array


def _choose(first: Array, x: Any, y: Any) -> Any:
    return type(x)(*(jnp.where(first, a, b) for a, b in zip(x, y)))


def _between(low: Point, high: Point) -> Array:
    """The minimum of the cubic through both ends, kept off the ends; the middle where it has none."""
    d1 = low.slope + high.slope - 3 * (low.value - high.value) / (low.step - high.step)
    root = jnp.sqrt(jnp.square(d1) - low.slope * high.slope)
    width = high.step - low.step
    d2 = jnp.sign(width) * root
    step = high.step - width * (high.slope + d2 - d1) / (high.slope - low.slope + 2 * d2)
    share = (step - low.step) / width
    inside = jnp.isfinite(share) & (share > 0.1) & (share < 0.9)
    return jnp.where(inside, step, low.step + width / 2)


def line_search(
    function: Callable[[Array], Array],
    x: Array,
    direction: Array,
    value: Array,
    gradient: Array,
    previous: Array,
    maxiter: int,
) -> Found:
    """A step from `x` along `direction`; `previous` is the value before, which tells how long the first try should be."""

    def at(step: Array) -> Point:
        found, slope = value_and_grad(function)(x + step * direction)
        return Point(step, found, jnp.vdot(slope, direction), slope)

    start = Point(jnp.zeros((), x.dtype), value, jnp.vdot(gradient, direction), gradient)
    guess = 1.01 * 2 * (value - previous) / start.slope
    first = jnp.where((guess > 0) & (guess < 1), guess, 1).astype(x.dtype)

    def too_high(point: Point, than: Point) -> Array:
        return (point.value > value + _DECREASE * point.step * start.slope) | (point.value >= than.value)

    def flat(point: Point) -> Array:
        return jnp.abs(point.slope) <= -_CURVATURE * start.slope

    # The interval grows until it holds an acceptable step.
    def expanding(state: Any) -> Array:
        _, _, _, done, _, k = state
        return ~done & (k < maxiter)

    def expand(state: Any) -> Any:
        low, current, _, _, _, k = state
        point = at(current)
        rises = too_high(point, low) & (k > 0) | (point.value > value + _DECREASE * current * start.slope)
        accepted = ~rises & flat(point)
        turned = ~rises & ~accepted & (point.slope >= 0)
        near, far = _choose(rises, low, point), _choose(rises, point, low)
        low = _choose(rises | turned | accepted, near, point)
        return low, 2 * current, far, rises | accepted | turned, accepted, k + 1

    low, _, high, bracketed, accepted, k = lax.while_loop(
        expanding, expand, (start, first, start, jnp.array(False), jnp.array(False), 0)
    )

    # Then it shrinks around one.
    def zooming(state: Any) -> Array:
        _, _, done, k = state
        return ~done & (k < _ZOOMS)

    def zoom(state: Any) -> Any:
        low, high, _, k = state
        point = at(_between(low, high))
        rises = too_high(point, low)
        accepted = ~rises & flat(point)
        passed = ~rises & (point.slope * (high.step - low.step) >= 0)
        high = _choose(rises, point, _choose(passed, low, high))
        return _choose(rises, low, point), high, accepted, k + 1

    point, _, done, zooms = lax.while_loop(zooming, zoom, (low, high, accepted | ~bracketed, 0))
    return Found(point, k + zooms, ~done | ~bracketed)
