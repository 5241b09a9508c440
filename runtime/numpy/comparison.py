"""Comparison of whole arrays, questions about values, and NumPy's text and file functions."""

from __future__ import annotations

from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from . import reductions
from .promotion import (
    ArrayLike,
    asarray,
    check_arraylike,
    is_arraylike,
    jitted,
    promote_args,
    promote_args_inexact,
)


@jitted("equal_nan")
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> Array:
    """Whether elements agree within tolerances relative to b."""
    check_arraylike("isclose", a, b)
    x, y = promote_args("isclose", a, b)
    kind = dtypes.dtype(x)
    if kind.kind == "b":
        return lax.eq(*promote_args("isclose", x, y))
    if kind.kind in "iu":
        x, y = promote_args_inexact("isclose", x, y)
    x, y = asarray(x), asarray(y)
    kind = dtypes.real_of(x.dtype)
    relative, absolute = lax.convert_element_type(rtol, kind), lax.convert_element_type(atol, kind)
    from .ufuncs import isfinite

    finite = isfinite(y)
    near = lax.le(lax.abs(lax.sub(x, y)), lax.add(absolute, lax.mul(relative, lax.abs(y))))
    out = lax.bitwise_or(lax.eq(x, y), lax.bitwise_and(finite, near))
    if equal_nan:
        out = lax.bitwise_or(out, lax.bitwise_and(lax.ne(x, x), lax.ne(y, y)))
    return out


@jitted("equal_nan")
def allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> Array:
    """Whether all elements are close."""
    check_arraylike("allclose", a, b)
    return reductions.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Array:
    """Whether shapes and all elements are equal."""
    try:
        first, second = asarray(a1), asarray(a2)
    except (TypeError, ValueError):
        return asarray(False)
    if first.shape != second.shape:
        return asarray(False)
    from .ufuncs import equal

    same = equal(first, second)
    if bool(equal_nan) and dtypes.is_inexact(dtypes.result_type(first, second)):
        same = lax.bitwise_or(same, lax.bitwise_and(lax.ne(first, first), lax.ne(second, second)))
    return reductions.all(same)


def array_equiv(a1: Any, a2: Any) -> Array:
    """Whether arrays are equal after broadcasting. Raises TypeError if they do not broadcast, as JAX does."""
    from .ufuncs import equal

    try:
        first, second = asarray(a1), asarray(a2)
    except (TypeError, ValueError):
        return asarray(False)
    return reductions.all(equal(first, second))


def iscomplexobj(x: Any) -> bool:
    """Whether the type is complex."""
    if x is None:
        return False
    try:
        return dtypes.dtype(x).kind == "c"
    except TypeError:
        return False


def isrealobj(x: Any) -> bool:
    """Whether the type is not complex."""
    return not iscomplexobj(x)


def isscalar(element: Any) -> bool:
    """Whether a value is a scalar, or an array without axes."""
    if is_arraylike(element):
        return dtypes.shape(element) == ()
    return isinstance(element, (str, bytes))


def iterable(y: Any) -> bool:
    """Whether a value can be iterated over."""
    try:
        iter(y)
    except TypeError:
        return False
    return True


def _numpy(name: str) -> Any:
    """A NumPy function on the host values of its arguments."""

    def call(*args: Any, **kwargs: Any) -> Any:
        import numpy as np

        return getattr(np, name)(*(np.asarray(a) if isinstance(a, Array) else a for a in args), **kwargs)

    call.__name__ = name
    return call


set_printoptions, printoptions = (_numpy(n) for n in ("set_printoptions", "printoptions"))


def get_printoptions() -> Any:
    """How NumPy prints arrays."""
    import numpy as np

    return np.get_printoptions()


def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """The text of the elements of an array."""
    import numpy as np

    return np.array_str(np.asarray(a), max_line_width, precision, suppress_small)


def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """Write an array to a file in NumPy's format."""
    import numpy as np

    np.save(file, np.asarray(arr), allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write arrays to an archive in NumPy's format."""
    import numpy as np

    arrays = {name: np.asarray(value) for name, value in kwds.items()}
    np.savez(file, *map(np.asarray, args), allow_pickle=allow_pickle, **arrays)


def array_repr(
    arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None
) -> str:
    """The text of an array, as NumPy writes it."""
    import numpy as np

    text = np.array_repr(np.asarray(arr), max_line_width, precision, suppress_small)
    return text.replace("array(", "ArrayImpl(", 1) if isinstance(arr, Array) else text


def load(file: Any, *args: Any, **kwargs: Any) -> Any:
    """An array from a .npy file."""
    import numpy as np

    out = np.load(file, *args, **kwargs)
    if not isinstance(out, np.ndarray):
        return out
    if out.dtype == np.dtype("V2"):  # So NumPy writes bfloat16 down.
        return lax.bitcast_convert_type(out.view(np.uint16), dtypes.bfloat16)
    return asarray(out)
