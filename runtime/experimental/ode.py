"""`jax.experimental.ode`: initial value problems by the method of Dormand and Prince, with derivatives by the adjoint equation.

Dormand and Prince, "A family of embedded Runge-Kutta formulae" (1980); Chen et al., "Neural ordinary differential
equations" (2018), for the derivatives.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from .. import numpy as jnp
from ..core import Array, get_aval
from ..flatten_util import ravel_pytree
from ..pytree.definition import tree_leaves
from ..pytree.mapping import tree_map
from ..transforms.custom_derivatives import closure_convert
from ..transforms.custom_vjp import custom_vjp
from ..transforms.differentiation import vjp
from ..transforms.loops import fori_loop, scan, while_loop
from ..transforms.vmap import vmap

__all__ = ["odeint"]

#: The nodes, the coefficients of the stages, the weights of order five, those of the error, and of the middle of a step.
_NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_WEIGHTS = (*_STAGES[-1], 0.0)
_ERROR = (
    35 / 384 - 1951 / 21600,
    0.0,
    500 / 1113 - 22642 / 50085,
    125 / 192 - 451 / 720,
    -2187 / 6784 + 12231 / 42400,
    11 / 84 - 649 / 6300,
    -1 / 60,
)
_MIDDLE = (
    6025192743 / 30085553152 / 2,
    0.0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
)

Slope = Callable[..., Any]


def _weighted(weights: tuple[float, ...], slopes: list[Array]) -> Any:
    return sum(weight * slope for weight, slope in zip(weights, slopes) if weight)


def _step(func: Slope, y: Array, slope: Array, t: Array, dt: Array) -> tuple[Array, Array, Array, Array]:
    """The state after a step, its slope there, the error, and the state in the middle of the step."""
    slopes = [slope]
    for node, weights in zip(_NODES, _STAGES):
        slopes.append(func(y + dt * _weighted(weights, slopes), t + dt * node))
    after, error, middle = (dt * _weighted(weights, slopes) for weights in (_WEIGHTS, _ERROR, _MIDDLE))
    return y + after, slopes[-1], error, y + middle


def _first_step(func: Slope, y: Array, slope: Array, t: Array, rtol: float, atol: float) -> Array:
    """Hairer, Norsett and Wanner, "Solving ordinary differential equations I", II.4."""
    scale = atol + jnp.abs(y) * rtol
    size, speed = jnp.linalg.norm(y / scale), jnp.linalg.norm(slope / scale)
    h = jnp.where((size < 1e-5) | (speed < 1e-5), 1e-6, 0.01 * size / jnp.where(speed == 0, 1, speed))
    bend = jnp.linalg.norm((func(y + h * slope, t + h) - slope) / scale) / h
    largest = jnp.maximum(speed, bend)
    flat = largest <= 1e-15
    other = jnp.where(flat, jnp.maximum(1e-6, h * 1e-3), (0.01 / jnp.where(flat, 1, largest)) ** (1 / 5))
    return jnp.minimum(100 * h, other)


def _next_step(dt: Array, ratio: Array) -> Array:
    """Longer or shorter, so that the error will be what it may be."""
    safe = jnp.where(ratio == 0, 1.0, ratio)
    slowest = jnp.where(ratio < 1, 1.0, 0.2)
    factor = jnp.clip(0.9 * safe ** (-1 / 5), slowest, 10.0)
    return jnp.where(ratio == 0, dt * 10.0, dt * factor)


def _interpolation(before: Array, after: Array, middle: Array, first: Array, last: Array, dt: Array) -> Array:
    """The polynomial of degree 4 with these values and slopes, highest coefficient first."""
    a = -2 * dt * first + 2 * dt * last - 8 * before - 8 * after + 16 * middle
    b = 5 * dt * first - 3 * dt * last + 18 * before + 14 * after - 32 * middle
    c = -4 * dt * first + dt * last - 11 * before - 5 * after + 16 * middle
    return jnp.stack([a, b, c, dt * first, before])


def _integrate(
    func: Slope, y0: Array, ts: Array, rtol: float, atol: float, mxstep: float, hmax: float
) -> Array:
    """The states at increasing times."""
    slope = func(y0, ts[0])
    dt = jnp.clip(_first_step(func, y0, slope, ts[0], rtol, atol), 0.0, hmax).astype(ts.dtype)

    def until(state: Any, target: Array) -> Any:
        def going(state: Any) -> Any:
            count, _, _, t, dt, _, _ = state
            return (t < target) & (count < mxstep) & (dt > 0)

        def advance(state: Any) -> Any:
            count, y, slope, t, dt, before, polynomial = state
            after, last, error, middle = _step(func, y, slope, t, dt)
            tolerance = atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(after))
            ratio = jnp.sqrt(jnp.mean(jnp.abs(error / tolerance) ** 2)).astype(dt.dtype)
            found = _interpolation(y, after, middle, slope, last, dt)
            accepted = ratio <= 1.0
            following = jnp.clip(_next_step(dt, ratio), 0.0, hmax).astype(dt.dtype)
            new = after, last, t + dt, following, t, found
            old = y, slope, t, following, before, polynomial
            return (count + 1, *(jnp.where(accepted, x, z) for x, z in zip(new, old)))

        _, *rest = while_loop(going, advance, (0, *state))
        t, before, polynomial = rest[2], rest[4], rest[5]
        place = (target - before) / jnp.where(t == before, 1, t - before)
        return tuple(rest), jnp.polyval(polynomial, place.astype(polynomial.dtype))

    start = (y0, slope, ts[0], dt, ts[0], jnp.stack([y0] * 5) * jnp.array([0, 0, 0, 0, 1], y0.dtype)[:, None])
    states = scan(until, start, ts[1:])[1]
    return jnp.concatenate([y0[None], states])


@functools.partial(custom_vjp, nondiff_argnums=(0, 1, 2, 3, 4))
def _odeint(
    func: Slope, rtol: float, atol: float, mxstep: float, hmax: float, y0: Array, ts: Array, *args: Any
) -> Array:
    return _integrate(lambda y, t: func(y, t, *args), y0, ts, rtol, atol, mxstep, hmax)


def _forward(
    func: Slope, rtol: float, atol: float, mxstep: float, hmax: float, y0: Array, ts: Array, *args: Any
) -> Any:
    ys = _odeint(func, rtol, atol, mxstep, hmax, y0, ts, *args)
    return ys, (ys, ts, args)


def _backward(func: Slope, rtol: float, atol: float, mxstep: float, hmax: float, kept: Any, ct: Array) -> Any:
    """The adjoint equation from the last time to the first, with the cotangents of the states added where they are."""
    ys, ts, args = kept
    size = ys.shape[1]
    flat, unravel = ravel_pytree((ys[0], ts[0], args))

    def backwards(state: Array, minus_t: Array) -> Array:
        y, adjoint = state[:size], state[size : 2 * size]
        value, pull = vjp(func, y, -minus_t, *args)
        found = pull(adjoint)
        smooth = [x if x.dtype.kind in "fc" else jnp.zeros(x.shape) for x in tree_leaves(found)]
        return jnp.concatenate([-value, *(jnp.ravel(x).astype(state.dtype) for x in smooth)])

    def between(k: Any, state: Any) -> Any:
        carried, at_times = state
        i = len(ts) - 1 - k
        by_time = jnp.dot(func(ys[i], ts[i], *args), ct[i])
        carried = carried.at[size].add(-by_time)
        whole = jnp.concatenate([ys[i], carried])
        span = jnp.stack([-ts[i], -ts[i - 1]])
        carried = _integrate(backwards, whole, span, rtol, atol, mxstep, hmax)[1][size:]
        return carried.at[:size].add(ct[i - 1]), at_times.at[i].set(by_time)

    start = jnp.zeros(flat.shape, ys.dtype).at[:size].set(ct[-1])
    carried, at_times = fori_loop(0, len(ts) - 1, between, (start, jnp.zeros(ts.shape, ys.dtype)))
    by_y, by_t, by_args = unravel(carried.astype(flat.dtype))
    return by_y, at_times.at[0].set(by_t).astype(ts.dtype), *by_args


_odeint.defvjp(_forward, _backward)


def odeint(
    func: Callable[..., Any],
    y0: Any,
    t: Any,
    *args: Any,
    rtol: float = 1.4e-8,
    atol: float = 1.4e-8,
    mxstep: float = math.inf,
    hmax: float = math.inf,
) -> Any:
    """The states of ``dy/dt = func(y, t, *args)`` at the increasing times `t`, the first of which is that of `y0`.

    A tree like `y0`, whose arrays have a leading axis for the times. Differentiable in reverse by `y0`, `t` and `args`.
    Raises TypeError unless `args` are arrays and `t` is a vector of floats.
    """
    for leaf in tree_leaves(args):
        try:
            get_aval(leaf)
        except TypeError:
            raise TypeError(
                f"The contents of odeint *args must be arrays or scalars, but got {leaf} of type {type(leaf)}."
            ) from None
    times = jnp.asarray(t)
    if times.dtype.kind != "f":
        raise TypeError(f"t must be an array of floats, but got {times}.")
    y0, args = tree_map(jnp.asarray, (y0, args))
    converted, consts = closure_convert(func, y0, times[0], *args)
    flat, unravel = ravel_pytree(y0)

    def slope(y: Array, t: Array, *rest: Any) -> Array:
        return ravel_pytree(converted(unravel(y), t, *rest))[0]

    states = _odeint(slope, rtol, atol, mxstep, hmax, flat, times, *args, *consts)
    return vmap(unravel)(states)
