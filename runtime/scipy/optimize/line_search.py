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
    """The step that was found, how many times the function was evaluated, and why the search failed, if it did.

    The reason is 1 if the interval became too short, 3 if none was found, and 0 otherwise.
    """

    point: Point
    evaluations: Array
    failed: Array
    reason: Array


Condition = Callable[[Point], Array]


def _choose(first: Array, x: Any, y: Any) -> Any:
    return type(x)(*(jnp.where(first, a, b) for a, b in zip(x, y)))


def _cubic(low: Point, high: Point, recent: Point) -> Array:
    """Where the cubic with the value and slope of `low` and the values of the others is least; NaN if nowhere."""
    to_high, to_recent = high.step - low.step, recent.step - low.step
    above = high.value - low.value - low.slope * to_high
    beside = recent.value - low.value - low.slope * to_recent
    scale = jnp.square(to_high * to_recent) * (to_high - to_recent)
    third = (to_recent**2 * above - to_high**2 * beside) / scale
    second = (to_high**3 * beside - to_recent**3 * above) / scale
    return low.step + (jnp.sqrt(second * second - 3 * third * low.slope) - second) / (3 * third)


def _parabola(low: Point, high: Point) -> Array:
    """Where the parabola with the value and slope of `low` and the value of `high` is least."""
    width = high.step - low.step
    return low.step - low.slope / (2 * (high.value - low.value - low.slope * width) / width**2)


class _Zoom(NamedTuple):
    low: Point
    high: Point
    recent: Point
    star: Point
    done: Array
    failed: Array
    count: Any


def _zoom(
    at: Callable[[Array], Point],
    too_high: Condition,
    flat: Condition,
    low: Point,
    high: Point,
    start: Point,
    needed: Array,
) -> _Zoom:
    """Shrink the interval from `low` to `high` until it yields a step, in `star`.

    As in JAX, an interval that is too short, or whose higher end is the left one, fails after one try, and what failed
    is a step of 1 with the value of the lower end.
    """
    shortest = 1e-5 if low.step.dtype.itemsize < 8 else 1e-10

    def zooming(state: _Zoom) -> Array:
        return needed & ~state.done & ~state.failed

    def zoom(state: _Zoom) -> _Zoom:
        low, high, recent, star, done, failed, count = state
        width = high.step - low.step
        left, right = jnp.minimum(low.step, high.step), jnp.maximum(low.step, high.step)

        def inside(step: Array, margin: float) -> Array:
            return (step > left + margin * width) & (step < right - margin * width)

        by_cubic, by_parabola = _cubic(low, high, recent), _parabola(low, high)
        step = jnp.where(inside(by_parabola, 0.1), by_parabola, (low.step + high.step) / 2)
        point = at(jnp.where((count > 0) & inside(by_cubic, 0.2), by_cubic, step))
        rises = too_high(point) | (point.value >= low.value)
        accepted = ~rises & flat(point)
        lower = ~rises & ~accepted
        turned = lower & (point.slope * width >= 0)
        return _Zoom(
            _choose(lower, point, low),
            _choose(rises, point, _choose(turned, low, high)),
            _choose(rises | turned, high, _choose(lower, low, recent)),
            _choose(accepted, point, star),
            done | accepted,
            failed | (width <= shortest) | (count + 1 >= _ZOOMS),
            count + 1,
        )

    middle = Point((low.step + high.step) / 2, (low.value + high.value) / 2, low.slope, low.gradient)
    star = Point(jnp.ones_like(low.step), low.value, low.slope, start.gradient)
    no = jnp.array(False)
    return lax.while_loop(zooming, zoom, _Zoom(low, high, middle, star, no, no, 0))


class _Search(NamedTuple):
    before: Point
    star: Point
    done: Array
    failed: Array
    count: Any
    evaluations: Any


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
    first = jnp.where(guess > 1, 1, guess).astype(x.dtype)

    def too_high(point: Point) -> Array:
        return point.value > value + _DECREASE * point.step * start.slope

    def flat(point: Point) -> Array:
        return jnp.abs(point.slope) <= -_CURVATURE * start.slope

    def expanding(state: _Search) -> Array:
        return ~state.done & ~state.failed & (state.count < maxiter)

    def expand(state: _Search) -> _Search:
        before = state.before
        point = at(jnp.where(state.count == 0, first, 2 * before.step))
        rises = too_high(point) | (point.value >= before.value) & (state.count > 0)
        accepted = ~rises & flat(point)
        turned = ~rises & ~accepted & (point.slope >= 0)
        low, high = _choose(rises, before, point), _choose(rises, point, before)
        zoomed = _zoom(at, too_high, flat, low, high, start, rises | turned)
        return _Search(
            point,
            _choose(rises | turned, zoomed.star, _choose(accepted, point, state.star)),
            rises | accepted | turned,
            (rises | turned) & zoomed.failed,
            state.count + 1,
            state.evaluations + 1 + zoomed.count,
        )

    no = jnp.array(False)
    end = lax.while_loop(expanding, expand, _Search(start, start, no, no, 0, 0))
    step = end.star.step
    if step.dtype.itemsize < 8:  # Shorter ones would not change anything.
        step = jnp.where(jnp.abs(step) < 1e-8, jnp.sign(step) * 1e-8, step)
    reason = jnp.where(end.failed, 1, jnp.where(end.count >= maxiter, 3, 0))
    return Found(end.star._replace(step=step), end.evaluations, end.failed | ~end.done, reason)
