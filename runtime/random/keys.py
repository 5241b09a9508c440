"""Random keys: making, splitting, wrapping."""

from __future__ import annotations

import operator
from typing import Any

from ..core import Array, context
from ..dtypes import KEY
from ..jitting.static import hashable_int
from ..lax import types
from ..lax.elementwise import convert_to, operand
from ..numpy.promotion import asarray, canonical_shape, concrete
from ..primitives import random as primitives
from ..tracing.staging import JaxprTrace


class PRNGImpl:
    """The one generator there is: ``key_impl`` gives it, and it prints as JAX's specification does."""

    name, tag = "threefry2x32", "fry"
    key_shape = (2,)

    def __repr__(self) -> str:
        return repr(self.name)

    def __str__(self) -> str:
        return self.name


_IMPLEMENTATIONS = (None, "threefry2x32", "fry")
_OTHERS = ("philox2x32", "philox4x32", "rbg", "unsafe_rbg", "threefry4x32")
_THREEFRY = PRNGImpl()


def _check_impl(impl: Any) -> None:
    if isinstance(impl, str) and impl not in (*_IMPLEMENTATIONS, *_OTHERS):
        listed = ", ".join(f'"{name}"' for name in ("threefry2x32", *_OTHERS))
        raise ValueError(f'unrecognized PRNG implementation "{impl}". Did you mean one of: {listed}?')
    if impl not in _IMPLEMENTATIONS and not isinstance(impl, PRNGImpl):
        raise ValueError(f"key implementation {impl!r} is not available; the one available is 'threefry2x32'")


def _seeded(seed: Any, impl: Any) -> Array:
    _check_impl(impl)
    if isinstance(seed, Array) and seed.dtype is KEY:
        raise TypeError("PRNG key seed must be an integer; got a key array")
    if isinstance(seed, int):
        # Integers of any size are taken modulo the width of the default integer.
        bits = types.int_default().itemsize * 8
        wrapped = seed & ((1 << bits) - 1)
        seed = wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped
        return primitives.random_seed_p.bind(operand(seed), impl="fry")
    return primitives.random_seed_p.bind(asarray(seed), impl="fry")


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Array:
    """A typed key from an integer."""
    if types.shape(seed) != ():
        raise TypeError(
            f"key accepts a scalar seed, but was given an array of shape {types.shape(seed)} != (). Use jax.vmap for batching"
        )
    return _seeded(seed, impl)


def PRNGKey(seed: Any, *, impl: Any = None) -> Array:
    """A raw key, two 32-bit words, from an integer."""
    if types.shape(seed) != ():
        raise TypeError(
            f"PRNGKey accepts a scalar seed, but was given an array of shape {types.shape(seed)} != (). Use jax.vmap for batching"
        )
    return primitives.random_unwrap_p.bind(_seeded(seed, impl))


def check_key(name: str, key: Any) -> tuple[Array, bool]:
    """A key, typed, and whether it was typed already. Raises TypeError or ValueError for anything else."""
    if isinstance(key, Array) and key.dtype is KEY:
        if key.ndim and name != "":
            raise ValueError(
                f"{name} accepts a single key, but was given a key array of shape {key.shape} != (). Use jax.vmap for batching."
            )
        return key, True
    if hasattr(key, "dtype") and types.shape(key)[-1:] == (2,) and types.dtype(key).name == "uint32":
        wrapped = primitives.random_wrap_p.bind(asarray(key), impl="fry")
        if wrapped.ndim and name != "":
            raise ValueError(
                f"{name} accepts a single key, but was given a key array of shape {types.shape(key)} != (2,). Use jax.vmap for batching."
            )
        return wrapped, False
    if hasattr(key, "dtype"):
        if types.dtype(key).name == "uint32":
            raise TypeError(
                f"JAX encountered invalid PRNG key data: expected key_data.shape to end with (2,); got shape {types.shape(key)} for PRNG"
            )
        raise TypeError(
            f"JAX encountered invalid PRNG key data: expected key_data.dtype = uint32; got dtype={types.dtype(key)}"
        )
    raise TypeError(
        "JAX encountered invalid PRNG key data: expected key_data to have ndim, shape, and dtype attributes. "
        f"Got {key}"
    )


def _as_given(keys: Array, typed: bool) -> Array:
    return keys if typed else primitives.random_unwrap_p.bind(keys)


def split(key: Any, num: Any = 2) -> Array:
    """New keys from one."""
    base, typed = check_key("split", key)
    if isinstance(num, Array) and isinstance(context.trace, JaxprTrace):
        hashable_int("num of random.split", num)
    shape = canonical_shape(num if isinstance(num, (tuple, list)) else (operator.index(concrete(num)),))
    hash(shape)
    return _as_given(primitives.random_split_p.bind(base, shape=shape), typed)


def fold_in(key: Any, data: Any) -> Array:
    """A new key from a key and an integer."""
    base, typed = check_key("fold_in", key)
    if isinstance(data, str):
        data = int(data)
    if isinstance(data, int) and not 0 <= data < 1 << 32:
        raise OverflowError(f"Python integer {data} out of bounds for uint32")
    if types.shape(data) != ():
        raise TypeError(
            f"fold_in accepts a scalar, but was given an array of shape {types.shape(data)} != (). Use jax.vmap for batching."
        )
    message = (
        convert_to(operand(data), types.uint32, False)
        if isinstance(data, Array)
        else asarray(data, types.uint32)
    )
    return _as_given(primitives.random_fold_in_p.bind(base, message), typed)


def key_data(keys: Any) -> Array:
    """The words of a key."""
    base, _ = check_key("", keys)
    return primitives.random_unwrap_p.bind(base)


def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: Any = None) -> Array:
    """A typed key from its words."""
    _check_impl(impl)
    return primitives.random_wrap_p.bind(asarray(key_bits_array), impl="fry")


def key_impl(keys: Any) -> Any:
    """The generator of a key."""
    check_key("", keys)
    return _THREEFRY.name if isinstance(keys, Array) and keys.dtype is KEY else _THREEFRY


def key_dtype(impl_spec: Any = None) -> Any:
    """The element type of keys."""
    _check_impl(impl_spec)
    return KEY


def default_prng_impl() -> PRNGImpl:
    """The generator used unless another is named."""
    return _THREEFRY


def clone(key: Any) -> Array:
    """The same key again, for deliberate reuse."""
    return primitives.random_clone_p.bind(key)
