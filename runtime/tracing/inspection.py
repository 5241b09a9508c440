"""Looking at a function without running it: ``make_jaxpr``, ``eval_shape`` and ``ShapeDtypeStruct``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from ..core import ClosedJaxpr, ShapedArray, get_aval, shaped_array
from ..dtypes import as_dtype, canonical
from ..primitives.linear import zeros_like_aval
from ..pytree.definition import tree_flatten
from ..transforms.functions import check_result
from ..transforms.signatures import check_function, index_tuple, leaf_names, normalized, source_of, wraps
from .named_axes import named_axes
from .staging import DebugInfo, trace_to_jaxpr


class ShapeDtypeStruct:
    """A shape and an element type in the place of an array: ``jax.ShapeDtypeStruct``."""

    __slots__ = ("dtype", "is_ref", "manual_axis_type", "shape", "sharding", "weak_type")

    def __init__(
        self,
        shape: Iterable[int],
        dtype: Any,
        *,
        sharding: Any = None,
        weak_type: bool = False,
        manual_axis_type: Any = None,
        is_ref: bool = False,
    ) -> None:
        self.shape, self.dtype = tuple(shape), as_dtype(dtype)
        self.sharding, self.weak_type = sharding, weak_type
        self.manual_axis_type, self.is_ref = manual_axis_type, is_ref

    @staticmethod
    def of(aval: ShapedArray) -> ShapeDtypeStruct:
        return ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)

    @classmethod
    def like(cls, array_like: Any) -> ShapeDtypeStruct:
        """The shape and the type of an array."""
        return cls.of(get_aval(array_like))

    @property
    def format(self) -> Any:
        from ..experimental.layout import Format

        return Format(None, self.sharding)

    @property
    def aval(self) -> ShapedArray:
        return shaped_array(self.shape, canonical(self.dtype), self.weak_type)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return self.aval.size

    def update(self, **kwargs: Any) -> ShapeDtypeStruct:
        """The same with some of its parts replaced."""
        return ShapeDtypeStruct(**{name: kwargs.get(name, getattr(self, name)) for name in self.__slots__})

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _key(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.weak_type, self.is_ref, self.sharding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [f"shape={self.shape}", f"dtype={self.dtype.name}"]
        parts += [f"sharding={self.sharding}"] if self.sharding is not None else []
        parts += [f"{name}=True" for name in ("weak_type", "is_ref") if getattr(self, name)]
        return f"ShapeDtypeStruct({', '.join(parts)})"


def make_jaxpr(
    fun: Callable[..., Any],
    static_argnums: int | Iterable[int] = (),
    axis_env: Iterable[tuple[Hashable, int]] | None = None,
    return_shape: bool = False,
) -> Callable[..., Any]:
    """A function that returns the jaxpr of `fun`, for arguments like those it is called with.

    With `return_shape` it returns a pair: the jaxpr, and the result with a `ShapeDtypeStruct` for each array.
    `axis_env` names axes that collectives may use, with their sizes.
    """
    check_function(fun)
    static = index_tuple(static_argnums)

    @wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with named_axes(axis_env or ()):
            jaxpr, shapes = _trace(fun, args, kwargs, normalized(static, len(args)), "make_jaxpr")
        return (jaxpr, shapes) if return_shape else jaxpr

    wrapped.__name__ = f"make_jaxpr({getattr(fun, '__name__', type(fun).__name__)})"
    return wrapped


def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of ``fun(*args, **kwargs)`` with a `ShapeDtypeStruct` for each array. Nothing is computed."""
    return _trace(fun, args, kwargs, (), "eval_shape")[1]


def _trace(
    fun: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    static: tuple[int, ...],
    traced_for: str,
) -> tuple[ClosedJaxpr, Any]:
    dynamic = [arg for i, arg in enumerate(args) if i not in static]
    leaves, in_tree = tree_flatten((dynamic, kwargs))
    names = leaf_names(fun, args, kwargs, static)
    info = DebugInfo(traced_for, source_of(fun), names)
    out_tree: Any = None

    def flat(*values: Any) -> list[Any]:
        nonlocal out_tree
        positional, keywords = in_tree.unflatten(values)
        for i in sorted(static):
            positional.insert(i, args[i])
        result = fun(*positional, **keywords)
        outs, out_tree = tree_flatten(result)
        for out in outs:
            check_result(out, result, info)
        if traced_for == "eval_shape":  # Which asks for types alone: these may stand for arrays.
            outs = [zeros_like_aval(get_aval(o)) if isinstance(o, ShapeDtypeStruct) else o for o in outs]
        return outs

    avals = []
    for name, leaf in zip(names, leaves):
        try:
            avals.append(get_aval(leaf))
        except TypeError:
            raise TypeError(
                f"Error interpreting argument to {fun} as an abstract array. The problematic value is of type "
                f"{type(leaf)} and was passed to the function at path {name}."
            ) from None
    jaxpr, consts = trace_to_jaxpr(flat, avals, info)
    closed = ClosedJaxpr(jaxpr, consts)
    return closed, out_tree.unflatten([ShapeDtypeStruct.of(aval) for aval in closed.out_avals])
