"""Sparse arrays: the values of JAX, on their own, under transforms and where elements fill up, and its refusals."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from tracetrap import runtime

jax = pytest.importorskip("jax")
sparse_of_jax = pytest.importorskip("jax.experimental.sparse")

EXPRESSIONS = (
    "A", "A.T", "A.data", "A.indices", "A.todense()", "A @ x", "x @ A.T", "A @ D", "D.T @ A.T", "A @ A.T", "A.sum()", "A.sum(0)",
    "A.sum((0, 1))", "A * x", "x * A", "A * M", "A * A", "A / 2", "2 * A", "-A", "abs(-A)", "A ** 2", "A + A.T.T", "A - B", "A + M",
    "A[1]", "A[0, 1]", "A[:, 1]", "A[1:3]", "A[-1, ..., 1:]", "A.reshape(2, 6)", "A.reshape(-1)", "A.astype(int)", "len(A)",
    "B", "B.indices", "B.todense()", "B @ x", "B.sum(1)", "B.sum_duplicates()", "B.sum_duplicates(nse=3).indices", "B.sort_indices().indices",
    "sparse.BCOO.fromdense(M, nse=6).indices", "sparse.BCOO.fromdense(M, nse=2)", "sparse.eye(3, 4, k=1)", "sparse.empty((2, 3))",
    "sparse.random_bcoo(key, (4, 4), nse=0.25)", "sparse.random_bcoo(key, (4, 4), nse=3).indices", "sparse.BCSR.fromdense(M)",
    "sparse.BCSR.fromdense(M).indptr", "sparse.BCSR.fromdense(M) @ x", "sparse.BCSR.from_bcoo(A).to_bcoo()",
    "sparse.bcoo_dot_general(A, M, dimension_numbers=(((0,), (0,)), ((), ())))",
    "sparse.bcoo_dot_general(M, A, dimension_numbers=(((0,), (0,)), ((), ())))",
    "sparse.bcoo_dot_general(A, M, dimension_numbers=(((0, 1), (0, 1)), ((), ())))", "sparse.bcoo_concatenate([A, B], dimension=0)",
    "sparse.bcoo_slice(A, start_indices=(0, 0), limit_indices=(2, 2))", "sparse.bcoo_extract(A, M * 2)",
    "jax.jit(lambda A, x: A @ x)(A, x)", "jax.jit(lambda M: sparse.BCOO.fromdense(M, nse=4))(M)", "jax.vmap(lambda v: A @ v)(D.T)",
    "jax.grad(lambda x: ((A @ x) ** 2).sum())(x)", "jax.grad(lambda d: (sparse.BCOO((d, A.indices), shape=A.shape) @ x).sum())(A.data)",
    "sparse.grad(lambda A: ((A @ x) ** 2).sum())(A)", "sparse.value_and_grad(lambda A, x: (A @ x).sum(), argnums=(0, 1))(A, x)",
    "jax.lax.scan(lambda c, _: (A.T @ (A @ c), None), x, None, length=2)[0]", "jax.tree.map(lambda v: v * 2, A)",
    "jax.eval_shape(lambda A: A @ x, A)", "jax.jvp(lambda x: A @ x, (x,), (x + 1,))",
    "A + 1", "2 / A", "A @ jnp.ones(3)", "A == A", "jax.jit(sparse.BCOO.fromdense)(M)", "jnp.sum(A)", "jax.grad(lambda A: A.sum())(A)",
    "A.reshape(5)", "A[0, 0, 0]", "A + sparse.eye(3)",
    "sparse.COO.fromdense(M)", "sparse.COO.fromdense(M) @ x", "sparse.COO.fromdense(M) @ D", "sparse.COO.fromdense(M).T @ M", "sparse.COO.fromdense(M, nse=6)", "sparse.COO.fromdense(M).tree_flatten()", "sparse.COO.fromdense(M) @ D.T",
    "jax.jit(lambda C: C @ x)(sparse.COO.fromdense(M))", "jax.grad(lambda x: (sparse.COO.fromdense(M) @ x).sum())(x)", "x @ sparse.COO.fromdense(M)", "sparse.COO.fromdense(M) * 2", "sparse.COO.fromdense(x)",
    "sparse.CSR.fromdense(M)", "sparse.CSR.fromdense(M) @ x", "sparse.CSR.fromdense(M) @ D", "sparse.CSR.fromdense(M).T @ M", "sparse.CSR.fromdense(M, nse=6)", "sparse.CSR.fromdense(M).tree_flatten()", "sparse.CSR.fromdense(M) @ D.T",
    "jax.jit(lambda C: C @ x)(sparse.CSR.fromdense(M))", "jax.grad(lambda x: (sparse.CSR.fromdense(M) @ x).sum())(x)", "x @ sparse.CSR.fromdense(M)", "sparse.CSR.fromdense(M) * 2", "sparse.CSR.fromdense(x)",
    "sparse.CSC.fromdense(M)", "sparse.CSC.fromdense(M) @ x", "sparse.CSC.fromdense(M) @ D", "sparse.CSC.fromdense(M).T @ M", "sparse.CSC.fromdense(M, nse=6)", "sparse.CSC.fromdense(M).tree_flatten()", "sparse.CSC.fromdense(M) @ D.T",
    "jax.jit(lambda C: C @ x)(sparse.CSC.fromdense(M))", "jax.grad(lambda x: (sparse.CSC.fromdense(M) @ x).sum())(x)", "x @ sparse.CSC.fromdense(M)", "sparse.CSC.fromdense(M) * 2", "sparse.CSC.fromdense(x)",
    "sparse.COO((D[0], jnp.array([0, 0]), jnp.array([1, 1])), shape=(2, 2)).todense()", "sparse.CSR.fromdense(M, nse=6).indices",
)  # fmt: skip


def outcome(module: Any, expression: str) -> Any:
    jnp, sparse = module.numpy, importlib.import_module(f"{module.__name__}.experimental.sparse")
    dense = jnp.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]])
    doubled = sparse.BCOO((jnp.arange(1.0, 5.0), jnp.array([[2, 1], [0, 0], [2, 1], [3, 4]])), shape=(3, 4))
    scope = {
        "jax": module,
        "jnp": jnp,
        "sparse": sparse,
        "M": dense,
        "A": sparse.BCOO.fromdense(dense),
        "B": doubled,
    }
    scope |= {"x": jnp.arange(4.0), "D": jnp.arange(8.0).reshape(4, 2), "key": module.random.key(0)}
    try:
        return plain(eval(expression, scope))
    except Exception as error:
        return type(error).__name__


def plain(value: Any) -> Any:
    """Values as NumPy has them; sparse arrays as they print, and as dense ones."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return [str(value), np.asarray(value.todense())] if hasattr(value, "todense") else value


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_as_in_jax(expression: str) -> None:
    mine, theirs = (outcome(module, expression) for module in (runtime, jax))

    same(mine, theirs)


def same(mine: Any, theirs: Any) -> None:
    if isinstance(theirs, list):
        for part, other in zip(mine, theirs, strict=True):
            same(part, other)
    elif hasattr(theirs, "dtype") and hasattr(theirs, "__array__"):
        assert str(mine.dtype) == str(theirs.dtype)
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    else:
        assert str(mine) == str(theirs)
