"""flax: layers of linen and nnx, and what their modules have for the user's."""

from __future__ import annotations

FUNCTIONS = {
    "flax.linen": """
Dense(features, use_bias=, **kwargs) -> object[DenseLayer]
Fp8DotGeneralOp GroupNorm InstanceNorm LayerNorm PReLU RMSNorm(*args, **kwargs) -> object[SameLayer]
Dropout(rate, broadcast_dims=, deterministic=, **kwargs) -> object[DropoutLayer]
BatchNorm(use_running_average=, **kwargs) -> object[StatisticsLayer]
MultiHeadAttention MultiHeadDotProductAttention SelfAttention(num_heads, **kwargs) -> object[AttentionLayer]
Conv ConvLocal ConvTranspose(features, kernel_size=, strides=, **kwargs) -> object[Convolution]
DenseGeneral(features, **kwargs) -> object[SizedLayer]
Embed(num_embeddings, features, **kwargs) -> object[EmbeddingLayer]
Bidirectional Einsum SpectralNorm WeightNorm(*args, **kwargs) -> object[Layer]
GRUCell LSTMCell MGUCell OptimizedLSTMCell SimpleCell(features, **kwargs) -> object[SizedCell]
ConvLSTMCell(*args, **kwargs) -> object[Cell]
RNN(cell, time_major=, return_carry=, **kwargs) -> object[Recurrent]
Sequential(layers, **kwargs) -> object[Chain]
""",
    "flax.nnx": """
Linear(in_features!size:TypeError, out_features!size:TypeError, *, use_bias=, **kwargs) -> object[LinearLayer, own]
LinearGeneral(in_features!shape:TypeError, out_features!shape:TypeError, **kwargs) -> object[Layer, own]
Embed(num_embeddings!size:TypeError, features!size:TypeError, **kwargs) -> object[Layer, own]
Conv ConvTranspose(in_features!size:TypeError, out_features!size:TypeError, kernel_size!shape:TypeError, **kwargs) ->
    object[Layer, own]
LayerNorm RMSNorm(num_features!size:TypeError, **kwargs) -> object[SameLayer, own]
GroupNorm InstanceNorm PReLU(*args, **kwargs) -> object[SameLayer, own]
Dropout(rate, *, broadcast_dims=, deterministic=, **kwargs) -> object[GraphDropout]
BatchNorm(num_features!size:TypeError, *, use_running_average=, **kwargs) -> object[GraphStatistics, own]
MultiHeadAttention(num_heads!size:TracerBoolConversionError, in_features, qkv_features=, out_features=, **kwargs) -> object[AttentionLayer, own]
Bidirectional Einsum LoRA LoRALinear SpectralNorm WeightNorm(*args, **kwargs) -> object[Layer, own]
GRUCell LSTMCell OptimizedLSTMCell SimpleCell(in_features!size:TypeError, hidden_features!size:TypeError, **kwargs) ->
    object[Cell, own]
RNN(cell, *, time_major=, return_carry=, **kwargs) -> object[GraphRecurrent]
Sequential(*layers, **kwargs) -> object[Chain]
List(items=, /) -> handles[module_list]
BatchStat Cache Intermediate Param Variable(value=, **metadata) -> variable[value]
Rngs(default=, **rngs) -> object[Streams]
""",
}

METHODS = {
    "Layer": "__call__(inputs, *args, **kwargs) -> layer",
    # what a layer of linen was made with is looked at when it is called
    "DenseLayer": """
__call__(inputs, *, features!size:TypeError=, use_bias!flag:TracerBoolConversionError=) ->
    layer[resize(inputs, features)]
""",
    "SizedLayer": "__call__(inputs, *, features!shape:TypeError=) -> layer",
    "EmbeddingLayer": """
__call__(inputs, *, num_embeddings!size:TypeError=, features!size:TypeError=) -> layer
attend(query) -> layer
""",
    "Convolution": """
__call__(inputs, *, features!size:TypeError=, kernel_size!shape:TypeError=, strides!shape:TypeError=) -> layer
""",
    "SizedCell": """
__call__(carry, inputs) -> tree
initialize_carry(rng, input_shape, *, features!size:TypeError=) -> tree
""",
    "LinearLayer": "__call__(inputs, out_sharding=) -> layer[resize(inputs, out_features)]",
    "SameLayer": "__call__(inputs, *args, **kwargs) -> layer[same(inputs)]",
    # flags that choose between training and evaluation, on which the layers branch
    "DropoutLayer": """
__call__(inputs, deterministic!flag:TracerBoolConversionError&rate=, rng=, *, rngs=,
    rate!other:TracerBoolConversionError=) -> layer[same(inputs)]
""",
    "StatisticsLayer": """
__call__(x, use_running_average!flag:TracerBoolConversionError=, *, mask=) -> layer[same(x)]
""",
    "AttentionLayer": """
__call__(inputs_q, inputs_k=, inputs_v=, *, num_heads!size:TracerBoolConversionError=, deterministic!flag:TracerBoolConversionError&dropout_rate=,
    decode!flag:TracerBoolConversionError=, **kwargs) -> layer
""",
    "Cell": """
__call__(carry, inputs) -> tree
initialize_carry(*args, **kwargs) -> tree
""",
    "Recurrent": """
__call__(inputs, *args, **kwargs) -> traces[cell(TREE, inputs:row), taint]
init(rngs, inputs, *args, **kwargs) -> traces[cell(TREE, inputs:row), tree]
apply(variables, inputs, *args, **kwargs) -> traces[cell(TREE, inputs:row), taint]
""",
    "GraphRecurrent": "__call__(inputs, *args, **kwargs) -> traces[cell(TREE, inputs:row), taint]",
    "Chain": "__call__(*args, **kwargs) -> trace[sequential]",
    # of nnx, which change what they hold
    "GraphDropout": """
__call__(inputs, deterministic!flag:TracerBoolConversionError&rate=, *, rngs=,
    rate!other:TracerBoolConversionError=) ->
    changes[deterministic, rngs|self, layer[same(inputs)]]
""",
    "GraphStatistics": """
__call__(x, use_running_average!flag:TracerBoolConversionError=, *, mask=) ->
    changes[use_running_average, self, layer[same(x)]]
""",
    "Streams": """
__call__(*args) -> changes[, self, array[scalar, key]]
fork split(*args, **kwargs) -> object[Streams]
""",
    "graph": "eval train set_attributes(*filters, **attributes) -> handles[set_mode]",
    "LinenModule": """
param(name, init_fn, *init_args, unbox=, **init_kwargs) -> initialised
variable(col, name, init_fn=, *init_args, unbox=, **init_kwargs) -> variable
make_rng(name=) -> array[scalar, key]
is_initializing() -> static[bool]
is_mutable_collection(col) -> static[bool]
has_variable has_rng(col, name=) -> static[bool]
get_variable(col, name, default=) -> taint
put_variable(col, name, value) -> none
sow(col, name, value, reduce_fn=, init_fn=) -> static[bool]
perturb(name, value, collection=) -> same[value]
""",
}

ATTRIBUTES = {"Streams": {"*": "same"}}

OBJECTS = {
    "flax.linen.Module": "class:LinenModule",
    "flax.linen.RNNCellBase": "class:LinenModule",
    "flax.nnx.Module": "class:graph",
    "flax.nnx.Object": "class:graph",
    "flax.nnx.Pytree": "class:graph",
    "flax.nnx.RNNCellBase": "class:graph",
}
