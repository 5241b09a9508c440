"""How families of primitives are declared: the rules that their members share."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..core import Primitive, ShapedArray, Value, get_aval, shaped_array
from ..dtypes import BOOL, DType, real_dtype
from .linear import Zero, add_tangents, is_undefined_primal, zero_of

Rule: TypeAlias = Callable[..., Any]

_KIND_NAMES = {
    "u": "integer",
    "i": "integer",
    "f": "floating",
    "c": "complexfloating",
    "b": "bool",
    "k": "key",
}

ANY = "biufc"
NUMERIC = "iufc"
SIGNED = "ifc"
REAL = "iuf"
ORDERED = "biuf"
FLOAT = "f"
INEXACT = "fc"
COMPLEX = "c"
INTEGER = "iu"
BITS = "iub"


class Kernel:
    """A NumPy function that is looked up when it is first called: ``"np:negative"`` or ``"elementwise_kernels:rem"``."""

    __slots__ = ("_function", "where")

    def __init__(self, where: str) -> None:
        self.where = where
        self._function: Rule | None = None

    @property
    def function(self) -> Rule:
        """The function itself."""
        if self._function is None:
            module, _, name = self.where.partition(":")
            home = importlib.import_module("numpy" if module == "np" else f".{module}", __package__)
            self._function = getattr(home, name)
        return self._function

    def __call__(self, *args: Any, **params: Any) -> Any:
        return (self._function or self.function)(*args, **params)


def accepted_kinds(kinds: str) -> str:
    """The kinds in the words of JAX's error messages."""
    names = dict.fromkeys(_KIND_NAMES[kind] for kind in kinds)
    return ", ".join("signedinteger" if name == "integer" and "u" not in kinds else name for name in names)


def same(dtype: DType) -> DType:
    """The result has the type of the operands."""
    return dtype


def boolean(dtype: DType) -> DType:
    """The result is a boolean."""
    return BOOL


def real(dtype: DType) -> DType:
    """The result has the type of the operands' real part."""
    return real_dtype(dtype)


# ------------------------------------------------------------------------------------------------ shapes and types


def broadcast_shapes(name: str, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape of operands of one rank, of which some may be scalars. Raises TypeError when there is none."""
    arrays = [shape for shape in shapes if shape]
    if not arrays:
        return ()
    result = arrays[0]
    if all(shape == result for shape in arrays):
        return result
    ranks = {len(shape) for shape in arrays}
    if len(ranks) != 1:
        raise TypeError(f"{name}: arrays must have the same number of dimensions, got {ranks}")
    lengths = []
    for column in zip(*arrays):
        distinct = {length for length in column if length != 1}
        if len(distinct) > 1:
            shown = ", ".join(map(str, arrays))
            raise TypeError(f"{name} got incompatible shapes for broadcasting: {shown}.")
        lengths.append(distinct.pop() if distinct else 1)
    return tuple(lengths)


# The functions of jax.numpy that promote what these refuse
PROMOTING = {
    "add": "add",
    "atan2": "arctan2",
    "concatenate": "concatenate",
    "div": "divide",
    "eq": "equal",
    "max": "maximum",
    "min": "minimum",
    "mul": "multiply",
    "ne": "not_equal",
    "nextafter": "nextafter",
    "select": "where",
    "shift_left": "left_shift",
    "shift_right_arithmetic": "right_shift",
    "shift_right_logical": "right_shift",
    "sub": "subtract",
}


def check_same_dtypes(name: str, avals: Sequence[ShapedArray]) -> None:
    """Raises TypeError unless all avals have one type."""
    if any(aval.dtype is not avals[0].dtype for aval in avals[1:]):
        shown = ", ".join(aval.dtype.name for aval in avals)
        tip = ""
        if name in PROMOTING:
            tip = f" (Tip: jnp.{PROMOTING[name]} is a similar function that does automatic type promotion on inputs)."
        raise TypeError(f"lax.{name} requires arguments to have the same dtypes, got {shown}.{tip}")


# ------------------------------------------------------------------------------------------------ unary


def unary(
    name: str,
    *,
    accepts: str,
    impl: str | Rule,
    lower: Rule | None = None,
    jvp: Rule | None = None,
    linear: Rule | None = None,
    result: Callable[[DType], DType] = same,
    examples: Sequence[float] = (),
) -> Primitive:
    """An operation on each element.

    `jvp(t, out, x, **params)` gives the tangent of the result; without it the result does not depend smoothly on the
    operand. `linear(ct, **params)` transposes an operation that is linear, which is then its own derivative.
    """
    primitive = Primitive(name)

    def abstract_eval(x: ShapedArray, **params: Any) -> ShapedArray:
        if x.dtype.kind not in accepts:
            raise TypeError(
                f"{name} does not accept dtype {x.dtype}. Accepted dtypes are subtypes of {accepted_kinds(accepts)}."
            )
        dtype = result(x.dtype)
        if dtype is x.dtype:
            return x
        return shaped_array(x.shape, dtype, x.weak_type)

    def differentiate(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        (x,), (t,) = primals, tangents
        out = primitive.bind(x, **params)
        if type(t) is Zero or (jvp is None and linear is None):
            return out, zero_of(out)
        return out, jvp(t, out, x, **params) if jvp is not None else primitive.bind(t, **params)

    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(impl) if isinstance(impl, str) else impl
    primitive.lower = lower
    primitive.batch = lambda size, args, dims, **params: (primitive.bind(*args, **params), dims[0])
    primitive.jvp = differentiate
    if linear is not None:
        primitive.transpose = lambda ct, x, **params: [linear(ct, **params)]
    primitive.examples = [((list(examples),), {})] if examples else ()
    return primitive


# ------------------------------------------------------------------------------------------------ several operands


def broadcast_batch(primitive: Primitive) -> Rule:
    """The batching rule of an elementwise operation on operands of one shape, or scalars."""

    def batch(
        size: int, args: Sequence[Value], dims: Sequence[int | None], **params: Any
    ) -> tuple[Value, int]:
        from .shape import expand_dims, move_axis

        avals = [get_aval(arg) for arg in args]
        ranks = [aval.ndim - (dim is not None) for aval, dim in zip(avals, dims)]
        rank = max(ranks)
        batched: set[tuple[int | None, int]] = {(dim, r) for dim, r in zip(dims, ranks) if dim is not None}
        if len(batched) == 1 and all(dim is not None or r == 0 for dim, r in zip(dims, ranks)):
            front, r = batched.pop()
            if r == rank and front is not None:
                return primitive.bind(*args, **params), front
        aligned = []
        for arg, dim, r in zip(args, dims, ranks):
            if dim is not None:
                # Scalars of each example stand against whole arrays: give them the missing dimensions.
                moved = move_axis(arg, dim, 0)
                aligned.append(expand_dims(moved, tuple(range(1, 1 + rank - r))))
            else:
                aligned.append(arg if r == 0 else expand_dims(arg, (0,)))
        return primitive.bind(*aligned, **params), 0

    return batch


def nary(
    name: str,
    *,
    accepts: str | Sequence[str],
    impl: str | Rule,
    lower: Rule | None = None,
    jvps: Sequence[Rule | None] = (),
    transposes: Sequence[Rule | None] = (),
    result: Callable[[DType], DType] = same,
    examples: Sequence[Sequence[Any]] = (),
) -> Primitive:
    """An operation on corresponding elements of operands of one type.

    `jvps[i](t, out, *operands, **params)` is the tangent of the result due to tangent `t` of operand i, and
    `transposes[i](ct, *operands, **params)` the cotangent of operand i when the operation is linear in it.
    """
    primitive = Primitive(name)

    def abstract_eval(*avals: ShapedArray, **params: Any) -> ShapedArray:
        head = avals[0]
        dtype = head.dtype
        weak = True
        alike = True
        for position, aval in enumerate(avals):
            kinds = accepts if isinstance(accepts, str) else accepts[position]
            if aval.dtype.kind not in kinds:
                raise TypeError(
                    f"{name} does not accept dtype {aval.dtype} at position {position}. Accepted dtypes at position "
                    f"{position} are subtypes of {accepted_kinds(kinds)}."
                )
            weak = weak and aval.weak_type
            alike = alike and aval is head
        if alike and result is same:
            return head
        check_same_dtypes(name, avals)
        out = result(dtype)
        return shaped_array(broadcast_shapes(name, [a.shape for a in avals]), out, weak)

    def differentiate(primals: Sequence[Value], tangents: Sequence[Any], **params: Any) -> tuple[Value, Any]:
        from .shape import broadcast_scalar_like

        out = primitive.bind(*primals, **params)
        total: Any = zero_of(out)
        for rule, tangent in zip(jvps, tangents):
            if rule is not None and type(tangent) is not Zero:
                part = rule(tangent, out, *primals, **params)
                total = add_tangents(total, broadcast_scalar_like(part, get_aval(out).shape))
        return out, total

    def transpose(ct: Value, *operands: Value, **params: Any) -> list[Any]:
        from .reductions import unbroadcast

        out: list[Any] = []
        for rule, operand in zip(transposes, operands):
            if not is_undefined_primal(operand):
                out.append(None)
            elif rule is None:
                raise AssertionError(f"{primitive} is not linear in {operand}")
            else:
                out.append(unbroadcast(rule(ct, *operands, **params), operand.aval))
        return out

    primitive.abstract_eval = abstract_eval
    primitive.impl = Kernel(impl) if isinstance(impl, str) else impl
    primitive.lower = lower
    primitive.batch = broadcast_batch(primitive)
    primitive.jvp = differentiate
    primitive.transpose = transpose if transposes else None
    primitive.examples = [(args, {}) for args in examples]
    return primitive
