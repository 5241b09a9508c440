"""equinox: filtered transforms trace arrays and leave everything else static."""

from __future__ import annotations

FUNCTIONS = {
    "equinox": """
filter_jit(fun=, *, donate=, **jitkwargs) -> transform[filter_jit]
filter_grad(fun=, *, has_aux=, **gradkwargs) -> transform[grad]
filter_value_and_grad(fun=, *, has_aux=, **gradkwargs) -> transform[value_and_grad]
filter_jacfwd filter_jacrev filter_hessian(fun, has_aux=) -> transform[jacobian]
filter_vmap(fun=, *, in_axes=, out_axes=, axis_name=, axis_size=, **vmapkwargs) -> transform[filter_vmap]
filter_pmap(fun=, *, in_axes=, out_axes=, axis_name=, axis_size=, donate=, **pmapkwargs) -> transform[opaque]
filter_checkpoint(fun=, *, prevent_cse=, policy=) -> transform[filter_checkpoint]
filter_custom_jvp(fn) -> transform[custom_jvp]
filter_custom_vjp(fn) -> transform[custom_vjp]
filter_make_jaxpr(fun) -> transform[make_jaxpr]
filter_jvp(fn, primals, tangents, **kwargs) -> trace[jvp]
filter_vjp(fun, *primals, has_aux=) -> trace[vjp]
filter_eval_shape(fun, *args, **kwargs) -> traces[fun(*args:arrays, **kwargs:arrays), static[ShapeDtypeStruct]]
filter_closure_convert(fn, *args, **kwargs) -> trace[opaque]
filter_pure_callback(callback, *args, result_shape_dtypes, sharding=, vmap_method=, vectorized=, **kwargs) ->
    trace[pure_callback]
filter_shard(x, device_or_shardings) -> same[x]
error_if(x, pred, msg, *, on_error=) -> same[x]
branched_error_if(x, pred, index, msgs, *, on_error=) -> same[x]
is_array is_array_like is_inexact_array is_inexact_array_like(element) -> static[bool]
partition(pytree, filter_spec, replace=, is_leaf=) -> handles[partition]
filter(pytree, filter_spec, inverse=, replace=, is_leaf=) -> handles[filtered]
combine(*pytrees, is_leaf=) -> handles[combine]
apply_updates(model, updates) -> like[model]
tree_at(where, pytree, replace=, replace_fn=, is_leaf=) -> handles[tree_at]
tree_inference(pytree, value=) -> taint
tree_pformat(pytree, *, width=, indent=, short_arrays=, struct_as_array=, truncate_leaf=) -> static[str]
tree_pprint(pytree, *, width=, indent=, short_arrays=, struct_as_array=, truncate_leaf=) -> effect[print, none]
tree_serialise_leaves(path_or_file, pytree, filter_spec=, is_leaf=) -> effect[file, none]
tree_deserialise_leaves(path_or_file, like, filter_spec=, is_leaf=) -> effect[file, unknown]
field(*, converter=, static=, **kwargs) -> model[field]
static_field(**kwargs) -> model[static_field]
module_update_wrapper(wrapper, wrapped=) -> same[wrapper]
clear_caches() -> none
""",
    "equinox.debug": """
assert_max_traces(fn=, *, max_traces) -> transform[transparent]
announce_transform backward_nan store_dce(x, name=, **kwargs) -> same[x]
breakpoint_if(pred, **kwargs) -> none
""",
    "equinox.nn": """
inference_mode(pytree, value=) -> same[pytree]
Linear(in_features!size:TracerBoolConversionError, out_features!size:TypeError, use_bias=, dtype=, *, key) ->
    object[EquinoxLayer, own]
MLP(in_size!size:TracerBoolConversionError, out_size!size:TypeError, width_size!size:TypeError, depth!length:TypeError,
    **kwargs) -> object[EquinoxLayer, own, jax.nn.relu]
MultiheadAttention(num_heads!size:TypeError, query_size, **kwargs) -> object[EquinoxAttention, own]
Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d(in_channels, out_channels!size:TypeError, kernel_size!,
    **kwargs) -> object[EquinoxLayer, own]
Embedding(num_embeddings!size:TracerBoolConversionError=, embedding_size!size:TracerBoolConversionError=, **kwargs) ->
    object[EquinoxLayer, own]
GRUCell(input_size, hidden_size!size, **kwargs) -> object[EquinoxLayer, own]
Conv ConvTranspose WeightNorm(*args, **kwargs) -> object[EquinoxLayer, own]
AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d(kernel_size!shape:ValueError, stride!shape:ValueError=, **kwargs) ->
    object[EquinoxLayer]
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d(*args, **kwargs) -> object[EquinoxLayer]
LayerNorm RMSNorm(shape!shape:TypeError, **kwargs) -> object[EquinoxSameLayer, own]
GroupNorm(groups!size:TracerBoolConversionError, **kwargs) -> object[EquinoxSameLayer, own]
PReLU(init_alpha=) -> object[EquinoxSameLayer, own]
Dropout(p=, inference=, **kwargs) -> object[EquinoxDropout]
Identity RotaryPositionalEmbedding(*args, **kwargs) -> object[EquinoxSameLayer]
LSTMCell(input_size, hidden_size!size, **kwargs) -> object[EquinoxCell, own]
BatchNorm SpectralNorm(*args, **kwargs) -> object[EquinoxStatefulLayer, own]
StateIndex(init) -> object[EquinoxIndex]
make_with_state(make_model) -> object[EquinoxMaker]
Lambda(fn) -> object[EquinoxLambda, , fn]
Sequential(layers) -> object[EquinoxChain]
""",
    "equinox.internal": """
error_if(x, pred, msg, *, on_error=) -> same[x]
unvmap_all unvmap_any unvmap_max(x) -> array[scalar, same(x)]
noinline(fn, abstract_fn=) -> transform[transparent]
while_loop(cond_fun, body_fun, init_val, *, max_steps=, buffers=, kind, checkpoints=, base=) ->
    trace[while_loop]
scan(f, init, xs, length=, *, buffers=, kind, checkpoints=) -> trace[scan]
""",
}

METHODS = {
    "EquinoxLayer": "__call__(x, *args, **kwargs) -> layer",
    "EquinoxSameLayer": "__call__(x, *args, **kwargs) -> layer[same(x)]",
    "EquinoxDropout": """
__call__(x, *, key=, inference!flag:TracerBoolConversionError&p=, deterministic=) -> layer[same(x)]
""",
    "EquinoxAttention": """
__call__(query, key_, value, mask=, *, key=, inference!flag:TracerBoolConversionError&dropout_p=, **kwargs) -> layer
""",
    "EquinoxCell": "__call__(input, hidden, *, key=) -> tree",
    "EquinoxStatefulLayer": """
__call__(x, state, *, key=, inference!flag:TracerBoolConversionError=) -> handles[and_state]
""",
    "EquinoxIndex": "__call__() -> unknown",
    "EquinoxMaker": "__call__(*args, **kwargs) -> handles[with_state]",
    "EquinoxState": """
get(item) -> tree
set(item, value) -> same[self]
substate(pytree) -> same[self]
update(substate) -> same[self]
""",
    "EquinoxLambda": "__call__(x, *, key=) -> calls[fn(x), same]",
    "EquinoxChain": "__call__(x, state=, *, key=) -> trace[sequential]",
}

OBJECTS = {"equinox.Module": "class:pytree"}
