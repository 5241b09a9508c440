"""``jax.scipy.spatial.transform``: rotations in all their forms, and between rotations."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

QUATERNIONS = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
VECTORS = np.float32([[0.1, 0.2, 0.3], [0, 0, 0], [1e-5, 0, 0], [4, 0, 0]])
ALIKE = (
    "r.as_quat(), r.as_quat(canonical=True), r.as_quat(scalar_first=True), one.as_quat(), r[1:3].quat, r[0].single",
    "r.as_matrix(), r.as_mrp(), r.as_rotvec(), r.as_rotvec(degrees=True), r.magnitude(), r.inv().quat",
    "(r * r[::-1]).quat, (one * r).quat, R.concatenate([r, r]).quat, len(r), r.mean().as_matrix()",
    "r.mean(jnp.arange(6.0)).as_matrix()",
    "r.apply(v[0]), r.apply(v[0], inverse=True), one.apply(v), one.apply(v[1]), r[:4].apply(v)",
    "[r.as_euler(seq) for seq in ('xyz', 'zyx', 'xyx', 'XYZ', 'ZXZ', 'yzx', 'YXY')], one.as_euler('zyx', degrees=True)",
    "[R.from_euler(seq, v).quat for seq in ('xyz', 'zyx', 'xyx', 'XYZ', 'ZXZ')], R.from_euler('y', 0.5).quat",
    "[R.from_euler(s, jnp.array([0.3, a, 0.4])).as_euler(s) for s in ('xyz', 'ZYX') for a in (np.pi / 2, -np.pi / 2)]",
    "R.from_rotvec(v).quat, R.from_rotvec(v).as_rotvec(), R.from_rotvec(v * 30, degrees=True).quat, R.from_mrp(v).quat",
    "R.from_matrix(r.as_matrix()).quat, R.from_matrix(jnp.eye(3, dtype=int)).quat, R.from_quat([0, 0, 0, 2]).quat",
    "R.from_quat(jnp.array([0.0, -1, 0, 0])).as_rotvec(), R.from_quat(jnp.array([0.0, -1, 0, 0])).as_quat(True)",
    "jax.grad(lambda a: R.from_euler('xyz', a).as_matrix()[0, 1])(v[0])",
    "jax.vmap(lambda a: R.from_rotvec(a).as_euler('zyx'))(v), jax.tree.leaves(R.identity())",
    "S.init(jnp.array([0, 1, 2, 3]), r[:4])(jnp.array([0.5, 1, 2.7, 0, 3, -1, 5])).quat, S.init(t, r[:3])(0.25).quat",
    "R.from_euler('xq', v[0, :2])",
    "R.from_euler('xx', v[0, :2])",
    "R.from_euler('xyz', v[0, :2])",
    "one.as_euler('xy')",
    "len(one)",
    "one.mean()",
    "R.random(jax.random.key(0))",
    "S.init(t, r)",
    "S.init(t, one)",
)


def outcome(root: str, expression: str) -> Any:
    """The leaves of what an expression is, or the class of its error."""
    jax = importlib.import_module(root)
    transform = importlib.import_module(f"{root}.scipy.spatial.transform")
    rotation = transform.Rotation
    names = {"jax": jax, "jnp": jax.numpy, "np": np, "R": rotation, "S": transform.Slerp}
    names |= {"v": jax.numpy.asarray(VECTORS), "t": jax.numpy.array([0.0, 1.0, 3.0])}
    names |= {"r": rotation.from_quat(QUATERNIONS), "one": rotation.from_quat(QUATERNIONS[0])}
    try:
        return jax.tree.leaves(eval(expression, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", ALIKE)
def test_rotation(expression: str) -> None:
    mine, theirs = outcome("tracetrap.runtime", expression), outcome("jax", expression)

    if isinstance(theirs, str):
        assert mine == theirs
        return
    assert len(mine) == len(theirs)
    for left, right in zip(mine, theirs):
        np.testing.assert_allclose(left, right, rtol=2e-5, atol=2e-5)
        assert str(np.asarray(left).dtype) == str(np.asarray(right).dtype)


def test_letters_and_numbers_of_angles_are_checked() -> None:
    rotation = importlib.import_module("tracetrap.runtime.scipy.spatial.transform").Rotation
    with pytest.raises(ValueError, match="Expected 2 angles"):
        rotation.from_euler("xy", ours.numpy.ones(3))
