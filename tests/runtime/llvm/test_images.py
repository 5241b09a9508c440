"""Code from the cache runs without LLVM; what cannot be kept as an image is linked by LLVM, with the same results."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime import numpy as jnp
from tracetrap.runtime.llvm import compile_jaxpr, elf, engine, image, processor
from tracetrap.runtime.llvm.cache import ObjectCache
from tracetrap.runtime.llvm.image import Image

has_images = pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64"),
    reason="images are made of ELF objects for x86-64",
)
X = np.array([0.5, -2.0, 1e6, 3e8], np.float32)


def function(x: Any) -> Any:
    """Constants, a shared function, calls of the C library (for large arguments), a copy of memory."""
    y = jnp.sin(jnp.sin(x)) + lax.rem(x, 3.0)
    return y, lax.fori_loop(0, 3, lambda i, c: c.at[i].set(c[i] + y[0]), x)


def results() -> list[np.ndarray[Any, Any]]:
    return compile_jaxpr(jax.make_jaxpr(function)(X))([X])


@has_images
def test_a_cached_program_runs_without_llvm(tmp_path: Path) -> None:
    script = (
        "import sys, numpy as np, tracetrap.runtime as jax\n"
        "f = jax.jit(lambda x: jax.numpy.sin(x).sum() + x)\n"
        "for _ in range(3): y = f(np.full(5, 1e9, 'f4'))\n"
        "print(np.asarray(y).tobytes().hex(), 'llvmlite' in sys.modules)"
    )
    environment = {**os.environ, "TRACETRAP_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    )

    assert first[1] == "True"
    assert second == [first[0], "False"]


@pytest.mark.parametrize("reason", ["memory", "functions", "relocations"])
def test_llvm_links_what_cannot_be_an_image(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", "")
    expected = results()

    class Refused:
        def __init__(self, found: Image) -> None:
            raise OSError if reason == "memory" else AttributeError

    if reason == "relocations":
        monkeypatch.setattr(elf, "_TO_SYMBOL", frozenset())
    else:
        monkeypatch.setattr(engine, "Placed", Refused)

    for result, known in zip(results(), expected, strict=True):
        assert result.tobytes() == known.tobytes()


@has_images
def test_a_cached_image_that_cannot_be_placed_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACETRAP_CACHE_DIR", str(tmp_path))
    expected = results()
    monkeypatch.setattr(image, "_process", lambda: None)

    for result, known in zip(results(), expected, strict=True):
        assert result.tobytes() == known.tobytes()


def test_images_survive_being_written() -> None:
    made = Image(b"\n\ncode\n", {"entry": 0, "part": 64}, {})

    assert Image.decode(made.encode()) == made
    assert Image.decode(b"\x7fELF\x02\x01") is None


@pytest.mark.parametrize("data", [b"", b"\xcf\xfa\xed\xfe" + bytes(100), b"\x7fELF\x01\x01" + bytes(100)])
def test_other_objects_are_not_linked(data: bytes) -> None:
    assert elf.linked(data) is None


def test_the_processor_is_remembered(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    host = engine.host()

    assert processor.remembered(lambda: host, cache) == host
    if sys.platform == "linux":
        assert processor.remembered(lambda: pytest.fail("asked again"), cache) == host
        (entry,) = tmp_path.rglob("*.o")
        entry.write_bytes(b"damaged")
        assert processor.remembered(lambda: host, cache) == host


def test_another_processor_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = engine.host()
    processor.remembered(lambda: host, ObjectCache(tmp_path))
    monkeypatch.setattr(processor, "_identity", lambda: "another")
    other = host._replace(cpu="another")

    assert processor.remembered(lambda: other, ObjectCache(tmp_path)) == other
