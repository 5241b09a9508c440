"""jax.nn: activations, attention, initializers.

Static parameters and their errors as JAX 0.10.2 raises them for a tracer; tests hold the lines against it.
"""

from __future__ import annotations

FUNCTIONS = {
    "jax.nn": """
celu elu(x, alpha=) -> array[same(x), float(x)]
gelu(x, approximate!:TracerBoolConversionError=) -> array[same(x), float(x)]
hard_sigmoid hard_silu hard_swish log1mexp log_sigmoid mish relu6 selu sigmoid silu soft_sign softplus
    sparse_plus sparse_sigmoid swish(x) -> array[same(x), float(x)]
leaky_relu(x, negative_slope=) -> array[same(x), float(x)]
log_softmax(x, axis!:ValueError=, where=) -> array[same(x), float(x)]
softmax(x, axis!=, where=) -> array[same(x), float(x)]
squareplus(x, b=) -> array[same(x), float(x)]
standardize(x, axis!:ValueError=, mean=, variance=, epsilon=, where=, *, algorithm=) ->
    array[same(x), float(x)]
tanh(x, /) -> array[same(x), float(x)]
relu identity hard_tanh(x) -> array[same(x), same(x)]
glu(x, axis!:ValueError=) -> array[?, float(x)]
logsumexp(a, axis!:TypeError=, b=, keepdims!:ValueError=, return_sign!:TracerBoolConversionError=, where=)
    -> when[return_sign, array*2[?, ?], array[reduce(a, axis, keepdims), magnitude(a)]]
logmeanexp(x, axis!:ValueError=, where=, keepdims!:ValueError=) ->
    array[reduce(x, axis, keepdims), magnitude(x)]
one_hot(x, num_classes!, *, dtype!:TypeError=, axis!:ValueError=) ->
    array[one_hot(x, num_classes, axis), dtype|float32]
dot_product_attention(query, key, value, bias=, mask=, *, scale=, is_causal!:TracerBoolConversionError=,
    query_seq_lengths=, key_value_seq_lengths=, local_window_size=, implementation=, return_residual=) ->
    array[?, same(query)]
get_scaled_dot_general_config(mode, global_scale=) -> unknown
scaled_dot_general(lhs, rhs, dimension_numbers, preferred_element_type=, configs=, implementation=) ->
    array[?, ?]
scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type=) -> array[?, ?]
""",
    "jax.nn.initializers": """
zeros ones(key, shape!:TypeError, dtype!:TypeError=, out_sharding=) -> array[shape(shape), dtype|float32]
constant(value, dtype!:TypeError=) -> object[Initializer]
delta_orthogonal orthogonal(scale=, column_axis=, dtype!:TypeError=) -> object[Initializer]
glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform lecun_normal
    lecun_uniform xavier_normal xavier_uniform(in_axis=, out_axis=, batch_axis=, dtype!:TypeError=) ->
    object[Initializer]
normal(stddev=, dtype!:TypeError=) -> object[Initializer]
truncated_normal(stddev=, dtype!:TypeError=, lower=, upper=) -> object[Initializer]
uniform(scale=, dtype!:TypeError=) -> object[Initializer]
variance_scaling(scale, mode, distribution, in_axis=, out_axis=, batch_axis=, dtype!:TypeError=) ->
    object[Initializer]
""",
}

METHODS = {
    "Initializer": "__call__(key, shape!:TypeError, dtype!:TypeError=, out_sharding=) -> array[shape(shape), dtype|float32]",
}
