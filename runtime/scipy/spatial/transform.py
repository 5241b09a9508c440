"""`jax.scipy.spatial.transform`: rotations of space as unit quaternions (x, y, z, w), one or an array of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ... import numpy as jnp
from ...core import Array
from ...numpy.promotion import asarray
from .euler import from_euler_angles, product, to_euler_angles

__all__ = ["Rotation", "Slerp"]


class Rotation(NamedTuple):
    """Rotations: `quat` has the shape ``(4,)`` or ``(n, 4)``."""

    quat: Any

    @classmethod
    def concatenate(cls, rotations: Sequence[Rotation]) -> Rotation:
        """All of them as one array of rotations."""
        return cls(jnp.concatenate([rotation.quat for rotation in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles: Any, degrees: bool = False) -> Rotation:
        """About the axes that `seq` names: those of space for small letters, those of the body for capitals."""
        return cls(from_euler_angles(seq, _floats(jnp.atleast_1d(angles)), degrees))

    @classmethod
    def from_matrix(cls, matrix: Any) -> Rotation:
        """From orthogonal matrices with determinant 1."""
        return cls(_unit(_from_matrix(_floats(matrix))))

    @classmethod
    def from_mrp(cls, mrp: Any) -> Rotation:
        """From modified Rodrigues parameters: the axis, as long as the tangent of a quarter of the angle."""
        vectors = _floats(mrp)
        square = jnp.sum(vectors * vectors, -1, keepdims=True)
        return cls(jnp.concatenate([2 * vectors, 1 - square], -1) / (1 + square))

    @classmethod
    def from_quat(cls, quat: Any) -> Rotation:
        """From quaternions of any length but 0."""
        return cls(_unit(_floats(quat)))

    @classmethod
    def from_rotvec(cls, rotvec: Any, degrees: bool = False) -> Rotation:
        """From axes that are as long as the angle."""
        vectors = _floats(rotvec)
        vectors = jnp.deg2rad(vectors) if degrees else vectors
        angle = jnp.linalg.norm(vectors, axis=-1, keepdims=True)
        small = angle <= 1e-3
        square = angle * angle
        series = 0.5 - square / 48 + square * square / 3840
        scale = jnp.where(small, series, jnp.sin(angle / 2) / jnp.where(small, 1, angle))
        return cls(jnp.concatenate([scale * vectors, jnp.cos(angle / 2)], -1))

    @classmethod
    def identity(cls, num: int | None = None, dtype: Any = float) -> Rotation:
        """No rotation. Raises AssertionError for several of these, as JAX does."""
        assert num is None, "Rotation.identity takes no number of rotations, as in JAX"
        return cls(jnp.array([0.0, 0.0, 0.0, 1.0], dtype))

    @classmethod
    def random(cls, random_key: Any, num: int | None = None) -> Rotation:
        """Raises NotImplementedError, as JAX does."""
        raise NotImplementedError("Rotation.random, as in JAX: from_quat takes normal numbers")

    def __getitem__(self, indexer: Any) -> Rotation:
        """Some of the rotations."""
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        if self.single:
            raise TypeError("Single rotation has no len().")
        return int(self.quat.shape[0])

    def __mul__(self, other: Rotation) -> Rotation:  # type: ignore[override]
        """First `other`, then this one."""
        return Rotation(product(self.quat, other.quat))

    def apply(self, vectors: Any, inverse: bool = False) -> Array:
        """The vectors, turned; with `inverse`, back."""
        matrix = self.as_matrix()
        pattern = "...kj,...k->...j" if inverse else "...jk,...k->...j"
        return jnp.einsum(pattern, matrix, asarray(vectors))

    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Angles about three axes, as `from_euler` takes them."""
        return to_euler_angles(self.quat, seq, degrees)

    def as_matrix(self) -> Array:
        x, y, z, w = _parts(self.quat)
        rows = [
            [x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), y * y + w * w - x * x - z * z, 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), z * z + w * w - x * x - y * y],
        ]
        return jnp.stack([jnp.stack(row, -1) for row in rows], -2)

    def as_mrp(self) -> Array:
        """Modified Rodrigues parameters, of the shorter way."""
        sign = jnp.where(self.quat[..., 3:] < 0, -1, 1)
        return sign * self.quat[..., :3] / (1 + sign * self.quat[..., 3:])

    def as_rotvec(self, degrees: bool = False) -> Array:
        """The axes, as long as the angle."""
        quat = jnp.where(self.quat[..., 3:] < 0, -self.quat, self.quat)
        axis, w = quat[..., :3], quat[..., 3:]
        sine = jnp.linalg.norm(axis, axis=-1, keepdims=True)
        angle = 2 * jnp.arctan2(sine, w)
        angle = jnp.rad2deg(angle) if degrees else angle
        small = angle <= 1e-3
        square = angle * angle
        series = 2 + square / 12 + 7 * square * square / 2880
        return jnp.where(small, series, angle / jnp.where(small, 1, jnp.sin(_half(angle, degrees)))) * axis

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """The quaternions; of the two that say the same, with `canonical`, that with a positive w."""
        quat = _canonical(self.quat) if canonical else self.quat
        return jnp.roll(quat, 1, -1) if scalar_first else quat

    def inv(self) -> Rotation:
        """Back again."""
        return Rotation(self.quat * jnp.array([-1, -1, -1, 1], self.quat.dtype))

    def magnitude(self) -> Array:
        """The angles."""
        return 2 * jnp.arctan2(jnp.linalg.norm(self.quat[..., :3], axis=-1), jnp.abs(self.quat[..., 3]))

    def mean(self, weights: Any = None) -> Rotation:
        """The rotation that is nearest to all of them."""
        weight = jnp.ones(len(self), self.quat.dtype) if weights is None else asarray(weights)
        _, vectors = jnp.linalg.eigh(jnp.einsum("i,ij,ik->jk", weight, self.quat, self.quat))
        return Rotation.from_quat(vectors[:, -1])

    @property
    def single(self) -> bool:
        """Whether it is one rotation, and no array of them."""
        return int(self.quat.ndim) == 1


class Slerp(NamedTuple):
    """Rotations between given ones, at constant speed."""

    times: Any
    timedelta: Any
    rotations: Rotation
    rotvecs: Any

    @classmethod
    def init(cls, times: Any, rotations: Rotation) -> Slerp:
        """From rotations at ascending times. Raises ValueError where they do not fit."""
        if not isinstance(rotations, Rotation):
            raise TypeError("`rotations` must be a `Rotation` instance.")
        if rotations.single or len(rotations) == 1:
            raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
        at = _floats(times)
        if at.ndim != 1:
            raise ValueError(
                f"Expected times to be specified in a 1 dimensional array, got {at.ndim} dimensions."
            )
        if at.shape[0] != len(rotations):
            raise ValueError(
                f"Expected number of rotations to be equal to number of timestamps given, got {len(rotations)} rotations "
                f"and {at.shape[0]} timestamps."
            )
        first, second = Rotation(rotations.quat[:-1]), Rotation(rotations.quat[1:])
        return cls(at, jnp.diff(at), first, (first.inv() * second).as_rotvec())

    def __call__(self, times: Any) -> Rotation:
        """The rotations at other times, within the given ones."""
        at = _floats(times)
        if at.ndim > 1:
            raise ValueError("`times` must be at most 1-dimensional.")
        place = jnp.maximum(jnp.searchsorted(self.times, jnp.atleast_1d(at)) - 1, 0)
        part = (jnp.atleast_1d(at) - self.times[place]) / self.timedelta[place]
        between = Rotation.from_rotvec(part[:, None] * self.rotvecs[place])
        quat = product(self.rotations.quat[place], between.quat)
        return Rotation(quat[0] if at.ndim == 0 else quat)


def _floats(x: Any) -> Any:
    value = asarray(x)
    return value.astype(value.dtype if value.dtype.kind == "f" else float)


def _parts(quat: Any) -> tuple[Any, Any, Any, Any]:
    return quat[..., 0], quat[..., 1], quat[..., 2], quat[..., 3]


def _unit(quat: Any) -> Any:
    return quat / jnp.linalg.norm(quat, axis=-1, keepdims=True)


def _half(angle: Any, degrees: bool) -> Any:
    return jnp.deg2rad(angle) / 2 if degrees else angle / 2


def _canonical(quat: Any) -> Any:
    """Of the two quaternions of a rotation that whose last part that is not 0 is positive."""
    x, y, z, w = _parts(quat)
    sign = jnp.sign(w)
    for part in (x, y, z):
        sign = jnp.where(sign == 0, jnp.sign(part), sign)
    return quat * jnp.where(sign == 0, 1, sign)[..., None].astype(quat.dtype)


def _from_matrix(matrix: Any) -> Any:
    """The quaternion from the largest of the diagonal and the trace, which loses the fewest digits."""
    diagonal = [matrix[..., i, i] for i in range(3)]
    trace = diagonal[0] + diagonal[1] + diagonal[2]
    choices = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        parts: list[Any] = [None] * 4
        parts[i] = 1 - trace + 2 * diagonal[i]
        parts[j] = matrix[..., j, i] + matrix[..., i, j]
        parts[k] = matrix[..., k, i] + matrix[..., i, k]
        parts[3] = matrix[..., k, j] - matrix[..., j, k]
        choices.append(jnp.stack(parts, -1))
    turned = [matrix[..., (i + 2) % 3, (i + 1) % 3] - matrix[..., (i + 1) % 3, (i + 2) % 3] for i in range(3)]
    choices.append(jnp.stack([*turned, 1 + trace], -1))
    best = jnp.argmax(jnp.stack([*diagonal, trace], -1), -1)
    out = choices[3]
    for i in range(3):
        out = jnp.where((best == i)[..., None], choices[i], out)
    return out
