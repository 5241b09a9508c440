"""LLVM itself: text in, machine code out, and code loaded where it can be called.

llvmlite is imported when something must be compiled. Code from the cache does without where it is kept as an image.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from .cache import ObjectCache, default_cache
from .elf import linked
from .image import Image, Placed
from .processor import Host, remembered

_lock = threading.RLock()


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


@lru_cache(maxsize=1)
def host() -> Host:
    """The processor of this machine."""
    with _lock:
        return remembered(_detect, default_cache())


def _detect() -> Host:
    llvm = _llvm()
    features = llvm.get_host_cpu_features()
    if features.get("avx512f") and features.get("avx512dq"):
        width = 64
    elif features.get("avx2"):
        width = 32
    else:
        width = 16
    from llvmlite import __version__  # type: ignore[import-untyped, unused-ignore]

    number = llvm.llvm_version_info
    version = f"llvmlite {__version__} LLVM {'.'.join(map(str, number))}"
    cpu = llvm.get_host_cpu_name()
    return Host(llvm.get_process_triple(), cpu, features.flatten(), version, int(number[0]), width)


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

    def __init__(self, payload: bytes, symbols: tuple[str, ...], *, quick: bool = False) -> None:
        """`payload` is an image, or an object, which LLVM links. Raises what `Placed` raises."""
        self.quick = quick
        image = Image.decode(payload)
        self._places: Any = self._link(payload, symbols) if image is None else Placed(image)
        self.addresses: list[int] = [self._places[symbol] for symbol in symbols]

    @staticmethod
    def _link(payload: bytes, symbols: tuple[str, ...]) -> Any:
        llvm = _llvm()
        with _lock:
            Code._count += 1
            library = llvm.JITLibraryBuilder().add_object_img(payload).add_current_process()
            for symbol in symbols:
                library.export_symbol(symbol)
            return library.link(_linker(), f"tracetrap{Code._count}")

    @property
    def address(self) -> int:
        """Where the first symbol is."""
        return self.addresses[0]


def load(ir: str, *symbols: str, quick: bool = False, cache: ObjectCache | None = None) -> Code:
    """Compiled ``ir``, from the cache when it holds intact code for it. Good code will do where ``quick`` is asked."""
    levels = (False, True) if quick else (False,)
    for level in levels if cache is not None else ():
        payload = cache.get(_key(ir, quick=level)) if cache is not None else None
        if payload is not None:
            try:
                return Code(payload, symbols, quick=level)
            except (OSError, AttributeError):  # The system, or the process, is not as it was.
                break
    compiled = compile_object(ir, quick=quick)
    image = linked(compiled)
    payload = compiled if image is None else image.encode()
    if cache is not None:
        cache.put(_key(ir, quick=quick), payload)
    try:
        return Code(payload, symbols, quick=quick)
    except (OSError, AttributeError):
        return Code(compiled, symbols, quick=quick)


def _key(ir: str, *, quick: bool) -> str:
    target = host()
    return ObjectCache.key(ir, target.versions, target.triple, target.cpu, target.features, str(quick))
