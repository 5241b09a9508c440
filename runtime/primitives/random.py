"""Random keys and bits: JAX's typed keys over Threefry, and what other generators are made of.

A key is one element of type ``key<fry>``, held as a 64-bit word (its high half the first key word), so arrays of keys
are sliced, reshaped, stacked and scanned like any others. Keys of four words are held as 16 bytes without a meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, shaped_array
from ..dtypes import KEY, UINT32, as_dtype, canonical
from .apply import concatenate, div, exp, mul, random_gamma_grad, slice_
from .family import Kernel
from .linear import Zero, zero_of
from .shape import batch_to_front, reshape

Shape: TypeAlias = tuple[int, ...]


def _no_tangent(primitive: Primitive) -> Callable[..., Any]:
    def jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        out = primitive.bind(*primals, **params)
        return out, zero_of(out)

    return jvp


def _check_key(name: str, aval: ShapedArray) -> None:
    if aval.dtype is not KEY:
        raise TypeError(f"{name} requires key array input, got dtype={aval.dtype}")


def _primitive(name: str, abstract_eval: Callable[..., ShapedArray], batch: Callable[..., Any]) -> Primitive:
    primitive = Primitive(name)
    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(f"random_kernels:{name.removeprefix('random_')}")
    primitive.jvp = _no_tangent(primitive)
    primitive.batch = batch
    return primitive


def _front(primitive_of: Callable[[], Primitive]) -> Callable[..., Any]:
    """Batch a primitive whose result has the shape of its operand in front."""

    def batch(
        size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any
    ) -> tuple[Value, int]:
        moved = [batch_to_front(x, d, size) for x, d in zip(args, dims)]
        return primitive_of().bind(*moved, **params), 0

    return batch


def _seed_abstract(seeds: ShapedArray, *, impl: Any) -> ShapedArray:
    return shaped_array(seeds.shape, KEY)


def _seed_refuse(seeds: ShapedArray, *, impl: Any) -> None:
    if seeds.dtype.kind not in "iu":
        raise TypeError(f"PRNG key seed must be an integer; got JitTracer({seeds})")


def _wrap_abstract(bits: ShapedArray, *, impl: Any) -> ShapedArray:
    if bits.dtype is not UINT32:
        raise TypeError(f"random_wrap requires uint32 input, got dtype={bits.dtype}")
    dtype = as_dtype(f"key<{impl}>")
    words = dtype.itemsize // 4
    if bits.ndim < 1 or bits.shape[-1] != words:
        raise TypeError(f"random_wrap requires arrays with a trailing dimension of {words}, got {bits.shape}")
    return shaped_array(bits.shape[:-1], dtype)


def _unwrap_abstract(keys: ShapedArray) -> ShapedArray:
    if keys.dtype.kind != "k":
        raise TypeError(f"random_unwrap requires key array input, got dtype={keys.dtype}")
    return shaped_array((*keys.shape, keys.dtype.itemsize // 4), UINT32)


def _split_abstract(keys: ShapedArray, *, shape: Shape) -> ShapedArray:
    _check_key("random_split", keys)
    return shaped_array((*keys.shape, *shape), KEY)


def _fold_abstract(keys: ShapedArray, messages: ShapedArray) -> ShapedArray:
    _check_key("random_fold_in", keys)
    shape = keys.shape or messages.shape
    return shaped_array(shape, KEY)


def _bits_abstract(keys: ShapedArray, *, bit_width: int, shape: Shape) -> ShapedArray:
    _check_key("random_bits", keys)
    return shaped_array((*keys.shape, *shape), canonical(as_dtype(f"uint{bit_width}")))


random_seed_p: Primitive = _primitive("random_seed", _seed_abstract, _front(lambda: random_seed_p))
random_wrap_p: Primitive = _primitive("random_wrap", _wrap_abstract, _front(lambda: random_wrap_p))
random_unwrap_p: Primitive = _primitive("random_unwrap", _unwrap_abstract, _front(lambda: random_unwrap_p))
random_split_p: Primitive = _primitive("random_split", _split_abstract, _front(lambda: random_split_p))
random_fold_in_p: Primitive = _primitive("random_fold_in", _fold_abstract, _front(lambda: random_fold_in_p))
random_bits_p: Primitive = _primitive("random_bits", _bits_abstract, _front(lambda: random_bits_p))
random_clone_p: Primitive = _primitive("random_clone", lambda keys: keys, _front(lambda: random_clone_p))

random_seed_p.refuse = _seed_refuse
random_seed_p.examples = [((7,), {"impl": "fry"}), (([1, 2, 3],), {"impl": "fry"})]

for _keyed in (random_seed_p, random_wrap_p):
    _keyed.pretty = lambda eqn: {"impl": eqn.params["impl"]}


# ------------------------------------------------------------------------------------------------ bits from a state

rng_bit_generator_p = Primitive("rng_bit_generator", multiple_results=True)


def _generator_abstract(state: ShapedArray, *, shape: Shape, dtype: Any, algorithm: Any) -> list[ShapedArray]:
    if state.shape != (4,) or state.dtype is not UINT32:
        raise TypeError(f"rng_bit_generator requires a uint32 key of shape (4,), got {state}")
    return [state, shaped_array(shape, canonical(as_dtype(dtype)))]


def _generator_batch(
    size: int, args: Sequence[Value], dims: Sequence[int], *, shape: Shape, **params: Any
) -> tuple[list[Value], list[int]]:
    """As in JAX, all bits are drawn from the first state, which alone moves on."""
    states = batch_to_front(args[0], dims[0], size)
    first = slice_(states, start_indices=(0, 0), limit_indices=(1, 4), strides=None)
    rest = slice_(states, start_indices=(1, 0), limit_indices=(size, 4), strides=None)
    moved, bits = rng_bit_generator_p.bind(reshape(first, (4,)), shape=(size, *shape), **params)
    return [concatenate(reshape(moved, (1, 4)), rest, dimension=0), bits], [0, 0]


rng_bit_generator_p.abstract_eval = _generator_abstract
rng_bit_generator_p.impl = Kernel("philox:generate")
rng_bit_generator_p.batch = _generator_batch
rng_bit_generator_p.jvp = lambda primals, tangents, **params: (
    (outs := rng_bit_generator_p.bind(*primals, **params)),
    [zero_of(out) for out in outs],
)


# ------------------------------------------------------------------------------------------------ gamma samples

random_gamma_p = Primitive("random_gamma")


def _gamma_abstract(key: ShapedArray, alpha: ShapedArray, *, log_space: bool) -> ShapedArray:
    _check_key("random_gamma", key)
    return shaped_array(alpha.shape, alpha.dtype)


def _gamma_jvp(primals: Sequence[Value], tangents: Sequence[Any], *, log_space: bool) -> tuple[Value, Any]:
    """Implicit reparameterisation: differentiate the distribution function at the sample."""
    key, alpha = primals
    out = random_gamma_p.bind(key, alpha, log_space=log_space)
    if type(tangents[1]) is Zero:
        return out, zero_of(out)
    if not log_space:
        return out, mul(tangents[1], random_gamma_grad(alpha, out))
    sample = exp(out)
    return out, mul(tangents[1], div(random_gamma_grad(alpha, sample), sample))


def _gamma_batch(
    size: int, args: Sequence[Value], dims: Sequence[int | None], *, log_space: bool
) -> tuple[Value, int]:
    key, alpha = (batch_to_front(x, d, size) for x, d in zip(args, dims))
    return random_gamma_p.bind(key, alpha, log_space=log_space), 0


random_gamma_p.abstract_eval = _gamma_abstract
random_gamma_p.impl = Kernel("random_kernels:gamma")
random_gamma_p.jvp = _gamma_jvp
random_gamma_p.batch = _gamma_batch
