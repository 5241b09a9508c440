"""The interpreter's machine: frames, names, budget, and the dispatch to what runs each kind of node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import libcst as cst

from ..domain import (
    NONE,
    TAINTED,
    UNKNOWN,
    Box,
    Entry,
    ExternalValue,
    FunctionValue,
    ImportedValue,
    ListValue,
    Root,
    TransformedValue,
    TupleValue,
    Union,
    Value,
    surely_traced,
    traced_parts,
)
from ..events import ControlFlow, Converted, Event, HostCall, HostIndex, Matched, OutsideKind, Truth
from ..joins import join
from .counters import Counters
from .imports import resolve
from .polyvariance import Share
from .repetition import Repetition
from .state import Delta, State
from .stores import note_escape
from .tracing.lifetimes import Lifetimes
from .tracing.traces import Trace, staged_by

if TYPE_CHECKING:
    from ..files.source import SourceFile
    from ..knowledge import Catalogue
    from .generators import Generation
    from .libraries.haiku_parameters import Making
    from .tracing.custom_rules import Rules

MAX_DEPTH = 60  # frames of analysed code on top of each other
MAX_SAME = 3  # frames of one function on top of each other
FOREIGN_STEPS = 6_000  # steps that functions of other files may take in one file's analysis
TRACED_STEPS = 4_000  # of them in one call from inside a trace
EAGER_STEPS = 400  # and in one from outside
ASSUMED_STEPS = 200  # where nobody is seen to call what calls it
RAISING = (Truth, Converted, HostCall, HostIndex, Matched)


Role = Literal["expression", "target", "parameter"]
Observer: TypeAlias = "Callable[[cst.CSTNode, Value, Role], None]"
"""Hears of the value of each expression that is run, each target that is bound, each parameter."""


class BudgetSpent(Exception):
    """The file needs more steps than an analysis may take."""


class TooFar(Exception):
    """A function of another file takes more steps than it may."""


@dataclass(slots=True)
class Budget:
    """How many expressions and statements may still be run."""

    steps: int = 400_000
    floor: int = 0  # below it, what runs now has taken its share

    def spend(self) -> None:
        """Takes one step.

        Raises:
            TooFar: a function of another file has taken its share.
            BudgetSpent: none is left.
        """
        self.steps -= 1
        if self.steps < self.floor:
            self.exhausted()

    def exhausted(self) -> NoReturn:
        """Ends what is under way; raises as `spend`."""
        raise BudgetSpent if self.steps < 0 else TooFar


@dataclass(slots=True, eq=False)
class Frame:
    """A module, class body or function under way."""

    scope: Box
    source: SourceFile
    function: FunctionValue | None = None
    receiver: Value | None = None
    is_class: bool = False
    mark: int = 0
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    returns: list[tuple[Value, Delta]] = field(default_factory=list)
    produced: ListValue | None = None  # what a generator is going to give
    yields: list[Value] = field(default_factory=list)
    yielding: dict[Any, Value] = field(default_factory=dict)  # its variables at the last `yield`
    outside: Delta | None = None  # what it had changed outside at the first one
    loops: list[Loop] = field(default_factory=list)
    statement: cst.CSTNode | None = None
    perhaps_left: bool = False  # a branch that data decides may have returned already
    # Tracers that were refused as keys: nothing after it is reached
    unhashable: set[int] = field(default_factory=set)
    key: Any = None  # what `functions.run_function` remembers the call by


@dataclass(slots=True, eq=False)
class Loop:
    """A loop under way: the states in which it is left or begun anew."""

    mark: int
    breaks: list[Delta] = field(default_factory=list)
    continues: list[Delta] = field(default_factory=list)


class Interpreter:
    """Runs analysed code on abstract values; `listener` hears of every event."""

    def __init__(
        self,
        catalogue: Catalogue,
        listener: Callable[[Event], None],
        modules: Callable[[str, SourceFile], Value | None] | None = None,
        budget: Budget | None = None,
    ) -> None:
        from .expressions import EXPRESSIONS
        from .libraries.results import WORDS
        from .python import methods  # noqa: F401 (they put themselves into the table of `calls`)
        from .python.builtins import BUILTINS
        from .statements import run_block
        from .tracing.kinds import KINDS

        self._builtins = BUILTINS
        self.kinds = KINDS
        self.words = WORDS
        self._expressions: dict[type[cst.CSTNode], Callable[..., Value]] = EXPRESSIONS
        self._run_block = run_block
        self.catalogue = catalogue
        self.listener = listener
        self.observer: Observer | None = None
        self.modules = modules or (lambda name, source: None)
        self.budget = budget or Budget()
        self.state = State(self._imported)
        self.frames: list[Frame] = []
        self.frame: Frame
        """The innermost frame."""
        self.trace: Trace | None = None
        self.certain = True
        self.swallowed = False
        self.broken_off = 0  # how often the `try` under way has surely raised what its handlers catch
        self.caught: frozenset[str] = frozenset()  # exceptions of which an `except` clause catches some
        self.in_loop = 0
        self.memo: dict[Any, Any] = {}
        self.externals: dict[str, Value] = {}  # what `attributes.external` has found
        self.shares: dict[Any, Share] = {}
        self.pending: dict[int, TransformedValue] = {}
        self.wrapped_unseen: set[int] = set()  # functions that a decorator which is not known has taken
        self.alternatives: set[int] = set()  # transforms of one of several functions
        self.called: set[int] = set()
        self.defined: dict[int, tuple[FunctionValue, Value | None]] = {}
        self.run_nodes: set[int] = set()
        self.generations: dict[Box, Generation] = {}
        self.specimens: dict[int, Value] = {}
        self.making: set[int] = set()  # the functions that were first run while a specimen was made
        self.lifetimes = Lifetimes()
        self.repetition = Repetition()
        self.counters = Counters()
        self.setters = False  # whether a class has code that runs when an attribute is assigned to
        self.loop_nodes: tuple[int, ...] = ()
        self.loop_starts: tuple[int, ...] = ()  # what was born when each of these loops began
        self.staged_operations = 0
        # Python loops under way in traces, and their steps
        self.unrolling: list[tuple[Trace, cst.CSTNode, int]] = []
        self.callee: cst.BaseExpression | None = None  # what is called as soon as it is evaluated
        # the `and` or `or` that has just been evaluated, and the operand that decides it
        self.last_operand: tuple[cst.CSTNode, Value] | None = None
        self.consumed: cst.CSTNode | None = None  # the generator expression that is about to be exhausted
        self.jit_disabled = False
        # loops that no backward pass goes through, by their mark
        self.one_way: dict[int, tuple[Root, ControlFlow]] = {}
        self.not_followed = ""  # a function that is not run, as too many calls lead to it
        # what runs is called from the module's own code, not assumed to be called
        self.seen_from_module = True
        self.axis_names: list[str | None] = []  # bound by the maps under way; None: any
        self.rules: dict[int, Rules] = {}  # of custom derivatives, by the serial of the function
        # calls that trace, the outermost first
        self.entered: list[tuple[Entry, cst.CSTNode, SourceFile]] = []
        self.differentiating: list[tuple[cst.CSTNode, SourceFile]] = []  # calls that take a derivative
        self.wrappers: set[str] = set()  # library functions that gave functions back as they are
        self.refusals = 0  # arguments that made a transformed function raise before it was traced
        self.born_in: Trace | None = None
        self.parameters: Value = NONE  # what a library threads through to the layers of a module
        self.haiku_making: Making | None = None  # the parameters that haiku makes, while it does
        self._abroad_left = FOREIGN_STEPS
        self._is_abroad = False

    # --- frames -----------------------------------------------------------------------------------------------

    def enter_frame(self, frame: Frame) -> None:
        """Begins a module, class body or function."""
        self.frames.append(frame)
        self.frame = frame

    def leave_frames(self, depth: int) -> None:
        """Ends what is under way in all but so many frames, the outermost ones."""
        del self.frames[depth:]
        self.frame = self.frames[-1]

    # --- where we are ------------------------------------------------------------------------------------------

    @property
    def source(self) -> SourceFile:
        """The file whose code is being run."""
        return self.frame.source

    @property
    def staging(self) -> bool:
        """Whether jax operations are recorded here whatever their arguments."""
        return staged_by(self.trace) is not None

    def emit(
        self, event: type[Event], node: cst.CSTNode, value: Value, sure: bool = True, **facts: Any
    ) -> None:
        """Tells the rules of an event; it is sure where the path and the value are."""
        self.tell(event, node, sure and surely_traced(value), value=value, **facts)

    def tell(
        self,
        event: type[Event],
        node: cst.CSTNode,
        sure: bool = True,
        *,
        source: SourceFile | None = None,
        **facts: Any,
    ) -> None:
        """Tells the rules of an event whose certainty does not depend on a value's level; `source` holds the node.

        Outside every trace there are no tracers but leaked ones, and those are told of where they are used.
        """
        if self.trace is None and any(True for _ in traced_parts(facts.get("value") or UNKNOWN)):
            self.lifetimes.refused(self, event, facts["value"], node, facts.get("error"))
            return
        self.listener(self.event(event, node, sure, source, **facts))

    def event(
        self, of: type[Event], node: cst.CSTNode, sure: bool, source: SourceFile | None, **facts: Any
    ) -> Event:
        """An event of here and now."""
        if self.swallowed and sure and self.certain and of in RAISING:
            self.broken_off += 1
        return of(
            node=node,
            source=source or self.source,
            entry=self.trace.entry if self.trace else None,
            sure=sure
            and self.certain
            and not self.swallowed
            and not (self.caught and self._is_caught(facts)),
            statement=self.frame.statement,
            **facts,
        )

    def _is_caught(self, facts: dict[str, Any]) -> bool:
        """Whether an `except` clause around may catch what an event raises: a vector has no truth, a ValueError."""
        error = facts.get("error")
        if error is None:
            return getattr(facts.get("value"), "shape", None) != ()
        bases = {"NonConcreteBooleanIndexError": "IndexError", "JaxRuntimeError": "RuntimeError"}
        error = bases.get(str(error), str(error))
        return error in self.caught or (error == "IndexError" and "LookupError" in self.caught)

    @contextmanager
    def tracing(self, trace: Trace | None) -> Iterator[None]:
        """Runs the body inside another trace."""
        outer, self.trace = self.trace, trace
        try:
            yield
        finally:
            self.trace = outer

    @contextmanager
    def bearing(self, trace: Trace) -> Iterator[None]:
        """What the body makes belongs to a trace that is about to begin: the copies of its arguments."""
        outer, self.born_in = self.born_in, trace
        try:
            yield
        finally:
            self.born_in = outer

    @contextmanager
    def beside_loops(self) -> Iterator[None]:
        """Runs the body as if no Python loop were under way."""
        before = self.in_loop, self.loop_nodes, self.loop_starts
        self.in_loop, self.loop_nodes, self.loop_starts = 0, (), ()
        try:
            yield
        finally:
            self.in_loop, self.loop_nodes, self.loop_starts = before

    @contextmanager
    def looping(self, node: cst.CSTNode) -> Iterator[None]:
        """Runs the body inside a Python loop."""
        self.in_loop += 1
        nodes, starts = self.loop_nodes, self.loop_starts
        self.loop_nodes = (*nodes, id(node))
        self.loop_starts = (*starts, self.new_box("loop").serial)
        try:
            yield
        finally:
            self.in_loop -= 1
            self.loop_nodes, self.loop_starts = nodes, starts

    @contextmanager
    def doubting(self, doubt: bool) -> Iterator[None]:
        """Runs the body; where `doubt`, its events are no longer sure."""
        outer, self.certain = self.certain, self.certain and not doubt
        try:
            yield
        finally:
            self.certain = outer and not self.frame.perhaps_left

    def run_abroad(
        self, source: SourceFile, run: Callable[[], Value], lost: Callable[[Delta], None]
    ) -> Value:
        """Runs a function of the given file; where it is another file's, only for so long.

        What other files do outside any trace matters little here: they are analysed themselves.  What had been changed
        until then, and is not any more, is told as `lost`.
        """
        if self._is_abroad or source is self.frames[0].source:
            return run()
        outside = EAGER_STEPS if self.seen_from_module else ASSUMED_STEPS
        limit = min(TRACED_STEPS if self.trace is not None else outside, self._abroad_left)
        if limit <= 0:
            lost({})
            return TAINTED
        mark, frames = self.state.mark(), len(self.frames)
        loop, nodes, starts = self.in_loop, self.loop_nodes, self.loop_starts
        before, watches, defined = self.budget.steps, self.state.watching(), len(self.defined)
        self.budget.floor = before - limit
        self._is_abroad = True
        try:
            return run()
        except TooFar:
            self.leave_frames(frames)
            changed = self.state.delta(mark)
            self.state.rollback(mark)
            lost(changed)
            for node in [*self.defined][defined:]:  # what they close over is rolled back
                del self.defined[node]
            self.state.stop_watching(watches)
            self.in_loop, self.loop_nodes, self.loop_starts = loop, nodes, starts
            return TAINTED
        finally:
            self._is_abroad = False
            self.budget.floor = 0
            self._abroad_left -= before - self.budget.steps

    def new_box(self, name: str, parent: Box | None = None, site: object = None) -> Box:
        """A new mutable object, made in the current trace."""
        box = Box(name, parent, self.trace if self.born_in is None else self.born_in)
        box.site = site
        return box

    def _imported(self, value: ImportedValue) -> Value:
        """What an import binds, its module run now if it was not yet."""
        return resolve(self, value)

    # --- names -------------------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value:
        """The value of a name in the current scope, its enclosing ones, and the builtins."""
        value = self.find(name)[1]
        return value if value is not None else UNKNOWN

    def find(self, name: str) -> tuple[Box | None, Value | None]:
        """The scope that a name is found in, and its value there; a builtin stands in no scope."""
        scope = self.frame.scope
        if name in self.frame.globals:
            scope = self.module_box(scope) or scope
        return self.find_from(scope, name)

    def find_from(self, scope: Box, name: str) -> tuple[Box | None, Value | None]:
        """The same for a name in a given scope."""
        box: Box | None = scope
        while box is not None:
            value = self.state.read(box, name)
            if value is not None:
                return box, value
            if box.parent is None:
                star = self.state.read(box, "*")
                if star is not None:
                    return None, self._from_star(star, name)
            box = box.parent
        return None, self._builtins.get(name)

    def _from_star(self, star: Value, name: str) -> Value:
        """A name that a star import may have bound."""
        for module in star.items if isinstance(star, TupleValue) else ():
            if isinstance(module, ExternalValue):
                full = self.catalogue.canonical(f"{module.name}.{name}")
                if self.catalogue.function(full) or self.catalogue.object(full):
                    return ExternalValue(full)
        return self._builtins.get(name, UNKNOWN)

    def module_box(self, box: Box | None) -> Box | None:
        """The outermost scope."""
        while box is not None and box.parent is not None:
            box = box.parent
        return box

    def home_of(self, name: str) -> Box:
        """The scope that an assignment to the name writes to."""
        frame = self.frame
        if name in frame.globals:
            return self.module_box(frame.scope) or frame.scope
        if name in frame.nonlocals:
            box = frame.scope.parent
            while box is not None and box.parent is not None:
                if name in box.slots:
                    return box
                box = box.parent
        return frame.scope

    def assign_name(self, name: str, value: Value, node: cst.CSTNode) -> None:
        """Binds a name, and tells where a tracer escapes by it."""
        home = self.home_of(name)
        if home is not self.frame.scope:
            where: OutsideKind = "global" if name in self.frame.globals else "nonlocal"
            note_escape(self, home, value, node, name, where, key=name)
        self.lifetimes.frozen.written(self, home, name, value, node)
        self.state.write(home, name, value)

    # --- running -----------------------------------------------------------------------------------------------

    def evaluate(self, node: cst.BaseExpression) -> Value:
        """The abstract value of an expression."""
        budget = self.budget  # as `spend` does, without a call for every expression
        budget.steps -= 1
        if budget.steps < budget.floor:
            budget.exhausted()
        run = self._expressions.get(type(node))
        value = run(self, node) if run is not None else UNKNOWN
        if self.observer is not None:
            self.observer(node, value, "expression")
        return value

    def execute(self, body: cst.BaseSuite | cst.Module) -> bool:
        """Runs statements; tells whether the end can be reached."""
        return self._run_block(self, body.body)

    def each(self, value: Value, run: Callable[[Value], Value]) -> Value:
        """Runs on each alternative of a union and joins; what holds on one way only is not sure."""
        if not isinstance(value, Union):
            return run(value)

        result: Value | None = None
        mark, ends = self.state.mark(), []
        with self.doubting(len(value.members) > 1 and not surely_traced(value)):
            for member in value.members:
                one = run(member)
                result = one if result is None else join(result, one)
                ends.append(self.state.delta(mark))
                self.state.rollback(mark)
        if any(ends):
            self.state.merge(ends)
        return result if result is not None else UNKNOWN
