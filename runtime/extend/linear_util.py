"""`jax.extend.linear_util` and what `jax.api_util` builds on it: functions in layers, each of which has a result aside.

A layer is a function of the function below it, or a generator that yields the arguments for it and is sent its result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..pytree.mapping import broadcast_prefix
from ..tree_util import tree_flatten, tree_unflatten

__all__ = [
    "StoreException",
    "WrappedFun",
    "flatten_axes",
    "flatten_fun",
    "flatten_fun_nokwargs",
    "transformation",
    "transformation2",
    "transformation_with_aux",
    "transformation_with_aux2",
    "wrap_init",
]


class StoreException(Exception):
    """A result aside was asked for before it was there, or was given twice."""


class _Store:
    """Keeps the result aside of one layer."""

    def __init__(self) -> None:
        self._values: list[Any] = []

    def store(self, value: Any) -> None:
        if self._values:
            raise StoreException("Store occupied")
        self._values.append(value)

    def reset(self) -> None:
        self._values.clear()

    def __call__(self) -> Any:
        if not self._values:
            raise StoreException("Store empty")
        return self._values[0]


class WrappedFun(NamedTuple):
    """A function with its layers applied."""

    call_wrapped: Callable[..., Any]
    debug_info: Any = None

    @property
    def f(self) -> Callable[..., Any]:
        return self.call_wrapped

    @property
    def __name__(self) -> str:
        return getattr(self.call_wrapped, "__name__", "<unnamed wrapped function>")


def wrap_init(f: Callable[..., Any], params: Any = None, *, debug_info: Any = None) -> WrappedFun:
    """A function without layers; `params` are keywords that it always gets."""
    given = dict(params or {})
    return WrappedFun((lambda *args: f(*args, **given)) if given else f, debug_info)


def transformation2(layer: Callable[..., Any]) -> Callable[..., WrappedFun]:
    """A layer ``layer(f, *settings, *args)``."""

    def apply(fun: WrappedFun, *settings: Any) -> WrappedFun:
        return WrappedFun(
            lambda *args, **kwargs: layer(fun.call_wrapped, *settings, *args, **kwargs), fun.debug_info
        )

    return apply


def transformation_with_aux2(
    layer: Callable[..., Any],
) -> Callable[..., tuple[WrappedFun, Callable[[], Any]]]:
    """A layer ``layer(f, store, *settings, *args)``, which stores its result aside."""

    def apply(fun: WrappedFun, *settings: Any) -> tuple[WrappedFun, Callable[[], Any]]:
        store = _Store()
        wrapped = WrappedFun(
            lambda *args, **kwargs: layer(fun.call_wrapped, store, *settings, *args, **kwargs), fun.debug_info
        )
        return wrapped, store

    return apply


def _run(generator: Any, f: Callable[..., Any]) -> Any:
    """What the generator of one layer yields at last."""
    args, kwargs = next(generator)
    return generator.send(f(*args, **kwargs))


def transformation(generate: Callable[..., Any]) -> Callable[..., WrappedFun]:
    """A layer of a generator ``generate(*settings, *args)`` that yields arguments, and then the result."""
    return transformation2(lambda f, *args, **kwargs: _run(generate(*args, **kwargs), f))


def transformation_with_aux(
    generate: Callable[..., Any],
) -> Callable[..., tuple[WrappedFun, Callable[[], Any]]]:
    """As `transformation`, of a generator that yields the result and the result aside."""

    def layer(f: Callable[..., Any], store: _Store, *args: Any, **kwargs: Any) -> Any:
        out, aside = _run(generate(*args, **kwargs), f)
        store.store(aside)
        return out

    return transformation_with_aux2(layer)


@transformation_with_aux
def flatten_fun(in_tree: Any, *leaves: Any) -> Any:
    """Leaves in, leaves out; the structure of the result aside. `in_tree` is of a pair: arguments and keywords."""
    args, kwargs = tree_unflatten(in_tree, leaves)
    out = yield args, kwargs
    yield tree_flatten(out)


@transformation_with_aux
def flatten_fun_nokwargs(in_tree: Any, *leaves: Any) -> Any:
    """As `flatten_fun`, for arguments without keywords."""
    out = yield tree_unflatten(in_tree, leaves), {}
    yield tree_flatten(out)


def debug_info(traced_for: str, fun: Callable[..., Any], args: Any, kwargs: Any, **options: Any) -> Any:
    """What messages say of a function that is about to be traced."""
    from ..tracing.staging import DebugInfo
    from ..transforms.signatures import source_of

    return DebugInfo(traced_for, source_of(fun))


def flatten_axes(name: str, treedef: Any, axis_tree: Any, *, tupled_args: bool = False) -> list[Any]:
    """The axis of each leaf of a tree, from a tree of axes that is a prefix of it. Raises ValueError for another."""
    whole = tree_unflatten(treedef, [0] * treedef.num_leaves)
    try:
        return broadcast_prefix(axis_tree, whole, is_leaf=lambda axis: axis is None)
    except ValueError as error:
        raise ValueError(
            f"{name} specification must be a tree prefix of the corresponding value; {error}"
        ) from None
