"""`jax.memory`: the kinds of memory that an array may lie in."""

from __future__ import annotations

import enum
from typing import Any as Anything


class Space(enum.Enum):
    """The memory of the device, or that of the host; here these are one."""

    Device = enum.auto()
    Host = enum.auto()
    Any = enum.auto()

    def placed_sharding(self, sharding: Anything) -> Anything:
        """Where an array is that `jax.device_put` moves to this memory."""
        from .arrays.cpu import SingleDeviceSharding

        sharding = sharding or SingleDeviceSharding()
        return sharding if self is Space.Any else sharding.with_memory_kind(_KINDS[self.name])

    def __repr__(self) -> str:
        return f"MemorySpace.{self.name}"


_KINDS = {"Device": "device", "Host": "pinned_host"}
