"""The processor that code is made for. LLVM knows it, but loading LLVM takes longer than all else that a cached program
needs: what it said is kept in the cache, under what the system says of the processor and under LLVM's own file.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .cache import ObjectCache

#: What Linux tells of a processor that does not change from moment to moment, on x86 and on ARM.
_IDENTITY = (
    b"vendor_id cpu_family model model_name stepping flags CPU_implementer CPU_architecture CPU_variant CPU_part "
    b"CPU_revision Features"
).split()


class Host(NamedTuple):
    """The processor, and the LLVM that makes code for it."""

    triple: str
    cpu: str
    features: str
    versions: str
    llvm: int
    vector_bytes: int

    @property
    def registers(self) -> int:
        """How many vector registers there are."""
        return 16 if self.triple.startswith("x86_64") and self.vector_bytes < 64 else 32

    @property
    def scales(self) -> bool:
        """Whether vectors are multiplied by powers of two in one instruction, and LLVM makes use of it."""
        return self.triple.startswith("x86_64") and self.vector_bytes == 64 and self.llvm >= 22


def remembered(detect: Callable[[], Host], cache: ObjectCache | None) -> Host:
    """The host as the cache knows it; else as it is detected, and the cache is told."""
    identity = _identity()
    if cache is None or identity is None:
        return detect()
    key = ObjectCache.key("processor", identity)
    known = cache.get(key)
    if known is not None:
        triple, cpu, features, versions, llvm, vector_bytes = known.decode().split("\n")
        return Host(triple, cpu, features, versions, int(llvm), int(vector_bytes))
    found = detect()
    cache.put(key, "\n".join(map(str, found)).encode())
    return found


def _identity() -> str | None:
    """What tells this processor and this LLVM from others; None where it takes LLVM to know."""
    spec = importlib.util.find_spec("llvmlite")
    if spec is None or spec.origin is None:
        return None
    library = Path(spec.origin).with_name("binding") / "libllvmlite.so"
    try:
        file = library.stat()
        with open("/proc/cpuinfo", "rb", buffering=0) as cpuinfo:
            first = cpuinfo.read(1 << 14).partition(b"\n\n")[0]
    except OSError:
        return None
    facts = [line for line in first.splitlines() if line.partition(b"\t")[0].replace(b" ", b"_") in _IDENTITY]
    return f"{library} {file.st_size} {file.st_mtime_ns} {facts}" if facts else None
