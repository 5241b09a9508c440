"""erf, erfc and the inverse of erf."""

from __future__ import annotations

import math

from ..builder import Builder, Value
from ..types import NotLowered
from .exponential import exp
from .logarithm import log_normal
from .polynomial import horner, two_product

#: erf(x) / x in powers of x², for |x| < 1 (interpolated at Chebyshev nodes).
_ERF = {
    32: (
        1.1283791670615435,
        -0.3761263846802871,
        0.11283782495236845,
        -0.026865430727670243,
        0.005221031807858023,
        -0.0008484080405535107,
        0.00011265959025606609,
        -9.667044571486996e-06,
    ),
    64: (
        1.1283791670955126,
        -0.37612638903183754,
        0.1128379167095512,
        -0.02686617064512984,
        0.0052239776254232985,
        -0.000854832702193483,
        0.00012055332902888736,
        -1.4925647567519332e-05,
        1.6462045441468418e-06,
        -1.6364642158167616e-07,
        1.4792401209404813e-08,
        -1.216456005728345e-09,
        8.709045129053106e-11,
        -4.230945824295338e-12,
    ),
}
#: (1 + 2x) exp(x²) erfc(x) in powers of q = (x - 4) / (x + 4) (the variable of Schonfelder 1978).
_ERFC = {
    32: (
        1.2329951345582395,
        -0.13962092346311755,
        0.015377618855484308,
        0.0680879394049897,
        -0.10100246747302512,
        0.09386706278963594,
        -0.06649849494329753,
        0.03638175684003469,
        -0.01632260019453923,
        0.006565339579938338,
        0.0007319619939727329,
    ),
    64: (
        1.2329951186255526,
        -0.13962111684056253,
        0.015379652102619558,
        0.06809705425469323,
        -0.10103906603629459,
        0.09373283499833023,
        -0.0663303658124095,
        0.03716751553777026,
        -0.01619773405599449,
        0.005031969975753176,
        -0.0007577732973669146,
        -0.00019925668432389153,
        0.00015062169704678355,
        -2.439924428312988e-05,
        -1.1222046316669005e-05,
        5.709784760966506e-06,
        2.9377854943443786e-07,
        -8.254699744871162e-07,
        7.471952780500971e-08,
        1.1005996198640057e-07,
        -1.799947545903142e-08,
        -1.4091982822555755e-08,
        1.868487385473519e-09,
        1.263782858042137e-09,
    ),
}
#: Where erfc has vanished, and where erf is 1.
_VANISHED = {32: 10.5, 64: 27.5}
#: Giles 2012, "Approximating the erfinv function", single precision: centre and tail.
_ERF_INV_CENTRE = (
    1.50140941,
    0.246640727,
    -0.00417768164,
    -0.00125372503,
    0.00021858087,
    -4.39150654e-06,
    -3.5233877e-06,
    3.43273939e-07,
    2.81022636e-08,
)
_ERF_INV_TAIL = (
    2.83297682,
    1.00167406,
    0.00943887047,
    -0.0076224613,
    0.00573950773,
    -0.00367342844,
    0.00134934322,
    0.000100950558,
    -0.000200214257,
)


def _erfc_right(b: Builder, x: Value) -> Value:
    """erfc of x >= 0."""
    limit = b.like(x, _VANISHED[x.elem.bits])
    x = b.select(b.cmp("gt", x, limit), limit, x)
    four, one = b.like(x, 4), b.like(x, 1)
    q = b.fdiv(b.sub(x, four), b.add(x, four))
    series = b.fdiv(horner(b, q, _ERFC[x.elem.bits]), b.fma(x, b.like(x, 2), one))
    square, lost = two_product(b, x, x)
    e = b.call("exp", exp, b.neg(square))
    return b.mul(e, b.fma(b.neg(lost), series, series))


def _near(b: Builder, x: Value) -> Value:
    return b.mul(x, horner(b, b.mul(x, x), _ERF[x.elem.bits]))


def erf(b: Builder, x: Value) -> Value:
    size = b.abs(x)
    far = b.copysign(b.sub(b.like(x, 1), _erfc_right(b, size)), x)
    return b.select(b.cmp("lt", size, b.like(x, 1)), _near(b, x), far)


def erfc(b: Builder, x: Value) -> Value:
    one = b.like(x, 1)
    right = _erfc_right(b, b.abs(x))
    far = b.select(b.cmp("lt", x, b.like(x, 0)), b.sub(b.like(x, 2), right), right)
    near = b.sub(one, _near(b, x))
    return b.select(b.cmp("lt", b.abs(x), b.like(x, 0.5)), near, far)


def erf_inv(b: Builder, x: Value) -> Value:
    if x.elem.bits != 32:
        raise NotLowered("erf_inv", "in single precision only")
    # An absolute error of w hardly matters, so that 1 - x² may be rounded.
    w = b.neg(log_normal(b, b.fma(b.neg(x), x, b.like(x, 1))))
    centre = horner(b, b.sub(w, b.like(x, 2.5)), _ERF_INV_CENTRE)
    tail = horner(b, b.sub(b.sqrt(w), b.like(x, 3)), _ERF_INV_TAIL)
    result = b.mul(b.select(b.cmp("lt", w, b.like(x, 5)), centre, tail), x)
    size, one = b.abs(x), b.like(x, 1)
    result = b.select(b.cmp("gt", size, one), b.like(x, math.nan), result)
    return b.select(b.cmp("eq", size, one), b.mul(x, b.like(x, math.inf)), result)
