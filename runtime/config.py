"""Configuration: the flags of ``jax.config`` that change what a program means. The module is that object.

A flag has a process-wide value, read from the environment at start, and a thread-local value while its context
manager is active. `state` is what the hot paths read: one attribute, no function call.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_TRUE = frozenset({"1", "true", "yes", "on", "t", "y"})
_FALSE = frozenset({"0", "false", "no", "off", "f", "n", ""})


def _environment_flag(name: str, default: bool) -> bool:
    """A boolean environment variable."""
    text = os.environ.get(name.upper())
    return default if text is None else _truth(f"environment {name.upper()!r}", text)


def _truth(name: str, text: str) -> bool:
    """What a word says. Raises ValueError when it is neither true nor false."""
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(f"invalid truth value {text!r} for {name}")


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
    before = state.values.get(name, DEFAULTS[name])
    state.set(name, value)
    try:
        yield
    finally:
        state.set(name, before)


def update(name: str, val: Any) -> None:
    """Set a flag in this thread and for all threads started later. Raises AttributeError for an unknown flag."""
    if name in DEFAULTS:
        _check_choice(name, val)
        DEFAULTS[name] = val
        state.set(name, val)
        return
    from .extend import options  # Few programs get here.

    try:
        options.update(name, val)
    except KeyError:
        raise AttributeError(f"Unrecognized config option: {name}") from None


def read(name: str) -> Any:
    """The value of a flag. Raises AttributeError for an unknown one."""
    if name in DEFAULTS:
        return state.values.get(name, DEFAULTS[name])
    from .extend import options

    try:
        return options.read(name)
    except KeyError:
        raise AttributeError(f"Unrecognized config option: {name}") from None


def parse_flags_with_absl() -> None:
    """Set the flags that the command line names: ``--jax_enable_x64``, ``--jax_debug_nans=true``, ``--nojax_log_compiles``.

    Raises ValueError for a value that is neither true nor false, where it must be.
    """
    import sys

    for argument in sys.argv[1:]:
        name, given, text = argument.lstrip("-").partition("=")
        negative = name.startswith("nojax_")
        name = name.removeprefix("no") if negative else name
        if not argument.startswith("-") or not name.startswith("jax_"):
            continue
        boolean = isinstance(read(name), bool)
        update(name, _truth(name, text) if boolean and given else not negative if boolean else text)


def config_with_absl() -> None:
    """Nothing: `parse_flags_with_absl` reads the command line by itself."""


def __getattr__(name: str) -> Any:
    if name == "values":
        from .extend import options

        return {**options.DEFAULTS, **state.values}
    if name == "x64_enabled":
        return state.enable_x64
    if name.startswith("__"):
        raise AttributeError(name)
    return read(name)


_CHOICES = {
    "jax_numpy_dtype_promotion": ("standard", "strict"),
    "jax_numpy_rank_promotion": ("allow", "warn", "raise"),
    "jax_default_prng_impl": ("threefry2x32", "rbg", "unsafe_rbg"),
}


def _check_choice(name: str, value: Any) -> None:
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(
            f"new enum value must be in {list(_CHOICES[name])}, got {value} of type {type(value)}."
        )


_MISSING: Any = object()


class Flag:
    """A flag as ``jax.NAME``: called with a value it is a context manager, and `value` is the one in force."""

    __slots__ = ("__name__", "_default")

    def __init__(self, name: str, default: Any = _MISSING) -> None:
        self.__name__, self._default = name, default

    @property
    def value(self) -> Any:
        return read(f"jax_{self.__name__}")

    def __call__(self, new_val: Any = _MISSING) -> Any:
        """Set it while the context is active. Raises ValueError for a value that it cannot have."""
        name = f"jax_{self.__name__}"
        value = self._default if new_val is _MISSING else new_val
        if value is _MISSING:
            raise TypeError(
                f"Context manager for {self.__name__} config option requires an argument representing the new value for "
                "the config option."
            )
        _check_choice(name, value)
        if name in DEFAULTS:
            return override(name, bool(value) if isinstance(DEFAULTS[name], bool) else value)
        from .extend import options

        return options.override(name, value)


# Those that are true or false may be set without saying so.
_BOOLEAN = (
    "allow_f16_reductions auto_pcast check_tracer_leaks debug_infs debug_key_reuse debug_nans enable_checks "
    "enable_custom_prng enable_x64 explain_cache_misses log_compiles no_execution no_tracing "
    "remove_size_one_mesh_axis_from_type softmax_custom_jvp thread_guard threefry_partitionable"
)
_OTHERS = (
    "array_garbage_collection_guard default_device default_matmul_precision default_prng_impl legacy_prng_key "
    "numpy_dtype_promotion numpy_rank_promotion"
)
globals().update({name: Flag(name, True) for name in _BOOLEAN.split()})
globals().update({name: Flag(name) for name in _OTHERS.split()})


def make_user_context(default_value: Any = None) -> Flag:
    """A value of the user's own that jitted functions are traced anew for: ``jax.make_user_context``."""
    name = f"user_context_{len(DEFAULTS)}"
    DEFAULTS[f"jax_{name}"] = default_value
    state.set(f"jax_{name}", default_value)
    return Flag(name)


def disable_jit(disable: bool = True) -> Any:
    """Context manager: run jitted functions operation by operation (``jax.disable_jit``)."""
    return override("jax_disable_jit", bool(disable))


def checking_leaks() -> Any:
    """Context manager: a tracer that outlives its trace is an error when the trace ends (``jax.checking_leaks``)."""
    return override("jax_check_tracer_leaks", True)
