"""64-bit types, which JAX makes 32 bits wide unless `jax_enable_x64` is set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...files.project import Project
    from ...files.source import SourceFile
    from ..machine import Interpreter

WIDER = {"int32": "int64", "uint32": "uint64", "float32": "float64", "complex64": "complex128"}
"""What JAX's default types are with `jax_enable_x64`."""
_ENABLED = re.compile(
    r"""^(?:(?:jax\.)?config\.(?:update\(\s*["']jax_enable_x64["'],\s*True\s*\)|jax_enable_x64\s*=\s*True)"""
    r"""|numpyro\.enable_x64\((?:True)?\)"""
    r"""|os\.environ(?:\[["']JAX_ENABLE_X64["']\]\s*=|\.setdefault\(\s*["']JAX_ENABLE_X64["'],)\s*["'](?:1|true|yes|on)["'])""",
    re.MULTILINE | re.IGNORECASE,
)
_MENTIONED = re.compile("x64", re.IGNORECASE)
_FOR_A_BLOCK = re.compile(r"^[ \t]*(?:with (?:\w+\.)*|from .* import .*\b)enable_x64\b", re.MULTILINE)
_COMPARING = ("scan", "_loop", "cond", "switch", "select")
"""What a file mentions for which it matters whether two dtypes are one."""
_wide: ContextVar[bool] = ContextVar("wide", default=False)


def enables_wide(source: SourceFile, project: Project | None = None) -> bool:
    """Whether a file, or one that it imports, enables 64-bit types for all that follows, and says nothing else of them."""
    if _mentions(source.text) or project is None or not any(word in source.text for word in _COMPARING):
        return _enables(source.text)
    package = project.locate(".", source)
    if package is not None and project.leads_to(package, _enables, 0):
        return True
    return project.leads_to(source, _enables, 1)


def _enables(text: str) -> bool:
    """The same of a text; what it says of single blocks does not matter."""
    if not _mentions(text):
        return False
    others = len(_MENTIONED.findall(text)) - len(_FOR_A_BLOCK.findall(text))
    return len(_ENABLED.findall(text)) == others == 1


def _mentions(text: str) -> bool:
    """Whether a text speaks of 64 bits at all."""
    return "x64" in text or "X64" in text


@contextmanager
def default_widths(wide: bool) -> Iterator[None]:
    """JAX's default types are of 64 bits, or of 32, while the body runs."""
    token = _wide.set(wide)
    try:
        yield
    finally:
        _wide.reset(token)


def default_dtype(name: str) -> str:
    """The default type of this kind: `int32` stands for that of integers."""
    return WIDER.get(name, name) if _wide.get() else name


def is_wide() -> bool:
    """Whether JAX's default types are of 64 bits here."""
    return _wide.get()


def widest() -> int:
    """The bits of the widest integers."""
    return 64 if _wide.get() else 32


def may_be_wide(interp: Interpreter) -> bool:
    """Whether the files at hand speak of 64 bits, so that these may be enabled."""
    return any(_mentions(source.text) for source in {interp.source, interp.frames[0].source})
