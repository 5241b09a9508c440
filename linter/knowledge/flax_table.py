"""flax: lifted transforms of linen, transforms of nnx, and pytree dataclasses."""

from __future__ import annotations

_LINEN = """
# they lift a transform over a Module class, a method, or a function that takes a module first
jit(target, variables=, rngs=, static_argnums=, static_argnames=, donate_argnums=, device=, backend=,
    methods=) -> transform[lift]
remat checkpoint(target, variables=, rngs=, concrete=, prevent_cse=, static_argnums=, policy=, methods=) ->
    transform[lift]
vmap(target, variable_axes=, split_rngs=, in_axes=, out_axes=, axis_size=, axis_name=, spmd_axis_name=,
    metadata_params=, methods=) -> transform[lift]
scan(target, variable_axes=, variable_broadcast=, variable_carry=, split_rngs=, in_axes=, out_axes=, length=,
    reverse=, unroll=, data_transform=, metadata_params=, methods=, _split_transpose=,
    check_constancy_invariants=) -> transform[lift]
remat_scan(target, lengths=, policy=, variable_broadcast=, variable_carry=, variable_axes=, split_rngs=) ->
    transform[lift]
map_variables(target, mapped_collections=, trans_in_fn=, trans_out_fn=, init=, mutable=, rngs=, variables=,
    methods=) -> transform[transparent]
custom_vjp(fn, forward_fn, backward_fn, grad_vars=, nondiff_argnums=) -> transform[custom_vjp]
named_call(class_fn, force=) -> transform[transparent]
compact nowrap compact_name_scope(fun) -> same[fun]

grad value_and_grad(fn, mdl, *primals, has_aux=, reduce_axes=, variables=, rngs=) -> trace[lifted_derivative]
vjp(fn, mdl, *primals, has_aux=, reduce_axes=, vjp_variables=, variables=, rngs=, multi_scope=) ->
    trace[lifted_derivative]
jvp(fn, mdl, primals, tangents, variable_tangents, variables=, rngs=) -> trace[lifted_derivative]
cond(pred, true_fun, false_fun, mdl, *operands, variables=, rngs=) -> trace[lifted_control_flow]
switch(index, branches, mdl, *operands, variables=, rngs=) -> trace[lifted_control_flow]
while_loop(cond_fn, body_fn, mdl, init, carry_variables=, broadcast_variables=, split_rngs=) ->
    trace[lifted_control_flow]
init apply init_with_output(fn, module, mutable=, capture_intermediates=) -> transform[opaque]

avg_pool(inputs, window_shape!shape:TypeError, strides!shape:TypeError=, padding=, count_include_pad=) -> array[?, same(inputs)]
max_pool(inputs, window_shape!shape:TypeError, strides!shape:TypeError=, padding=) -> array[?, same(inputs)]
pool(inputs, init, reduce_fn, window_shape, strides, padding) -> array[?, same(inputs)]
make_causal_mask(x, extra_batch_dims=, dtype=) -> array[?, dtype|float32]
make_attention_mask(query_input, key_input, pairwise_fn=, extra_batch_dims=, dtype=) ->
    array[?, dtype|float32]
combine_masks(*masks, dtype=) -> taint
dot_product_attention(query, key, value, bias=, mask=, broadcast_dropout=, dropout_rng=, dropout_rate=,
    deterministic!flag:TracerBoolConversionError=, dtype=, precision=, module=, force_fp32_for_softmax=, einsum_dot_general=,
    qk_attn_weights_einsum=, attn_weights_value_einsum=) -> array[?, ?]
merge_param(name, a, b) -> taint
with_partitioning(fn, names, mesh=) -> same[fn]
with_logical_partitioning(fn, names, mesh=, rules=) -> same[fn]
with_logical_constraint(x, logical_axis_resources, rules=, mesh=, fallback=) -> same[x]
unbox(tree) -> taint
"""

_NNX = """
# they trace the arrays of modules and of variables, and every other argument as their jax twins
jit(fun=, *, in_shardings=, out_shardings=, static_argnums=, static_argnames=, donate_argnums=,
    donate_argnames=, keep_unused=, device=, backend=, inline=, **kwargs) -> transform[jit]
grad(f=, *, argnums=, has_aux=, holomorphic=, allow_int=, reduce_axes=, **kwargs) -> transform[grad]
value_and_grad(f=, *, argnums=, has_aux=, holomorphic=, allow_int=, reduce_axes=, **kwargs) ->
    transform[value_and_grad]
remat(f=, *, prevent_cse=, static_argnums=, policy=, **kwargs) -> transform[checkpoint]
vmap(f=, *, in_axes=, out_axes=, axis_name=, axis_size=, spmd_axis_name=, **kwargs) -> transform[filter_vmap]
pmap(f=, *, axis_name=, in_axes=, out_axes=, static_broadcasted_argnums=, devices=, backend=, axis_size=,
    donate_argnums=, **kwargs) -> transform[opaque]
scan(f=, *, length=, reverse=, unroll=, _split_transpose=, in_axes=, out_axes=, **kwargs) ->
    transform[graph_scan]
shard_map(f=, *, mesh, in_specs, out_specs, **kwargs) -> transform[opaque]
custom_vjp(fun=, *, nondiff_argnums=, **kwargs) -> transform[custom_vjp]
vjp(f=, *primals, has_aux=, reduce_axes=, **kwargs) -> trace[vjp]
jvp(f=, primals=, tangents=, *, has_aux=, **kwargs) -> trace[jvp]
cond(pred, true_fun, false_fun, *operands, **kwargs) -> trace[cond]
switch(index, branches, *operands, **kwargs) -> trace[switch]
while_loop(cond_fun, body_fun, init_val, **kwargs) -> trace[while_loop]
fori_loop(lower, upper, body_fun, init_val, *, unroll=, **kwargs) -> trace[fori_loop]
eval_shape(f, *args, graph=, graph_updates=, **kwargs) -> trace[eval_shape]
split(node, *filters, **kwargs) -> handles[split_graph]
merge(graphdef_or_graphstate, /, *states, **kwargs) -> handles[merge_graph]
state graphdef update clone pop variables(*args, **kwargs) -> taint
display(*args) -> effect[print, none]
"""

FUNCTIONS = {
    "flax.linen": _LINEN,
    "flax.nnx": _NNX,
    "flax.struct": """
dataclass(clz=, **kwargs) -> model[pytree_dataclass]
field(pytree_node=, *, metadata=, **kwargs) -> model[field]
""",
    "flax.core": "freeze(xs) -> same[xs]\nunfreeze(x) -> same[x]\ncopy(x, add_or_replace=) -> taint\nunbox(tree) -> taint",
    "flax.jax_utils": """
replicate(tree, devices=) -> taint
unreplicate(tree) -> taint
pmean(xs, axis_name) -> like[xs]
partial_eval_by_shape(fn, input_spec, *args, **kwargs) -> trace[opaque]
scan_in_dim(body_fn, init, xs, axis=, unroll=, keepdims=) -> trace[opaque]
""",
    "flax.training.train_state": "TrainState.create(*, apply_fn, params, tx, **kwargs) -> handles[train_state]",
    "flax.training.common_utils": """
onehot(labels, num_classes!, on_value=, off_value=) -> array[?, float32]
shard(xs) -> taint
shard_prng_key(prng_key) -> taint
""",
}

_SAME_AS_JAX_NN = """celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax
logsumexp one_hot relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish"""

ALIASES = {
    **{f"flax.linen.{name}": f"jax.nn.{name}" for name in _SAME_AS_JAX_NN.split()},
    **{f"flax.nnx.{name}": f"jax.nn.{name}" for name in _SAME_AS_JAX_NN.split()},
    "flax.linen.tanh": "jax.numpy.tanh",
    "flax.nnx.tanh": "jax.numpy.tanh",
    "flax.linen.initializers": "jax.nn.initializers",
    "flax.nnx.initializers": "jax.nn.initializers",
    "flax.linen.activation": "flax.linen",
    "flax.linen.transforms": "flax.linen",
    "flax.core.frozen_dict": "flax.core",
    "flax.experimental.nnx": "flax.nnx",
}

OBJECTS = {
    "flax.struct.PyTreeNode": "class:pytree",
    "flax.training.train_state.TrainState": "class:TrainState",
}

METHODS = {
    "TrainState": """
create(*, apply_fn, params, tx, **kwargs) -> handles[train_state]
apply_gradients(*, grads, **kwargs) -> handles[train_state_after]
""",
}
