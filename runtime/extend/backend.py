"""``jax.extend.backend``: the one backend that there is, as libraries ask for it."""

from __future__ import annotations

from typing import Any

from .. import __version__
from ..arrays import cpu
from ..arrays.cpu import CPU

__all__ = [
    "backend_xla_version",
    "backends",
    "clear_backends",
    "clear_in_memory_compilation_cache",
    "get_backend",
    "get_default_device",
]


class Client:
    """What runs programs: the CPU."""

    platform = runtime_type = "cpu"
    platform_version = f"tracetrap.runtime, which stands in for jax {__version__}"

    def devices(self) -> list[Any]:
        return cpu.devices()

    local_devices = devices

    def device_count(self) -> int:
        return cpu.device_count()

    local_device_count = device_count

    def process_index(self) -> int:
        return cpu.process_index()


_CLIENT = Client()
_backends = {
    "cpu": _CLIENT
}  # Libraries ask for it under JAX's name, to see whether there are devices already.


def backends() -> dict[str, Client]:
    return _backends


def get_backend(platform: str | None = None) -> Client:
    """The backend of a platform. Raises RuntimeError if there is none."""
    if platform not in (None, "cpu"):
        raise RuntimeError(
            f"Unknown backend: '{platform}' requested, but no platforms that are instances of it are present"
        )
    return _CLIENT


def get_default_device() -> Any:
    return CPU


def backend_xla_version(platform: str | None = None) -> None:
    """None: programs are not compiled by XLA."""


def clear_in_memory_compilation_cache() -> None:
    """Forget all compiled programs."""
    from ..jitting.jit import clear_caches

    clear_caches()


clear_backends = clear_in_memory_compilation_cache
