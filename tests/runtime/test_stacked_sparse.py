"""Sparse arrays with batch and dense axes, and Jacobians, which have batch axes: values and layouts are JAX's."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")
pytest.importorskip("jax.experimental.sparse")

#: `A` has a batch axis, `C` a dense one, `A0` neither; all are `D`. `P` is a matrix.
EXPRESSIONS = (
    "A",
    "A.transpose((0,2,1)), A.transpose((0,2,1)).todense()",
    "A.transpose((1,0,2))",
    "A.T",
    "C.transpose((1,0,2)), C.transpose((1,0,2)).todense()",
    "A.sum(), A.sum(0), A.sum(1), A.sum((1,2)), A.sum(0).todense(), A.sum(1).todense(), A.sum((1,2)).todense()",
    "C.sum(), C.sum(0), C.sum(2), C.sum(2).todense(), C.sum(0).todense()",
    "A*2, (A*2).todense(), -A, A/2",
    "A*D, (A*D).todense()",
    "A*D[0], C*D",
    "A*A, (A*A).todense()",
    "A+A, (A+A).todense()",
    "A[0], A[0].todense()",
    "A[:,1:], A[:,1:].todense()",
    "A[1,0], A[...,0], A[...,0].todense()",
    "C[0], C[:,0], C[...,0], C[...,0].todense()",
    "A.sum_duplicates(), A.sum_duplicates(nse=5), A.sort_indices()",
    "sparse.bcoo_update_layout(A, n_batch=0), sparse.bcoo_update_layout(A, n_batch=0).todense()",
    "sparse.bcoo_update_layout(A0, n_batch=1, on_inefficient=None), sparse.bcoo_update_layout(A0, n_batch=1, on_inefficient=None).todense()",
    "sparse.bcoo_update_layout(A0, n_batch=1)",
    "sparse.bcoo_update_layout(A0, n_dense=1, on_inefficient=None), sparse.bcoo_update_layout(A0, n_dense=1, on_inefficient=None).todense()",
    "sparse.bcoo_update_layout(C, n_dense=0), sparse.bcoo_update_layout(A, n_batch=1), sparse.bcoo_update_layout(A, n_batch=3)",
    "sparse.bcoo_dot_general(A, V, dimension_numbers=(((2,),(0,)),((),())))",
    "sparse.bcoo_dot_general(A, D, dimension_numbers=(((2,),(2,)),((0,),(0,))))",
    "sparse.bcoo_dot_general(D, A, dimension_numbers=(((2,),(2,)),((0,),(0,))))",
    "sparse.bcoo_dot_general(A, D, dimension_numbers=(((1,2),(1,2)),((0,),(0,))))",
    "sparse.bcoo_dot_general(A0, D, dimension_numbers=(((2,),(2,)),((0,),(0,))))",
    "sparse.bcoo_dot_general(C, D, dimension_numbers=(((2,),(2,)),((),())))",
    "sparse.bcoo_dot_general(A, A, dimension_numbers=(((2,),(2,)),((0,),(0,))))",
    "A @ V, A @ D.transpose((0,2,1)), V[:2] @ A",
    "A.reshape(2,12), A.reshape(4,6), A.reshape(2,12).todense()",
    "sparse.bcoo_reshape(A, new_sizes=(2,12)), sparse.bcoo_reshape(A, new_sizes=(2,2,6))",
    "sparse.bcoo_squeeze(A[:1], dimensions=(0,)), sparse.bcoo_squeeze(A[:1], dimensions=(0,)).todense()",
    "sparse.bcoo_broadcast_in_dim(A, shape=(5,2,3,4), broadcast_dimensions=(1,2,3)), sparse.bcoo_broadcast_in_dim(A, shape=(2,5,3,4), broadcast_dimensions=(0,2,3))",
    "sparse.bcoo_concatenate([A,A],dimension=0), sparse.bcoo_concatenate([A,A],dimension=1), sparse.bcoo_concatenate([A,A],dimension=1).todense()",
    "sparse.bcoo_slice(A, start_indices=(0,1,0), limit_indices=(2,3,4)), sparse.bcoo_slice(A, start_indices=(1,1,0), limit_indices=(2,3,4)).todense()",
    "sparse.bcoo_dynamic_slice(A, (1,1,0),(1,2,3)), sparse.bcoo_dynamic_slice(A, (1,1,0),(1,2,3)).todense()",
    "sparse.bcoo_extract(A, D), sparse.bcoo_extract(A, D).todense()",
    "sparse.bcoo_multiply_dense(A, D)",
    "sparse.bcoo_rev(A, (0,)), sparse.bcoo_rev(A, (0,1)).todense()",
    "sparse.bcoo_reduce_sum(A, axes=(0,)), sparse.bcoo_reduce_sum(A, axes=(1,)), sparse.bcoo_reduce_sum(A, axes=(0,2)).todense()",
    "jax.vmap(lambda a: a.todense())(A), jax.vmap(lambda a: a @ V)(A), jax.vmap(lambda a: a*2)(A)",
    "jax.vmap(lambda m: sparse.BCOO.fromdense(m, nse=4))(D)",
    "jax.jit(lambda a: a*2)(A), jax.tree.map(lambda v: v+1, A), jax.jit(lambda a: a.todense())(A)",
    "sparse.BCOO((jnp.ones((1,3)), jnp.array([[[0],[1],[2]]])), shape=(4,5)), sparse.BCOO((jnp.ones((1,3)), jnp.array([[[0],[1],[2]]])), shape=(4,5)).todense()",
    "sparse.BCOO((jnp.ones((2,3)), jnp.zeros((3,3,1),int)), shape=(2,5))",
    "sparse.BCOO((jnp.ones((2,3)), jnp.zeros((2,3,2),int)), shape=(2,5))",
    "sparse.BCOO.fromdense(D, n_batch=2), sparse.BCOO.fromdense(D, n_batch=2, n_dense=1), sparse.BCOO.fromdense(D,n_dense=3)",
    "sparse.BCOO.fromdense(D, n_batch=1, nse=2).todense()",
    "sparse.eye(3,n_batch=1), sparse.eye(3,n_batch=1).todense(), sparse.eye(3,n_dense=1)",
    "sparse.sparsify(lambda a: a.sum(1))(A).todense(), sparse.sparsify(lambda a,v: a@v)(A,V)",
    "len(A), A.astype('int32'), abs(A), A**2",
    "jax.grad(lambda d: sparse.BCOO((d,A.indices),shape=A.shape).todense().sum()*2)(A.data)",
    "sparse.empty((2, 3, 4), n_batch=1)",
    "gather(P, [[1], [0], [1]], ((1,), (0,), (0,)), (1, 3))",
    "gather(P, [[2], [0]], ((0,), (1,), (1,)), (2, 1))",
    "gather(P, [0, 1], ((0, 1), (), (0, 1)), (2, 2)), gather(P, [[0, 1], [0, 9]], ((1, 2), (), (0, 1)), (2, 2))",
    "gather(P, [[1, 1], [0, 2]], ((), (0, 1), (0, 1)), (1, 1))",
    "sparse.sparsify(lambda a: a[jnp.array([1, 1, 0])])(P), sparse.sparsify(lambda a, i: a[:, i])(P, 2)",
    "sparse.sparsify(lambda a: a[jnp.array([1, 0]), jnp.array([1, 2])].sum())(P), sparse.sparsify(jnp.sum)(A)",
    "sparse.jacfwd(lambda m, v: (m @ v) ** 2)(P, x), sparse.jacrev(lambda m, v: (m @ v) ** 2)(P, x)",
    "sparse.jacrev(lambda m, v: (m @ v) ** 2, argnums=(0, 1))(P, x), sparse.jacfwd(lambda v: v ** 2)(x)",
    "sparse.jacrev(lambda m, v: ((m @ v) ** 2, v), has_aux=True)(P, x)",
    "sparse.jacfwd(lambda m, v: (m @ v).sum())(P, x)",
    "sparse.jacrev(lambda m, v: {'a': m @ v, 'b': v})(P, x)",
    "A.indices, C.indices, A.n_batch, C.n_dense",
)


def outcome(module: Any, expression: str) -> Any:
    jnp, sparse = module.numpy, importlib.import_module(f"{module.__name__}.experimental.sparse")
    D = (
        jnp.zeros((2, 3, 4))
        .at[0, 1, 2]
        .set(1.0)
        .at[0, 2, 3]
        .set(2.0)
        .at[1, 0, 0]
        .set(3.0)
        .at[0, 0, 1]
        .set(5.0)
    )
    names = {"jax": module, "jnp": jnp, "sparse": sparse, "D": D, "V": jnp.arange(12.0).reshape(4, 3)}
    names |= {"A": sparse.BCOO.fromdense(D, n_batch=1), "C": sparse.BCOO.fromdense(D, n_dense=1)}
    names |= {"A0": sparse.BCOO.fromdense(D), "x": jnp.arange(3.0)}
    names["P"] = sparse.BCOO.fromdense(jnp.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]))

    def gather(mat: Any, starts: Any, numbers: Any, sizes: Any) -> Any:
        return sparse.bcoo_gather(
            mat, jnp.array(starts), module.lax.GatherDimensionNumbers(*numbers), slice_sizes=sizes
        )

    names["gather"] = gather
    try:
        found = eval(expression, names)
    except Exception as error:
        return type(error).__name__
    return [plain(part) for part in (found if isinstance(found, tuple) else (found,))]


def plain(value: Any) -> Any:
    """Values as NumPy has them; sparse arrays as they print, and as dense ones."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return (str(value), np.asarray(value.todense())) if hasattr(value, "todense") else np.asarray(value)


#: JAX compiles each step of these; one in three stands for its neighbours where time is short.
SAMPLED = [
    expression if number % 3 == 0 else pytest.param(expression, marks=pytest.mark.slow)
    for number, expression in enumerate(EXPRESSIONS)
]


@pytest.mark.parametrize("expression", SAMPLED)
def test_as_in_jax(expression: str) -> None:
    mine, theirs = outcome(ours, expression), outcome(jax, expression)

    if isinstance(theirs, str):
        assert mine == theirs
        return
    assert ours.tree.structure(mine) == ours.tree.structure(theirs)
    for left, right in zip(ours.tree.leaves(mine), ours.tree.leaves(theirs), strict=True):
        if isinstance(right, str):
            assert left == right
        else:
            assert left.dtype == right.dtype
            np.testing.assert_allclose(left, right, rtol=1e-6)


def test_what_is_not_there_says_so() -> None:
    sparse = importlib.import_module("tracetrap.runtime.experimental.sparse")
    with pytest.raises(NotImplementedError, match="random_bcoo"):
        sparse.random_bcoo(ours.random.key(0), (2, 3, 4), n_batch=1)
