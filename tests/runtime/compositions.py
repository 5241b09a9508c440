"""Random functions made of layers and of the transforms around and inside of them, for any library with JAX's API.

A seed gives the same function of both libraries, so that what they compute can be compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Function: TypeAlias = Callable[[Any], Any]

SIZE = 3
POINT = np.array([0.3, -0.8, 1.1], np.float32)
DIRECTION = np.array([1.0, 0.5, -0.25], np.float32)
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [-0.1, 0.7, 0.2]], np.float32)


class Composer:
    """Draws functions from float32[3] to float32[3] of a library, and transforms of them."""

    def __init__(self, library: Any, seed: int) -> None:
        self.j, self.random = library, random.Random(seed)
        self.said: list[str] = []

    # -------------------------------------------------------------------------------------------- layers

    def layer(self, depth: int) -> Function:
        """A function, whose parts go `depth` levels deep."""
        drawn = self.random.choice(self._plain if depth <= 0 or self.random.random() < 0.25 else self._nested)
        self.said.append(drawn)
        make: Callable[[int], Function] = getattr(self, f"_{drawn}")
        return make(depth - 1)

    _plain = ("smooth", "kinks", "mixing", "indexing", "matrix", "sorted", "integers")
    _nested = (
        "chain scanned steps turns branch choice jitted checkpointed mapped custom_tangent custom_cotangent gradient "
        "tangent linear pulled stopped searched mapped_scan accumulated"
    ).split()

    def _smooth(self, depth: int) -> Function:
        np_, c = self.j.numpy, self.random.uniform(-1, 1)
        return self.random.choice(
            [
                lambda x: np_.sin(x) * c,
                lambda x: np_.tanh(x + c),
                lambda x: np_.exp(-x * x) + c,
                lambda x: x * x * c - x,
                lambda x: self.j.nn.softplus(x) * c,
                lambda x: np_.sqrt(1 + x * x),
                lambda x: np_.log1p(x * x) / (1 + c * c),
                lambda x: x**3 * 0.1,
                lambda x: np_.arctan2(x, 1 + x * x),
            ]
        )

    def _kinks(self, depth: int) -> Function:
        np_, c = self.j.numpy, self.random.uniform(-0.5, 0.5)
        return self.random.choice(
            [
                lambda x: np_.where(x > c, x, 0.1 * x),
                lambda x: np_.abs(x - c),
                lambda x: np_.maximum(x, c) * x,
                lambda x: np_.clip(x, -0.5, 0.7),
                lambda x: self.j.nn.relu(x) - c,
                lambda x: x + np_.floor(x),
            ]
        )

    def _mixing(self, depth: int) -> Function:
        np_ = self.j.numpy
        return self.random.choice(
            [
                lambda x: x - x.mean(),
                lambda x: x / (1 + (x * x).sum()),
                lambda x: np_.cumsum(x) * 0.5,
                lambda x: np_.cumprod(x),
                lambda x: self.j.nn.softmax(x),
                lambda x: x * np_.max(x),
                lambda x: x + self.j.nn.logsumexp(x),
                lambda x: np_.outer(x, x).sum(0),
                lambda x: x * np_.prod(1 + x * x),
                lambda x: (x - x.mean()) / np_.sqrt(x.var() + 0.1),
            ]
        )

    def _indexing(self, depth: int) -> Function:
        np_, lax, i = self.j.numpy, self.j.lax, self.random.randrange(SIZE)
        return self.random.choice(
            [
                lambda x: x[::-1] * x[i],
                lambda x: x.at[i].add(0.5 * x[0]),
                lambda x: x.at[i].set(x.sum()),
                lambda x: x.at[np_.array([0, 0, i])].multiply(x),
                lambda x: np_.roll(x, i),
                lambda x: x[np_.array([2, i, i])],
                lambda x: np_.concatenate([x[1:], x[:1] * 2]),
                lambda x: lax.dynamic_update_slice(x, x[:2] * 3, (i,)),
                lambda x: lax.dynamic_slice(np_.pad(x, 2), (np_.argmax(x),), (SIZE,)),
                lambda x: np_.stack([x[0], x[1] * x[2], x[i]]),
                lambda x: np_.take(x, np_.argsort(x)),
            ]
        )

    def _matrix(self, depth: int) -> Function:
        np_ = self.j.numpy
        return self.random.choice(
            [
                lambda x: MATRIX @ x,
                lambda x: np_.einsum("ij,j,i->i", MATRIX, x, x),
                lambda x: np_.linalg.solve(np_.eye(SIZE) * 2 + np_.outer(x, x), x),
                lambda x: np_.dot(x, np_.outer(x, x) * 0.3),
            ]
        )

    def _sorted(self, depth: int) -> Function:
        np_, lax = self.j.numpy, self.j.lax
        return self.random.choice(
            [
                np_.sort,
                lambda x: lax.top_k(x, SIZE)[0],
                lambda x: np_.sort(x)[::-1] * x,
                lambda x: lax.cummax(x) + x,
                lambda x: np_.median(x) * x,
            ]
        )

    def _integers(self, depth: int) -> Function:
        np_ = self.j.numpy
        return self.random.choice(
            [
                lambda x: x * np_.arange(SIZE),
                lambda x: x + (x > 0).sum(),
                lambda x: x * x.astype(int),
                lambda x: np_.where(np_.arange(SIZE) == np_.argmin(x), x * 2, x),
            ]
        )

    # -------------------------------------------------------------------------------------------- layers of layers

    def _chain(self, depth: int) -> Function:
        first, second = self.layer(depth), self.layer(depth)
        return lambda x: second(first(x))

    def _scanned(self, depth: int) -> Function:
        """Over the elements."""
        inner, lax = self.layer(depth), self.j.lax
        reverse = self.random.random() < 0.5

        def run(x: Any) -> Any:
            def step(carry: Any, v: Any) -> Any:
                carry = inner(carry * 0.5 + v)
                return carry, carry.sum()

            last, sums = lax.scan(step, x, x, reverse=reverse)
            return last + sums * 0.1

        return run

    def _steps(self, depth: int) -> Function:
        """So many times."""
        inner, lax, n = self.layer(depth), self.j.lax, self.random.randrange(4)
        return lambda x: lax.fori_loop(0, n, lambda i, v: inner(v) * 0.9 + i, x)

    def _turns(self, depth: int) -> Function:
        """As long as data say."""
        inner, lax = self.layer(depth), self.j.lax

        def run(x: Any) -> Any:
            def going(state: Any) -> Any:
                return (state[0] < 3) & (abs(state[1]).sum() < 20)

            return lax.while_loop(going, lambda s: (s[0] + 1, inner(s[1]) + 0.1), (0, x))[1]

        return run

    def _branch(self, depth: int) -> Function:
        first, second, lax = self.layer(depth), self.layer(depth), self.j.lax
        c = self.random.uniform(-0.5, 0.5)
        return lambda x: lax.cond(x.sum() > c, first, second, x)

    def _choice(self, depth: int) -> Function:
        branches, lax = [self.layer(depth - 1) for _ in range(3)], self.j.lax
        return lambda x: lax.switch((x > 0).sum() - 1, branches, x)

    def _jitted(self, depth: int) -> Function:
        jitted: Function = self.j.jit(self.layer(depth))
        return jitted

    def _checkpointed(self, depth: int) -> Function:
        checkpointed: Function = self.j.checkpoint(self.layer(depth))
        return checkpointed

    def _mapped(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j
        if self.random.random() < 0.5:
            return lambda x: j.vmap(lambda a: inner(a * x))(x).mean(0)
        return lambda x: j.vmap(inner, in_axes=1, out_axes=1)(j.numpy.outer(x, x) * 0.5)[0]

    def _custom_tangent(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j
        custom = j.custom_jvp(inner)
        custom.defjvp(lambda primals, tangents: (custom(*primals), tangents[0] * 3 * primals[0]))
        result: Function = custom
        return result

    def _custom_cotangent(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j
        custom = j.custom_vjp(inner)
        custom.defvjp(lambda x: (inner(x), (x, 2.0)), lambda kept, ct: (ct * kept[0] * kept[1],))
        result: Function = custom
        return result

    def _gradient(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j
        gradient: Function = j.grad(lambda x: (inner(x) * DIRECTION).sum())
        return gradient

    def _tangent(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j
        return lambda x: sum(j.jvp(inner, (x,), (x * DIRECTION,)))

    def _linear(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j

        def run(x: Any) -> Any:
            out, push = j.linearize(inner, x)
            return out * 0.5 + push(DIRECTION * x)

        return run

    def _pulled(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j

        def run(x: Any) -> Any:
            out, pull = j.vjp(inner, x)
            return out + pull(x * 0.5)[0]

        return run

    def _stopped(self, depth: int) -> Function:
        inner, lax = self.layer(depth), self.j.lax
        return lambda x: inner(x) * lax.stop_gradient(inner(x)) + x

    def _searched(self, depth: int) -> Function:
        """A loop over pairs, with a predicate for each example."""
        inner, j = self.layer(depth), self.j

        def one(a: Any, v: Any) -> Any:
            return j.lax.cond(a > 0, lambda u: inner(u), lambda u: u * 2, v)

        return lambda x: j.vmap(one, in_axes=(0, None))(x, x).sum(0)

    def _mapped_scan(self, depth: int) -> Function:
        inner, j = self.layer(depth), self.j

        def one(v: Any) -> Any:
            return j.lax.scan(lambda c, t: (inner(c) + t, c[0]), v, j.numpy.arange(2.0))[0]

        return lambda x: j.vmap(one)(j.numpy.stack([x, 2 * x]))[1] * 0.5

    def _accumulated(self, depth: int) -> Function:
        j = self.j
        return lambda x: j.lax.associative_scan(lambda a, b: a * 0.5 + b, x)

    # -------------------------------------------------------------------------------------------- transforms

    def transformed(self, function: Function) -> Callable[[], Any]:
        """The results of one or two transforms of the function, at a point."""
        j = self.j

        def total(x: Any) -> Any:
            return (function(x) * DIRECTION).sum()

        batch = np.stack([POINT, -POINT, POINT * 0.5])
        choices: dict[str, Callable[[], Any]] = {
            "value": lambda: function(POINT),
            "jit": lambda: j.jit(function)(POINT),
            "grad": lambda: j.grad(total)(POINT),
            "jit grad": lambda: j.jit(j.value_and_grad(total))(POINT),
            "jvp": lambda: j.jvp(function, (POINT,), (DIRECTION,)),
            "vjp": lambda: j.vjp(function, POINT)[1](DIRECTION),
            "linearize": lambda: j.linearize(function, POINT)[1](DIRECTION),
            "vmap": lambda: j.vmap(function)(batch),
            "vmap, axes": lambda: j.vmap(function, in_axes=1, out_axes=1)(batch.T),
            "vmap grad": lambda: j.vmap(j.grad(total))(batch),
            "grad vmap": lambda: j.grad(lambda b: j.vmap(total)(b).sum())(batch),
            "jacfwd": lambda: j.jacfwd(function)(POINT),
            "jacrev": lambda: j.jacrev(function)(POINT),
            "hessian": lambda: j.hessian(total)(POINT),
            "jit vmap jvp": lambda: j.jit(j.vmap(lambda x: j.jvp(function, (x,), (DIRECTION,))))(batch),
            "grad of grad": lambda: j.grad(lambda x: (j.grad(total)(x) * DIRECTION).sum())(POINT),
            "checkpoint": lambda: j.grad(j.checkpoint(total))(POINT),
            "shape": lambda: j.eval_shape(j.grad(total), POINT).shape,
        }
        drawn = self.random.choice(list(choices))
        self.said.append(drawn)
        return choices[drawn]


def composed(library: Any, seed: int) -> tuple[str, Callable[[], Any]]:
    """What a seed composes, in words, and what computes it."""
    composer = Composer(library, seed)
    call = composer.transformed(composer.layer(composer.random.randrange(1, 4)))
    return " ".join(composer.said), call


def outcome(library: Any, seed: int) -> list[np.ndarray[Any, Any]] | str:
    """The arrays that come of a composition, or the class of the error."""
    try:
        return [np.asarray(leaf) for leaf in library.tree_util.tree_leaves(composed(library, seed)[1]())]
    except Exception as error:
        return type(error).__name__


def difference(mine: Any, theirs: Any) -> str:
    """What differs; nothing where all agrees to single precision."""
    if isinstance(mine, str) or isinstance(theirs, str):
        same = isinstance(mine, str) and isinstance(theirs, str) and mine == theirs
        return "" if same else f"{mine}, JAX: {theirs}"
    if [(x.shape, x.dtype) for x in mine] != [(x.shape, x.dtype) for x in theirs]:
        return f"{[(x.shape, x.dtype) for x in mine]}, JAX: {[(x.shape, x.dtype) for x in theirs]}"
    for x, y in zip(mine, theirs):
        scale = max(1.0, float(np.abs(np.nan_to_num(y, posinf=1, neginf=1)).max(initial=0)))
        if not np.allclose(x, y, rtol=2e-3, atol=2e-4 * scale, equal_nan=True):
            return f"{x}, JAX: {y}"
    return ""
