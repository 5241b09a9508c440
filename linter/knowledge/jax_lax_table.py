"""jax.lax: operations, control flow and collectives.

Static parameters and their errors as JAX 0.10.2 raises them for a tracer; tests hold the lines against it.
"""

from __future__ import annotations

FUNCTIONS = {
    "jax.lax": """
abs real imag(x) -> array[same(x), real(x)]
stop_gradient(x) -> model[stop_gradient]
optimization_barrier(operand, /) -> same[operand]
stage(x, /) -> same[x]
is_finite(x) -> array[same(x), bool]
complex(x, y) -> array[broadcast(x, y), complex64]
add sub div rem max min pow atan2 bitwise_and bitwise_or bitwise_xor shift_left shift_right_arithmetic
    shift_right_logical(x, y) -> array[broadcast(x, y), promote(x, y)]
mul(x, y, *, out_dtype=) -> array[broadcast(x, y), out_dtype|promote(x, y)]
nextafter(x1, x2) -> array[broadcast(x1, x2), promote(x1, x2)]
mulhi(x, y, /) -> array[broadcast(x, y), promote(x, y)]
igamma igammac igamma_grad_a(a, x) -> array[broadcast(a, x), promote(a, x)]
polygamma(m, x) -> array[broadcast(m, x), promote(m, x)]
zeta(x, q) -> array[broadcast(x, q), promote(x, q)]
betainc(a, b, x) -> array[broadcast(a, b), promote(a, b)]
eq ne ge gt le lt(x, y) -> array[broadcast(x, y), bool]
clamp(min, x, max) -> array[same(x), same(x)]
select(pred, on_true, on_false) -> handles[select]
select_n(which, *cases) -> array[?, promote(cases)]
convert_element_type(operand, new_dtype!:TypeError) -> array[same(operand), new_dtype]
bitcast_convert_type(operand, new_dtype!:TypeError) -> array[?, new_dtype]
cumsum cumprod cummax cummin cumlogsumexp(operand, axis!=, reverse!:TracerBoolConversionError=) ->
    array[same(operand), same(operand)]
rev(operand, dimensions!:TypeError) -> array[same(operand), same(operand)]
sort_key_val(keys, values, dimension!:TracerIntegerConversionError=, is_stable!:TypeError=) ->
    array*2[same(keys), ?]
argmax argmin(operand, axis!:TypeError, index_dtype!:TypeError) -> array[?, index_dtype]
top_k(operand, k!:TracerBoolConversionError, *, axis!:TracerIntegerConversionError=) ->
    array*2[topmost(operand, k, axis), same(operand) & exactly(int32)]
approx_max_k approx_min_k(operand, k!:TypeError, reduction_dimension!:TypeError=,
    recall_target!:TypeError=, reduction_input_size_override=, aggregate_to_topk!:TypeError=) ->
    array*2[?, ?]
broadcast(operand, sizes!:TracerBoolConversionError, *, out_sharding=) -> array[?, same(operand)]
broadcast_to_rank(x, rank!:TracerBoolConversionError) -> array[?, same(x)]
broadcast_in_dim(operand, shape!:TracerBoolConversionError, broadcast_dimensions!:TypeError, *,
    out_sharding=) -> array[shape(shape), same(operand)]
broadcast_like(arr, like_arr) -> array[same(like_arr), same(arr)]
broadcast_shapes(*shapes!shape:TypeError) -> static[tuple]
iota(dtype!:TypeError, size!:TypeError) -> array[shape(size), dtype]
broadcasted_iota(dtype!:TypeError, shape!:TypeError, dimension!, *, out_sharding=) ->
    array[shape(shape), dtype]
full(shape!:TypeError, fill_value, dtype!:TypeError=, *, sharding=) ->
    array[shape(shape), dtype|of(fill_value)]
full_like(x, fill_value, dtype!:TypeError=, shape!:TypeError=, sharding=) ->
    array[shape(shape)|same(x), dtype|same(x)]
empty(shape!:TypeError, dtype!:TypeError, *, out_sharding=) -> array[shape(shape), dtype]
reshape(operand, new_sizes!:TypeError, dimensions!:TracerIntegerConversionError=, *, out_sharding=) ->
    array[shape(new_sizes), same(operand)]
collapse(operand, start_dimension!:TracerIntegerConversionError,
    stop_dimension!:TracerIntegerConversionError=) -> array[?, same(operand)]
expand_dims(array, dimensions!:TypeError) -> array[expand(array, dimensions), same(array)]
squeeze(array, dimensions!:TracerIntegerConversionError) -> array[squeeze(array, dimensions), same(array)]
transpose(operand, permutation!:TracerIntegerConversionError) ->
    array[transpose(operand, permutation), same(operand)]
tile(operand, reps!:TypeError) -> array[tile(operand, reps), same(operand)]
pad(operand, padding_value, padding_config!:TypeError) -> array[?, same(operand)]
concatenate(operands, dimension!:TypeError) -> array[concatenate(operands, dimension), promote(operands)]
stack(operands, axis!:TracerIntegerConversionError=) -> array[stack(operands, axis), promote(operands)]
unstack(x, axis!:TracerIntegerConversionError=) -> list[?, same(x)]
split(operand, sizes!:TypeError, axis!:TracerIntegerConversionError=) -> list[?, same(operand)]
slice(operand, start_indices!size:TypeError, limit_indices!size:TypeError, strides!size:TypeError=) ->
    array[?, same(operand)]
slice_in_dim(operand, start_index!:TracerIntegerConversionError,
    limit_index!:TracerIntegerConversionError, stride!:TracerIntegerConversionError=,
    axis!:TracerIntegerConversionError=) -> array[?, same(operand)]
index_in_dim(operand, index!:TracerIntegerConversionError, axis!=, keepdims!:TracerBoolConversionError=)
    -> array[?, same(operand)]
dynamic_slice(operand, start_indices, slice_sizes!:TypeError, *, allow_negative_indices!:TypeError=) ->
    array[shape(slice_sizes), same(operand)]
dynamic_slice_in_dim(operand, start_index, slice_size!:TracerIntegerConversionError, axis!=, *,
    allow_negative_indices!:TracerBoolConversionError=) ->
    array[resize(operand, slice_size, axis), same(operand)]
dynamic_index_in_dim(operand, index, axis!:ValueError=, keepdims!:ValueError=, *,
    allow_negative_indices!:ValueError=) -> array[?, same(operand)]
dynamic_update_slice(operand, update, start_indices, *, allow_negative_indices!:TypeError=) ->
    array[same(operand), same(operand)]
dynamic_update_slice_in_dim(operand, update, start_index, axis!, *,
    allow_negative_indices!:TracerBoolConversionError=) -> array[same(operand), same(operand)]
dynamic_update_index_in_dim(operand, update, index, axis!:ValueError, *,
    allow_negative_indices!:ValueError=) -> array[same(operand), same(operand)]
scatter scatter_add scatter_sub scatter_mul scatter_min scatter_max(operand, scatter_indices, updates,
    dimension_numbers!:TypeError, *, indices_are_sorted!:TypeError=, unique_indices!:TypeError=, mode=) ->
    array[same(operand), same(operand)]
scatter_apply(operand, scatter_indices, func, dimension_numbers, *, update_shape=, indices_are_sorted=,
    unique_indices=, mode=) -> trace[opaque]
gather(operand, start_indices, dimension_numbers!:TypeError, slice_sizes!:TypeError, *,
    unique_indices!:TracerBoolConversionError=, indices_are_sorted!:TracerBoolConversionError=, mode=,
    fill_value=) -> array[?, same(operand)]
index_take(src, idxs, axes!:TracerIntegerConversionError) -> array[?, same(src)]
dot(lhs, rhs, *, dimension_numbers=, precision=, preferred_element_type=, out_sharding=) ->
    array[dot(lhs, rhs), preferred_element_type|promote(lhs, rhs)]
conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers) -> static[tuple]
conv_general_permutations(dimension_numbers) -> static[tuple]
conv_general_shape_tuple(lhs_shape!:TracerArrayConversionError, rhs_shape!:TracerArrayConversionError,
    window_strides!:TracerArrayConversionError, padding, dimension_numbers) -> static[tuple]
conv_shape_tuple(lhs_shape!:TracerArrayConversionError, rhs_shape!:TracerArrayConversionError,
    strides!:TracerArrayConversionError, pads, batch_group_count=) -> static[tuple]
conv_transpose_shape_tuple(lhs_shape!:TracerArrayConversionError, rhs_shape!:TracerArrayConversionError,
    window_strides!:TracerBoolConversionError, padding, dimension_numbers) -> static[tuple]
padtype_to_pads(in_shape!:TracerArrayConversionError, window_shape!:TracerArrayConversionError,
    window_strides!:TracerArrayConversionError, padding) -> static[tuple]
reduce_window_shape_tuple(operand_shape, window_dimensions, window_strides, padding, base_dilation=,
    window_dilation=) -> static[tuple]
dtype(x) -> static[dtype]
shape_as_value(shape) -> unknown
fft(x, fft_type, fft_lengths!:ValueError) -> array[?, ?]
reduce_and reduce_or(operand, axes!:TypeError) -> array[reduce(operand, axes), bool]
reduce_max reduce_min reduce_prod reduce_xor(operand, axes!:TypeError) ->
    array[reduce(operand, axes), same(operand)]
reduce_sum(operand, axes!:TypeError, *, out_sharding=) -> array[reduce(operand, axes), same(operand)]
reduce(operands, init_values, computation, dimensions!:TypeError, out_sharding=) -> trace[reduce]
reduce_window(operand, init_value, computation, window_dimensions!:TracerArrayConversionError,
    window_strides!:TracerArrayConversionError=, padding=, base_dilation!:TypeError=,
    window_dilation!:TracerArrayConversionError=) -> trace[reduce_window]
rng_bit_generator(key, shape!:TypeError, dtype!:TypeError=, algorithm=, *, out_sharding=) -> array*2[?, ?]
rng_uniform(a, b, shape!:TypeError) -> array[shape(shape), promote(a, b)]
axis_index(axis_name) -> collective[array[scalar, int32]]
axis_size(axis_name) -> collective[static[int]]
with_sharding_constraint(x, shardings) -> same[x]
dce_sink(val, *, prevent_mlir_dce=) -> none
create_token(_=) -> unknown
after_all(*operands) -> unknown
composite(decomposition, name, version=) -> transform[transparent]
scan(f, init, xs=, length!=, reverse!:TypeError=, unroll!=, _split_transpose=) -> trace[scan]
cond(pred, true_fun, false_fun, *operands, operand=) -> trace[cond]
switch(index, branches, *operands, operand=) -> trace[switch]
while_loop(cond_fun, body_fun, init_val) -> trace[while_loop]
fori_loop(lower, upper, body_fun, init_val, *, unroll!=) -> trace[fori_loop]
map(f, xs, *, batch_size!:TracerBoolConversionError=) -> trace[map]
associative_scan(fn, elems, reverse!:TracerBoolConversionError=, axis!:TracerIntegerConversionError=) ->
    trace[associative_scan]
custom_root(f, initial_guess, solve, tangent_solve, has_aux=) -> traces[f(initial_guess:strict), taint]
custom_linear_solve(matvec, b, solve, transpose_solve=, symmetric!:TracerBoolConversionError=, has_aux=)
    -> trace[linear_solve]
platform_dependent(*args, default=, **per_platform) -> trace[opaque]
psum pmax pmin pmean(x, axis_name, *, axis_index_groups=) -> collective[like[x]]
sort(operand, dimension!:TracerIntegerConversionError=, is_stable!:TypeError=,
    num_keys!:TracerBoolConversionError=) -> like[operand]
all_gather(x, axis_name, *, axis_index_groups=, axis=, tiled=, to=) -> collective[tree]
all_to_all(x, axis_name, split_axis, concat_axis, *, axis_index_groups=, tiled=) -> collective[tree]
pswapaxes(x, axis_name, axis, *, axis_index_groups=) -> collective[tree]
psum_scatter(x, axis_name, *, scatter_dimension=, axis_index_groups=, tiled=) -> collective[tree]
ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, *, axis_name,
    axis_index_groups=) -> tree
precv(token, out_shape, axis_name, perm) -> tree
ppermute pshuffle psend(x, axis_name, perm) -> collective[like[x]]
pbroadcast(x, axis_name, source) -> like[x]
pcast(x, axis_name, *, to) -> like[x]
conv(lhs, rhs, window_strides!:TracerArrayConversionError, padding, precision=, preferred_element_type=)
    -> array[?, preferred_element_type|promote(lhs, rhs)]
conv_general_dilated(lhs, rhs, window_strides!:TracerArrayConversionError, padding,
    lhs_dilation!:TracerBoolConversionError=, rhs_dilation!=, dimension_numbers=,
    feature_group_count!:TypeError=, batch_group_count=, precision=, preferred_element_type=,
    out_sharding=) -> array[?, preferred_element_type|promote(lhs, rhs)]
conv_transpose(lhs, rhs, strides!:TracerBoolConversionError, padding, rhs_dilation!=, dimension_numbers=,
    transpose_kernel!:TracerBoolConversionError=, precision=, preferred_element_type=,
    use_consistent_padding=) -> array[?, preferred_element_type|promote(lhs, rhs)]
conv_general_dilated_patches(lhs, filter_shape!:TypeError, window_strides!:TracerArrayConversionError,
    padding, lhs_dilation!:TracerBoolConversionError=, rhs_dilation!=, dimension_numbers=, precision=,
    preferred_element_type=) -> array[?, ?]
conv_with_general_padding(lhs, rhs, window_strides!:TypeError, padding!:ValueError,
    lhs_dilation!:TypeError, rhs_dilation!:TypeError, precision=, preferred_element_type=) ->
    array[?, preferred_element_type|promote(lhs, rhs)]
dot_general(lhs, rhs, dimension_numbers!:TracerIntegerConversionError, precision=,
    preferred_element_type=, *, out_sharding=) -> array[?, preferred_element_type|promote(lhs, rhs)]
ragged_dot(lhs, rhs, group_sizes, precision=, preferred_element_type=, group_offset=, out_sharding=) ->
    array[?, preferred_element_type|promote(lhs, rhs)]
ragged_dot_general(lhs, rhs, group_sizes, ragged_dot_dimension_numbers, precision=,
    preferred_element_type=, group_offset=, out_sharding=) -> array[?, ?]
scaled_dot(lhs, rhs, *, lhs_scale=, rhs_scale=, dimension_numbers=, preferred_element_type=) -> array[?, ?]
conv_general_dilated_local(lhs, rhs, window_strides, padding, filter_shape, lhs_dilation=, rhs_dilation=,
    dimension_numbers=, precision=) -> array[?, promote(lhs, rhs)]
batch_matmul(lhs, rhs, precision=) -> array[?, promote(lhs, rhs)]
acos acosh asin asinh atan atanh bessel_i0e bessel_i1e ceil clz conj cosh digamma erf erf_inv erfc floor
    lgamma neg bitwise_not population_count reciprocal sign sinh square(x) -> array[same(x), same(x)]
cbrt cos exp exp2 expm1 log log1p logistic rsqrt sin sqrt tan tanh(x, *, accuracy=) ->
    array[same(x), same(x)]
round(x, rounding_method!:TracerBoolConversionError=) -> array[same(x), same(x)]
integer_pow(x, y!:TypeError) -> array[same(x), same(x)]
reduce_precision(operand, exponent_bits!, mantissa_bits!) -> array[same(operand), same(operand)]
random_gamma_grad(*args) -> array[?, ?]
""",
    "jax.lax.linalg": """
cholesky(x, *, symmetrize_input=) -> array[same(x), same(x)]
cholesky_update(r_matrix, w_vector) -> array[?, ?]
eig(x, *, compute_left_eigenvectors=, compute_right_eigenvectors=, enable_eigvec_derivs=, implementation=,
    use_magma=) -> tree
eigh(x, *, lower=, symmetrize_input=, sort_eigenvalues=, subset_by_index=, implementation=) -> tree
qr(x, *, pivoting=, full_matrices=, use_magma=) -> tree
qdwh(x, *, is_hermitian=, max_iterations=, eps=, dynamic_shape=) -> tree
schur(x, *, compute_schur_vectors=, sort_eig_vals=, select_callable=) -> tree
svd(x, *, full_matrices=, compute_uv=, subset_by_index=, algorithm=) -> tree
lu(x) -> tree
tridiagonal(a, *, lower=) -> tree
hessenberg(a) -> array*2[?, same(a)]
householder_product(a, taus) -> array[same(a), same(a)]
lu_pivots_to_permutation(pivots, permutation_size) -> array[?, int32]
ormqr(a, taus, c, *, left=, transpose=) -> array[?, ?]
symmetric_product(a_matrix, c_matrix, *, alpha=, beta=, symmetrize_output=) -> array[?, ?]
tridiagonal_solve(dl, d, du, b, *, perturb_singular=) -> array[?, ?]
triangular_solve(a, b, *, left_side=, lower=, transpose_a=, conjugate_a=, unit_diagonal=) ->
    array[same(b), promote(a, b)]
""",
}
