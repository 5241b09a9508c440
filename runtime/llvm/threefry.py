"""Random keys and bits: Threefry-2x32 (Salmon et al. 2011) on the lanes of vectors.

A key is a 64-bit word, its high half the first word of the key; counters follow JAX's partitionable layout. The
generator is the one of `primitives.threefry`, bit for bit.
"""

from __future__ import annotations

import math
from typing import Any

from ..primitives.lowering import Lowering
from . import elementwise
from .builder import Builder, Value
from .flat import Eqn, Var
from .index import Affine, Index, flatten, zero
from .node import Node
from .pull import LazyRule, Puller
from .types import BOOL, I64, U32, U64, element

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def _rotated(b: Builder, x: Value, by: int) -> Value:
    return b.or_(b.shl(x, by), b.lshr(x, 32 - by))


def _rounds(b: Builder, k0: Value, k1: Value, counter: Value) -> tuple[Value, Value]:
    """Twenty rounds on a counter, of 64 bits or of 32 that are its low word, under the words of a key."""
    x0 = b.like(k0, 0) if counter.elem is U32 else b.convert(b.lshr(counter, 32), U32)
    x1 = b.convert(counter, U32)
    keys = (k0, k1, b.xor(b.xor(k0, k1), b.like(k0, _PARITY)))
    x0, x1 = b.add(x0, keys[0]), b.add(x1, keys[1])
    for group in range(5):
        for rotation in _ROTATIONS[group % 2]:
            x0 = b.add(x0, x1)
            x1 = b.xor(x0, _rotated(b, x1, rotation))
        x0 = b.add(x0, keys[(group + 1) % 3])
        x1 = b.add(b.add(x1, keys[(group + 2) % 3]), b.like(x1, group + 1))
    return x0, x1


def _packed(b: Builder, high: Value, low: Value) -> Value:
    return b.or_(b.shl(b.convert(high, U64), 32), b.convert(low, U64))


def _new_key(b: Builder, k0: Value, k1: Value, counter: Value) -> Value:
    return _packed(b, *_rounds(b, k0, k1, counter))


def _bits(b: Builder, k0: Value, k1: Value, counter: Value, *, bit_width: int) -> Value:
    if b.is_split(U32):
        return b.in_halves(lambda half, *parts: _bits(half, *parts, bit_width=bit_width), k0, k1, counter)
    high, low = _rounds(b, k0, k1, counter)
    if bit_width == 64:
        return _packed(b, high, low)
    return b.convert(b.xor(high, low), element(f"uint{bit_width}"))


def successor(b: Builder, key: Value, counter: int) -> Value:
    """The key that follows from another; for the counter 0 also its bits. A function of its own, since it is long."""
    return b.call(
        f"threefry{counter}", lambda f, k: _new_key(f, *_halves(f, k), f.like(k, counter)), key, shared=True
    )


def _halves(b: Builder, key: Value) -> tuple[Value, Value]:
    return b.convert(b.lshr(key, 32), U32), b.convert(key, U32)


def _gamma(b: Builder, alpha: Value, key: Value, **params: Any) -> Value:
    from .gamma_samples import random_gamma

    return random_gamma(b, alpha, key, **params)


_NEW_KEY, _BITS, _GAMMA = (
    Lowering(lambda: _new_key, 80),
    Lowering(lambda: _bits, 80),
    Lowering(lambda: _gamma, 1500),
)


def _join(b: Builder, high: Value, low: Value) -> Value:
    return _packed(b, high, low)


def _counter(p: Puller, index: Index, shape: tuple[int, ...]) -> Node:
    return p.nodes.index(flatten(index, shape, p.rank), U32 if math.prod(shape) < 1 << 32 else U64)


def _as(p: Puller, node: Node, dtype: str) -> Node:
    return p.nodes.compute(
        "convert_element_type", elementwise.convert, (node,), element(dtype), {"new_dtype": dtype}
    )


def _high(p: Puller, key: Node) -> Node:
    return p.nodes.compute(
        "shift_right_logical", elementwise.shift_right_logical, (key, p.nodes.const(32, U64)), U64
    )


def _words(p: Puller, key: Node) -> tuple[Node, Node]:
    return _as(p, _high(p, key), "uint32"), _as(p, key, "uint32")


def _wrap(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    words = [p.at(eqn.inputs[0], (*index, _constant(p, k)), mask) for k in (0, 1)]
    return p.nodes.compute("join_words", _join, tuple(words), U64)


def _constant(p: Puller, value: int) -> Affine:
    return zero(p.rank).plus(value)


def _unwrap(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    key = p.at(eqn.inputs[0], index[:-1], mask)
    first = p.nodes.compute("eq", elementwise.eq, (p.nodes.index(index[-1]), p.nodes.const(0, I64)), BOOL)
    return _as(p, p.select(first, _high(p, key), key), "uint32")


def _seed(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    seed = p.at(eqn.inputs[0], index, mask)
    return _as(p, seed if seed.elem.bits == 64 else _as(p, seed, "uint32"), "uint64")


def _split(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    rank = len(eqn.inputs[0].shape)
    key = p.at(eqn.inputs[0], index[:rank], mask)
    counter = _counter(p, index[rank:], tuple(eqn.params["shape"]))
    return p.nodes.compute("threefry_key", _NEW_KEY, (*_words(p, key), counter), U64)


def _fold_in(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    keys, messages = eqn.inputs
    key = p.at(keys, index if keys.shape else (), mask)
    message = p.at(messages, index if messages.shape else (), mask)
    counter = _as(p, _as(p, message, "uint32"), "uint64")
    return p.nodes.compute("threefry_key", _NEW_KEY, (*_words(p, key), counter), U64)


def _random_bits(p: Puller, eqn: Eqn, out: Var, index: Index, mask: Node | None) -> Node:
    rank = len(eqn.inputs[0].shape)
    key = p.at(eqn.inputs[0], index[:rank], mask)
    counter = _counter(p, index[rank:], tuple(eqn.params["shape"]))
    width = eqn.params["bit_width"]
    operands = (*_words(p, key), counter)
    return p.nodes.compute("threefry_bits", _BITS, operands, element(out.dtype), {"bit_width": width})


def _random_gamma(p: Puller, eqn: Eqn, _: Var, index: Index, mask: Node | None) -> Node:
    keys, alpha = eqn.inputs
    rank = len(keys.shape)
    key = p.at(keys, index[:rank], mask)
    lane = p.nodes.compute(
        "threefry_key", _NEW_KEY, (*_words(p, key), _counter(p, index[rank:], alpha.shape[rank:])), U64
    )
    shape = p.at(alpha, index, mask)
    return p.nodes.compute("random_gamma", _GAMMA, (shape, lane), shape.elem, eqn.params)


RANDOM: dict[str, LazyRule] = {
    "random_wrap": _wrap,
    "random_unwrap": _unwrap,
    "random_seed": _seed,
    "random_split": _split,
    "random_fold_in": _fold_in,
    "random_bits": _random_bits,
    "random_gamma": _random_gamma,
}
