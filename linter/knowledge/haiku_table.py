"""haiku: jax transforms over impure functions, and the parameters and keys that those take."""

from __future__ import annotations

FUNCTIONS = {
    "haiku": """
# inside a transformed function they do as their jax twins
grad(fun, argnums=, has_aux=, holomorphic=) -> transform[grad]
value_and_grad(fun, argnums=, has_aux=, holomorphic=) -> transform[value_and_grad]
vmap(fun, in_axes=, out_axes=, axis_name=, axis_size=, *, split_rng) -> transform[vmap]
remat(fun, *, prevent_cse=, policy=, static_argnums=) -> transform[transparent]
eval_shape(fun, *args, **kwargs) -> trace[eval_shape]
scan(f, init, xs, length=, reverse=, unroll=) -> trace[scan]
cond(pred, true_fun, false_fun, *operands, operand=) -> trace[cond]
switch(index, branches, *operands) -> trace[switch]
while_loop(cond_fun, body_fun, init_val) -> trace[while_loop]
fori_loop(lower, upper, body_fun, init_val) -> trace[fori_loop]
map(f, xs) -> trace[map]

transform transform_with_state(f, *, apply_rng=) -> trace[haiku_pair]
multi_transform multi_transform_with_state(f) -> transform[opaque]
without_apply_rng(f) -> trace[haiku_without_rng]
without_state(f) -> unknown
transparent name_like(method, /) -> same[method]
to_module(f) -> unknown
next_rng_key() -> array[?, ?]
maybe_next_rng_key() -> taint
next_rng_keys(num!length) -> array[?, ?]
get_parameter(name, shape!:TypeError, dtype=, init=) -> array[shape(shape), dtype|float32]
get_state(name, shape=, dtype=, init=) -> taint
set_state(name, value) -> none
dropout(rng, rate, x, broadcast_dims=) -> array[same(x), same(x)]
max_pool avg_pool(value, window_shape, strides, padding, channel_axis=) -> array[?, same(value)]
one_hot(x, num_classes!, dtype=) -> array[?, dtype|float32]
""",
}

ALIASES = {
    "haiku.checkpoint": "haiku.remat",
    "haiku.experimental.layer_stack": "haiku.layer_stack",
}
