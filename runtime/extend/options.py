"""Options of ``jax.config`` that change nothing here, with the values that JAX gives them. They can be set and read."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Without those of other processors.
DEFAULTS: dict[str, Any] = {
    "check_vma": False,
    "eager_constant_folding": False,
    "jax_allow_f16_reductions": True,
    "jax_array_garbage_collection_guard": None,
    "jax_auto_pcast": True,
    "jax_backend_target": "",
    "jax_bcoo_cusparse_lowering": False,
    "jax_captured_constants_report_frames": 0,
    "jax_captured_constants_warn_bytes": 2000000000,
    "jax_check_proxy_envs": True,
    "jax_check_static_indices": False,
    "jax_compilation_cache_check_contents": False,
    "jax_compilation_cache_dir": None,
    "jax_compilation_cache_include_metadata_in_key": False,
    "jax_compilation_cache_max_size": -1,
    "jax_compiler_detailed_logging_min_ops": 10,
    "jax_compiler_enable_remat_pass": True,
    "jax_cpu_collectives_implementation": "gloo",
    "jax_cpu_enable_async_dispatch": True,
    "jax_cpu_get_global_topology_timeout_minutes": 5,
    "jax_cpu_get_local_topology_timeout_minutes": 2,
    "jax_cross_host_transfer_socket_address": "",
    "jax_cross_host_transfer_timeout_seconds": None,
    "jax_cross_host_transfer_transfer_size": None,
    "jax_cross_host_transport_addresses": "",
    "jax_custom_vjp3": False,
    "jax_debug_key_reuse": False,
    "jax_debug_leaked_clients_on_clear_backends": False,
    "jax_debug_log_modules": "",
    "jax_default_device": None,
    "jax_disable_bwd_checks": False,
    "jax_disable_most_optimizations": False,
    "jax_disable_vmap_shmap_error": False,
    "jax_disallow_mesh_context_manager": False,
    "jax_distributed_debug": False,
    "jax_dump_ir_modes": "stablehlo",
    "jax_dump_ir_to": "",
    "jax_embedded_constants_max_bytes": 32,
    "jax_enable_checks": False,
    "jax_enable_compilation_cache": True,
    "jax_enable_preemption_service": True,
    "jax_enable_recoverability": False,
    "jax_error_checking_behavior_divide": "ignore",
    "jax_error_checking_behavior_nan": "ignore",
    "jax_error_checking_behavior_oob": "ignore",
    "jax_exec_time_optimization_effort": 0.0,
    "jax_experimental_unsafe_xla_runtime_errors": False,
    "jax_explain_cache_misses": False,
    "jax_explicit_x64_dtypes": "warn",
    "jax_export_calling_convention_version": 10,
    "jax_export_ignore_forward_compatibility": False,
    "jax_force_dcn_cross_host_transfers": False,
    "jax_high_dynamic_range_gumbel": False,
    "jax_hlo_source_file_canonicalization_regex": None,
    "jax_include_debug_info_in_dumps": True,
    "jax_include_full_tracebacks_in_locations": True,
    "jax_legacy_prng_key": "allow",
    "jax_log_checkpoint_residuals": False,
    "jax_log_compiles": False,
    "jax_logging_level": "NOTSET",
    "jax_memory_fitting_effort": 0.0,
    "jax_memory_fitting_level": "O2",
    "jax_mutable_array_checks": True,
    "jax_no_execution": False,
    "jax_no_tracing": False,
    "jax_num_cpu_devices": -1,
    "jax_optimization_level": "UNKNOWN",
    "jax_persistent_cache_enable_xla_caches": "xla_gpu_per_fusion_autotune_cache_dir",
    "jax_persistent_cache_min_compile_time_secs": 1.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
    "jax_platform_name": "",
    "jax_platforms": os.environ.get("JAX_PLATFORMS"),
    "jax_pprint_use_color": True,
    "jax_ragged_dot_use_ragged_dot_instruction": True,
    "jax_raise_persistent_cache_errors": False,
    "jax_random_seed_offset": 0,
    "jax_refs_to_pins": False,
    "jax_remat3": False,
    "jax_remove_custom_partitioning_ptr_from_cache_key": False,
    "jax_remove_size_one_mesh_axis_from_type": False,
    "jax_scan3": False,
    "jax_send_traceback_to_runtime": "off",
    "jax_serialization_version": 0,
    "jax_share_binary_between_hosts": False,
    "jax_share_binary_between_hosts_timeout_ms": 1200000,
    "jax_softmax_custom_jvp": False,
    "jax_sort_devices_by_process_index": True,
    "jax_source_url_schema": None,
    "jax_thread_guard": False,
    "jax_traceback_filtering": "auto",
    "jax_traceback_in_locations_limit": 100,
    "jax_tracer_error_num_traceback_frames": 5,
    "jax_transfer_guard": None,
    "jax_transfer_guard_device_to_device": None,
    "jax_transfer_guard_device_to_host": None,
    "jax_transfer_guard_host_to_device": None,
    "jax_use_direct_linearize": True,
    "jax_use_emit_pipeline_primitive": False,
    "jax_use_magma": "auto",
    "jax_use_shardy_partitioner": True,
    "jax_use_simplified_jaxpr_constants": False,
    "jax_xla_backend": "",
    "jax_xla_profile_version": 0,
}

# Those that would change what programs compute or refuse: they keep the value that they have.
_FIXED = frozenset(
    "jax_check_static_indices jax_error_checking_behavior_divide jax_error_checking_behavior_nan "
    "jax_error_checking_behavior_oob jax_explicit_x64_dtypes jax_high_dynamic_range_gumbel jax_no_execution jax_no_tracing "
    "jax_random_seed_offset".split()
)


class _Values(threading.local):
    """What a thread has set them to while a context manager is active."""

    def __init__(self) -> None:
        self.own: dict[str, Any] = {}


_values = _Values()


def read(name: str) -> Any:
    """The value of an option. Raises KeyError for one that there is not."""
    return _values.own[name] if name in _values.own else DEFAULTS[name]


def update(name: str, value: Any) -> None:
    """Set an option. Raises KeyError for one that there is not, NotImplementedError where it would change something."""
    if value != DEFAULTS[name] and name in _FIXED:
        raise NotImplementedError(
            f"{name} is {DEFAULTS[name]!r} in this runtime and cannot be set to {value!r}"
        )
    DEFAULTS[name] = value


@contextmanager
def override(name: str, value: Any) -> Iterator[None]:
    """Set an option for this thread while the context is active. Raises what `update` raises."""
    before = dict(_values.own)
    if name in _FIXED:
        update(name, value)
    _values.own[name] = value
    try:
        yield
    finally:
        _values.own = before
