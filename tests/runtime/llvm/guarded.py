"""Run in a child process: random programs whose every buffer lies against a page that must not be touched.

Usage: ``python guarded.py FIRST LAST``. A read or write outside of a buffer kills the process; a wrong result or a
write into the padding before a buffer is reported, and the exit status is 1.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import sys
from typing import Any

import numpy as np

PAGE = mmap.PAGESIZE
_libc = ctypes.CDLL(None, use_errno=True)
_kept: list[mmap.mmap] = []
_paddings: list[np.ndarray[Any, Any]] = []
_at_end = True
#: What memory holds before it is written: as floats, NaN; as indices, far outside.
_fill = 0xFF


def guarded(shape: Any, dtype: Any = float) -> np.ndarray[Any, Any]:
    """An array between two inaccessible pages, flush with the one behind it or with the one before it."""
    dtype = np.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = math.prod(shape) * dtype.itemsize
    pages = max(1, -(-size // PAGE))
    memory = mmap.mmap(-1, (pages + 2) * PAGE)
    _kept.append(memory)
    everything = np.frombuffer(memory, np.uint8)
    address = everything.ctypes.data
    body = everything[PAGE : (pages + 1) * PAGE]
    body[:] = _fill
    start = body.size - size if _at_end else 0
    _paddings.extend((body[:start], body[start + size :]))
    for at in (address, address + (pages + 1) * PAGE):
        if _libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(PAGE), 0):
            raise OSError(ctypes.get_errno(), "mprotect")
    return body[start : start + size].view(dtype).reshape(shape)


def run(first: int, last: int) -> int:
    global _at_end, _fill
    from random_jaxprs import Program, jaxpr_of
    from tracetrap.runtime.jaxprs.evaluate import eval_closed_jaxpr
    from tracetrap.runtime.llvm import compile_jaxpr, kernel, width

    wrong = 0
    plain = np.empty
    for seed in range(first, last):
        program = Program(seed)
        closed = jaxpr_of(program)
        values = [
            np.asarray(x, v.aval.dtype.storage)
            for x, v in zip(program.inputs, closed.jaxpr.invars, strict=True)
        ]
        expected = eval_closed_jaxpr(closed, *values)
        # The code of the first calls; the better code of later ones; the same in the widest vectors that there are.
        for _at_end, _fill, fewest, long in (
            (True, 0xFF, 0, 50),
            (False, 0xA5, sys.maxsize, 50),
            (True, 0xA5, sys.maxsize, 0),
        ):
            kernel._FEWEST_TRIALS, width._LONG_WORK, width._CHAIN = fewest, long, long and 8
            np.empty = guarded  # type: ignore[assignment]
            try:
                call = compile_jaxpr(closed)
                inputs = [guarded(x.shape, x.dtype) for x in values]
                for target, source in zip(inputs, values, strict=True):
                    target[...] = source
                results = call(inputs)
            finally:
                np.empty = plain  # type: ignore[assignment]
            for result, reference in zip(results, expected, strict=True):
                if not np.allclose(result, reference, rtol=2e-3, atol=1e-3, equal_nan=True):
                    print(f"seed {seed}: wrong result")
                    wrong += 1
            if any((padding != _fill).any() for padding in _paddings):
                print(f"seed {seed}: wrote outside of a buffer")
                wrong += 1
            _paddings.clear()
            _kept.clear()
    return wrong


if __name__ == "__main__":
    sys.exit(1 if run(int(sys.argv[1]), int(sys.argv[2])) else 0)
