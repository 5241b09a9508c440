"""jax.experimental.sparse: how many elements a matrix stores is part of its type, and has to be known while tracing."""

FUNCTIONS = {
    "jax.experimental.sparse": """
sparsify(f, use_tracer=) -> transform[opaque]
BCOO.fromdense BCSR.fromdense(mat, *, nse!size=, index_dtype=, n_dense=, n_batch=) -> dynamic[nse, taint]
COO.fromdense CSC.fromdense CSR.fromdense(mat, *, nse!size=, index_dtype=) -> dynamic[nse, taint]
bcoo_fromdense bcsr_fromdense(mat, *, nse!size=, n_batch=, n_dense=, index_dtype=) -> dynamic[nse, taint]
coo_fromdense csr_fromdense(mat, *, nse!size=, index_dtype=) -> dynamic[nse, taint]
BCOO BCSR(args, *, shape!:TypeError, indices_sorted=, unique_indices=) -> taint
eye(N!, M=, k=, dtype=, index_dtype=, sparse_format=, **kwds) -> taint
empty(shape!:TypeError, dtype=, index_dtype=, sparse_format=, **kwds) -> taint
random_bcoo(key, shape!, *, dtype=, indices_dtype=, nse!:TracerBoolConversionError=, n_batch=, n_dense=,
    unique_indices=, sorted_indices=, generator=, **kwds) -> taint
""",
}
