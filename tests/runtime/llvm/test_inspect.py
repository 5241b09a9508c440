"""The stages of a jaxpr as text."""

from __future__ import annotations

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax
from tracetrap.runtime.llvm import compile_jaxpr
from tracetrap.runtime.llvm.inspect import emit

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def closed() -> object:
    return jax.make_jaxpr(lambda x: lax.exp(x - x.max(1, keepdims=True)))(X)


def test_loops_show_one_nest_with_two_passes_over_each_row() -> None:
    text = emit(closed(), "loops")

    assert text.splitlines()[0] == "for i0 < 3, i1 < 4"
    assert text.count("for ") == 1
    assert "then, over the inner loops again" in text
    assert " exp " in text


def test_llvm_and_assembly_define_the_entry_point() -> None:
    assert "define void @tracetrap_entry" in emit(closed(), "llvm")
    assert "tracetrap_entry:" in emit(closed(), "asm")


def test_what_is_left_to_numpy_is_named() -> None:
    assert "sort is left to NumPy" in emit(jax.make_jaxpr(lambda x: lax.sort(x) + 1)(X), "loops")


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(ValueError, match="jaxpr, loops, llvm, asm"):
        emit(closed(), "mlir")


@pytest.mark.parametrize(("level", "kinds"), [("0", []), ("1", ["jaxpr"]), ("3", ["jaxpr", "loops", "llvm"])])
def test_debug_levels_print_the_stages(
    level: str, kinds: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRACETRAP_DEBUG", level)

    compile_jaxpr(closed())

    shown = [
        line.removeprefix("--- ") for line in capsys.readouterr().err.splitlines() if line.startswith("--- ")
    ]
    assert shown == kinds
