"""haiku: jax transforms over impure functions, and the parameters and keys that those take."""

from __future__ import annotations

FUNCTIONS = {
    "haiku": """
# inside a transformed function they do as their jax twins
grad(fun, argnums=, has_aux=, holomorphic=) -> transform[grad]
value_and_grad(fun, argnums=, has_aux=, holomorphic=) -> transform[value_and_grad]
vmap(fun, in_axes=, out_axes=, axis_name=, axis_size=, *, split_rng) -> transform[vmap]
remat(fun, *, prevent_cse=, policy=, static_argnums=) -> transform[checkpoint]
eval_shape(fun, *args, **kwargs) -> trace[eval_shape]
scan(f, init, xs, length=, reverse=, unroll=) -> trace[scan]
cond(pred, true_fun, false_fun, *operands, operand=) -> trace[cond]
switch(index, branches, *operands) -> trace[switch]
while_loop(cond_fun, body_fun, init_val) -> trace[while_loop]
fori_loop(lower, upper, body_fun, init_val) -> trace[fori_loop]
map(f, xs) -> trace[map]

transform(f, *, apply_rng=) -> trace[haiku_pair]
transform_with_state(f) -> trace[haiku_pair]
multi_transform multi_transform_with_state(f) -> trace[haiku_many]
without_apply_rng(f) -> trace[haiku_without_rng]
without_state(f) -> unknown
transparent(method, /) -> same[method]
name_like(method_name) -> model[wraps]
to_module(f) -> unknown
next_rng_key() -> array[scalar, key]
PRNGSequence(key_or_seed) -> model[key_sequence]
maybe_next_rng_key() -> taint
next_rng_keys(num!length) -> array[?, ?]
get_parameter(name, shape!:TypeError, dtype=, init=) -> layer[shape(shape), dtype|float32]
get_state(name, shape=, dtype=, init=) -> when[shape, layer[shape(shape), dtype|float32], taint]
set_state(name, value) -> none
dropout(rng, rate, x, broadcast_dims=) -> array[same(x), same(x)]
max_pool avg_pool(value, window_shape, strides, padding, channel_axis=) -> array[?, same(value)]
one_hot(x, num_classes!, dtype=) -> array[?, dtype|float32]

dynamic_unroll(core, input_sequence, initial_state, time_major=, reverse=, return_all_states=, unroll=) ->
    traces[core(input_sequence:row, initial_state), tree]
static_unroll(core, input_sequence, initial_state, time_major=) -> taint
layer_stack(num_layers, with_per_layer_inputs=, *, unroll=, pass_reverse_to_layer_fn=, transparent=,
    transparency_map=, name=) -> object[HaikuStack]
BatchApply(f, num_dims=) -> object[HaikuBatch]

Linear(output_size, with_bias=, w_init=, b_init=, name=) -> object[HaikuLinear]
BatchNorm(create_scale, create_offset, decay_rate, **kwargs) -> object[HaikuStatistics]
Bias GroupNorm InstanceNorm LayerNorm RMSNorm(*args, **kwargs) -> object[HaikuSameLayer]
Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose(output_channels, kernel_shape, **kwargs) ->
    object[HaikuConvolution]
Embed(vocab_size!size:TracerBoolConversionError=, embed_dim!size:TracerBoolConversionError=, **kwargs) -> object[HaikuLayer]
AvgPool ConvND ConvNDTranspose DepthwiseConv1D DepthwiseConv2D DepthwiseConv3D Flatten MaxPool MultiHeadAttention Reshape
    SeparableDepthwiseConv2D(*args, **kwargs) -> object[HaikuLayer]
GRU LSTM VanillaRNN(hidden_size, **kwargs) -> object[HaikuCore]
Conv1DLSTM Conv2DLSTM Conv3DLSTM IdentityCore(*args, **kwargs) -> object[HaikuCore]
Sequential(layers, name=) -> object[HaikuChain]
""",
    "haiku.nets": """
MLP(output_sizes, **kwargs) -> object[HaikuPerceptron]
ResNet18 ResNet34 ResNet50 ResNet101 ResNet152 ResNet200(num_classes, **kwargs) -> object[HaikuNetwork]
""",
}

METHODS = {
    "HaikuLayer": "__call__(inputs, *args, **kwargs) -> layer",
    "HaikuLinear": """
__call__(inputs, *, precision=, output_size!size:TypeError=, with_bias!flag:TracerBoolConversionError=) ->
    layer[resize(inputs, output_size)]
""",
    "HaikuConvolution": """
__call__(inputs, *, precision=, output_channels!size:TypeError=, kernel_shape!shape:TracerArrayConversionError=) -> layer
""",
    "HaikuPerceptron": "__call__(inputs, dropout_rate=, rng=, *, output_sizes!shape:TypeError=) -> layer",
    "HaikuStatistics": """
__call__(inputs, is_training!flag:TracerBoolConversionError, test_local_stats=, scale=, offset=) -> layer[same(inputs)]
""",
    "HaikuNetwork": "__call__(inputs, is_training!flag:TracerBoolConversionError, test_local_stats=) -> layer",
    "HaikuSameLayer": "__call__(inputs, *args, **kwargs) -> layer[same(inputs)]",
    "HaikuCore": """
__call__(inputs, prev_state) -> record[layer, tree]
initial_state(batch_size, *, hidden_size!size:TypeError=) -> tree
""",
    "HaikuStack": "__call__(f) -> transform[checkpoint]",
    "HaikuBatch": "__call__(*args, **kwargs) -> calls[f(*args, **kwargs)]",
    "HaikuChain": "__call__(inputs, *args, **kwargs) -> trace[sequential]",
}

OBJECTS = {"haiku.Module": "class:HaikuModule", "haiku.RNNCore": "class:HaikuModule"}

ALIASES = {
    "haiku.checkpoint": "haiku.remat",
    "haiku.experimental.layer_stack": "haiku.layer_stack",
}
