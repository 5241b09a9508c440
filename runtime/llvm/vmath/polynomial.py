"""Polynomials, and sums and products that keep their rounding error."""

from __future__ import annotations

from collections.abc import Sequence

from ..builder import Builder, Value


def horner(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    """``c[0] + c[1] x + c[2] x² + ...``"""
    result = b.like(x, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = b.fma(result, x, b.like(x, c))
    return result


Pair = tuple[Value, Value]


def fast_two_sum(b: Builder, x: Value, y: Value) -> Pair:
    """x + y and its rounding error, for |x| >= |y| (Dekker 1971)."""
    total = b.add(x, y)
    return total, b.sub(y, b.sub(total, x))


def two_product(b: Builder, x: Value, y: Value) -> Pair:
    """x * y and its rounding error."""
    product = b.mul(x, y)
    return product, b.fma(x, y, b.neg(product))


def multiply_pairs(b: Builder, x: Pair, y: Pair) -> Pair:
    high, low = two_product(b, x[0], y[0])
    low = b.fma(x[0], y[1], b.fma(x[1], y[0], low))
    return fast_two_sum(b, high, low)


def add_pairs(b: Builder, x: Pair, y: Pair) -> Pair:
    """The sum of two pairs, for |x| >= |y|."""
    high, low = fast_two_sum(b, x[0], y[0])
    return fast_two_sum(b, high, b.add(low, b.add(x[1], y[1])))
