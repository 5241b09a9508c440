"""erf, erfc and the inverse of erf."""

from __future__ import annotations

import math

from ..builder import Builder, Value
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
#: erf_inv(x) / x with w = -log(1 - x²), in double precision: in powers of w - 25/8 for w < 25/4, of sqrt(w) - 13/4 for
#: w < 16, and of sqrt(w) - 41/8 beyond (interpolated at Chebyshev nodes).
_ERF_INV_PIECES = (
    (
        1.6536545626831027,
        0.2401581824255883,
        -0.00603367087142785,
        -0.000740702534154477,
        0.00018673420802464837,
        -1.3882523394405316e-05,
        -1.3654691850603575e-06,
        4.234788173782339e-07,
        -2.9070382262927266e-08,
        -4.11266082002324e-09,
        1.0512181539804126e-09,
        -5.414287198084716e-11,
        -1.2976885526532075e-11,
        2.6304834740560442e-12,
        -8.118399443074353e-14,
        -4.001237735091896e-14,
        6.596407712420834e-15,
        -4.0282154327661744e-17,
        -1.3016928016796445e-16,
        1.557432024623325e-17,
        1.150022252066253e-18,
        -3.4996044354754177e-19,
        -1.113483769832702e-21,
        3.240704459379902e-21,
    ),
    (
        3.0838856104922208,
        1.0052589676941592,
        0.0053709145535581985,
        -0.0037512085075638536,
        0.0024914420976198813,
        -0.0016882755561681802,
        0.0009532893521118177,
        -0.00035503751863069763,
        2.4031363245440546e-05,
        6.828484052292924e-05,
        -4.731952918337189e-05,
        1.2475343474376931e-05,
        2.9273722115986924e-06,
        -4.013946398190292e-06,
        1.4958263152984917e-06,
        1.832399988132858e-08,
        -2.6860975725571463e-07,
        9.071950571029922e-08,
        -3.831039946072411e-10,
    ),
    (
        4.976191390016299,
        1.0102562759886629,
        -0.0002125995036214146,
        -0.00017993907261288475,
        6.469075613478816e-05,
        -1.658989456654548e-05,
        3.7475909743542376e-06,
        -7.962443714465717e-07,
        1.6930220687233143e-07,
        -4.153365515233822e-08,
        1.4597688843353818e-08,
        -7.0233943840198245e-09,
        3.4920465549867165e-09,
        -1.701759098067508e-09,
        8.508150803247171e-10,
        -2.9924829833640584e-10,
        2.0270368890856437e-11,
        1.3470755903592841e-11,
    ),
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


def _erf_inv_single(b: Builder, w: Value) -> Value:
    centre = horner(b, b.sub(w, b.like(w, 2.5)), _ERF_INV_CENTRE)
    tail = horner(b, b.sub(b.sqrt(w), b.like(w, 3)), _ERF_INV_TAIL)
    return b.select(b.cmp("lt", w, b.like(w, 5)), centre, tail)


def _erf_inv_double(b: Builder, w: Value) -> Value:
    root = b.sqrt(w)
    centre, tail, end = (
        horner(b, b.sub(v, b.like(w, c)), piece)
        for v, c, piece in zip((w, root, root), (3.125, 3.25, 5.125), _ERF_INV_PIECES, strict=True)
    )
    tail = b.select(b.cmp("lt", w, b.like(w, 16)), tail, end)
    return b.select(b.cmp("lt", w, b.like(w, 6.25)), centre, tail)


def erf_inv(b: Builder, x: Value) -> Value:
    # An absolute error of w hardly matters, so that 1 - x² may be rounded.
    w = b.neg(log_normal(b, b.fma(b.neg(x), x, b.like(x, 1))))
    result = b.mul(_erf_inv_single(b, w) if x.elem.bits == 32 else _erf_inv_double(b, w), x)
    size, one = b.abs(x), b.like(x, 1)
    result = b.select(b.cmp("gt", size, one), b.like(x, math.nan), result)
    return b.select(b.cmp("eq", size, one), b.mul(x, b.like(x, math.inf)), result)
