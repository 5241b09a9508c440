"""Configuration: the flags of ``jax.config`` that change what a program means. The module is that object.

A flag has a process-wide value, read from the environment at start, and a thread-local value while its context
manager is active. `state` is what the hot paths read: one attribute, no function call.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

_TRUE = frozenset({"1", "true", "yes", "on", "t", "y"})
_FALSE = frozenset({"0", "false", "no", "off", "f", "n", ""})


def _environment_flag(name: str, default: bool) -> bool:
    """A boolean environment variable. Raises ValueError when it is neither true nor false."""
    text = os.environ.get(name.upper())
    if text is None:
        return default
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(f"invalid truth value {text!r} for environment {name.upper()!r}")


# Flags that decide what is traced, and so belong to the key of every compiled program.
DEFAULTS: dict[str, Any] = {
    "jax_enable_x64": _environment_flag("jax_enable_x64", False),
    "jax_numpy_dtype_promotion": os.environ.get("JAX_NUMPY_DTYPE_PROMOTION", "standard"),
    "jax_numpy_rank_promotion": os.environ.get("JAX_NUMPY_RANK_PROMOTION", "allow"),
    "jax_default_matmul_precision": os.environ.get("JAX_DEFAULT_MATMUL_PRECISION"),
    "jax_debug_nans": _environment_flag("jax_debug_nans", False),
    "jax_debug_infs": _environment_flag("jax_debug_infs", False),
    "jax_disable_jit": _environment_flag("jax_disable_jit", False),
    "jax_check_tracer_leaks": _environment_flag("jax_check_tracer_leaks", False),
    "jax_enable_custom_prng": _environment_flag("jax_enable_custom_prng", False),
    "jax_threefry_partitionable": _environment_flag("jax_threefry_partitionable", True),
    "jax_default_prng_impl": os.environ.get("JAX_DEFAULT_PRNG_IMPL", "threefry2x32"),
}

# Flags that JAX programs set and that change nothing here.
_ACCEPTED = {
    "jax_platforms",
    "jax_platform_name",
    "jax_log_compiles",
    "jax_traceback_filtering",
    "jax_compilation_cache_dir",
    "jax_default_device",
    "jax_enable_compilation_cache",
    "jax_persistent_cache_min_compile_time_secs",
    "jax_persistent_cache_min_entry_size_bytes",
    "jax_debug_key_reuse",
    "jax_softmax_custom_jvp",
    "jax_array_garbage_collection_guard",
    "jax_legacy_prng_key",
    "jax_transfer_guard",
    "jax_explain_cache_misses",
    "jax_distributed_debug",
    "jax_cpu_collectives_implementation",
}


class State(threading.local):
    """The values in force in this thread. `key` is a number that stands for all of them, for caches to key on."""

    def __init__(self) -> None:
        self.values = dict(DEFAULTS)
        self.enable_x64: bool = self.values["jax_enable_x64"]
        self.disable_jit: bool = self.values["jax_disable_jit"]
        self.strict: bool = self.values["jax_numpy_dtype_promotion"] == "strict"
        self.checks_values: bool = self.values["jax_debug_nans"] or self.values["jax_debug_infs"]
        self.key = interned(tuple(self.values.values()))

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value
        self.enable_x64 = self.values["jax_enable_x64"]
        self.disable_jit = self.values["jax_disable_jit"]
        self.strict = self.values["jax_numpy_dtype_promotion"] == "strict"
        self.checks_values = self.values["jax_debug_nans"] or self.values["jax_debug_infs"]
        self.key = interned(tuple(self.values.values()))


_keys: dict[tuple[Any, ...], int] = {}


def interned(values: tuple[Any, ...]) -> int:
    """A number for each combination of values, for caches to key on."""
    return _keys.setdefault(values, len(_keys))


state = State()


@contextmanager
def override(name: str, value: Any) -> Iterator[None]:
    """Set a flag for this thread while the context is active."""
    before = state.values[name]
    state.set(name, value)
    try:
        yield
    finally:
        state.set(name, before)


def update(name: str, value: Any) -> None:
    """Set a flag in this thread and for all threads started later. Raises AttributeError for an unknown flag."""
    if name in DEFAULTS:
        _check_choice(name, value)
        DEFAULTS[name] = value
        state.set(name, value)
    elif name not in _ACCEPTED:
        raise AttributeError(f"Unrecognized config option: {name}")


def read(name: str) -> Any:
    """The value of a flag. Raises AttributeError for an unknown one."""
    if name in DEFAULTS:
        return state.values[name]
    if name in _ACCEPTED:
        return None
    raise AttributeError(f"Unrecognized config option: {name}")


def __getattr__(name: str) -> Any:
    return dict(state.values) if name == "values" else read(name)


_CHOICES = {
    "jax_numpy_dtype_promotion": ("standard", "strict"),
    "jax_numpy_rank_promotion": ("allow", "warn", "raise"),
    "jax_default_prng_impl": ("threefry2x32", "rbg", "unsafe_rbg"),
}


def _check_choice(name: str, value: Any) -> None:
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(
            f"new enum value for {name} must be in {_CHOICES[name]}, got {value!r} of type {type(value)}"
        )


def _flag(name: str) -> Callable[..., Any]:
    """The context manager of a boolean flag, ``jax.NAME``."""

    def context(new_val: bool = True) -> Any:
        return override(f"jax_{name}", bool(new_val))

    context.__name__ = context.__qualname__ = name
    context.__doc__ = f"Context manager: the flag ``jax_{name}`` while it is active."
    return context


def _choice(name: str) -> Callable[[Any], Any]:
    """The context manager of a flag with several values, ``jax.NAME``. It raises ValueError for any other value."""

    def context(new_val: Any) -> Any:
        _check_choice(f"jax_{name}", new_val)
        return override(f"jax_{name}", new_val)

    context.__name__ = context.__qualname__ = name
    context.__doc__ = f"Context manager: the value of ``jax_{name}`` while it is active."
    return context


def _without_effect(name: str) -> Callable[..., Any]:
    """The context manager of a flag that changes nothing here, ``jax.NAME``."""

    def context(*values: Any) -> Any:
        return nullcontext()

    context.__name__ = context.__qualname__ = name
    context.__doc__ = f"Context manager: ``jax_{name}``, which changes nothing here."
    return context


enable_x64, enable_custom_prng = _flag("enable_x64"), _flag("enable_custom_prng")
debug_nans, debug_infs, check_tracer_leaks = (
    _flag("debug_nans"),
    _flag("debug_infs"),
    _flag("check_tracer_leaks"),
)
threefry_partitionable = _flag("threefry_partitionable")
numpy_dtype_promotion, numpy_rank_promotion = (
    _choice("numpy_dtype_promotion"),
    _choice("numpy_rank_promotion"),
)
default_matmul_precision = _choice("default_matmul_precision")
log_compiles, default_device = _without_effect("log_compiles"), _without_effect("default_device")
explain_cache_misses, softmax_custom_jvp = (
    _without_effect("explain_cache_misses"),
    _without_effect("softmax_custom_jvp"),
)
default_prng_impl, debug_key_reuse = _choice("default_prng_impl"), _without_effect("debug_key_reuse")


def disable_jit(disable: bool = True) -> Any:
    """Context manager: run jitted functions operation by operation (``jax.disable_jit``)."""
    return override("jax_disable_jit", bool(disable))


def checking_leaks() -> Any:
    """Context manager: a tracer that outlives its trace is an error when the trace ends (``jax.checking_leaks``)."""
    return override("jax_check_tracer_leaks", True)
