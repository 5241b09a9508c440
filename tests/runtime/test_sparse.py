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

#: What the functions are that take sparse arrays, and functions of dense arrays that are given such.
FUNCTIONS = (
    "sparsify(lambda M, v: 2 * M.T @ v)(A, jnp.array([3.,4,2]))", "sparsify(lambda m: m.sum(0))(A)", "sparsify(lambda m: m.reshape(2,6))(A).todense()",
    "sparsify(lambda m: m[::2, 1:])(A).todense()", "sparsify(lambda m: jnp.stack([m,m]))(A).todense()", "sparsify(lambda m: jnp.squeeze(m[None],0))(A).todense()",
    "sparsify(lambda m: m**3)(B).todense()", "sparsify(lambda m: -m/2+m)(A)", "sparsify(jnp.sqrt)(A)", "sparsify(jnp.sin)(B).todense()", "sparsify(jnp.cos)(A)",
    "sparsify(lambda m: jnp.cos(sparse.todense(m)))(A)", "jax.jit(sparsify(lambda m: jnp.cos(sparse.todense(m)) * m))(A)",
    "sparsify(lambda m: jax.lax.while_loop(lambda c:c[1]<3,lambda c:(c[0]*2,c[1]+1),(m,0)))(A)",
    "sparsify(lambda m, x: jax.lax.cond(x[0]>2,lambda m:m,lambda m:m*2,m))(A, x)", "sparsify(lambda m: jax.lax.scan(lambda c,x:(c*2,None),m,None,3)[0])(A)",
    "sparsify(lambda m: jax.lax.scan(lambda c,x:(c,x),0,m))(A)", "sparsify(lambda m, x: jax.lax.scan(lambda c,y:(c+y*(m@x).sum(),c),0.,x))(A,x)",
    "sparsify(lambda m: jnp.concatenate([m,m]))(A).todense()", "sparsify(lambda m: jnp.flip(m))(A).todense()",
    "sparsify(lambda m,i: jax.lax.dynamic_slice(m,(i,0),(1,2)))(A,1).todense()", "sparsify(lambda m,i: m[i])(A,1).todense()", "sparsify(jax.nn.relu)(A)",
    "sparsify(lambda m: jnp.broadcast_to(m,(2,3,4)))(A).todense()", "sparsify(lambda m: m + 1)(A)", "sparsify(lambda m: m - 1)(A)",
    "sparsify(lambda m, M: m + M)(A, M)", "sparsify(lambda m: 1/m)(A)", "sparsify(lambda m: m*m)(A)", "sparsify(lambda m,n: m*n)(A,B).todense()",
    "sparsify(lambda m,n: m-n)(A,B).todense()", "jax.jit(sparsify(lambda m, v: m @ v))(A, x)", "jax.grad(sparsify(lambda x, m: ((m @ x)**2).sum()))(x, A)",
    "sparsify(lambda m, v: m @ v)(sparse.BCSR.fromdense(M), x)", "sparsify(lambda d: d['a'] @ d['b'])(dict(a=A, b=x))", "sparsify(lambda m, v: (m @ v, m.T))(A, x)",
    "sparsify(lambda m: jnp.max(m))(A)", "jax.vmap(sparsify(lambda v, m: m @ v), (0, None))(D.T, A)", "sparsify(jax.jit(lambda m, v: m @ v))(A, x)",
    "sparsify(jax.checkpoint(lambda m, v: m @ v))(A, x)", "sparsify(lambda m: m ** 0)(A)", "sparsify(lambda m,n: m @ n.T)(A,B).todense()", "A[::2].todense()",
    "A[:, ::3].todense()", "A[::-1]", "A[::-2, 1]", "B[::-1, :0:-1]", "sparse.bcoo_squeeze(A[:1], dimensions=[0]).todense()",
    "sparse.bcoo_squeeze(A, dimensions=[0])", "sparse.bcoo_broadcast_in_dim(A, shape=(2,3,4), broadcast_dimensions=(1,2)).todense()",
    "sparse.bcoo_dynamic_slice(B, [1, 9], [2, 2]).todense()", "sparse.bcoo_slice(A, start_indices=(0,0), limit_indices=(3,4), strides=(2,3)).todense()",
    "sparse.bcoo_dot_general_sampled(M, D, jnp.array([[0,1],[2,0]]), dimension_numbers=(((1,),(0,)),((),())))", "sparse.bcoo_update_layout(A)",
    "sparse.bcsr_fromdense(M)", "sparse.bcsr_todense(sparse.bcsr_fromdense(M))",
    "sparse.bcsr_extract(sparse.bcsr_fromdense(M).indices, sparse.bcsr_fromdense(M).indptr, M*2)",
    "sparse.bcsr_concatenate([sparse.bcsr_fromdense(M)]*2, dimension=0).todense()",
    "sparse.bcsr_dot_general(sparse.bcsr_fromdense(M), x, dimension_numbers=(((1,),(0,)),((),())))", "sparse.coo_fromdense(M)",
    "sparse.coo_todense(sparse.coo_fromdense(M))", "sparse.coo_matvec(sparse.coo_fromdense(M),x[:3],transpose=True)", "sparse.coo_matmat(sparse.coo_fromdense(M),D)",
    "sparse.csr_fromdense(M)", "sparse.csr_todense(sparse.csr_fromdense(M))", "sparse.csr_matvec(sparse.csr_fromdense(M),x[:3],True)",
    "sparse.csr_matmat(sparse.csr_fromdense(M),D)", "sparse.csr_matmat(sparse.csr_fromdense(M),M,transpose=True)", "sparse.bcoo_rev(A, (0,))",
)  # fmt: skip


def outcome(module: Any, expression: str) -> Any:
    jnp, sparse = module.numpy, importlib.import_module(f"{module.__name__}.experimental.sparse")
    dense = jnp.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]])
    doubled = sparse.BCOO((jnp.arange(1.0, 5.0), jnp.array([[2, 1], [0, 0], [2, 1], [3, 4]])), shape=(3, 4))
    scope = {
        "jax": module,
        "jnp": jnp,
        "sparse": sparse,
        "sparsify": sparse.sparsify,
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


@pytest.mark.parametrize("expression", EXPRESSIONS + FUNCTIONS)
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


@pytest.mark.parametrize("kind", ["spread", "ones", "of low rank"])
def test_the_largest_eigenvalues(kind: str) -> None:
    factors = np.random.default_rng(0).normal(size=(60, 62)).astype(np.float32)
    matrix = {"spread": factors @ factors.T, "ones": np.eye(60, dtype=np.float32)}.get(
        kind, factors[:, :2] @ factors[:, :2].T
    )
    linalg = importlib.import_module("tracetrap.runtime.experimental.sparse.linalg")

    values, vectors, steps = runtime.jit(linalg.lobpcg_standard)(matrix, factors[:, -3:])

    expected = np.linalg.eigvalsh(matrix)[::-1][:3]
    np.testing.assert_allclose(values, expected, rtol=1e-4, atol=1e-4 * expected[0])
    np.testing.assert_allclose(matrix @ np.asarray(vectors), vectors * values, atol=1e-3 * expected[0])
    assert 0 <= steps <= 100


def test_systems_of_equations_and_their_gradients() -> None:
    results = []
    for module in (runtime, jax):
        sparse = importlib.import_module(f"{module.__name__}.experimental.sparse")
        linalg = importlib.import_module(f"{module.__name__}.experimental.sparse.linalg")
        jnp = module.numpy
        matrix = sparse.CSR.fromdense(jnp.array([[4.0, 1.0, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 5.0]]))

        def total(data: Any, b: Any, matrix: Any = matrix, linalg: Any = linalg) -> Any:
            return (linalg.spsolve(data, matrix.indices, matrix.indptr, b) ** 2).sum()

        results.append(module.value_and_grad(total, (0, 1))(matrix.data, jnp.arange(3.0)))

    for mine, theirs in zip(*map(runtime.tree.leaves, results), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)
