"""Random array programs: shapes with ones and odd sizes, indices out of range, loops, and reuse of earlier values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime import numpy as jnp

Array = Any


class Program:
    """A function of a few arrays, the same for the same seed."""

    def __init__(self, seed: int, length: int = 8) -> None:
        self.seed = seed
        self.length = length
        rng = np.random.default_rng(seed)
        self.inputs = [self._input(rng) for _ in range(int(rng.integers(1, 4)))]

    @staticmethod
    def _input(rng: np.random.Generator) -> np.ndarray[Any, Any]:
        shape = tuple(int(n) for n in rng.choice([1, 2, 3, 5, 8, 17, 33], size=int(rng.integers(1, 4))))
        return rng.uniform(-2, 2, shape).astype(rng.choice(["float32", "float32", "float64", "int32"]))

    def __call__(self, *arrays: Array) -> list[Array]:
        rng = np.random.default_rng(self.seed + 1)
        values = list(arrays)
        for _ in range(self.length):
            step = STEPS[int(rng.integers(len(STEPS)))]
            result = step(rng, values[int(rng.integers(len(values)))], values)
            if result.size <= 20_000:
                values.append(result)
        return values[-3:]


Step = Callable[[np.random.Generator, Array, list[Array]], Array]


def _axis(rng: np.random.Generator, x: Array) -> int:
    return int(rng.integers(x.ndim)) if x.ndim else 0


def _bounded(x: Array) -> Array:
    """Values that further steps cannot make overflow."""
    return jnp.sin(x) if x.dtype.kind == "f" else x % 97


def elementwise(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    return [
        lambda: x * 2 + 1,
        lambda: jnp.where(x > 0, x, -x),
        lambda: _bounded(x) * x,
        lambda: lax.max(x, jnp.zeros_like(x)),
        lambda: jnp.tanh(x.astype("float32")),
        lambda: (x > 0).astype("int32"),
        lambda: lax.lgamma(1.5 + jnp.abs(_bounded(x.astype("float32")))),
    ][int(rng.integers(7))]()


def combine(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    for y in reversed(values):
        if y.shape == x.shape and y.dtype == x.dtype:
            return _bounded(x) + y
    return x + jnp.arange(x.shape[-1] if x.ndim else 1).astype(x.dtype).reshape(-1 if x.ndim else ())


def reduce(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return x
    function = [jnp.sum, jnp.max, jnp.min, jnp.argmax][int(rng.integers(4))]
    result = function(_bounded(x), axis=_axis(rng, x))
    return result.astype("int32") if function is jnp.argmax else result


def normalise(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return x
    y = _bounded(x.astype("float32"))
    e = jnp.exp(y - jnp.max(y, axis=-1, keepdims=True))
    return e / jnp.sum(e, axis=-1, keepdims=True)


def move(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return jnp.broadcast_to(x, (3, 5))
    axis = _axis(rng, x)
    low, high, gap = (int(n) for n in rng.integers(0, 3, 3))
    padding = [(low, high, gap) if d == axis else (0, 0, 0) for d in range(x.ndim)]
    return [
        lambda: x.T,
        lambda: jnp.flip(x, axis),
        lambda: x.reshape(-1),
        lambda: jnp.concatenate([x, x], axis),
        lambda: lax.pad(x, jnp.zeros((), x.dtype), padding),
        lambda: lax.slice_in_dim(x, x.shape[axis] // 3, None, 1, axis),
        lambda: lax.slice_in_dim(x, 0, None, 2, axis),
        lambda: jnp.roll(x, low, axis),
        lambda: jnp.broadcast_to(x[None], (2, *x.shape)),
        lambda: jnp.stack([x, x], axis),
    ][int(rng.integers(10))]()


def beside_one(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    """An array beside one place of an axis."""
    if not x.ndim:
        return x
    axis = _axis(rng, x)
    n = x.shape[axis]
    place = int(rng.integers(n))
    one = [
        lambda: lax.slice_in_dim(x, place, place + 1, 1, axis),
        lambda: lax.rev(x, (axis,))[(*[slice(None)] * axis, slice(place, place + 1))],
        lambda: lax.dynamic_slice_in_dim(x, jnp.asarray(place), 1, axis),
        lambda: jnp.split(x, n, axis)[place],
        lambda: jnp.max(x, axis=axis, keepdims=True),
    ][int(rng.integers(5))]()
    return [lambda: _bounded(x) - one, lambda: jnp.where(one > 0, x, one)][int(rng.integers(2))]()


def indexed(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    """Indices up to twice out of range on both sides."""
    if not x.ndim:
        return x
    n = x.shape[0]
    wild = rng.integers(-2 * n - 2, 2 * n + 2, int(rng.integers(1, 9))).astype("int32")
    at, start = jnp.asarray(wild), jnp.asarray(wild[0])
    mode = [None, "clip", "drop"][int(rng.integers(3))]
    rows = jnp.ones((len(wild), *x.shape[1:]), x.dtype)
    size = max(1, n // 2)
    return [
        lambda: jnp.nan_to_num(jnp.take(x, at, axis=0, mode="fill", fill_value=0)),
        lambda: jnp.take(x, at, axis=0, mode="clip"),
        lambda: x.at[at].add(rows, mode=mode),
        lambda: x.at[at[0]].set(rows[0], mode=mode),
        lambda: lax.dynamic_slice_in_dim(x, start, size),
        lambda: lax.dynamic_update_slice_in_dim(x, x[:size] * 2, start, 0),
    ][int(rng.integers(6))]()


def cumulative(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return x
    function = [lax.cumsum, lax.cummax, lax.cumlogsumexp][int(rng.integers(3))]
    y = x.astype("float32") if function is lax.cumlogsumexp else x
    return function(_bounded(y), axis=_axis(rng, x), reverse=bool(rng.integers(2)))


def loop(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return lax.fori_loop(0, 5, lambda i, c: c + 1, x)
    n = x.shape[0]
    wild = int(rng.integers(-3, n + 3))
    return [
        lambda: lax.fori_loop(0, 3, lambda i, c: _bounded(c) + x, x),
        lambda: lax.fori_loop(0, n, lambda i, c: c.at[i + wild].set(c[i - 1]), x),
        lambda: lax.scan(lambda c, row: (_bounded(c + row), c), jnp.zeros_like(x[0]), x)[1],
        lambda: lax.cond(jnp.sum(x) > 0, lambda y: y + 1, lambda y: y[::-1], x),
    ][int(rng.integers(4))]()


def product(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if x.ndim != 2:
        return x
    y = _bounded(x)
    return [lambda: y @ y.T, lambda: y.T @ y, lambda: y @ y[0]][int(rng.integers(3))]()


def factor(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if x.ndim != 2 or x.dtype.kind != "f":
        return x
    y = _bounded(x)
    size = len(y)
    definite = y @ y.T + 2 * jnp.eye(size, dtype=y.dtype) * size
    left, lower, turned = (bool(rng.integers(2)) for _ in range(3))
    right = y if left else y.T
    return [
        lambda: lax.linalg.cholesky(definite),
        lambda: lax.linalg.lu(definite)[0],
        lambda: lax.linalg.lu(y)[2][None] * 1,
        lambda: lax.linalg.triangular_solve(definite, right, left_side=left, lower=lower, transpose_a=turned),
        lambda: jax.vmap(jnp.linalg.solve, (None, 1))(definite, y),
        lambda: jnp.linalg.qr(definite)[1],
    ][int(rng.integers(6))]()


def largest(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    if not x.ndim:
        return x
    axis = _axis(rng, x)
    if axis:
        return lax.map(lambda row: lax.sort(row, dimension=axis - 1), _bounded(x))
    found, places = lax.top_k(_bounded(x), int(rng.integers(1, x.shape[axis] + 1)), axis=axis)
    return found if x.dtype.kind == "f" else places


def narrow(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    """What is computed in bfloat16, rounded so coarsely that another order of the sums makes no difference."""
    y = jnp.round(4 * _bounded(x.astype("float32"))).astype("bfloat16") / 4
    if not y.ndim or not y.size:
        return y * 3
    axis = _axis(rng, y)
    return [
        lambda: y * 3 + y,
        lambda: jnp.sum(y, axis=axis),
        lambda: jnp.where(y > 0, y, -y),
        lambda: lax.cummax(y, axis=axis),
        lambda: y.reshape(-1, y.shape[-1]) @ y.reshape(-1, y.shape[-1]).T,
        lambda: lax.fori_loop(0, 3, lambda i, c: c.at[i].set(c[i - 1] + y[-i]), y),
        lambda: y.astype("int32"),
    ][int(rng.integers(7))]()


def convolve(rng: np.random.Generator, x: Array, values: list[Array]) -> Array:
    """Convolutions of one and of two dimensions, with steps and gaps, padded and cropped, of groups too."""
    if x.dtype.kind != "f" or x.ndim < 2 or not x.size:
        return x
    y = _bounded(x) if x.ndim < 4 else _bounded(x).reshape(-1, *x.shape[-2:])
    image = y[None] if y.ndim == 2 else y[:, :9, :9, None] if rng.integers(2) else y[None, :9, :9]
    axes, channels = image.ndim - 2, image.shape[-1]
    window = [int(n) for n in rng.integers(1, 5, axes)]
    features = int(rng.choice([1, 3, 8, 20]))
    groups = channels if channels < 9 and rng.integers(2) else 1
    kernel = jnp.cos(jnp.arange(float(np.prod(window) * channels * features)))
    kernel = kernel.astype(y.dtype).reshape(*window, channels // groups, features * groups)
    padding = [(int(low), int(high)) for low, high in rng.integers(-1, 4, (axes, 2))]
    steps, gaps, apart = (tuple(int(n) for n in rng.integers(1, 4, axes)) for _ in range(3))
    orders = [("NWC", "WIO", "NWC"), ("NHWC", "HWIO", "NHWC")][axes - 1]
    if rng.integers(2):
        image, orders = jnp.moveaxis(image, -1, 1), (["NCW", "NCHW"][axes - 1], *orders[1:])
    return lax.conv_general_dilated(
        image, kernel, steps, padding, gaps, apart, orders, feature_group_count=groups
    )


STEPS: list[Step] = [
    elementwise,
    combine,
    reduce,
    normalise,
    move,
    move,
    beside_one,
    indexed,
    indexed,
    cumulative,
    loop,
    product,
    factor,
    largest,
    narrow,
    convolve,
    convolve,
]


def jaxpr_of(program: Program) -> Any:
    return jax.make_jaxpr(program)(*program.inputs)
