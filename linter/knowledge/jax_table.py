"""jax itself: transforms, trees, callbacks, devices, and jax.experimental where it traces user functions."""

from __future__ import annotations

_TRANSFORMS = """
jit(fun=, /, *, in_shardings=, out_shardings=, static_argnums=, static_argnames=, donate_argnums=,
    donate_argnames=, keep_unused=, device=, backend=, inline=, compiler_options=) -> transform[jit]
vmap(fun, in_axes=, out_axes=, axis_name=, axis_size=, spmd_axis_name=, sum_match=) -> transform[vmap]
pmap(fun, axis_name=, *, in_axes=, out_axes=, static_broadcasted_argnums=, devices=, backend=, axis_size=,
    donate_argnums=) -> transform[pmap]
grad(fun, argnums=, has_aux=, holomorphic=, allow_int=, reduce_axes=) -> transform[grad]
value_and_grad(fun, argnums=, has_aux=, holomorphic=, allow_int=, reduce_axes=) -> transform[value_and_grad]
jacfwd hessian(fun, argnums=, has_aux=, holomorphic=) -> transform[jacobian]
jacrev jacobian(fun, argnums=, has_aux=, holomorphic=, allow_int=) -> transform[jacobian]
checkpoint(fun, *, prevent_cse=, policy=, static_argnums=, static_argnames=, concrete=) ->
    transform[checkpoint]
remat(fun, *, prevent_cse=, policy=, static_argnums=, concrete=) -> transform[checkpoint]
custom_jvp(fun, nondiff_argnums=, nondiff_argnames=) -> transform[custom_jvp]
custom_vjp(fun, nondiff_argnums=, nondiff_argnames=) -> transform[custom_vjp]
custom_gradient(fun) -> transform[opaque]
named_call(fun, *, name=) -> transform[transparent]
make_jaxpr(fun, static_argnums=, axis_env=, return_shape=) -> transform[make_jaxpr]
shard_map(f=, /, *, out_specs, in_specs=, mesh=, axis_names=, check_vma=) -> transform[shard_map]
smap(f=, /, *, in_axes=, out_axes, axis_name) -> transform[vmap]
jvp(fun, primals, tangents, has_aux=) -> trace[jvp]
vjp(fun, *primals, has_aux=, reduce_axes=) -> trace[vjp]
linearize(fun, *primals, has_aux=) -> trace[linearize]
linear_transpose(fun, *primals, reduce_axes=) -> trace[linear_transpose]
closure_convert(fun, *example_args) -> trace[opaque]
fwd_and_bwd(fun, argnums, has_aux=, jitted=) -> trace[opaque]
eval_shape(fun, *args, **kwargs) -> trace[eval_shape]
pure_callback(callback, result_shape_dtypes, *args, sharding=, vmap_method=, **kwargs) ->
    trace[pure_callback]
"""

_VALUES = """
device_put(x, device=, *, src=, donate=, may_alias=) -> same[x]
device_get(x) -> model[fetched]
block_until_ready copy_to_host_async(x) -> same[x]
reshard(xs, out_shardings) -> same[xs]
typeof(x) -> static[aval]
new_ref(init_val, *, memory_space=, kind=) -> unknown
freeze(ref) -> taint
make_array_from_callback(shape, sharding, data_callback, dtype=) -> unknown
ShapeDtypeStruct(shape, dtype, *, sharding=, weak_type=, manual_axis_type=, is_ref=) ->
    static[ShapeDtypeStruct, shape(shape), dtype]
default_backend() -> static[str]
device_count local_device_count process_count process_index(backend=) -> static[int]
devices(backend=) -> several[Device]
local_devices(process_index=, backend=, host_id=) -> several[Device]
clear_caches() -> none
effects_barrier() -> none
make_mesh(axis_shapes, axis_names, axis_types=, *, devices=) -> static[Mesh]
"""

_TREES = """
tree_map(f, tree, *rest, is_leaf=) -> handles[tree_map]
tree_map_with_path(f, tree, *rest, is_leaf=, is_leaf_takes_path=) -> handles[tree_map_with_path]
tree_reduce(function, tree, initializer=, is_leaf=) -> handles[tree_reduce]
tree_reduce_associative(operation, tree, *, identity=, is_leaf=) -> handles[tree_reduce]
tree_leaves(tree, is_leaf=) -> model[tree_leaves]
tree_flatten(tree, is_leaf=) -> model[tree_flatten]
tree_unflatten(treedef, leaves) -> model[tree_unflatten]
tree_structure(tree, is_leaf=) -> model[tree_structure]
tree_leaves_with_path(tree, is_leaf=, is_leaf_takes_path=) -> model[tree_leaves_with_path]
tree_flatten_with_path(tree, is_leaf=, is_leaf_takes_path=) -> model[tree_flatten_with_path]
tree_all(tree!other:TracerBoolConversionError, *, is_leaf=) -> static[bool]
tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose) -> taint
tree_broadcast(prefix_tree, full_tree, is_leaf=) -> taint
all_leaves(iterable, is_leaf=) -> static[bool]
keystr(keys, *, simple!flag:TracerBoolConversionError=, separator=) -> static[str]
treedef_is_leaf(treedef) -> static[bool]
treedef_children(treedef) -> static[list]
treedef_tuple(treedefs) -> static[PyTreeDef]
Partial(func, *args, **kw) -> model[partial]
register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=) ->
    model[register_pytree]
register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=) ->
    model[register_pytree]
register_pytree_node_class register_pytree_with_keys_class register_static(cls) -> model[register_pytree]
register_dataclass(nodetype, data_fields=, meta_fields=, drop_fields=) -> model[register_pytree]
"""

FUNCTIONS = {
    "jax": _TRANSFORMS + _VALUES,
    "jax.tree_util": _TREES,
    "jax.tree": "static(**kwargs) -> unknown",
    "jax.flatten_util": "ravel_pytree(pytree) -> model[ravel_pytree]",
    "jax.debug": """
print log(fmt=, *args, ordered=, partitioned=, skip_format_check=, _use_logging=, **kwargs) -> none
callback(callback=, *args, ordered=, partitioned=, **kwargs) -> trace[debug_callback]
breakpoint(*, backend=, filter_frames=, num_frames=, ordered=, token=, **kwargs) -> none
visualize_array_sharding(arr, **kwargs) -> none
inspect_array_sharding(value, *, callback) -> none
""",
    "jax.core": """
concrete_or_error(force, val!other, context=) -> same[val]
""",
    "jax.extend.core": "concrete_or_error(force, val!other, context=) -> same[val]",
    "jax.dtypes": """
canonicalize_dtype(dtype, allow_extended_dtype=) -> static[dtype]
issubdtype(a, b) -> static[bool]
result_type(*args, return_weak_type_flag=) -> static[dtype]
scalar_type_of(x) -> static[type]
""",
    "jax.config": "update(name, val) -> none",
    "jax.custom_batching": """
custom_vmap(fun) -> transform[transparent]
sequential_vmap(f) -> transform[transparent]
""",
    "jax.custom_derivatives": "linear_call(fun, fun_transpose, residual_args, linear_args) -> trace[opaque]",
    "jax.export": "export(fun_jit, *, platforms=, disabled_checks=, _override_lowering_rules=) -> unknown",
    "jax.profiler": """
annotate_function(func, name=, **decorator_kwargs) -> transform[transparent]
start_trace(log_dir, create_perfetto_link=, create_perfetto_trace=, profiler_options=) -> none
stop_trace() -> none
""",
    "jax.experimental": """
io_callback(callback, result_shape_dtypes, *args, sharding=, ordered=, **kwargs) -> trace[io_callback]
""",
    "jax.experimental.checkify": """
checkify(f, errors=) -> transform[checkify]
check(pred, msg, *fmt_args, debug=, **fmt_kwargs) -> none
debug_check(pred, msg, *fmt_args, **fmt_kwargs) -> none
check_error(error) -> none
""",
    "jax.experimental.shard_map": "shard_map(f, mesh, in_specs, out_specs, check_rep=) -> transform[shard_map]",
    "jax.experimental.pjit": """
pjit(fun, in_shardings=, out_shardings=, static_argnums=, static_argnames=, donate_argnums=,
    donate_argnames=, keep_unused=, device=, backend=, inline=, compiler_options=) -> transform[jit]
""",
    "jax.experimental.ode": "odeint(func, y0, t, *args, rtol=, atol=, mxstep=, hmax=) -> traces[func(y0:strict, SCALAR, *args:strict), trace[states]]",
    "jax.experimental.jet": "jet(fun, primals, series, factorial_scaled=, **_) -> trace[opaque]",
    "jax.experimental.pallas": """
pallas_call(kernel, out_shape, *, grid_spec=, grid=, in_specs=, out_specs=, scratch_shapes=,
    input_output_aliases=, debug=, interpret=, name=, compiler_params=, cost_estimate=, metadata=) ->
    transform[opaque]
""",
    "jax.experimental.mesh_utils": """
create_device_mesh(mesh_shape, devices=, *, contiguous_submeshes=, allow_split_physical_axes=) ->
    static[ndarray]
""",
    "jax.test_util": "check_grads(f, args, order, modes=, atol=, rtol=, eps=) -> none",
}

_TREE_NAMES = "all broadcast flatten flatten_with_path leaves leaves_with_path map map_with_path reduce reduce_associative"

ALIASES = {
    **{f"jax.tree.{name}": f"jax.tree_util.tree_{name}" for name in _TREE_NAMES.split()},
    "jax.tree.structure": "jax.tree_util.tree_structure",
    "jax.tree.transpose": "jax.tree_util.tree_transpose",
    "jax.tree.unflatten": "jax.tree_util.tree_unflatten",
    # removed from recent releases, still met in code
    **{
        f"jax.tree_{name}": f"jax.tree_util.tree_{name}"
        for name in ["map", "leaves", "flatten", "unflatten", "structure"]
    },
    "jax.tree_util.tree_multimap": "jax.tree_util.tree_map",
    "jax.experimental.maps.shard_map": "jax.experimental.shard_map.shard_map",
    "jax.custom_derivatives.closure_convert": "jax.closure_convert",
    "jax.custom_derivatives.custom_jvp": "jax.custom_jvp",
    "jax.custom_derivatives.custom_vjp": "jax.custom_vjp",
    "jax.custom_derivatives.custom_gradient": "jax.custom_gradient",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.core.ensure_compile_time_eval": "jax.ensure_compile_time_eval",
    "jax.core.ShapedArray": "jax.ShapeDtypeStruct",
    "jax.interpreters.xla.DeviceArray": "jax.Array",
    "jaxlib.xla_extension.ArrayImpl": "jax.Array",
    "jax.numpy.ndarray": "jax.Array",
    "jax.numpy.DeviceArray": "jax.Array",
    "jax.random.KeyArray": "jax.Array",
    "jax.random.PRNGKeyArray": "jax.Array",
    "jax.P": "jax.sharding.PartitionSpec",
    "jax.NamedSharding": "jax.sharding.NamedSharding",
    "jax.experimental.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.pjit.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.maps.Mesh": "jax.sharding.Mesh",
}

_SHARDING = "AbstractMesh Mesh NamedSharding PartitionSpec PositionalSharding Sharding SingleDeviceSharding"

OBJECTS = {
    "jax.Array": "class:Array",
    "jax.core.Tracer": "class:Tracer",
    "jax.typing.ArrayLike": "class:ArrayLike",
    "jax.ensure_compile_time_eval": "context:compile_time",
    "jax.disable_jit": "context:disable_jit",
    "jax.enable_x64": "context:widths",
    **{
        f"jax.{name}": "context:none"
        for name in [
            "checking_leaks",
            "debug_nans",
            "debug_infs",
            "default_device",
            "default_matmul_precision",
            "log_compiles",
            "named_scope",
            "numpy_dtype_promotion",
            "numpy_rank_promotion",
            "set_mesh",
            "transfer_guard",
        ]
    },
    "jax.profiler.trace": "context:none",
    "jax.profiler.TraceAnnotation": "context:none",
    "jax.profiler.StepTraceAnnotation": "context:none",
    "jax.experimental.enable_x64": "context:none",
    "jax.experimental.disable_x64": "context:none",
    **{f"jax.sharding.{name}": f"class:{name}" for name in _SHARDING.split()},
    "jax.checkpoint_policies": "static:policies",
    "jax.__version__": "static:str",
}
