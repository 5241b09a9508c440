"""Angles of rotations about axes in turn, and the quaternions (x, y, z, w) that they make."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from ... import numpy as jnp
from ...core import Array

__all__ = ["from_euler_angles", "product", "to_euler_angles"]


def product(p: Any, q: Any) -> Array:
    """The quaternion of first `q`, then `p`."""
    px, py, pz, pw = (p[..., i] for i in range(4))
    qx, qy, qz, qw = (q[..., i] for i in range(4))
    return jnp.stack(
        [
            pw * qx + qw * px + py * qz - pz * qy,
            pw * qy + qw * py + pz * qx - px * qz,
            pw * qz + qw * pz + px * qy - py * qx,
            pw * qw - px * qx - py * qy - pz * qz,
        ],
        -1,
    )


def _axes(seq: str) -> tuple[list[int], bool]:
    """The axes by number, and whether they are those of the body. Raises ValueError for other letters."""
    intrinsic = seq.isupper()
    if not (1 <= len(seq) <= 3 and set(seq.lower()) <= set("xyz") and (intrinsic or seq.islower())):
        raise ValueError(f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}")
    if any(a == b for a, b in pairwise(seq)):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return ["xyz".index(letter) for letter in seq.lower()], intrinsic


def from_euler_angles(seq: str, angles: Any, degrees: bool) -> Array:
    """Quaternions of angles about one to three axes."""
    axes, intrinsic = _axes(seq)
    angles = jnp.deg2rad(angles) if degrees else angles
    if angles.shape[-1] != len(axes):
        raise ValueError(f"Expected {len(axes)} angles for the axes {seq}, got {angles.shape[-1]}")
    total = None
    for place, axis in enumerate(axes):
        half = angles[..., place] / 2
        parts = [jnp.zeros_like(half)] * 3 + [jnp.cos(half)]
        parts[axis] = jnp.sin(half)
        turn = jnp.stack(parts, -1)
        total = turn if total is None else product(total, turn) if intrinsic else product(turn, total)
    assert total is not None
    return total


def to_euler_angles(quat: Any, seq: str, degrees: bool) -> Array:
    """Angles about three axes. Where the first and the third are one, the third angle is 0."""
    if len(seq) != 3:
        raise ValueError(f"Expected 3 axes, got {seq}.")
    axes, intrinsic = _axes(seq)
    i, j, k = reversed(axes) if intrinsic else axes
    symmetric = i == k
    k = 3 - i - j if symmetric else k
    sign = (i - j) * (j - k) * (k - i) // 2
    x, y, z, w = quat[..., i], quat[..., j], quat[..., k] * sign, quat[..., 3]
    a, b, c, d = (w, x, y, z) if symmetric else (w - y, x + z, y + w, z - x)
    middle = 2 * jnp.arctan2(jnp.hypot(c, d), jnp.hypot(a, b))
    flat, upside = jnp.abs(middle) <= 1e-7, jnp.abs(middle - math.pi) <= 1e-7
    half_sum, half_difference = jnp.arctan2(b, a), jnp.arctan2(d, c)
    first = half_sum - half_difference
    third = half_sum + half_difference
    # One of them says all where both turn about one axis; it is the first of those that are given.
    one = jnp.where(flat, 2 * half_sum, -2 * half_difference if not intrinsic else 2 * half_difference)
    degenerate = flat | upside
    if intrinsic:
        first, third = jnp.where(degenerate, 0, first), jnp.where(degenerate, one, third)
    else:
        first, third = jnp.where(degenerate, one, first), jnp.where(degenerate, 0, third)
    if not symmetric:
        third, middle = jnp.where(third == 0, 0, third * sign), middle - math.pi / 2
    angles = [third, middle, first] if intrinsic else [first, middle, third]
    out = jnp.stack(angles, -1)
    out = jnp.where(out < -math.pi, out + 2 * math.pi, jnp.where(out > math.pi, out - 2 * math.pi, out))
    return jnp.rad2deg(out) if degrees else out
