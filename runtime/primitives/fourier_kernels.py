"""NumPy evaluation of Fourier transforms, in the precision of the operand."""

from __future__ import annotations

from typing import Any

import numpy as np

Values = np.ndarray[Any, Any]


def fft(x: Values, *, fft_type: int, fft_lengths: tuple[int, ...]) -> Values:
    transform = (np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn)[int(fft_type)]
    axes = tuple(range(-len(fft_lengths), 0))
    if not axes:
        return x
    if not x.size and int(fft_type) < 2:  # NumPy refuses transforms of nothing.
        return x.astype(np.result_type(x.dtype, np.complex64))
    if int(fft_type) == 3 and 0 in fft_lengths:
        return np.zeros((*x.shape[: x.ndim - len(axes)], *fft_lengths), x.real.dtype)
    out: Values = transform(x, fft_lengths, axes=axes)
    return out
