"""Bits of the floats that are held in single precision: neighbouring numbers of bfloat16, codes of 8-bit floats."""

from __future__ import annotations

from typing import Any

from ..core import Array, get_aval
from ..narrow import LAYOUTS, values
from ..primitives.family import broadcast_shapes
from .elementwise import bitcast_convert_type, convert_element_type

_STEP = 1 << 16


def next_bfloat16(x: Any, y: Any) -> Array:
    """The next bfloat16 after x towards y: a step of the upper half of its bits. Raises TypeError if the shapes differ."""
    from .. import numpy as jnp

    broadcast_shapes("nextafter", [get_aval(x).shape, get_aval(y).shape])
    x, y = (convert_element_type(v, jnp.float32) for v in (x, y))
    up = y > x
    step = jnp.where(up == (x > 0), _STEP, -_STEP)
    moved = bitcast_convert_type(bitcast_convert_type(x, jnp.int32) + step, jnp.float32)
    least = bitcast_convert_type(jnp.int32(_STEP), jnp.float32)
    moved = jnp.where(x == 0, jnp.where(up, least, -least), moved)
    moved = jnp.where(x == y, y, moved)
    return convert_element_type(jnp.where(jnp.isnan(x) | jnp.isnan(y), x + y, moved), jnp.bfloat16)


def code_of(x: Array) -> Array:
    """The byte that each element of a small float is in memory."""
    from .. import numpy as jnp

    name = x.aval.dtype.name
    layout = LAYOUTS[name]
    wide, sign = convert_element_type(x, jnp.float32), 1 << (layout.bits - 1)
    positive = jnp.asarray(values(name)[:sign])
    found = jnp.searchsorted(jnp.where(jnp.isnan(positive), jnp.inf, positive), jnp.abs(wide))
    found = jnp.where(jnp.isnan(wide), layout.nan, found)
    negative = jnp.signbit(wide) & ~(jnp.isnan(wide) & layout.unsigned_zero)
    return convert_element_type(jnp.where(negative, found | sign, found), jnp.uint8)
