"""`jax.test_util`: derivatives of functions, checked against differences along one random direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .dtypes import as_dtype
from .transforms.differentiation import jvp, vjp
from .tree_util import tree_leaves, tree_map

__all__ = ["check_grads", "check_jvp", "check_vjp"]

_STEP = 1e-4
_TOLERANCES = {"bfloat16": 1e-1, "float16": 1e-2, "float32": 2e-3, "complex64": 1e-3}
_PRECISIONS = {
    "bfloat16": 1e-2,
    "float16": 1e-3,
    "float32": 1e-6,
    "float64": 1e-15,
    "complex64": 1e-6,
    "complex128": 1e-15,
}
_FINEST = 1e-5  # Of 64-bit types.


def check_close(xs: Any, ys: Any, atol: Any = None, rtol: Any = None, err_msg: str = "") -> None:
    """Raises AssertionError unless the leaves of two trees are as close as their types allow, by their number.

    A tolerance is a number, or a dictionary of numbers by type.
    """

    def check(x: Any, y: Any) -> None:
        x, y = np.asarray(x), np.asarray(y)
        absolute, relative = (max(_tolerance(given, z.dtype) for z in (x, y)) for given in (atol, rtol))
        absolute, relative = absolute * x.size, relative * y.size
        left, right = (z.astype(np.float32) if str(z.dtype) == "bfloat16" else z for z in (x, y))
        np.testing.assert_allclose(left, right, atol=absolute, rtol=relative, err_msg=err_msg)

    tree_map(check, xs, ys)


def _tolerance(given: Any, dtype: Any) -> float:
    if isinstance(given, dict):
        given = {np.dtype(key): value for key, value in given.items()}.get(dtype)
    return float(_PRECISIONS.get(str(dtype), 0.0) if given is None else given)


def check_jvp(
    f: Callable[..., Any],
    f_jvp: Callable[..., Any],
    args: Sequence[Any],
    atol: float | None = None,
    rtol: float | None = None,
    eps: float = _STEP,
    err_msg: str = "",
) -> None:
    """Raises AssertionError unless ``f_jvp(args, tangents)`` gives the value of `f` and its difference."""
    tangents = tree_map(partial(_random, np.random.RandomState(0)), tuple(args))
    value, tangent = f_jvp(tuple(args), tangents)
    _check_close(value, f(*args), atol, rtol, f"{err_msg} primal".strip())
    _check_close(tangent, _difference(f, args, tangents, eps), atol, rtol, f"{err_msg} tangent".strip())


def check_vjp(
    f: Callable[..., Any],
    f_vjp: Callable[..., Any],
    args: Sequence[Any],
    atol: float | None = None,
    rtol: float | None = None,
    eps: float = _STEP,
    err_msg: str = "",
) -> None:
    """Raises AssertionError unless ``f_vjp(*args)`` gives the value of `f`, and cotangents that fit its difference."""
    random = partial(_random, np.random.RandomState(0))
    value, pull_back = f_vjp(*args)
    _check_close(value, f(*args), atol, rtol, f"{err_msg} primal".strip())
    tangents, cotangent = tree_map(random, tuple(args)), tree_map(random, value)
    pulled = tree_map(_conjugate, pull_back(tree_map(_conjugate, cotangent)))
    found = _inner_product(tangents, pulled)
    wanted = _inner_product(_difference(f, args, tangents, eps), cotangent)
    _check_close(found, wanted, atol, rtol, f"{err_msg} cotangent projection".strip())


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int,
    modes: Sequence[str] = ("fwd", "rev"),
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Raises AssertionError unless the derivatives of `f` at `args`, up to `order`, fit its differences."""
    options = {"atol": atol, "rtol": rtol, "eps": eps or _STEP}

    def pulled_back(f: Callable[..., Any], *args: Any) -> Any:
        out, pull_back = vjp(f, *args)
        return pull_back(out)

    def check(f: Callable[..., Any], args: tuple[Any, ...], order: int, prefix: str) -> None:
        if "fwd" in modes:
            name = f"JVP of {prefix}" if prefix else "JVP"
            check_jvp(f, partial(jvp, f), args, err_msg=name, **options)  # type: ignore[arg-type]
            if order > 1:
                check(partial(jvp, f), (args, args), order - 1, name)
        if "rev" in modes:
            name = f"VJP of {prefix}" if prefix else "VJP"
            check_vjp(f, partial(vjp, f), args, err_msg=name, **options)  # type: ignore[arg-type]
            if order > 1:
                check(partial(pulled_back, f), args, order - 1, name)

    check(f, tuple(args), order, "")


def _random(generator: np.random.RandomState, like: Any) -> Any:
    """Random numbers of the shape and type of a leaf; of integers, the tangents are zeros of type float0."""
    like = np.asarray(like) if not hasattr(like, "dtype") else like
    shape, dtype = np.shape(like), as_dtype(like.dtype)
    if dtype.kind not in "fc":
        return np.zeros(shape, [("float0", np.void, 0)])
    values = generator.randn(*shape)
    if dtype.kind == "c":
        values = values + 1j * generator.randn(*shape)
    return np.asarray(values, as_dtype(dtype).storage)


def _is_number(x: Any) -> bool:
    return np.asarray(x).dtype.kind in "fc"


def _conjugate(x: Any) -> Any:
    return np.conj(x) if _is_number(x) else x


def _difference(f: Callable[..., Any], args: Sequence[Any], tangents: Any, eps: float) -> Any:
    """The central difference of `f` along `tangents`."""

    def moved(by: float) -> Any:
        return f(
            *tree_map(
                lambda x, t: x + np.asarray(by * t, t.dtype) if _is_number(t) else x, tuple(args), tangents
            )
        )

    return tree_map(lambda a, b: (np.asarray(a) - np.asarray(b)) / (2 * eps), moved(eps), moved(-eps))


def _inner_product(first: Any, second: Any) -> Any:
    pairs = zip(tree_leaves(first), tree_leaves(second), strict=True)
    return sum(np.real(np.vdot(a, b)) for a, b in pairs if _is_number(a))


def _check_close(found: Any, wanted: Any, atol: float | None, rtol: float | None, message: str) -> None:
    for a, b in zip(tree_leaves(found), tree_leaves(wanted), strict=True):
        if not _is_number(a) or not _is_number(b):
            continue
        types = [str(getattr(x, "dtype", "float32")) for x in (a, b)]
        default = max(_TOLERANCES.get(name, _FINEST) for name in types)
        np.testing.assert_allclose(
            np.asarray(a), np.asarray(b), rtol=rtol or default, atol=atol or default, err_msg=message
        )
