"""Neighbouring numbers of bfloat16, which is held in single precision."""

from __future__ import annotations

from typing import Any

from ..core import Array, get_aval
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
