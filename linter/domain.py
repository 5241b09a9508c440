"""The abstract values of the binding-time analysis.

A value says what is known of a Python object while JAX traces: its *binding time* (static or traced) and, where
known, its structure, shape and dtype.  Immutable values are plain records; what Python can mutate (lists, dicts,
instances, scopes) lives in a `Box`, whose slots only `interpreter.state` writes.

Reference: N. D. Jones, C. K. Gomard, P. Sestoft, *Partial Evaluation and Automatic Program Generation*, ch. 4-8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from .provenance import Entry as Entry
from .provenance import Level as Level
from .provenance import Root as Root
from .provenance import Trail as Trail
from .records import record

if TYPE_CHECKING:
    import libcst as cst

    from .files.source import SourceFile

Shape: TypeAlias = "tuple[int | None, ...] | None"  # None: rank unknown; None inside: that length unknown

MAX_ITEMS = 64  # items of a sequence or mapping that are told apart


# --- values ----------------------------------------------------------------------------------------------------


class Value:
    """Base of all abstract values."""

    __slots__ = ()


@record(frozen=True, slots=True)
class Unknown(Value):
    """Anything at all.  `may_trace` tells that a traced value went into it, so that it may be traced; `true` that it
    is neither None nor anything else that counts as false."""

    may_trace: bool = False
    true: bool = False


@record(frozen=True, slots=True)
class Const(Value):
    """Exactly this Python constant: None, a number, a string, bytes, a slice of constants, `...`."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Const)
            and type(self.value) is type(other.value)
            and repr(self.value) == repr(other.value)
        )

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))

    @property
    def kind(self) -> str:
        """Its type; a member of an enumeration may be a number or string besides."""
        return getattr(type(self.value), "KIND", None) or type(self.value).__name__


@record(frozen=True, slots=True)
class Static(Value):
    """A concrete Python or NumPy object whose value is not known here but will be known while tracing.

    `kind` is its type where known (`int`, `float`, `bool`, `str`, `dtype`, `ndarray`, ...); `likely` the constant
    that it is when nobody says otherwise (a default); `shape` that of an ndarray; `mask` tells that it is one of booleans;
    `settled` that constants alone decide it, so that no caller can have it otherwise; `claimed` that an annotation alone
    says so: people write `float` where arrays pass, too.
    """

    kind: str | None = None
    likely: Const | None = None
    shape: Shape = None
    varies: bool = field(default=False, compare=False)  # another value at each turn of a loop
    mask: bool = False
    settled: bool = field(default=False, compare=False)
    claimed: bool = field(default=False, compare=False)
    # Which NumPy buffer it is or views, 0 where that is not known
    buffer: int = field(default=0, compare=False)


def is_settled(value: Value) -> bool:
    """Whether constants alone decide a value."""
    return isinstance(value, Const) or (isinstance(value, Static) and value.settled)


@record(frozen=True, slots=True)
class Array(Value):
    """A jax array, traced or concrete.

    `sure`: on every way that reaches here it is an array of this level; otherwise it may be something static.
    `roots` and `trail` do not take part in equality.
    """

    level: Level
    shape: Shape = None
    dtype: str | None = None
    weak: bool = False
    sure: bool = True
    roots: tuple[Root, ...] = field(default=(), compare=False)
    trail: Trail | None = field(default=None, compare=False, repr=False)
    donated: object = field(default=None, repr=False)  # the donation that has deleted its buffer
    # Which NumPy buffer's memory it may share, 0 where it is none's
    buffer: int = field(default=0, compare=False)

    @property
    def traced(self) -> bool:
        """Whether it is a tracer of any sort."""
        return self.level is not Level.CONCRETE

    def along(self, trail: Trail) -> Array:
        """The same array with another trail."""
        return Array(
            self.level, self.shape, self.dtype, self.weak, self.sure, self.roots, trail, self.donated
        )


@record(frozen=True, slots=True)
class Tree(Value):
    """A pytree of unknown structure whose leaves are arrays of this level: an argument of an entry point."""

    level: Level
    sure: bool = True
    roots: tuple[Root, ...] = field(default=(), compare=False)
    trail: Trail | None = field(default=None, compare=False, repr=False)

    @property
    def traced(self) -> bool:
        """Whether its leaves are tracers."""
        return self.level is not Level.CONCRETE

    def along(self, trail: Trail) -> Tree:
        """The same arrays with another trail."""
        return Tree(self.level, self.sure, self.roots, trail)


@record(frozen=True, slots=True)
class TupleValue(Value):
    """A tuple: `items` first, then, if `rest` is given, any number of such elements.

    `cls` is the NamedTuple class, `fields` its field names; `count` how many items there are in all, if that is known
    though `rest` stands for some.  With another `kind`, it is an iterator or a view of that type (`generator`, `zip`,
    `dict_values`), which gives these elements and is no pytree.
    """

    items: tuple[Value, ...]
    rest: Value | None = None
    fields: tuple[str, ...] = ()
    cls: Value | None = None
    count: int | None = None
    kind: str = "tuple"

    @property
    def length(self) -> int | None:
        """How many items there are."""
        return len(self.items) if self.rest is None else self.count

    @property
    def parts(self) -> list[Value]:
        """The items, and what stands for further ones."""
        return [*self.items] if self.rest is None else [*self.items, self.rest]

    def iterated(self, kind: str) -> TupleValue:
        """An iterator or a view of this type, over the same elements."""
        return TupleValue(self.items, self.rest, count=self.count, kind=kind)


@record(frozen=True, slots=True)
class RangeValue(Value):
    """`range(start, stop, step)`."""

    start: Value
    stop: Value
    step: Value


@record(frozen=True, slots=True)
class ExternalValue(Value):
    """A library's object by its canonical dotted name: `jax.numpy.sin`."""

    name: str


@record(frozen=True, slots=True, eq=False)
class FunctionValue(Value):
    """A function or lambda with the scope that it closes over."""

    node: cst.FunctionDef | cst.Lambda = field(repr=False)
    name: str
    scope: Box
    source: SourceFile = field(repr=False)
    defaults: tuple[tuple[str, Value], ...] = ()
    owner: Value | None = None  # the class whose body defines it
    asynchronous: bool = False


@record(frozen=True, slots=True)
class MethodValue(Value):
    """A function bound to the object that it was looked up on."""

    function: Value
    receiver: Value


@record(frozen=True, slots=True)
class PartialValue(Value):
    """`functools.partial` of a callable; as `jax.tree_util.Partial` it is a pytree of its arguments.

    `spread` stands for arguments of unknown number or name.
    """

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]
    pytree: bool = False
    spread: Value | None = None


@record(frozen=True, slots=True, eq=False)
class TransformedValue(Value):
    """A function that some transform traces when it is called; `kind` names the transform in `knowledge`."""

    kind: str
    function: Value
    node: cst.CSTNode = field(repr=False)
    source: SourceFile = field(repr=False)
    options: tuple[tuple[str, Value], ...] = ()
    serial: int = 0

    def option(self, name: str) -> Value | None:
        """The value given for one of the transform's own parameters."""
        return dict(self.options).get(name)


@record(frozen=True, slots=True, eq=False)
class ClassValue(Value):
    """A class of the analysed code; `pytree` says how instances flatten, if they do."""

    node: cst.ClassDef = field(repr=False)
    name: str
    box: Box
    bases: tuple[Value, ...]
    source: SourceFile = field(repr=False)


@record(frozen=True, slots=True)
class InstanceValue(Value):
    """An instance of a class of the analysed code, or of a library's class where `cls` is external."""

    cls: Value
    box: Box


@record(frozen=True, slots=True)
class ListValue(Value):
    """A list, set or deque; the box's slot `items` holds a `TupleValue`."""

    box: Box
    kind: str = "list"


@record(frozen=True, slots=True)
class DictValue(Value):
    """A dict, an `OrderedDict` or a `defaultdict`, or a `Counter`, which is no pytree; slot `items` holds a `Mapping`."""

    box: Box
    kind: str = "dict"


@record(frozen=True, slots=True)
class Mapping(Value):
    """The content of a dict: constant keys told apart, and what any other key may hold, if there is one for sure."""

    items: tuple[tuple[Any, Value], ...] = ()
    rest: Value | None = None
    filled: bool = False

    def get(self, key: Any) -> Value | None:
        """The value under a constant key, else what other keys hold, else None."""
        for known, value in self.items:
            if known == key:
                return value
        return self.rest


@record(frozen=True, slots=True)
class ModuleValue(Value):
    """A module of the project; its names are the slots of `box`; `package` where it has submodules."""

    name: str
    box: Box
    source: SourceFile = field(repr=False)
    package: bool = False


@dataclass(slots=True, eq=False)
class ImportedValue(Value):
    """A name bound by an import of a project's module, which is run when the name is first read.

    `busy` while that happens: a package that imports a submodule of its own by its own name means the submodule.
    """

    module: str
    name: str | None
    source: SourceFile = field(repr=False)
    busy: bool = False


@record(frozen=True, slots=True)
class Union(Value):
    """One of several values, at most `joins.MAX_UNION`, none of them a union or unknown."""

    members: tuple[Value, ...]


Arrays: TypeAlias = Array | Tree
"""An array, or a pytree of arrays."""
SequenceValue: TypeAlias = TupleValue | ListValue
BoxedValue: TypeAlias = ListValue | DictValue | InstanceValue
"""What is kept in a box, as it can be changed in place."""
Wrapper: TypeAlias = PartialValue | MethodValue | TransformedValue
"""A callable around another one."""

UNKNOWN = Unknown()
TAINTED = Unknown(may_trace=True)
NONE = Const(None)

_serials = count(1)


class Box:
    """A mutable object of the abstract heap: named slots, its birth number and the number of its last write."""

    __slots__ = ("context", "name", "origin", "parent", "serial", "site", "slots", "version")

    def __init__(self, name: str, parent: Box | None = None, context: object = None) -> None:
        self.name = name
        self.parent = parent
        self.context = context  # the trace in which it was made
        self.site: object = None  # the node that makes it: boxes of one site are merged where paths join
        self.origin: Box | None = None  # the caller's object that a trace has copied it from
        self.serial = next(_serials)
        self.version = 0
        self.slots: dict[Any, Value] = {}

    def __repr__(self) -> str:
        return f"Box({self.name}#{self.serial})"


# --- questions -------------------------------------------------------------------------------------------------


def members(value: Value) -> tuple[Value, ...]:
    """The alternatives of a union, or the value alone."""
    return value.members if isinstance(value, Union) else (value,)


def traced_parts(value: Value) -> Iterator[Array | Tree]:
    """The tracers among the alternatives and inside immutable containers."""
    for member in members(value):
        if isinstance(member, Arrays):
            if member.traced:
                yield member
        elif isinstance(member, TupleValue):
            for item in member.items:
                yield from traced_parts(item)
            if member.rest is not None:
                yield from traced_parts(member.rest)


def surely_traced(value: Value, level: Level = Level.ABSTRACT) -> bool:
    """Whether on every way the value is an array or tree of tracers at least of this level."""
    return all(
        isinstance(member, Arrays) and member.level >= level and member.sure for member in members(value)
    )


def roots_of(values: Iterable[Value]) -> tuple[Root, ...]:
    """The roots of all tracers among the values, each once, in order."""
    seen: dict[int, Root] = {}
    for value in values:
        for part in traced_parts(value):
            for root in part.roots:
                seen.setdefault(id(root), root)
    return tuple(seen.values())


def trail_of(values: Iterable[Value]) -> Trail | None:
    """The trail of the first tracer among the values."""
    for value in values:
        for part in traced_parts(value):
            if part.trail is not None:
                return part.trail
    return None


def unsure(value: Value) -> Value:
    """The same value, which may also be something else."""
    match value:
        case Array() | Tree():
            return replace(value, sure=False) if value.sure else value
        case Union():
            return Union(tuple(unsure(member) for member in value.members))
        case TupleValue():
            rest = None if value.rest is None else unsure(value.rest)
            return replace(value, items=tuple(unsure(item) for item in value.items), rest=rest)
        case _:
            return value
