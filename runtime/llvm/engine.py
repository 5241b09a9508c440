"""LLVM itself: text in, machine code out, and code loaded where it can be called. llvmlite is imported on first use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .cache import ObjectCache

_lock = threading.RLock()


@dataclass(frozen=True)
class Host:
    """The processor that code is made for."""

    triple: str
    cpu: str
    features: str
    vector_bytes: int
    versions: str

    @property
    def registers(self) -> int:
        """How many vector registers there are."""
        return 16 if self.triple.startswith("x86_64") and self.vector_bytes < 64 else 32


@lru_cache(maxsize=1)
def _llvm() -> Any:
    import llvmlite.binding as llvm  # type: ignore[import-untyped, unused-ignore]

    if llvm.llvm_version_info[0] < 20:
        llvm.initialize()
    if llvm.llvm_version_info[0] < 16:
        llvm.set_option("tracetrap", "-opaque-pointers")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def llvm_version() -> int:
    return int(_llvm().llvm_version_info[0])


@lru_cache(maxsize=1)
def host() -> Host:
    with _lock:
        llvm = _llvm()
        features = llvm.get_host_cpu_features()
        if features.get("avx512f") and features.get("avx512dq"):
            width = 64
        elif features.get("avx2"):
            width = 32
        else:
            width = 16
        from llvmlite import __version__  # type: ignore[import-untyped, unused-ignore]

        version = f"llvmlite {__version__} LLVM {'.'.join(map(str, llvm.llvm_version_info))}"
        return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), width, version)


@lru_cache(maxsize=2)
def _machine(*, quick: bool = False) -> Any:
    llvm, target = _llvm(), host()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=0 if quick else 2, reloc="pic", codemodel="small"
    )
    return machine


@lru_cache(maxsize=1)
def _linker() -> Any:
    return _llvm().create_lljit_compiler(_machine())


def attributes() -> str:
    """The attribute groups that every module ends with: #0 for entry points, #1 for shared functions."""
    wide = f'"prefer-vector-width"="{host().vector_bytes * 8}" "min-legal-vector-width"="{host().vector_bytes * 8}"'
    return f"attributes #0 = {{ nounwind {wide} }}\nattributes #1 = {{ nounwind noinline {wide} }}\n"


def compile_object(ir: str, *, quick: bool = False) -> bytes:
    """Machine code for ``ir``: explicit vectors need no optimising passes. ``quick`` takes half as long, and makes code
    that takes up to twice as long, with the same results."""
    with _lock:
        code: bytes = _machine(quick=quick).emit_object(_parse(ir))
        return code


def assembly(ir: str) -> str:
    with _lock:
        text: str = _machine().emit_assembly(_parse(ir))
        return text


def _parse(ir: str) -> Any:
    module = _llvm().parse_assembly(ir)
    module.triple = host().triple
    module.data_layout = str(_machine().target_data)
    return module


class Code:
    """Loaded machine code. It stays callable for as long as this object lives."""

    _count = 0

    def __init__(self, image: bytes, symbols: tuple[str, ...], *, quick: bool = False) -> None:
        self.quick = quick
        llvm = _llvm()
        with _lock:
            Code._count += 1
            library = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
            for symbol in symbols:
                library.export_symbol(symbol)
            self._resources = library.link(_linker(), f"tracetrap{Code._count}")
            self.addresses: list[int] = [self._resources[symbol] for symbol in symbols]

    @property
    def address(self) -> int:
        """Where the first symbol is."""
        return self.addresses[0]


def load(ir: str, *symbols: str, quick: bool = False, cache: ObjectCache | None = None) -> Code:
    """Compiled ``ir``, from the cache when it holds an intact object for it. Good code will do where ``quick`` is asked."""
    if cache is None:
        return Code(compile_object(ir, quick=quick), symbols, quick=quick)
    target = host()
    for level in (False, True) if quick else (False,):
        key = cache.key(ir, target.versions, target.triple, target.cpu, target.features, str(level))
        image = cache.get(key)
        if image is not None:
            return Code(image, symbols, quick=level)
    image = compile_object(ir, quick=quick)
    cache.put(key, image)
    return Code(image, symbols, quick=quick)
