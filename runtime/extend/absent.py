"""What JAX has and this runtime lacks, but libraries name when they are imported: its inner parts.

Importing a library must not fail for the sake of a function that is never called. So names in these modules stand for
themselves until they are used; then `MissingFunction` tells which one it was. Names that JAX lacks too stay unknown.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, NoReturn

# Modules below ``jax._src``; `private_names.txt` lists the names in them.
_PRIVATE = (
    "abstract_arrays ad_checkpoint ad_util api api_util array basearray blocked_sampler buffer_callback "
    "cache_key callback checkify cloud_tpu_init compilation_cache compilation_cache_interface compiler "
    "compute_on config core custom_api_util custom_batching custom_derivatives custom_partitioning "
    "custom_partitioning_sharding_rule debugging deprecations dispatch distributed dlpack dtypes earray "
    "effects environment_info error_check errors ffi flatten_util frozen_dict hardware_utils hashable_array "
    "hijax indexing interpreters interpreters.ad interpreters.batching interpreters.mlir "
    "interpreters.partial_eval interpreters.pxla interpreters.remat jaxpr_util lax lax.control_flow lax.lax "
    "lax.parallel lax.slicing lax.utils lax_reference layout lazy_loader lib linear_util literals "
    "logging_config lru_cache mesh mesh_utils monitoring named_sharding nn nn.functions nn.initializers numpy "
    "numpy.indexing numpy.lax_numpy numpy.reductions numpy.ufuncs numpy.util op_shardings partition_spec path pickle_util pjit pmap "
    "pretty_printer profiler public_test_util random random.core random.prng ref scipy shard_alike shard_map "
    "sharding sharding_impls source_info_util sourcemap stages state state.discharge state.primitives "
    "state.types test_loader test_multiprocess test_util test_warning_util third_party tpu_custom_call "
    "traceback_util tree tree_util typing util xla_bridge xla_metadata xla_metadata_lib xla_transform "
)


#: All that these modules of JAX 0.10.2 have and this runtime lacks, though asking for it is an error.
LACKING = {
    "jax": "Shard ad empty_ref jax2tf_associative_scan_reductions lib smap",
    "jax.image": "",
    "jax.lax": (
        "after_all_p all_to_all_p approx_top_k_p create_token_p dce_sink_p device_put_p mulhi_p optimization_barrier_p "
        "precv psend ragged_all_to_all ragged_all_to_all_p reduce_p reduce_window_max_p reduce_window_min_p "
        "reduce_window_p reduce_window_sum_p rng_uniform_p select_and_gather_add_p select_and_scatter_add_p "
        "select_and_scatter_p sharding_constraint_p stage_p"
    ),
    "jax.lax.linalg": "cholesky_update_p ormqr_p qdwh symmetric_product_p tridiagonal_p tridiagonal_solve_p",
    "jax.nn": "",
    "jax.nn.initializers": "",
    "jax.numpy": "ComplexWarning float6_e2m3fn float6_e3m2fn float8_e8m0fnu int1 uint1",
    "jax.numpy.fft": "",
    "jax.numpy.linalg": "",
    "jax.ops": "",
    "jax.random": "random_gamma_p",
    "jax.scipy.linalg": "",
    "jax.scipy.signal": "",
    "jax.scipy.special": "lpmn lpmn_values",
    "jax.scipy.stats": "",
    "jax.tree": "",
    "jax.tree_util": "",
}

# What public modules of JAX 0.10.2 have and this runtime lacks.
PUBLIC = {
    "jax.numpy": "float8_e8m0fnu",
    "jax.api_util": "argnums_partial donation_vector rebase_donate_argnums safe_map",
    "jax.core": "ParamDict eval_context max_dim min_dim",
    "jax.custom_derivatives": "custom_jvp_call_p custom_vjp_call_p remat_opt_p",
    "jax.experimental.compute_on": "compute_on2",
    "jax.experimental.custom_partitioning": "ArrayMapping BATCHING CompoundFactor SdyShardingRule custom_partitioning_p",
    "jax.experimental.hijax": "HiPspec TransformedRef",
    "jax.experimental.jet": (
        "JetTrace JetTracer ZeroSeries ZeroTerm call_param_updaters def_comp def_deriv deflinear defzero "
        "deriv_prop fact jet2 jet_fun jet_rules jet_subtrace linear_prop register_pytree_node safe_zip "
        "traceable tree_structure tree_unflatten treedef_is_leaf unzip2 weakref_lru_cache zero_prop "
        "zero_series zero_term"
    ),
    "jax.experimental.serialize_executable": "annotations deserialize_and_load serialize",
    "jax.experimental.sparse": (
        "SparseTracer bcoo_conv_general_dilated bcoo_dot_general_p bcoo_dot_general_sampled_p bcoo_extract_p "
        "bcoo_fromdense_p bcoo_sort_indices_p bcoo_spdot_general_p bcoo_sum_duplicates_p "
        "bcoo_todense_p bcoo_transpose_p bcsr_broadcast_in_dim bcsr_dot_general_p bcsr_extract_p "
        "bcsr_fromdense_p bcsr_todense_p coo_fromdense_p coo_matmat_p coo_matvec_p coo_todense_p "
        "csr_fromdense_p csr_matmat_p csr_matvec_p csr_todense_p todense_p"
    ),
    "jax.export": ("SymbolicScope deserialize symbolic_args_specs symbolic_shape"),
    "jax.extend.backend": "get_compile_options register_backend_cache register_backend_factory",
    "jax.extend.core": (
        "AbstractToken CallPrimitive InconclusiveDimensionOperation JaxprTypeError Token TraceTag array_types "
        "call_impl find_top_trace nonempty_axis_env_DO_NOT_USE primal_dtype_to_tangent_dtype "
        "take_current_trace unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE "
        "unsafe_get_axis_names_DO_NOT_USE"
    ),
    "jax.extend.linear_util": "cache merge_linear_aux",
    "jax.extend.random": (
        "define_prng_impl random_seed rbg_prng_impl seed_with_impl threefry2x32_p threefry_2x32 "
        "threefry_prng_impl unsafe_rbg_prng_impl"
    ),
    "jax.extend.sharding": (
        "GSPMDSharding get_hlo_sharding_from_serialized_proto get_op_sharding_from_serialized_proto "
        "get_serialized_proto_from_hlo_sharding"
    ),
    "jax.extend.source_info_util": "transform_name_stack",
    "jax.ffi": (
        "build_ffi_lowering_function ffi_call ffi_lowering include_dir pycapsule register_ffi_target "
        "register_ffi_target_as_batch_partitionable register_ffi_type register_ffi_type_id"
    ),
    "jax.interpreters.ad": (
        "JVPTrace JVPTracer add_jaxvals add_jaxvals_p annotations defbilinear defjvp2 get_primitive_transpose "
        "jvp linearize"
    ),
    "jax.interpreters.batching": "bdim_at_front broadcast defbroadcasting defreducer",
    "jax.interpreters.mlir": (
        "AxisContext ConstantHandler DEVICE_TO_DEVICE_TYPE LoweringParameters LoweringResult LoweringRule "
        "LoweringRuleContext Mesh MeshAxisName ModuleContext RECV_FROM_HOST_TYPE SEND_TO_HOST_TYPE "
        "SPMDAxisContext ShapePolyLoweringState ShardingContext Token TokenSet Value aval_to_ir_type "
        "aval_to_ir_types core_call_lowering dense_int_array dense_int_elements dtype_to_ir_type "
        "emit_python_callback flatten_ir_types flatten_ir_values i32_attr i64_attr ir_attribute ir_constant "
        "ir_constants ir_tree_registry ir_type_handlers jaxpr_subcomp lower_jaxpr_to_fun "
        "lower_jaxpr_to_module lowerable_effects make_ir_context merge_mlir_modules module_to_bytecode "
        "module_to_string register_constant_handler shape_tensor token_type unflatten_ir_values_like_types"
    ),
    "jax.interpreters.partial_eval": (
        "JaxprTracer Val custom_partial_eval_rules dce_jaxpr dce_jaxpr_call_rule dce_jaxpr_closed_call_rule "
        "dce_jaxpr_consts dce_rules partial_eval_jaxpr_custom_rules trace_to_jaxpr_dynamic"
    ),
    "jax.interpreters.pxla": "create_compile_options",
    "jax.interpreters.xla": "Backend apply_primitive",
    "jax.ref": "empty_ref",
    "jax.sharding": "AbstractDevice",
}

INNER = frozenset(
    [
        "jax._src",
        "jaxlib",
        "jaxlib.xla_client",
        "jax.experimental.pallas",
        "jax.experimental.pallas.tpu",
        "jax.experimental.pallas.triton",
        "jax.extend.core.primitives",
        *(f"jax._src.{name}" for name in _PRIVATE.split()),
    ]
)
MODULES = frozenset([*INNER, *PUBLIC])


class MissingFunction(AttributeError):
    """A name of JAX that this runtime lacks; `missing` is the whole name."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"{missing} is not available in tracetrap.runtime, which stands in for jax in this process"
        )
        self.missing = missing


class Absent:
    """Stands for something that this runtime lacks. It can be named and passed on; nothing is an instance of it."""

    __slots__ = ("_whole_name",)

    def __init__(self, name: str) -> None:
        self._whole_name = name

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise MissingFunction(self._whole_name)

    __call__ = __mro_entries__ = __bool__ = __iter__ = __len__ = __setitem__ = __contains__ = _refuse
    __enter__ = __exit__ = __index__ = __float__ = _refuse

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__") or name == "dtype":  # Which every type of numbers has.
            raise AttributeError(name)
        return Absent(f"{self._whole_name}.{name}")

    def __getitem__(self, item: Any) -> Absent:
        return self

    def __or__(self, other: Any) -> Any:
        """In a union of types it stands for none: nothing is an instance of it."""
        return other if isinstance(other, (type, UnionType)) else self

    __ror__ = __or__

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __subclasscheck__(self, cls: Any) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self._whole_name}, which tracetrap.runtime lacks>"


@cache
def _inner_names() -> dict[str, frozenset[str]]:
    """The names in JAX's inner modules, as of JAX 0.10.2."""
    from importlib import (
        resources,  # Few programs get here, and it takes as long to import as all of this package.
    )

    text = resources.files(__package__).joinpath("private_names.txt").read_text(encoding="utf-8")
    return {module: frozenset(names) for module, *names in map(str.split, text.splitlines())}


def absent(module: str, name: str) -> Absent:
    """What stands for a name.

    Raises:
        AttributeError: as JAX does, if it is known that the name is none of JAX's.
        MissingFunction: for others that have no stand-in.
    """
    whole = f"{module}.{name}"
    if module in LACKING and not name.startswith("_") and name not in LACKING[module].split():
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    if name in PUBLIC.get(module, "").split() or (module in INNER and name in _inner_names()[module]):
        return Absent(whole)
    raise MissingFunction(whole)
