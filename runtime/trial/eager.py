"""Transforms as plain Python, so that a function runs as it would if nothing had ever been traced.

`jit` and its like are the function itself, `cond` is an `if`, `scan` and the loops are loops, `vmap` calls the
function once an example.  Differentiation stays what it is: it follows concrete values through Python's own control
flow.  Semantics are those that the documentation of `jax.lax` gives as Python code.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from .seam import MAKERS, Seam

_TRANSPARENT = ("jit", "pmap", "checkpoint", "remat", "named_call")


class EagerSeam(Seam):
    """Notes which function is transformed where, as `Seam` does, but traces nothing."""

    def _hook(self, path: str, original: Callable[..., Any]) -> Callable[..., Any]:
        name = path.rpartition(".")[2]
        if name in _TRANSPARENT:
            plain: Callable[..., Any] = _transparent
        else:
            plain = _PLAIN.get(path, original)
        makes = path in MAKERS

        @functools.wraps(original)
        def hooked(*arguments: Any, **options: Any) -> Any:
            function = arguments[0] if arguments else options.get("fun", options.get("f"))
            if makes and function is None:
                return functools.partial(hooked, **options)
            result = plain(*arguments, **options)
            if makes:
                self._note(function, name, result, arguments[1:], options, ("", 0))
            return result

        return hooked


def _transparent(fun: Callable[..., Any], *_arguments: Any, **_options: Any) -> Callable[..., Any]:
    return fun


def _jax() -> Any:
    return sys.modules["jax"]


def _map_tree(function: Callable[..., Any], *trees: Any) -> Any:
    return _jax().tree_util.tree_map(function, *trees)


def _arrays(tree: Any) -> Any:
    return _map_tree(_jax().numpy.asarray, tree)


def _length(tree: Any) -> int:
    return int(_jax().tree_util.tree_leaves(tree)[0].shape[0])


def _item(tree: Any, index: int) -> Any:
    return _map_tree(lambda leaf: leaf[index], tree)


def _stacked(items: list[Any]) -> Any:
    stack = _jax().numpy.stack
    return _map_tree(lambda *leaves: stack([_jax().numpy.asarray(leaf) for leaf in leaves]), *items)


def _scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    **_options: Any,
) -> tuple[Any, Any]:
    carry = _arrays(init)
    count = length if length is not None else _length(xs)
    results: list[Any] = [None] * count
    for index in reversed(range(count)) if reverse else range(count):
        carry, results[index] = f(carry, None if xs is None else _item(xs, index))
    if not results:
        raise NotImplementedError("the results of a scan over nothing have no shape without tracing")
    return carry, _stacked(results)


def _map(f: Callable[[Any], Any], xs: Any, **_options: Any) -> Any:
    return _scan(lambda carry, x: (carry, f(x)), 0, xs)[1]


def _while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    value = _arrays(init_val)
    while cond_fun(value):
        value = body_fun(value)
    return value


def _fori_loop(
    lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, **_options: Any
) -> Any:
    value = _arrays(init_val)
    for index in range(int(lower), int(upper)):
        value = body_fun(_jax().numpy.asarray(index), value)
    return value


def _cond(
    pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any, **options: Any
) -> Any:
    if "operand" in options:
        operands = (options["operand"],)
    return (true_fun if pred else false_fun)(*_arrays(operands))


def _switch(index: Any, branches: Any, *operands: Any, **options: Any) -> Any:
    if "operand" in options:
        operands = (options["operand"],)
    return branches[min(max(int(index), 0), len(branches) - 1)](*_arrays(operands))


def _vmap(
    fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, **_options: Any
) -> Callable[..., Any]:
    @functools.wraps(fun)
    def mapped(*arguments: Any, **keywords: Any) -> Any:
        axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(arguments)
        if out_axes != 0 or any(axis not in (0, None) for axis in axes):
            raise NotImplementedError("vmap over other axes than the first is not run without tracing")
        mapped_over = [argument for argument, axis in zip(arguments, axes, strict=True) if axis == 0]
        results = []
        for index in range(_length([*mapped_over, keywords])):
            own = [_item(a, index) if axis == 0 else a for a, axis in zip(arguments, axes, strict=True)]
            results.append(fun(*own, **_item(keywords, index)))
        return _stacked(results)

    return mapped


_PLAIN: dict[str, Callable[..., Any]] = {
    "vmap": _vmap,
    "lax.scan": _scan,
    "lax.map": _map,
    "lax.while_loop": _while_loop,
    "lax.fori_loop": _fori_loop,
    "lax.cond": _cond,
    "lax.switch": _switch,
}
