"""Fast Fourier transforms over the last axes."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any

from ..arrays.array import from_numpy
from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, real_dtype
from .apply import conj, mul, real
from .family import Kernel
from .linear import Zero, zero_of
from .shape import broadcast, move_axis


class FftType(enum.IntEnum):
    """Which transform."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


fft_p = Primitive("fft")


def _abstract_eval(x: ShapedArray, *, fft_type: FftType, fft_lengths: Sequence[int]) -> ShapedArray:
    n = len(fft_lengths)
    if n > x.ndim:
        raise ValueError(
            f"FFT input shape {x.shape} must have at least as many input dimensions as fft_lengths {fft_lengths}."
        )
    fixed = n - (fft_type == FftType.IRFFT)
    if fft_type == FftType.RFFT and x.dtype not in (FLOAT32, FLOAT64):
        raise ValueError(f"RFFT input must be float32 or float64, got {x.dtype}")
    if fft_type != FftType.RFFT and x.dtype.kind != "c":
        raise ValueError(f"FFT input must be complex, got {x.dtype}")
    if x.shape[x.ndim - n :][:fixed] != tuple(fft_lengths)[:fixed]:
        raise ValueError(
            f"FFT input shape {x.shape} minor dimensions must be equal to fft_lengths {fft_lengths}"
            + ("" if fixed == n else " but for the last")
        )
    if fft_type == FftType.RFFT:
        shape = (*x.shape[:-1], fft_lengths[-1] // 2 + 1)
        return shaped_array(shape, COMPLEX128 if x.dtype is FLOAT64 else COMPLEX64)
    if fft_type == FftType.IRFFT:
        return shaped_array((*x.shape[:-1], fft_lengths[-1]), real_dtype(x.dtype))
    return x


def _jvp(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
    out = fft_p.bind(*primals, **params)
    return out, zero_of(out) if type(tangents[0]) is Zero else fft_p.bind(*tangents, **params)


def _transpose(ct: Value, x: Any, *, fft_type: FftType, fft_lengths: Sequence[int]) -> list[Value]:
    if fft_type == FftType.RFFT:
        return [_rfft_transpose(ct, x.aval, fft_lengths)]
    if fft_type == FftType.IRFFT:
        return [_irfft_transpose(ct, fft_lengths)]
    return [fft_p.bind(ct, fft_type=fft_type, fft_lengths=fft_lengths)]


def _complex(dtype: Any) -> Any:
    return COMPLEX128 if real_dtype(dtype) is FLOAT64 else COMPLEX64


def _rfft_transpose(ct: Value, aval: ShapedArray, lengths: Sequence[int]) -> Value:
    """Pad the half spectrum with zeros, and take the real part of a full transform."""
    from ..numpy.padding import pad

    missing = lengths[-1] - get_aval(ct).shape[-1]
    full = pad(ct, [(0, 0)] * (aval.ndim - 1) + [(0, missing)])
    return real(fft_p.bind(full, fft_type=FftType.FFT, fft_lengths=tuple(lengths)))


def _irfft_transpose(ct: Value, lengths: Sequence[int]) -> Value:
    """A real transform whose inner frequencies, that stand for two, count twice."""
    import numpy as np

    out = fft_p.bind(ct, fft_type=FftType.RFFT, fft_lengths=tuple(lengths))
    aval = get_aval(out)
    n = lengths[-1]
    weight = np.full(aval.shape[-1], 2 / math.prod(lengths))
    weight[0] /= 2
    if n % 2 == 0:
        weight[-1] /= 2
    scale = broadcast(from_numpy(weight.astype(_complex(aval.dtype).storage)), aval.shape)
    return conj(mul(scale, out), input_dtype=aval.dtype)


def _batch(size: int, args: Sequence[Value], dims: Sequence[Any], **params: Any) -> tuple[Value, int]:
    return fft_p.bind(move_axis(args[0], dims[0], 0), **params), 0


fft_p.abstract_eval = _abstract_eval
fft_p.impl = Kernel("fourier_kernels:fft")
fft_p.jvp = _jvp
fft_p.transpose = _transpose
fft_p.batch = _batch
fft_p.examples = [(([0.5, 1.0, -2.0, 3.0],), {"fft_type": FftType.RFFT, "fft_lengths": (4,)})]
fft_p.pretty = lambda eqn: {"fft_lengths": eqn.params["fft_lengths"], "fft_type": int(eqn.params["fft_type"])}
