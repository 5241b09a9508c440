"""What libraries build and take apart jaxprs with: the rest of ``jax.extend.core``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays.avals import ShapedArray, shaped_array
from ..core import Jaxpr, JaxprEqn, Params, Primitive, Tracer, Var, get_aval
from ..errors import ConcretizationTypeError
from ..jaxprs.jaxpr import Atom, sub_jaxprs

__all__ = [
    "DropVar",
    "Effects",
    "JaxprEqnContext",
    "concrete_or_error",
    "gensym",
    "jaxprs_in_params",
    "mapped_aval",
    "new_jaxpr_eqn",
    "no_effects",
    "subjaxprs",
    "unmapped_aval",
    "valid_jaxtype",
]

Effects = frozenset[Any]
no_effects: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class JaxprEqnContext:
    """Where and how an equation is to be computed: nothing but the processor that there is."""

    compute_type: str | None = None
    threefry_partitionable: bool = True
    xla_metadata: Any = None


class DropVar(Var):
    """A result that nobody reads. Tracing makes none: such results have variables like all others."""

    __slots__ = ()


def gensym() -> Callable[[ShapedArray], Var]:
    """What makes new variables."""
    return Var


def new_jaxpr_eqn(
    invars: Sequence[Atom],
    outvars: Sequence[Var],
    primitive: Primitive,
    params: Params,
    effects: Any = no_effects,
    source_info: Any = None,
    ctx: Any = None,
) -> JaxprEqn:
    """An equation. Its effects are those of the primitive."""
    return JaxprEqn(list(invars), list(outvars), primitive, params)


def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """The jaxprs inside a jaxpr."""
    return (inner for eqn in jaxpr.eqns for inner in sub_jaxprs(eqn))


def jaxprs_in_params(params: Params) -> Iterator[Jaxpr]:
    """The jaxprs among parameters."""
    return sub_jaxprs(JaxprEqn([], [], None, params))  # type: ignore[arg-type]


def mapped_aval(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    """The aval of one example of a batch."""
    if axis is None:
        return aval
    return aval.update(shape=aval.shape[:axis] + aval.shape[axis + 1 :])


def unmapped_aval(size: int, axis: int | None, aval: ShapedArray, *options: Any) -> ShapedArray:
    """The aval of a batch of examples."""
    if axis is None:
        return aval
    shape = (*aval.shape[:axis], size, *aval.shape[axis:])
    return shaped_array(shape, aval.dtype, aval.weak_type)


def concrete_or_error(force: Callable[[Any], Any] | None, val: Any, context: str = "") -> Any:
    """``force(val)``. Raises ConcretizationTypeError, which says `context`, for a tracer without a value."""
    if isinstance(val, Tracer):
        concrete = val.to_concrete_value()
        if concrete is None:
            raise ConcretizationTypeError(val, context)
        val = concrete
    return val if force is None else force(val)


def valid_jaxtype(x: Any) -> bool:
    """Whether a value is an array or passes for one."""
    try:
        get_aval(x)
    except TypeError:
        return False
    return True
