"""What the interpreter tells the rules: Python asked something of a value, or did something while tracing.

An event states a fact; whether the fact is a pitfall, and what to say of it, is a rule's business.  `node` is the
expression (or statement) that the finding should mark.  `sure` is False where the path that leads here may not be
taken under tracing, or where the exception that tracing raises may be caught.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from .records import record

if TYPE_CHECKING:
    import libcst as cst

    from .domain import Entry, TransformedValue, Value
    from .files.source import SourceFile

TruthPlace: TypeAlias = Literal[
    "if",
    "elif",
    "while",
    "conditional",
    "assert",
    "and",
    "or",
    "not",
    "chain",
    "items",
    "in",
    "filter",
    "guard",
    "builtin",
]
EffectKind: TypeAlias = Literal[
    "print",
    "log",
    "warning",
    "time",
    "random",
    "file",
    "environment",
    "input",
    "process",
    "iterator",
    "counter",
    "taken",
]
OutsideKind: TypeAlias = Literal[
    "attribute", "global", "nonlocal", "container", "generator", "cache", "class", "parameters"
]


class Place(NamedTuple):
    """A node of a file, which may be another than the event's."""

    node: cst.CSTNode
    source: SourceFile


@record(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all events: where, in whose trace (None: no trace at all), and how certain."""

    node: cst.CSTNode
    source: SourceFile
    entry: Entry | None
    sure: bool = True
    statement: cst.CSTNode | None = None  # the statement that `node` stands in


@record(frozen=True, slots=True, kw_only=True)
class Truth(Event):
    """Python asks `value` for its truth: at a statement, an operator, or inside the builtin `function`.

    It may be what a `__bool__` has returned, which has to be a bool.  `structures` are the names around that hold no array,
    but something that holds several.
    """

    value: Value
    place: TruthPlace
    function: str = ""
    error: str | None = None  # where `bool` itself would raise another one
    structures: frozenset[str] = frozenset()


@record(frozen=True, slots=True, kw_only=True)
class Iterated(Event):
    """`value` is iterated over, or asked for its length; `how` is `for`, `unpack`, `star`, or the builtin's name.

    `range` asks for an integer.
    """

    value: Value
    how: str


@record(frozen=True, slots=True, kw_only=True)
class Matched(Event):
    """`match` compares `value` with a pattern that needs its concrete value."""

    value: Value


@record(frozen=True, slots=True, kw_only=True)
class Converted(Event):
    """A Python number, or list, is asked for: `int`, `float`, `complex`, `item`, `tolist`, `hex`, `round` ..."""

    value: Value
    function: str


@record(frozen=True, slots=True, kw_only=True)
class HostCall(Event):
    """A function of NumPy, SciPy, `math`, ... that needs concrete values is called with `value`.

    `function` is the canonical name (`numpy.sin`), `replacement` its traceable twin (`jax.numpy.sin`) if there is one,
    `wrapper` what makes it work if the traced function is given to it.
    """

    value: Value
    function: str
    error: str
    replacement: str = ""
    wrapper: str = ""


@record(frozen=True, slots=True, kw_only=True)
class HostIndex(Event):
    """`value` selects in, or is stored in, a Python container that needs its hash or its integer.

    `how`: `list index`, `tuple index`, `string index`, `dict key`, `set member`, `repeat`, `ndarray index`, `cache key`.
    `item` is what a list or tuple gives for any index.
    """

    value: Value
    how: str
    error: str
    item: Value | None = None


@record(frozen=True, slots=True, kw_only=True)
class Formatted(Event):
    """`value` is turned into text by `how`: `f-string`, `str`, `repr`, `%`, `format`, `print`, `log`."""

    value: Value
    how: str
    error: str | None = None  # some formats raise


@record(frozen=True, slots=True, kw_only=True)
class StaticParameter(Event):
    """A library function is given `value` for a parameter that must be static.

    `category` groups parameters: `shape`, `size`, `length`, `repeats`, `axis`, `dtype`, `flag`, `other`.
    """

    value: Value
    function: str
    parameter: str
    category: str
    error: str


@record(frozen=True, slots=True, kw_only=True)
class SliceBound(Event):
    """An array is sliced with `value` as start, stop or step."""

    value: Value
    array: Value


@record(frozen=True, slots=True, kw_only=True)
class MaskIndex(Event):
    """An array is indexed with the boolean array `mask`; `update` for `.at[mask]`."""

    mask: Value
    array: Value
    update: bool = False
    error: str = "NonConcreteBooleanIndexError"


@record(frozen=True, slots=True, kw_only=True)
class DynamicShape(Event):
    """A library function whose result shape depends on the values of `value` is called without `size`."""

    value: Value
    function: str
    parameter: str = "size"  # what would make the shape static; empty if nothing does
    error: str = "ConcretizationTypeError"


@record(frozen=True, slots=True, kw_only=True)
class Escaped(Event):
    """A traced `value` is stored where it outlives its trace; `target` is the text of the place.

    `used` is where the leaked value is later used so that tracing raises, if that was seen.
    """

    value: Value
    where: OutsideKind
    target: str
    used: cst.CSTNode | None = None
    error: str | None = None


@record(frozen=True, slots=True, kw_only=True)
class ForeignState(Event):
    """State that a library guards is changed from a trace that it was not made in, which it refuses; `target` is its text."""

    target: str
    error: str = "TraceContextError"


@record(frozen=True, slots=True, kw_only=True)
class ArrayMutation(Event):
    """A jax array is changed in place: `how` is `assign`, `augment`, `delete`, `view` (of its memory), `at` (what
    stands for its updates), or a method name."""

    value: Value
    how: str
    error: str = "TypeError"


@record(frozen=True, slots=True, kw_only=True)
class Effect(Event):
    """A host side effect happens while tracing: `function` is called."""

    function: str
    kind: EffectKind
    arguments: tuple[Value, ...] = ()


@record(frozen=True, slots=True, kw_only=True)
class FrozenRead(Event):
    """A name outside the traced function is read that other code rebinds after it was traced.

    `rebound` is the place that rebinds it; `kind`: `global`, `nonlocal`, `attribute`, `item`, `list`; or `parameter` or `local` of
    an earlier call, whose program the place gives again.
    """

    name: str
    kind: str
    rebound: cst.CSTNode | None = None


@record(frozen=True, slots=True, kw_only=True)
class DonatedUse(Event):
    """`name` is used again after its buffer was donated at `call`; `at_once`: the same call is given it twice."""

    name: str
    call: Place
    error: str = "RuntimeError"
    at_once: bool = False


@record(frozen=True, slots=True, kw_only=True)
class Discarded(Event):
    """A change that nobody sees.

    `how` `update`: a functional update is thrown away; `unread`: the name that it gets is never read; `rebound`:
    the new array of an augmented assignment is never read;
    `argument`: an argument of a trace is changed, a container or an attribute.
    """

    value: Value
    how: Literal["update", "unread", "rebound", "argument"]
    gives: str = ""  # what a functional update returns
    changed: cst.BaseExpression | None = None  # the place that it leaves as it is


@record(frozen=True, slots=True, kw_only=True)
class BufferChanged(Event):
    """A NumPy buffer is changed after it was handed to a traced function or aliased by `asarray` at `handed`."""

    name: str
    handed: Place
    how: Literal["argument", "alias"]


@record(frozen=True, slots=True, kw_only=True)
class TransformApplied(Event):
    """A transform is applied to a function.

    `loop`: inside a Python loop or a function that is called again and again, so that it happens repeatedly;
    `fresh`: the function object is new each time (lambda, partial, bound method, nested function).
    `problem`, if not empty, says what is wrong: `unknown-name`, `out-of-range`, `not-a-choice`, `static-and-donated`,
    `generator`, `staticmethod`, `not-callable`, `no-function`, ...; `detail` names it, `error` is what wrapping (or
    the first call) raises.
    """

    transformed: TransformedValue
    loop: bool = False
    fresh: bool = False
    called: bool = False
    problem: str = ""
    detail: str = ""
    error: str | None = None


@record(frozen=True, slots=True, kw_only=True)
class TracedCall(Event):
    """A transformed function is called with an argument that does not fit.

    `problem`: `unhashable-static`, `unhashable-function` (what is called), `non-array`, `array-static`, `static-changes` (in a
    loop), `shape-changes` (in a loop), `arity`, `axes` (in_axes and mapped sizes), `not-differentiable`, `metadata`
    (`parameter` names the field).  `part` is what inside `value` does not fit.
    """

    transformed: TransformedValue
    problem: str
    parameter: str = ""
    value: Value | None = None
    detail: str = ""
    error: str | None = None
    part: Value | None = None


@record(frozen=True, slots=True, kw_only=True)
class Unrolled(Event):
    """A Python loop of `count` steps (None: many) is unrolled into the trace; `operations` were staged in one step.

    `value` is what it goes over.
    """

    value: Value
    count: int | None
    operations: int


@record(frozen=True, slots=True, kw_only=True)
class ConstantCaptured(Event):
    """A traced function closes over a concrete array of `size` elements."""

    name: str
    size: int


@record(frozen=True, slots=True, kw_only=True)
class ControlFlow(Event):
    """A structured control-flow function, a map or a derivative is used wrongly; `detail` says the exact difference.

    `problem`:

    - `result`, `operand`: `value`, which is no array, is returned or passed
    - `sequence`: `value`, a list or tuple, is passed to a function that takes arrays alone
    - `scalar`: `value` is returned where a scalar is differentiated
    - `branches`: the outputs of `cond` or `switch` differ
    - `carry`: structure, shape or dtype of a carry changes
    - `predicate`: it is no scalar
    - `keys`: `value`, an array of random keys, is passed where one is taken
    - `lengths`: of what is scanned over, they differ
    - `axis-name`: nothing binds the axis of a collective
    - `arity`: a callable takes or returns the wrong number, or something else that does not fit
    - `no-rule`: a function with a derivative of its own is called before it has a rule
    - `outlived`: a tracer is kept for a rule that is run when its trace has ended
    - `forward`: a function that has a backward rule alone is differentiated in forward mode
    - `reverse`: reverse mode through a while loop; `value` is what its count depends on, if that could be static,
      `used` the call in the same file that takes the derivative
    """

    function: str
    problem: str
    detail: str
    error: str
    value: Value | None = None
    used: cst.CSTNode | None = None
