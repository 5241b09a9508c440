"""Bits of the floats that are held in single precision: the codes of 8-bit floats."""

from __future__ import annotations

from ..core import Array
from ..narrow import LAYOUTS, values
from .elementwise import convert_element_type


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
