"""`jax.experimental.random`: random numbers from a generator with a state, as NumPy has them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import numpy as jnp
from .. import random
from ..core import Array
from ..ref import new_ref
from ..tracing.references import Ref
from ..tree_util import register_dataclass

__all__ = ["StatefulPRNG", "stateful_rng"]

Size = int | Sequence[int] | None


@register_dataclass
@dataclass(frozen=True)
class StatefulPRNG:
    """A key, and a reference to how many keys have been made of it. Made by `stateful_rng`."""

    _base_key: Array
    _counter: Ref

    def key(self, shape: int | Sequence[int] = ()) -> Array:
        """A new key, or an array of new keys."""
        self._check_single()
        made = random.fold_in(self._base_key, self._counter[...])
        self._counter[...] += 1
        return random.split(made, shape) if shape != () else made

    def random(self, size: Size = None, dtype: Any = float) -> Array:
        """Uniform numbers between 0 and 1."""
        return self.uniform(size=size, dtype=dtype)

    def uniform(self, low: Any = 0, high: Any = 1, size: Size = None, *, dtype: Any = float) -> Array:
        """Uniform numbers between `low` and `high`."""
        shape = _shape(size, low, high)
        return random.uniform(self.key(), shape, dtype=dtype, minval=low, maxval=high)

    def normal(self, loc: Any = 0, scale: Any = 1, size: Size = None, *, dtype: Any = float) -> Array:
        """Normal numbers with mean `loc` and standard deviation `scale`."""
        drawn: Array = loc + random.normal(self.key(), _shape(size, loc, scale), dtype) * scale
        return drawn

    def integers(self, low: Any, high: Any = None, size: Size = None, *, dtype: Any = int) -> Array:
        """Integers from `low`, or 0, up to but without `high`, or `low`."""
        low, high = (0, low) if high is None else (low, high)
        return random.randint(self.key(), _shape(size, low, high), low, high, dtype)

    def split(self, num: int | Sequence[int]) -> StatefulPRNG:
        """Generators with keys of their own, as one."""
        keys = self.key(num)
        return StatefulPRNG(keys, new_ref(jnp.zeros(keys.shape, int)))

    def spawn(self, n_children: int) -> list[StatefulPRNG]:
        """Generators with keys of their own."""
        keys = self.key(n_children)
        return [StatefulPRNG(keys[i], new_ref(0)) for i in range(n_children)]

    def _check_single(self) -> None:
        if self._base_key.shape:
            raise ValueError("cannot operate on split stateful generator")


def stateful_rng(seed: Any = None, *, impl: Any = None) -> StatefulPRNG:
    """A generator. Without `seed` its numbers are others each time."""
    if seed is None:
        import numpy

        seed = int(numpy.random.default_rng().integers(2**31))
    return StatefulPRNG(random.key(seed, impl=impl), new_ref(0))


def _shape(size: Size, *parameters: Any) -> tuple[int, ...]:
    """The shape that is asked for, or that of the parameters."""
    if size is None:
        return jnp.broadcast_shapes(*(jnp.shape(p) for p in parameters))
    return tuple(size) if isinstance(size, Sequence) else (operator.index(size),)
