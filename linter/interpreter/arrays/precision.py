"""64-bit types, which JAX makes 32 bits wide unless `jax_enable_x64` is set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...files.source import SourceFile
    from ..machine import Interpreter

WIDER = {"int32": "int64", "uint32": "uint64", "float32": "float64", "complex64": "complex128"}
"""What JAX's default types are with `jax_enable_x64`."""
_ENABLED = re.compile(
    r"""^(?:(?:jax\.)?config\.(?:update\(\s*["']jax_enable_x64["'],\s*True\s*\)|jax_enable_x64\s*=\s*True)"""
    r"""|numpyro\.enable_x64\((?:True)?\))""",
    re.MULTILINE,
)
_MENTIONED = re.compile("x64")
_wide: ContextVar[bool] = ContextVar("wide", default=False)


def enables_wide(source: SourceFile) -> bool:
    """Whether a file enables 64-bit types for all that follows, and says nothing else of them."""
    text = source.text
    return "x64" in text and len(_ENABLED.findall(text)) == len(_MENTIONED.findall(text)) == 1


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


def widest() -> int:
    """The bits of the widest integers."""
    return 64 if _wide.get() else 32


def may_be_wide(interp: Interpreter) -> bool:
    """Whether the files at hand speak of 64 bits, so that these may be enabled."""
    return any("x64" in source.text for source in {interp.source, interp.frames[0].source})
