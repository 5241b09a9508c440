"""References: made, read, written, and turned back into arrays.

The parameter ``tree`` is the subscript, () for the whole: for each axis a `Window`, an integer, or None, which stands
for the next of the operands, integer scalars or arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..arrays.avals import AbstractRef, ShapedArray
from ..core import JaxprEqn, Literal, Primitive, Value, Var, current_trace, get_aval
from ..tracing.references import Ref, is_staging, read, write

__all__ = ["Window", "addupdate_p", "freeze_p", "get_p", "new_ref_p", "swap_p"]


class Window(NamedTuple):
    """A static slice of an axis."""

    start: int
    size: int
    stride: int


class RefPrimitive(Primitive):
    """A primitive that is written down while staging, and else done at once: `perform` stands for all other rules."""

    def __init__(self, name: str, perform: Callable[..., Any], *, multiple_results: bool = False) -> None:
        super().__init__(name, multiple_results=multiple_results)
        self.perform, self.effectful = perform, True

    def bind(self, *args: Value, **params: Any) -> Any:
        if is_staging(current_trace()):
            return current_trace().process_primitive(self, args, params)
        return self.perform(*args, **params)


def subscript(tree: Sequence[Any], operands: Sequence[Value]) -> tuple[Any, ...]:
    """What an array is indexed with. Integers are in bounds."""
    given = iter([operand.val if isinstance(operand, Literal) else operand for operand in operands])
    return tuple(
        next(given)
        if entry is None
        else slice(entry.start, entry.start + (entry.size - 1) * entry.stride + 1, entry.stride)
        if isinstance(entry, Window)
        else entry
        for entry in tree
    )


def window_shape(
    shape: Sequence[int], tree: Sequence[Any], operands: Sequence[ShapedArray]
) -> tuple[int, ...]:
    """The shape of what a subscript selects, by NumPy's rules."""
    import numpy as np

    if not tree:
        return tuple(shape)
    given = iter(operands)
    key = tuple(np.zeros(next(given).shape, np.intp) if entry is None else entry for entry in tree)
    windows = subscript(key, ())
    return np.broadcast_to(np.False_, tuple(max(n, 1) for n in shape))[windows].shape


# ------------------------------------------------------------------------------------------------ what they do


def _new_ref(value: Value, **params: Any) -> Ref:
    from ..arrays.array import asarray

    return Ref(current_trace(), asarray(value))


def _freeze(ref: Ref) -> Value:
    return read(ref)


def _get(ref: Ref, *operands: Value, tree: tuple[Any, ...]) -> Value:
    from ..numpy.indexing import get_item

    whole = read(ref)
    return get_item(whole, subscript(tree, operands)) if tree else whole


def _swap(ref: Ref, value: Value, *operands: Value, tree: tuple[Any, ...]) -> Value:
    whole = read(ref)
    if not tree:
        write("a set/swap", ref, value)
        return whole
    from ..numpy.indexing import get_item

    key = subscript(tree, operands)
    write("a set/swap", ref, whole.at[key].set(value, mode="clip"))
    return get_item(whole, key)


def _addupdate(ref: Ref, value: Value, *operands: Value, tree: tuple[Any, ...]) -> list[Value]:
    from .apply import add

    whole = read(ref)
    new = whole.at[subscript(tree, operands)].add(value, mode="clip") if tree else add(whole, value)
    write("an addupdate", ref, new)
    return []


# ------------------------------------------------------------------------------------------------ types


def _inner(name: str, ref: Any) -> ShapedArray:
    if not isinstance(ref, AbstractRef):
        raise ValueError(f"`{name}` must be called on `Ref` types: {ref}.")
    return ref.inner_aval


def _check_stored(
    name: str,
    shown: str,
    ref: Any,
    value: ShapedArray,
    operands: Sequence[ShapedArray],
    tree: tuple[Any, ...],
) -> ShapedArray:
    """The aval of what a value replaces. Raises ValueError if it does not fit there."""
    inner = _inner(name, ref)
    if isinstance(value, AbstractRef):
        raise ValueError("Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?")
    expected = window_shape(inner.shape, tree, operands)
    if value.shape != expected:
        raise ValueError(
            f"Invalid shape for `{name}`. Ref shape: {inner.shape}. Expected shape: {expected}. Value shape: "
            f"{value.shape}. Transforms: {tree}. "
        )
    if value.dtype is not inner.dtype:
        raise ValueError(
            f"Invalid dtype for `{name}`. Ref dtype: {inner.dtype}. Value {shown}: {value.dtype}. "
        )
    return inner.update(shape=expected)


def _new_type(value: ShapedArray, **params: Any) -> Any:
    return AbstractRef(value)


def _get_type(ref: Any, *operands: ShapedArray, tree: tuple[Any, ...]) -> ShapedArray:
    inner = _inner("get", ref)
    return inner.update(shape=window_shape(inner.shape, tree, operands))


def _swap_type(ref: Any, value: ShapedArray, *operands: ShapedArray, tree: tuple[Any, ...]) -> ShapedArray:
    return _check_stored("swap", "dtype", ref, value, operands, tree)


def _addupdate_type(
    ref: Any, value: ShapedArray, *operands: ShapedArray, tree: tuple[Any, ...]
) -> list[ShapedArray]:
    _check_stored("addupdate", "shape", ref, value, operands, tree)
    return []


def _freeze_type(ref: Any) -> ShapedArray:
    return _inner("freeze", ref)


def check_stored(name: str, ref: Ref, value: Value, operands: Sequence[Value], tree: tuple[Any, ...]) -> None:
    """Raises ValueError if `value` does not fit where it is to be stored."""
    kind = _swap_type if name == "swap" else _addupdate_type
    kind(ref.aval, get_aval(value), *map(get_aval, operands), tree=tree)


new_ref_p = RefPrimitive("new_ref", _new_ref)
freeze_p = RefPrimitive("freeze", _freeze)
get_p = RefPrimitive("get", _get)
swap_p = RefPrimitive("swap", _swap)
addupdate_p = RefPrimitive("addupdate", _addupdate, multiple_results=True)
new_ref_p.abstract_eval, freeze_p.abstract_eval = _new_type, _freeze_type
get_p.abstract_eval, swap_p.abstract_eval, addupdate_p.abstract_eval = _get_type, _swap_type, _addupdate_type


# ------------------------------------------------------------------------------------------------ text


def _place(printer: Any, ref: Any, operands: Sequence[Any], tree: tuple[Any, ...]) -> str:
    """The subscripted reference, as jaxprs show it."""
    given = iter(operands)
    entries = []
    for entry, n in zip(tree, ref.aval.shape):
        if isinstance(entry, Window):
            stop = entry.start + entry.size
            entries.append(f"{entry.start or ''}:{stop if stop != n else ''}")
        else:
            atom = next(given) if entry is None else entry
            entries.append(
                str(getattr(atom, "val", atom)) if not isinstance(atom, Var) else printer.name(atom)
            )
    return f"{printer.name(ref)}[{','.join(entries) or '...'}]"


def _show_get(printer: Any, eqn: JaxprEqn) -> Any:
    ref, *operands = eqn.invars
    return [printer.binders(eqn.outvars), " <- ", _place(printer, ref, operands, eqn.params["tree"])]


def _show_swap(printer: Any, eqn: JaxprEqn) -> Any:
    ref, value, *operands = eqn.invars
    old = printer.names.get(eqn.outvars[0])
    left = [] if old == "_" else [printer.binders(eqn.outvars), ", "]
    place = _place(printer, ref, operands, eqn.params["tree"])
    read = [] if old == "_" else [place, ", "]
    return [*left, place, " <- ", *read, printer.name(value)]


def _show_addupdate(printer: Any, eqn: JaxprEqn) -> Any:
    ref, value, *operands = eqn.invars
    return [_place(printer, ref, operands, eqn.params["tree"]), " += ", printer.name(value)]


get_p.show, swap_p.show, addupdate_p.show = _show_get, _show_swap, _show_addupdate
