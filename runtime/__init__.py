"""The bundled runtime: traces what users write as JAX does, and compiles it through LLVM.

It reads like JAX: ``import tracetrap.runtime as jax``. Names are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.10.2"  # The release of JAX whose behaviour this is.

# Where each public name is defined.
_HOMES = {
    "jit": "jitting.jit",
    "clear_caches": "jitting.jit",
    "make_jaxpr": "tracing.inspection",
    "eval_shape": "tracing.inspection",
    "ShapeDtypeStruct": "tracing.inspection",
    "Array": "arrays.operators",
    "devices": "arrays.cpu",
    "local_devices": "arrays.cpu",
    "device_count": "arrays.cpu",
    "local_device_count": "arrays.cpu",
    "default_backend": "arrays.cpu",
    "device_put": "arrays.cpu",
    "device_get": "arrays.cpu",
    "block_until_ready": "arrays.cpu",
    "grad": "transforms.grad",
    "value_and_grad": "transforms.grad",
    "fwd_and_bwd": "transforms.grad",
    "jacfwd": "transforms.grad",
    "jacrev": "transforms.grad",
    "jacobian": "transforms.grad",
    "hessian": "transforms.grad",
}
_MODULES = frozenset(
    {
        "ad_checkpoint",
        "config",
        "core",
        "custom_batching",
        "custom_derivatives",
        "debug",
        "distributed",
        "dlpack",
        "dtypes",
        "errors",
        "experimental",
        "export",
        "flatten_util",
        "image",
        "lax",
        "memory",
        "monitoring",
        "nn",
        "numpy",
        "ops",
        "profiler",
        "random",
        "ref",
        "scipy",
        "sharding",
        "stages",
        "tree",
        "tree_util",
        "typing",
    }
)
_HOMES |= {
    "vmap": "transforms.vmap",
    "checkpoint": "transforms.checkpoint",
    "remat": "transforms.checkpoint",
    "checkpoint_policies": "transforms.checkpoint",
    "jvp": "transforms.differentiation",
    "vjp": "transforms.differentiation",
    "linearize": "transforms.differentiation",
    "linear_transpose": "transforms.differentiation",
    "closure_convert": "transforms.custom_derivatives",
    "custom_gradient": "transforms.custom_derivatives",
    "custom_jvp": "transforms.custom_jvp",
    "custom_vjp": "transforms.custom_vjp",
    "pure_callback": "transforms.callbacks",
    "named_scope": "tracing.scopes",
    "named_call": "tracing.scopes",
    "ensure_compile_time_eval": "tracing.scopes",
}
_HOMES |= dict.fromkeys(("jacfwd", "jacrev", "jacobian", "hessian"), "transforms.jacobian")
_HOMES |= dict.fromkeys(
    (
        "allow_f16_reductions array_garbage_collection_guard auto_pcast check_tracer_leaks checking_leaks debug_infs "
        "debug_key_reuse debug_nans default_device default_matmul_precision default_prng_impl disable_jit enable_checks "
        "enable_custom_prng enable_x64 explain_cache_misses legacy_prng_key log_compiles no_execution no_tracing "
        "numpy_dtype_promotion numpy_rank_promotion remove_size_one_mesh_axis_from_type softmax_custom_jvp thread_guard "
        "threefry_partitionable"
    ).split(),
    "config",
)
_HOMES |= dict.fromkeys(
    (
        "process_index",
        "process_count",
        "process_indices",
        "host_id",
        "host_count",
        "host_ids",
        "live_arrays",
        "copy_to_host_async",
        "transfer_guard",
        "transfer_guard_host_to_device",
        "transfer_guard_device_to_host",
        "transfer_guard_device_to_device",
    ),
    "arrays.cpu",
)
_HOMES |= {
    "ds": "numpy.dynamic_slices",
    "float0": "dtypes",
    "Device": "arrays.cpu",
    "pmap": "transforms.parallel",
    "shard_map": "transforms.parallel",
    "make_mesh": "sharding",
    "set_mesh": "sharding",
    "reshard": "sharding",
    "NamedSharding": "sharding",
    "P": "sharding",
    "typeof": "transforms.callbacks",
    "effects_barrier": "transforms.callbacks",
    "make_array_from_callback": "arrays.assembling",
    "make_array_from_process_local_data": "arrays.assembling",
    "make_array_from_single_device_arrays": "arrays.assembling",
    "Ref": "ref",
    "new_ref": "ref",
    "free_ref": "ref",
    "make_user_context": "config",
    "print_environment_info": "extend.environment",
    "freeze": "ref",
}
_ALIASES = {
    "P": "PartitionSpec",
    "Device": "CpuDevice",
    "float0": "FLOAT0",
    "host_id": "process_index",
    "host_count": "process_count",
    "host_ids": "process_indices",
    "transfer_guard_host_to_device": "transfer_guard",
    "transfer_guard_device_to_host": "transfer_guard",
    "transfer_guard_device_to_device": "transfer_guard",
    "local_device_count": "device_count",
    "jacobian": "jacrev",
    "remat": "checkpoint",
}

__all__ = sorted({*_HOMES, *_MODULES})  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The operators of arrays are installed by a module of their own, which every user of arrays needs.
    importlib.import_module(".arrays.operators", __name__)
    value = getattr(importlib.import_module(f".{home}", __name__), _ALIASES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
