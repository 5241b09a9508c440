"""Jaxprs: the typed, first-order programs that tracing records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..arrays.avals import ShapedArray

if TYPE_CHECKING:
    from ..core import Primitive

Params: TypeAlias = dict[str, Any]
Value: TypeAlias = (
    Any  # What a primitive takes: an Array, a Tracer, a Literal, a NumPy array or a Python scalar.
)


class Var:
    """A variable of a jaxpr. It has no name until it is printed."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"Var:{self.aval.str_short(short_dtypes=True)}"


class Literal:
    """A scalar constant: `val` is a Python scalar, rounded to the type of `aval`. It may be bound like any value."""

    __slots__ = ("aval", "val")

    def __init__(self, val: bool | complex, aval: ShapedArray) -> None:
        self.val, self.aval = val, aval

    def __repr__(self) -> str:
        return f"Literal({self.val}:{self.aval.str_short(short_dtypes=True)})"


Atom: TypeAlias = Var | Literal
Source: TypeAlias = tuple[CodeType, int] | None  # A code object and the offset of the instruction it was at.


class JaxprEqn:
    """``outvars = primitive[params] invars``, and the code and offset of the user's instruction that applied it."""

    __slots__ = ("code", "invars", "offset", "outvars", "params", "primitive")
    code: CodeType | None
    offset: int

    def __init__(
        self,
        invars: list[Atom],
        outvars: list[Var],
        primitive: Primitive,
        params: Params,
        source: Source = None,
    ) -> None:
        self.invars, self.outvars = invars, outvars
        self.primitive, self.params = primitive, params
        self.code, self.offset = source or (None, 0)

    @property
    def source(self) -> Source:
        """The user's instruction, as `sources.summarize` takes it."""
        return None if self.code is None else (self.code, self.offset)

    @property
    def source_info(self) -> Any:
        """The user's instruction, as libraries hand it on."""
        from ..extend.source_info import NameStack, SourceInfo

        return SourceInfo(self.source, NameStack())

    @property
    def ctx(self) -> Any:
        """What was in force when it was traced."""
        from ..extend.equations import JaxprEqnContext

        return JaxprEqnContext()

    @property
    def effectful(self) -> bool:
        """Whether it does more than compute its results: by itself, or in a jaxpr that it runs."""
        return self.primitive.effectful or any(jaxpr.effectful for jaxpr in sub_jaxprs(self))

    @property
    def effects(self) -> frozenset[str]:
        """The names of the primitives that make it effectful."""
        own = frozenset([self.primitive.name] if self.primitive.effectful else [])
        return own.union(*(jaxpr.effects for jaxpr in sub_jaxprs(self)))

    def replace(self, **changes: Any) -> JaxprEqn:
        names = ("invars", "outvars", "primitive", "params", "source")
        return JaxprEqn(**{name: getattr(self, name) for name in names} | changes)

    def __repr__(self) -> str:
        from .printing import format_eqn

        return format_eqn(self)


class Jaxpr:
    """A function in first-order form: `constvars` and `invars` are bound, `eqns` run in order, `outvars` returned."""

    __slots__ = ("__weakref__", "constvars", "debug_info", "eqns", "invars", "outvars")

    def __init__(
        self,
        constvars: Sequence[Var],
        invars: Sequence[Var],
        outvars: Sequence[Atom],
        eqns: Sequence[JaxprEqn],
        debug_info: Any = None,
    ) -> None:
        self.constvars, self.invars, self.outvars = list(constvars), list(invars), list(outvars)
        self.eqns, self.debug_info = list(eqns), debug_info

    @property
    def in_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [v.aval for v in self.outvars]

    @property
    def effectful(self) -> bool:
        """Whether one of its equations is."""
        return any(eqn.effectful for eqn in self.eqns)

    @property
    def effects(self) -> set[str]:
        """The names of the primitives that make it effectful; empty for most programs."""
        return set().union(*(eqn.effects for eqn in self.eqns))

    def replace(self, **changes: Any) -> Jaxpr:
        parts = {name: getattr(self, name) for name in self.__slots__[1:]} | changes
        return Jaxpr(**parts)

    def pretty_print(self, **settings: Any) -> str:
        from .printing import format_jaxpr

        return format_jaxpr(self, **settings)

    def __repr__(self) -> str:
        return self.pretty_print()


class ClosedJaxpr:
    """A jaxpr with the values of its `constvars`."""

    __slots__ = ("__weakref__", "consts", "jaxpr")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[Value] = ()) -> None:
        self.jaxpr, self.consts = jaxpr, list(consts)

    @property
    def in_avals(self) -> list[ShapedArray]:
        return self.jaxpr.in_avals

    @property
    def out_avals(self) -> list[ShapedArray]:
        return self.jaxpr.out_avals

    @property
    def invars(self) -> list[Var]:
        return self.jaxpr.invars

    @property
    def outvars(self) -> list[Atom]:
        return self.jaxpr.outvars

    @property
    def constvars(self) -> list[Var]:
        return self.jaxpr.constvars

    @property
    def debug_info(self) -> Any:
        return self.jaxpr.debug_info

    @property
    def literals(self) -> list[Value]:
        return self.consts

    @property
    def eqns(self) -> list[JaxprEqn]:
        return self.jaxpr.eqns

    @property
    def effects(self) -> set[str]:
        return self.jaxpr.effects

    def replace(self, *, jaxpr: Jaxpr | None = None, consts: Sequence[Value] | None = None) -> ClosedJaxpr:
        return ClosedJaxpr(self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts)

    def pretty_print(self, **settings: Any) -> str:
        return self.jaxpr.pretty_print(**settings)

    def __repr__(self) -> str:
        return self.jaxpr.pretty_print()


def sub_jaxprs(eqn: JaxprEqn) -> Iterator[Jaxpr]:
    """The jaxprs in the params of an equation."""
    for value in eqn.params.values():
        for item in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(item, Jaxpr):
                yield item
            elif isinstance(item, ClosedJaxpr):
                yield item.jaxpr
