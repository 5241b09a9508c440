"""Machine code as it is kept in the cache: an image that runs at any address, once it knows where outside functions are."""

from __future__ import annotations

import ctypes
import mmap
from functools import lru_cache
from typing import Any, NamedTuple

_MAGIC = b"tracetrap image 1"


class Image(NamedTuple):
    """Code and constants; where its functions begin; where it looks for the addresses of outside functions."""

    code: bytes
    symbols: dict[str, int]
    imports: dict[str, int]

    def encode(self) -> bytes:
        """A line for each table, and the code."""
        lines = (" ".join(f"{name}={at}" for name, at in table.items()) for table in self[1:])
        return b"\n".join((_MAGIC, *(line.encode() for line in lines), self.code))

    @classmethod
    def decode(cls, payload: bytes) -> Image | None:
        """The image that `encode` wrote; None if the bytes are something else."""
        if not payload.startswith(_MAGIC):
            return None
        _, symbols, imports, code = payload.split(b"\n", 3)
        return cls(code, _table(symbols), _table(imports))


def _table(line: bytes) -> dict[str, int]:
    pairs = (entry.partition("=") for entry in line.decode().split())
    return {name: int(at) for name, _, at in pairs}


@lru_cache(maxsize=1)
def _process() -> Any:
    return ctypes.CDLL(None, use_errno=True)


class Placed:
    """An image in memory that can be executed, and not written; it stays for as long as this object lives.

    Raises OSError where the system allows no such memory, AttributeError if the process lacks a function.
    """

    def __init__(self, image: Image) -> None:
        self.memory = mmap.mmap(-1, len(image.code), prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self.memory.write(image.code)
        for name, at in image.imports.items():
            address = ctypes.cast(getattr(_process(), name), ctypes.c_void_p).value or 0
            self.memory[at : at + 8] = address.to_bytes(8, "little")
        self._start = ctypes.c_char.from_buffer(self.memory)
        start = ctypes.addressof(self._start)
        executable = mmap.PROT_READ | mmap.PROT_EXEC
        if _process().mprotect(ctypes.c_void_p(start), ctypes.c_size_t(len(image.code)), executable):
            raise OSError(ctypes.get_errno(), "memory cannot be made executable")
        self._addresses = {name: start + at for name, at in image.symbols.items()}

    def __getitem__(self, symbol: str) -> int:
        """Where a function begins."""
        return self._addresses[symbol]
