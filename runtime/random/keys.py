"""Random keys: making, splitting, wrapping."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from ..config import state
from ..core import Array, current_trace
from ..dtypes import KEY, DType, as_dtype
from ..jitting.static import hashable_int
from ..lax import types
from ..lax.elementwise import convert_to, operand
from ..numpy.promotion import asarray, canonical_shape, concrete
from ..primitives import random as primitives
from ..tracing.staging import JaxprTrace
from . import rbg


@dataclass(frozen=True, repr=False)
class PRNGImpl:
    """A generator: ``key_impl`` gives it, and it prints as JAX's specification does."""

    name: str
    tag: str
    key_shape: tuple[int, ...]

    @property
    def dtype(self) -> DType:
        """The type of its keys."""
        return as_dtype(f"key<{self.tag}>")

    def __repr__(self) -> str:
        return repr(self.name)

    def __str__(self) -> str:
        return self.name


_IMPLEMENTATIONS = (
    PRNGImpl("threefry2x32", "fry", (2,)),
    PRNGImpl("rbg", "rbg", (4,)),
    PRNGImpl("unsafe_rbg", "urbg", (4,)),
)
_BY_NAME = {name: impl for impl in _IMPLEMENTATIONS for name in (impl.name, impl.tag)}
_BY_DTYPE = {impl.dtype: impl for impl in _IMPLEMENTATIONS}


def _implementation(spec: Any) -> PRNGImpl:
    """The generator that a name, a type of keys or a specification stands for; None: the default. Raises ValueError."""
    if spec is None:
        return _BY_NAME[state.values["jax_default_prng_impl"]]
    if isinstance(spec, PRNGImpl):
        return spec
    if isinstance(spec, str):
        if spec in _BY_NAME:
            return _BY_NAME[spec]
        listed = ", ".join(f'"{impl.name}"' for impl in _IMPLEMENTATIONS)
        raise ValueError(f'unrecognized PRNG implementation "{spec}". Did you mean one of: {listed}?')
    if isinstance(spec, DType) and spec in _BY_DTYPE:
        return _BY_DTYPE[spec]
    raise TypeError(f"unrecognized type {type(spec)} for specifying PRNG implementation.")


def implementation_of(key: Array) -> PRNGImpl:
    """The generator of a typed key."""
    return _BY_DTYPE[key.dtype]


def _seeded(seed: Any, spec: Any) -> Array:
    impl = _implementation(spec)
    if isinstance(seed, Array) and seed.dtype.kind == "k":
        raise TypeError("PRNG key seed must be an integer; got a key array")
    if isinstance(seed, int):
        # Integers that a C long holds are taken modulo the width of the default integer.
        if not -(1 << 63) <= seed < 1 << 63:
            raise OverflowError("Python int too large to convert to C long")
        bits = types.int_default().itemsize * 8
        wrapped = seed & ((1 << bits) - 1)
        seed = operand(wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped)
    else:
        seed = asarray(seed)
    found = primitives.random_seed_p.bind(seed, impl="fry")
    return found if impl.tag == "fry" else rbg.doubled(found, impl.tag)


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Array:
    """A typed key from an integer."""
    if types.shape(seed) != ():
        raise TypeError(
            f"key accepts a scalar seed, but was given an array of shape {types.shape(seed)} != (). Use jax.vmap for batching"
        )
    return _seeded(seed, dtype if impl is None else impl)


def PRNGKey(seed: Any, *, impl: Any = None) -> Array:
    """A raw key, two 32-bit words, from an integer."""
    if types.shape(seed) != ():
        raise TypeError(
            f"PRNGKey accepts a scalar seed, but was given an array of shape {types.shape(seed)} != (). Use jax.vmap for batching"
        )
    return primitives.random_unwrap_p.bind(_seeded(seed, impl))


def check_key(name: str, key: Any) -> tuple[Array, bool]:
    """A key, typed, and whether it was typed already. Raises TypeError or ValueError for anything else."""
    if isinstance(key, Array) and key.dtype.kind == "k":
        if key.ndim and name != "":
            raise ValueError(
                f"{name} accepts a single key, but was given a key array of shape {key.shape} != (). Use jax.vmap for batching."
            )
        return key, True
    default = _implementation(None)
    words = default.key_shape
    if hasattr(key, "dtype") and types.shape(key)[-1:] == words and types.dtype(key).name == "uint32":
        wrapped = primitives.random_wrap_p.bind(asarray(key), impl=default.tag)
        if wrapped.ndim and name != "":
            raise ValueError(
                f"{name} accepts a single key, but was given a key array of shape {types.shape(key)} != {words}. Use jax.vmap for batching."
            )
        return wrapped, False
    if hasattr(key, "dtype"):
        if types.dtype(key).name == "uint32":
            raise TypeError(
                f"JAX encountered invalid PRNG key data: expected key_data.shape to end with {words}; got shape {types.shape(key)} for PRNG"
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
    if isinstance(num, Array) and isinstance(current_trace(), JaxprTrace):
        hashable_int("num of random.split", num)
    shape = canonical_shape(num if isinstance(num, (tuple, list)) else (operator.index(concrete(num)),))
    hash(shape)
    if base.dtype is KEY:
        return _as_given(primitives.random_split_p.bind(base, shape=shape), typed)
    return _as_given(rbg.split(base, shape), typed)


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
    if base.dtype is KEY:
        return _as_given(primitives.random_fold_in_p.bind(base, message), typed)
    return _as_given(rbg.fold_in(base, message), typed)


def random_bits(key: Array, bit_width: int, shape: tuple[int, ...]) -> Array:
    """Unsigned integers of so many bits from a typed key."""
    if key.dtype is KEY:
        return primitives.random_bits_p.bind(key, bit_width=bit_width, shape=shape)
    return rbg.bits(key, bit_width, shape)


def key_data(keys: Any) -> Array:
    """The words of a key."""
    base, _ = check_key("", keys)
    return primitives.random_unwrap_p.bind(base)


def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: Any = None) -> Array:
    """A typed key from its words."""
    tag = _implementation(dtype if impl is None else impl).tag
    return primitives.random_wrap_p.bind(asarray(key_bits_array), impl=tag)


def key_impl(keys: Any) -> Any:
    """The generator of a key."""
    check_key("", keys)
    if isinstance(keys, Array) and keys.dtype.kind == "k":
        return implementation_of(keys).name
    return _implementation(None)


def key_dtype(impl_spec: Any = None) -> Any:
    """The element type of keys."""
    return _implementation(impl_spec).dtype


def default_prng_impl() -> PRNGImpl:
    """The generator used unless another is named."""
    return _implementation(None)


def clone(key: Any) -> Array:
    """The same key again, for deliberate reuse."""
    return primitives.random_clone_p.bind(key)
