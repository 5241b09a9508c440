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


# The names of public modules, as of JAX 0.10.2.
_PUBLIC = {
    "jax.numpy": (
        "float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
        "float8_e5m2fnuz float8_e8m0fnu int2 int4 uint2 uint4"
    ),
    "jax.api_util": (
        "argnums_partial debug_info donation_vector flatten_axes flatten_fun flatten_fun_nokwargs "
        "rebase_donate_argnums safe_map shaped_abstractify"
    ),
    "jax.core": (
        "AbstractValue Atom ParamDict ShapedArray Trace Tracer Value ensure_compile_time_eval eval_context "
        "eval_jaxpr max_dim min_dim"
    ),
    "jax.custom_derivatives": (
        "CustomVJPPrimal SymbolicZero closure_convert custom_gradient custom_jvp custom_jvp_call_p custom_vjp "
        "custom_vjp_call_p custom_vjp_primal_tree_values linear_call remat_opt_p zero_from_primal"
    ),
    "jax.distributed": ("initialize is_initialized shutdown"),
    "jax.dlpack": ("from_dlpack is_supported_dtype"),
    "jax.example_libraries.stax": (
        "AvgPool BatchNorm Conv Conv1DTranspose ConvTranspose Dense Dropout Elu Exp FanInConcat FanInSum "
        "FanOut Flatten Gelu GeneralConv GeneralConvTranspose Identity LeakyRelu LogSoftmax MaxPool Relu Selu "
        "Sigmoid Softmax Softplus SumPool Tanh elementwise elu gelu glorot glorot_normal leaky_relu "
        "log_softmax logsoftmax normal ones parallel randn relu selu serial shape_dependent sigmoid softmax "
        "softplus standardize zeros"
    ),
    "jax.experimental.compute_on": ("compute_on compute_on2"),
    "jax.experimental.custom_partitioning": (
        "ArrayMapping BATCHING CompoundFactor SdyShardingRule custom_partitioning custom_partitioning_p"
    ),
    "jax.experimental.hijax": (
        "AbstractRef AbstractValue AvalMutableQDD AvalQDD HiPrimitive HiPspec HiType MutableHiType "
        "ShapedArray TransformedRef VJPHiPrimitive Zero aval_method aval_property "
        "control_flow_allowed_effects instantiate_zeros is_undefined_primal register_hitype"
    ),
    "jax.experimental.jet": (
        "JetTrace JetTracer ZeroSeries ZeroTerm call_param_updaters def_comp def_deriv deflinear defzero "
        "deriv_prop fact jet jet2 jet_fun jet_rules jet_subtrace linear_prop register_pytree_node safe_zip "
        "traceable tree_flatten tree_structure tree_unflatten treedef_is_leaf unzip2 weakref_lru_cache "
        "zero_prop zero_series zero_term"
    ),
    "jax.experimental.layout": ("Format Layout with_layout_constraint"),
    "jax.experimental.serialize_executable": ("annotations deserialize_and_load serialize"),
    "jax.experimental.sparse": (
        "BCOO BCSR COO CSC CSR CuSparseEfficiencyWarning JAXSparse SparseEfficiencyError "
        "SparseEfficiencyWarning SparseTracer bcoo_broadcast_in_dim bcoo_concatenate "
        "bcoo_conv_general_dilated bcoo_dot_general bcoo_dot_general_p bcoo_dot_general_sampled "
        "bcoo_dot_general_sampled_p bcoo_dynamic_slice bcoo_extract bcoo_extract_p bcoo_fromdense "
        "bcoo_fromdense_p bcoo_gather bcoo_multiply_dense bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape "
        "bcoo_rev bcoo_slice bcoo_sort_indices bcoo_sort_indices_p bcoo_spdot_general_p bcoo_squeeze "
        "bcoo_sum_duplicates bcoo_sum_duplicates_p bcoo_todense bcoo_todense_p bcoo_transpose "
        "bcoo_transpose_p bcoo_update_layout bcsr_broadcast_in_dim bcsr_concatenate bcsr_dot_general "
        "bcsr_dot_general_p bcsr_extract bcsr_extract_p bcsr_fromdense bcsr_fromdense_p bcsr_sum_duplicates "
        "bcsr_todense bcsr_todense_p coo_fromdense coo_fromdense_p coo_matmat coo_matmat_p coo_matvec "
        "coo_matvec_p coo_todense coo_todense_p csr_fromdense csr_fromdense_p csr_matmat csr_matmat_p "
        "csr_matvec csr_matvec_p csr_todense csr_todense_p empty eye grad jacfwd jacobian jacrev random_bcoo "
        "sparsify todense todense_p value_and_grad"
    ),
    "jax.experimental.sparse.linalg": ("lobpcg_standard spsolve"),
    "jax.experimental.xla_metadata": ("set_xla_metadata"),
    "jax.export": (
        "DisabledSafetyCheck Exported SymbolicScope default_export_platform deserialize export "
        "is_symbolic_dim maximum_supported_calling_convention_version "
        "minimum_supported_calling_convention_version register_namedtuple_serialization "
        "register_pytree_node_serialization symbolic_args_specs symbolic_shape"
    ),
    "jax.extend.backend": (
        "backend_xla_version backends clear_backends clear_in_memory_compilation_cache get_backend "
        "get_compile_options get_default_device register_backend_cache register_backend_factory"
    ),
    "jax.extend.core": (
        "AbstractToken CallPrimitive ClosedJaxpr DebugInfo DropVar Effect Effects "
        "InconclusiveDimensionOperation Jaxpr JaxprEqn JaxprTypeError Literal Primitive Token TraceTag Var "
        "array_types call_impl check_jaxpr concrete_or_error find_top_trace gensym get_opaque_trace_state "
        "jaxpr_as_fun jaxprs_in_params mapped_aval new_jaxpr_eqn no_effects nonempty_axis_env_DO_NOT_USE "
        "primal_dtype_to_tangent_dtype set_current_trace subjaxprs take_current_trace unmapped_aval "
        "unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE "
        "unsafe_get_axis_names_DO_NOT_USE valid_jaxtype"
    ),
    "jax.extend.linear_util": (
        "StoreException WrappedFun cache merge_linear_aux transformation transformation2 "
        "transformation_with_aux transformation_with_aux2 wrap_init"
    ),
    "jax.extend.random": (
        "define_prng_impl random_seed rbg_prng_impl seed_with_impl threefry2x32_p threefry_2x32 "
        "threefry_prng_impl unsafe_rbg_prng_impl"
    ),
    "jax.extend.sharding": (
        "GSPMDSharding get_hlo_sharding_from_serialized_proto get_op_sharding_from_serialized_proto "
        "get_serialized_proto_from_hlo_sharding"
    ),
    "jax.extend.source_info_util": (
        "NameStack SourceInfo current current_name_stack extend_name_stack new_name_stack new_source_info "
        "register_exclusion reset_name_stack set_name_stack summarize transform_name_stack user_context"
    ),
    "jax.ffi": (
        "build_ffi_lowering_function ffi_call ffi_lowering include_dir pycapsule register_ffi_target "
        "register_ffi_target_as_batch_partitionable register_ffi_type register_ffi_type_id"
    ),
    "jax.interpreters.ad": (
        "JVPTrace JVPTracer UndefinedPrimal Zero add_jaxvals add_jaxvals_p add_tangents annotations "
        "defbilinear defjvp defjvp2 deflinear deflinear2 get_primitive_transpose instantiate_zeros "
        "is_undefined_primal jvp linearize primitive_jvps primitive_transposes zeros_like_aval"
    ),
    "jax.interpreters.batching": (
        "axis_primitive_batchers bdim_at_front broadcast defbroadcasting defreducer defvectorized "
        "fancy_primitive_batchers primitive_batchers register_vmappable unregister_vmappable"
    ),
    "jax.interpreters.mlir": (
        "AxisContext ConstantHandler DEVICE_TO_DEVICE_TYPE LoweringParameters LoweringResult LoweringRule "
        "LoweringRuleContext Mesh MeshAxisName ModuleContext RECV_FROM_HOST_TYPE SEND_TO_HOST_TYPE "
        "SPMDAxisContext ShapePolyLoweringState ShardingContext Token TokenSet Value aval_to_ir_type "
        "aval_to_ir_types core_call_lowering dense_int_array dense_int_elements dtype_to_ir_type "
        "emit_python_callback flatten_ir_types flatten_ir_values i32_attr i64_attr ir_attribute ir_constant "
        "ir_constants ir_tree_registry ir_type_handlers jaxpr_subcomp lower_fun lower_jaxpr_to_fun "
        "lower_jaxpr_to_module lowerable_effects make_ir_context merge_mlir_modules module_to_bytecode "
        "module_to_string register_constant_handler register_lowering shape_tensor token_type "
        "unflatten_ir_values_like_types"
    ),
    "jax.interpreters.partial_eval": (
        "DynamicJaxprTracer JaxprTracer PartialVal Val custom_partial_eval_rules dce_jaxpr "
        "dce_jaxpr_call_rule dce_jaxpr_closed_call_rule dce_jaxpr_consts dce_rules "
        "partial_eval_jaxpr_custom_rules trace_to_jaxpr_dynamic trace_to_jaxpr_nounits"
    ),
    "jax.interpreters.pxla": ("create_compile_options"),
    "jax.interpreters.xla": ("Backend apply_primitive canonicalize_dtype_handlers"),
    "jax.monitoring": (
        "clear_event_listeners record_event record_event_duration_secs record_event_time_span record_scalar "
        "register_event_duration_secs_listener register_event_listener register_event_time_span_listener "
        "register_scalar_listener unregister_event_duration_listener unregister_event_listener "
        "unregister_event_time_span_listener unregister_scalar_listener"
    ),
    "jax.ref": ("AbstractRef Ref addupdate empty_ref free_ref freeze get new_ref set swap"),
    "jax.sharding": (
        "AbstractDevice AbstractMesh AxisType ManualAxisType Mesh NamedSharding PartitionSpec Sharding "
        "SingleDeviceSharding auto_axes explicit_axes get_abstract_mesh get_mesh make_single_device_sharding "
        "reshard set_mesh use_abstract_mesh"
    ),
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
MODULES = frozenset([*INNER, *_PUBLIC])


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
        if name.startswith("__"):
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
    """What stands for a name. Raises MissingFunction for names that JAX's module lacks, too."""
    whole = f"{module}.{name}"
    if name in _PUBLIC.get(module, "").split() or (module in INNER and name in _inner_names()[module]):
        return Absent(whole)
    raise MissingFunction(whole)
