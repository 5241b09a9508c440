"""Functions of scalars made functions of arrays: ufuncs, `vectorize`, `apply_along_axis`."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from .. import lax
from ..core import Array
from .promotion import ArrayLike, asarray, canonical_axis, concrete
from .shaping import broadcast_to, expand_dims, moveaxis, ravel, stack


def _refuse(name: str, out: Any, where: Any) -> None:
    for keyword, value in (("out", out), ("where", where)):
        if value is not None:
            raise NotImplementedError(f"{keyword} argument of {name}")


class ufunc:
    """A function of scalars with NumPy's ufunc methods: `reduce`, `accumulate`, `at`, `outer`, `reduceat`."""

    def __init__(
        self,
        func: Callable[..., Any],
        /,
        nin: int,
        nout: int,
        *,
        name: str | None = None,
        nargs: int | None = None,
        identity: Any = None,
        reduce: Callable[..., Any] | None = None,
    ) -> None:
        self._func, self.nin, self.nout = func, operator.index(nin), operator.index(nout)
        self.nargs = nargs or self.nin
        self.identity = identity
        self._reduce = reduce
        self.__name__ = self.__qualname__ = name or getattr(func, "__name__", "ufunc")
        self.__doc__ = func.__doc__
        self.__module__ = "jax.numpy"

    def __repr__(self) -> str:
        return f"<jnp.ufunc '{self.__name__}'>"

    def __hash__(self) -> int:
        return hash((self.__name__, id(self._func)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ufunc) and self._func is other._func and self.__name__ == other.__name__

    def __call__(self, *args: ArrayLike, out: None = None, where: None = None) -> Any:
        if out is not None or where is not None:
            _refuse(repr(self), out, where)
        return self._func(*args)

    def _require(self, method: str) -> None:
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary ufuncs")
        if self.nout != 1:
            raise ValueError(f"{method} only supported for functions returning a single value")

    def reduce(
        self,
        a: ArrayLike,
        axis: int | None = 0,
        dtype: Any = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Fold along an axis."""
        self._require("reduce")
        x = asarray(a, dtype)
        if self._reduce is not None:
            options: dict[str, Any] = {} if initial is None else {"initial": initial}
            result: Array = self._reduce(x, axis=axis, keepdims=keepdims, where=where, **options)
            return result
        if axis is None:
            shape = (1,) * x.ndim
            x, axis = ravel(x), 0
        else:
            axis = canonical_axis(axis, x.ndim)
            shape = tuple(1 if d == axis else n for d, n in enumerate(x.shape))
        rows = moveaxis(x, axis, 0)
        start = initial if initial is not None else None
        if start is None:
            if rows.shape[0] == 0:
                if self.identity is None:
                    raise ValueError(
                        f"zero-size array to reduction operation {self.__name__} which has no identity"
                    )
                return lax.full(rows.shape[1:], self.identity, x.dtype)
            first, rows = rows[0], rows[1:]
        else:
            first = broadcast_to(asarray(start, x.dtype), rows.shape[1:])
        result = lax.scan(
            lambda carry, row: (lax.convert_element_type(self._func(carry, row), x.dtype), None), first, rows
        )[0]
        return result.reshape(shape) if keepdims else result

    def accumulate(self, a: ArrayLike, axis: int = 0, dtype: Any = None, out: None = None) -> Array:
        """All partial folds along an axis."""
        self._require("accumulate")
        x = asarray(a, dtype)
        axis = canonical_axis(axis, x.ndim)
        rows = moveaxis(x, axis, 0)
        if rows.shape[0] == 0:
            return x

        def step(carry: Array, row: Array) -> tuple[Array, Array]:
            value = lax.convert_element_type(self._func(carry, row), x.dtype)
            return value, value

        rest = lax.scan(step, rows[0], rows[1:])[1]
        return moveaxis(lax.concatenate([rows[:1], rest], 0), 0, axis)

    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, /, *, inplace: bool = True) -> Array:
        """A copy of `a` with the function applied at indices, once for each occurrence."""
        if inplace:
            raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
        x = asarray(a)
        if b is None:
            return x.at[indices].set(self._func(x[indices]))
        updates = {
            "add": "add",
            "subtract": "subtract",
            "multiply": "multiply",
            "maximum": "max",
            "minimum": "min",
        }
        if self.__name__ in updates:
            result: Array = getattr(x.at[indices], updates[self.__name__])(b)
            return result
        places = ravel(asarray(indices))
        values = broadcast_to(asarray(b), places.shape + x.shape[1:])

        def step(carry: Array, pair: Any) -> tuple[Array, None]:
            place, value = pair
            return carry.at[place].set(
                lax.convert_element_type(self._func(carry[place], value), x.dtype)
            ), None

        final: Array = lax.scan(step, x, (places, values))[0]
        return final

    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Any:
        """The function of all pairs of elements."""
        self._require("outer")
        x, y = asarray(A), asarray(B)
        left = lax.expand_dims(x, tuple(range(x.ndim, x.ndim + y.ndim)))
        return self._func(left, y)

    def reduceat(
        self, a: ArrayLike, indices: Any, axis: int = 0, dtype: Any = None, out: None = None
    ) -> Array:
        """Folds over the stretches that indices bound."""
        import numpy as np

        self._require("reduceat")
        x = moveaxis(asarray(a, dtype), axis, 0)
        places = [int(i) for i in np.asarray(concrete(indices, "reduceat indices"))]
        parts = []
        for start, stop in zip(places, [*places[1:], x.shape[0]]):
            parts.append(self.reduce(x[start:stop]) if stop > start else x[start])
        return moveaxis(stack(parts), 0, axis)


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> ufunc:
    """A ufunc from a function of scalars."""
    count = operator.index(nin)
    return ufunc(
        vectorize(func),
        count,
        operator.index(nout),
        identity=identity,
        name=getattr(func, "__name__", "ufunc"),
    )


def _signature(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The core dimensions of arguments and results. Raises ValueError for a malformed signature."""
    argument = r"\(\s*(?:\w+(?:\s*,\s*\w+)*)?\s*,?\s*\)"
    if not re.fullmatch(
        rf"\s*(?:{argument}(?:\s*,\s*{argument})*)?\s*->\s*{argument}(?:\s*,\s*{argument})*\s*", text
    ):
        raise ValueError(f"not a valid gufunc signature: {text}")
    sides = text.split("->")
    first, second = (
        [tuple(re.findall(r"\w+", part)) for part in re.findall(argument, side)] for side in sides
    )
    return first, second


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Any = frozenset(), signature: str | None = None
) -> Callable[..., Any]:
    """A function of arrays that broadcasts over all but the core dimensions of its signature."""
    from ..transforms.vmap import vmap

    if any(not isinstance(e, (str, int)) for e in excluded):
        raise TypeError(
            f"jax.numpy.vectorize can only exclude integer or string arguments, but excluded={excluded!r}"
        )
    if any(isinstance(e, int) and e < 0 for e in excluded):
        raise ValueError("excluded contains negative numbers")

    @functools.wraps(pyfunc)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        live = [i for i, a in enumerate(args) if i not in excluded and a is not None]
        arrays = [asarray(args[i]) for i in live]
        if signature is None:
            cores: list[tuple[str, ...]] = [()] * len(arrays)
        else:
            cores, _ = _signature(signature)
            if len(cores) != len(arrays):
                raise TypeError(
                    f"wrong number of positional arguments: expected {len(cores)}, got {len(arrays)}"
                )
        sizes: dict[str, int] = {}
        leads = []
        for array, core in zip(arrays, cores):
            if array.ndim < len(core):
                raise ValueError(
                    f"input with shape {array.shape} does not have enough dimensions for all core dimensions {core} on vectorized function with signature {signature}"
                )
            split = array.ndim - len(core)
            leads.append(array.shape[:split])
            for name, n in zip(core, array.shape[split:]):
                if sizes.setdefault(name, n) != n:
                    raise ValueError(f"inconsistent size for core dimension {name!r}: {n} vs {sizes[name]}")

        def call(*values: Any) -> Any:
            full = list(args)
            for i, value in zip(live, values):
                full[i] = value
            return pyfunc(*full, **kwargs)

        shape = lax.broadcast_shapes(*leads)
        padded = [(1,) * (len(shape) - len(lead)) + lead for lead in leads]
        function = call
        for d in range(len(shape) - 1, -1, -1):
            if shape[d] != 1:
                function = vmap(function, in_axes=tuple(0 if lead[d] != 1 else None for lead in padded))
        squeezed = []
        for array, lead, core in zip(arrays, padded, cores):
            keep = [n for n in lead if n != 1]
            tail = array.shape[array.ndim - len(core) :] if core else ()
            squeezed.append(lax.reshape(array, (*keep, *tail)))
        result = function(*squeezed)
        ones = tuple(
            d for d, n in enumerate(shape) if n == 1
        )  # not mapped, as JAX: the function sees no tracer
        if not ones:
            return result
        return (
            tuple(expand_dims(r, ones) for r in result)
            if isinstance(result, tuple)
            else expand_dims(result, ones)
        )

    return wrapped


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any
) -> Array:
    """A function of vectors applied to all vectors along an axis."""
    from ..transforms.vmap import vmap

    x = asarray(arr)
    place = canonical_axis(operator.index(axis), x.ndim)
    function: Callable[[Any], Any] = lambda row: func1d(row, *args, **kwargs)
    for d in range(1, x.ndim - place):
        function = vmap(function, in_axes=d, out_axes=-1)
    for _ in range(place):
        function = vmap(function, in_axes=0, out_axes=0)
    return function(x)


def apply_over_axes(func: Callable[[Any, int], Any], a: ArrayLike, axes: Sequence[int]) -> Array:
    """A reduction applied over several axes in turn, keeping the rank."""
    x = asarray(a)
    for axis in axes:
        result = asarray(func(x, axis))
        if result.ndim == x.ndim:
            x = result
        elif result.ndim == x.ndim - 1:
            x = lax.expand_dims(result, (axis,))
        else:
            raise ValueError("function is not returning an array of the correct shape")
    return x
